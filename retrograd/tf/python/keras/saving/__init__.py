"""The names of ``tensorflow.python.keras.saving``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
