"""The names of ``tensorflow.python.pywrap_tensorflow``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
