"""The names of ``tensorflow.python.ops.clustering_ops``."""

from retrograd.contrib.clustering import (
    CLUSTERS_VAR_NAME,
    COSINE_DISTANCE,
    KMC2_INIT,
    KMEANS_PLUS_PLUS_INIT,
    RANDOM_INIT,
    SQUARED_EUCLIDEAN_DISTANCE,
)
from retrograd.contrib.clustering import (
    SeededKMeans as KMeans,
)
from retrograd.faces import missing
from retrograd.ops.clustering import (
    kmc2_chain_initialization,
    kmeans_plus_plus_initialization,
    nearest_neighbors,
)

__getattr__ = missing(__name__)
