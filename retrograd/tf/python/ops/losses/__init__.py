"""The names of ``tensorflow.python.ops.losses``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
