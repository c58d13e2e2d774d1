"""The names of ``tensorflow.python.autograph.operators``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
