"""The names of ``tensorflow.contrib.text.python``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
