"""The names of ``tensorflow.python.compat``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
