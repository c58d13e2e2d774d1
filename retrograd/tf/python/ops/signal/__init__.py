"""The names of ``tensorflow.python.ops.signal``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
