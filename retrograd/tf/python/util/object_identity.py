"""The names of ``tensorflow.python.util.object_identity``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
