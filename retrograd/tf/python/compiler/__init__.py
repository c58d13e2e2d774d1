"""The names of ``tensorflow.python.compiler``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
