"""The names of ``tensorflow.python.keras.preprocessing``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
