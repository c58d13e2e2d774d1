"""The names of ``tensorflow.python.estimator.canned``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
