"""The names of ``tensorflow.compat.v2.xla.experimental``."""

from retrograd.contrib.compiling import compile_ as compile
from retrograd.contrib.compiling import jit_scope
from retrograd.faces import missing

__getattr__ = missing(__name__)
