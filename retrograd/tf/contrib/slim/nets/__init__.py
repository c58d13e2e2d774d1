"""The names of ``tensorflow.contrib.slim.nets``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
