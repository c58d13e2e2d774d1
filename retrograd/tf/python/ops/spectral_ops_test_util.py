"""The names of ``tensorflow.python.ops.spectral_ops_test_util``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
