"""The names of ``tensorflow.python.eager.wrap_function``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
