"""The names of ``tensorflow.compat.v2.sysconfig``."""

from retrograd.faces import missing
from retrograd.io.native_libraries import (
    CXX11_ABI_FLAG,
    MONOLITHIC_BUILD,
    get_compile_flags,
    get_include,
    get_lib,
    get_link_flags,
)

__getattr__ = missing(__name__)
