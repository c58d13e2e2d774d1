"""The names of ``tensorflow.python.feature_column.dense_features``."""

from retrograd.faces import missing
from retrograd.feature_column.layers import DenseFeatures

__getattr__ = missing(__name__)
