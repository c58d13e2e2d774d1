"""The names of ``tensorflow.python.ops.parsing_ops``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
