"""The names of ``tensorflow.python.keras.datasets``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
