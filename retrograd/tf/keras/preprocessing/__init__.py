"""The names of ``tensorflow.keras.preprocessing``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
