"""The names of ``tensorflow.python.keras.engine.sequential``."""

from retrograd.faces import missing
from retrograd.keras.sequential import Sequential

__getattr__ = missing(__name__)
