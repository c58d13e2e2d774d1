"""The names of ``tensorflow.python.compiler.xla.xla``."""

from retrograd.contrib.compiling import compile_ as compile
from retrograd.faces import missing

__getattr__ = missing(__name__)
