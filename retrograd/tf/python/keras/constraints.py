"""The names of ``tensorflow.python.keras.constraints``."""

from retrograd.faces import missing
from retrograd.nn.keras.constraints import get, serialize

__getattr__ = missing(__name__)
