"""The names of ``tensorflow.python.data.experimental.ops``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
