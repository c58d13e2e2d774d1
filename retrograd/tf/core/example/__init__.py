"""The names of ``tensorflow.core.example``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
