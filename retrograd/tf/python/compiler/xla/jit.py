"""The names of ``tensorflow.python.compiler.xla.jit``."""

from retrograd.contrib.compiling import experimental_jit_scope, jit_scope
from retrograd.faces import missing

__getattr__ = missing(__name__)
