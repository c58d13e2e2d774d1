"""Where the names of older estimators and of what they stand on come from; added to the table of ``faces_table``."""

from faces_of_contrib import serve
from faces_table import HIDDEN

# part | TensorFlow's modules | names, ``ours=theirs`` where they differ
SERVED = """
contrib.clustering | contrib.factorization contrib.factorization.python.ops.clustering_ops | KMeans RANDOM_INIT
    KMEANS_PLUS_PLUS_INIT COSINE_DISTANCE SQUARED_EUCLIDEAN_DISTANCE
contrib.clustering | contrib.factorization.python.ops.clustering_ops | KMC2_INIT CLUSTERS_VAR_NAME
contrib.clustering | python.ops.clustering_ops | SeededKMeans=KMeans RANDOM_INIT KMEANS_PLUS_PLUS_INIT
    COSINE_DISTANCE SQUARED_EUCLIDEAN_DISTANCE KMC2_INIT CLUSTERS_VAR_NAME
estimator.canned.kmeans | contrib.factorization contrib.factorization.python.ops.kmeans | KMeansClustering
estimator.canned.kmeans | estimator.experimental | KMeans
"""

serve(SERVED)
HIDDEN.update((f"retrograd.{_row.split('|')[0].strip()}", "*") for _row in SERVED.splitlines() if _row[:1].strip())
