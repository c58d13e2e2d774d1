"""The names of ``tensorflow.contrib.saved_model.python``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
