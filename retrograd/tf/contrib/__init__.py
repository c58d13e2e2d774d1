"""The names of ``tensorflow.contrib``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
