"""The names of ``tensorflow.python.keras.premade.wide_deep``."""

from retrograd.faces import missing
from retrograd.keras.premade import WideDeepModel

__getattr__ = missing(__name__)
