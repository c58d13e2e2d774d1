"""The names of ``tensorflow.python.compiler.xla``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
