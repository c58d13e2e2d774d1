"""The names of ``tensorflow.python.keras.layers.preprocessing``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
