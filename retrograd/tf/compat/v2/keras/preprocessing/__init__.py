"""The names of ``tensorflow.compat.v2.keras.preprocessing``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
