"""The names of ``tensorflow.distribute.cluster_resolver``."""

from retrograd.distribute.cluster_resolvers import (
    ClusterResolver,
    SimpleClusterResolver,
    TFConfigClusterResolver,
    TPUClusterResolver,
    UnionResolver,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
