"""The names of ``tensorflow.compat.v2.keras.wrappers``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
