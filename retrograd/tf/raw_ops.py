"""The names of ``tensorflow.raw_ops``."""

from retrograd.faces import missing

__getattr__ = missing(__name__, raw=True)
