"""The names of ``tensorflow.contrib.linear_optimizer``."""

from retrograd.contrib.coordinate_ascent import SdcaModel, SparseFeatureColumn
from retrograd.estimator.older.ascent import SDCAOptimizer
from retrograd.faces import missing

__getattr__ = missing(__name__)
