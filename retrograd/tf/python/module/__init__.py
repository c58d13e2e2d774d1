"""The names of ``tensorflow.python.module``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
