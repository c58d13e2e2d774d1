"""The names of ``tensorflow.python.keras.saving.saved_model``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
