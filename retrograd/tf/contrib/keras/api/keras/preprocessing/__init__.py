"""The names of ``tensorflow.contrib.keras.api.keras.preprocessing``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
