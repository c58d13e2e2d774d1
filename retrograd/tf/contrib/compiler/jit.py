"""The names of ``tensorflow.contrib.compiler.jit``."""

from retrograd.contrib.compiling import experimental_jit_scope
from retrograd.faces import missing

__getattr__ = missing(__name__)
