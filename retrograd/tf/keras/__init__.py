"""The names of ``tensorflow.keras``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
