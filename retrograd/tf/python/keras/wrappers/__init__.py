"""The names of ``tensorflow.python.keras.wrappers``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
