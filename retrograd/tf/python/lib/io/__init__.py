"""The names of ``tensorflow.python.lib.io``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
