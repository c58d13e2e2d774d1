"""The names of ``tensorflow.python.keras.layers.normalization_v2``."""

from retrograd.faces import missing
from retrograd.keras.layers.normalizing import BatchNormalizationV2 as BatchNormalization

__getattr__ = missing(__name__)
