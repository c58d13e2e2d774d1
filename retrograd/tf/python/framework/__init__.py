"""The names of ``tensorflow.python.framework``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
