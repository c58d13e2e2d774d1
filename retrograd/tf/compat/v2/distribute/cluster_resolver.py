"""The names of ``tensorflow.compat.v2.distribute.cluster_resolver``."""

from retrograd.distribute.cluster_resolvers import (
    ClusterResolver,
    SimpleClusterResolver,
    TFConfigClusterResolver,
    TPUClusterResolver,
    UnionResolver,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
