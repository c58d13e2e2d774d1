"""The names of ``tensorflow.contrib.feature_column.python``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
