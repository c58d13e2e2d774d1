"""The names of ``tensorflow.contrib.linear_optimizer.python.ops.sparse_feature_column``."""

from retrograd.contrib.coordinate_ascent import SparseFeatureColumn
from retrograd.faces import missing

__getattr__ = missing(__name__)
