"""The names of ``tensorflow.python.feature_column.dense_features_v2``."""

from retrograd.faces import missing
from retrograd.feature_column.layers import DenseFeaturesV2 as DenseFeatures

__getattr__ = missing(__name__)
