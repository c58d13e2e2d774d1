"""The names of ``tensorflow.python.keras.layers.core``."""

from retrograd.faces import missing
from retrograd.keras.layers.core import Activation, Dense, Dropout, Flatten, Lambda

__getattr__ = missing(__name__)
