"""The names of ``tensorflow.compat.v2.version``."""

from retrograd.faces import missing
from retrograd.graph.versions import (
    COMPILER_VERSION,
    GIT_VERSION,
    GRAPH_DEF_VERSION,
    GRAPH_DEF_VERSION_MIN_CONSUMER,
    GRAPH_DEF_VERSION_MIN_PRODUCER,
    VERSION,
)

__getattr__ = missing(__name__)
