"""The names of ``tensorflow.keras.datasets``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
