"""The names of ``tensorflow.tools``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
