"""The names of ``tensorflow.contrib.compiler``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
