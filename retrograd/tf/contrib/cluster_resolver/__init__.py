"""The names of ``tensorflow.contrib.cluster_resolver``."""

from retrograd.distribute.cluster_resolvers import (
    ClusterResolver,
    SimpleClusterResolver,
    TFConfigClusterResolver,
    TPUClusterResolver,
)
from retrograd.distribute.cluster_resolvers import (
    UnionResolver as UnionClusterResolver,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
