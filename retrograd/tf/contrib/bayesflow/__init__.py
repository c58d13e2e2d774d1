"""The names of ``tensorflow.contrib.bayesflow``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
