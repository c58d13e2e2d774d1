"""The names of ``tensorflow.python.framework.versions``."""

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
from retrograd.graph.versions import (
    COMPILER_VERSION as __compiler_version__,
)
from retrograd.graph.versions import (
    CXX11_ABI_FLAG as __cxx11_abi_flag__,
)
from retrograd.graph.versions import (
    GIT_VERSION as __git_version__,
)
from retrograd.graph.versions import (
    MONOLITHIC_BUILD as __monolithic_build__,
)
from retrograd.graph.versions import (
    VERSION as __version__,
)

__getattr__ = missing(__name__)
