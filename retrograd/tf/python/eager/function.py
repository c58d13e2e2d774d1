"""The names of ``tensorflow.python.eager.function``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
