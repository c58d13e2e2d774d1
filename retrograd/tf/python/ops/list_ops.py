"""The names of ``tensorflow.python.ops.list_ops``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
