"""The names of ``tensorflow.python.tools``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
