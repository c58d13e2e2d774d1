"""The names of ``tensorflow.python.keras.premade``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
