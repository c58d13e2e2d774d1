"""The names of ``tensorflow.keras.experimental``."""

from retrograd.faces import missing
from retrograd.feature_column.layers import SequenceFeatures

__getattr__ = missing(__name__)
