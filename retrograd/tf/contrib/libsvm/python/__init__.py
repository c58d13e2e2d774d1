"""The names of ``tensorflow.contrib.libsvm.python``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
