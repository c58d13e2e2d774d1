"""The names of ``tensorflow.contrib.tensor_forest.client``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
