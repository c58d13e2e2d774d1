"""The names of ``tensorflow.python.tpu.tpu``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
