"""The names of ``tensorflow.core.kernels``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
