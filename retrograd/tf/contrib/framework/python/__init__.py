"""The names of ``tensorflow.contrib.framework.python``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
