"""The names of ``tensorflow.contrib.tpu.python.tpu``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
