"""The names of ``tensorflow.python.keras.optimizer_v2``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
