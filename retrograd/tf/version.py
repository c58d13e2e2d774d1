"""The names of ``tensorflow.version``."""

from retrograd.faces import missing
from retrograd.graph.versions import (
    COMPILER_VERSION,
    CXX11_ABI_FLAG,
    GIT_VERSION,
    GRAPH_DEF_VERSION,
    GRAPH_DEF_VERSION_MIN_CONSUMER,
    GRAPH_DEF_VERSION_MIN_PRODUCER,
    MONOLITHIC_BUILD,
    VERSION,
)

__getattr__ = missing(__name__)
