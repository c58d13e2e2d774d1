"""The names of ``tensorflow.core.util``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
