"""The names of ``tensorflow.xla``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
