"""The names of ``tensorflow.python.tpu.ops``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
