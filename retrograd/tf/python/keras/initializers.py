"""The names of ``tensorflow.python.keras.initializers``."""

from retrograd.faces import missing
from retrograd.nn.keras.initializers import RandomNormal, RandomUniform, TruncatedNormal, get, serialize

__getattr__ = missing(__name__)
