"""The names of ``tensorflow.contrib.factorization.python.ops.kmeans``."""

from retrograd.estimator.canned.kmeans import KMeansClustering
from retrograd.estimator.canned.kmeans import points_of as _parse_features_if_necessary
from retrograd.faces import missing

__getattr__ = missing(__name__)
