"""The names of ``tensorflow.contrib.labeled_tensor.python``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
