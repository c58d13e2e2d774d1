"""The names of ``tensorflow.contrib.bayesflow.python``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
