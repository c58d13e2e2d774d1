"""The names of ``tensorflow.python.keras.premade.linear``."""

from retrograd.faces import missing
from retrograd.keras.premade import LinearModel

__getattr__ = missing(__name__)
