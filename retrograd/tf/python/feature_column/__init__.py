"""The names of ``tensorflow.python.feature_column``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
