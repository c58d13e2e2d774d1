"""The names of ``tensorflow.python.distribute.cluster_resolver``."""

from retrograd.distribute.cluster_resolvers import (
    ClusterResolver,
    SimpleClusterResolver,
    TFConfigClusterResolver,
    TPUClusterResolver,
    UnionResolver,
)
from retrograd.distribute.cluster_resolvers import (
    UnionResolver as UnionClusterResolver,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
