"""The names of ``tensorflow.contrib.factorization``."""

from retrograd.contrib.clustering import (
    COSINE_DISTANCE,
    KMEANS_PLUS_PLUS_INIT,
    RANDOM_INIT,
    SQUARED_EUCLIDEAN_DISTANCE,
    KMeans,
)
from retrograd.contrib.factorizing import WALSModel
from retrograd.contrib.mixtures import GmmAlgorithm, gmm
from retrograd.estimator.canned.kmeans import KMeansClustering
from retrograd.estimator.older.factorizing import GMM, WALSMatrixFactorization
from retrograd.faces import missing

__getattr__ = missing(__name__)
