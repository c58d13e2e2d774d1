"""The names of ``tensorflow.core``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
