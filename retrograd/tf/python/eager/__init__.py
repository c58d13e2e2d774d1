"""The names of ``tensorflow.python.eager``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
