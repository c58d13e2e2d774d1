"""The names of ``tensorflow.python.keras.mixed_precision.experimental``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
