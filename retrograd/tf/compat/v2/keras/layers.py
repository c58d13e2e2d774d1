"""The names of ``tensorflow.compat.v2.keras.layers``."""

from retrograd.faces import missing
from retrograd.feature_column.layers import DenseFeaturesV2 as DenseFeatures

__getattr__ = missing(__name__)
