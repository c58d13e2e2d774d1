"""The names of ``tensorflow.python.platform.sysconfig``."""

from retrograd.faces import missing
from retrograd.io.native_libraries import get_compile_flags, get_include, get_lib, get_link_flags

__getattr__ = missing(__name__)
