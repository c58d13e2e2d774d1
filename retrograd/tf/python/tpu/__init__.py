"""The names of ``tensorflow.python.tpu``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
