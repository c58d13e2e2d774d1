"""The names of ``tensorflow.contrib.keras.wrappers``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
