"""The names of ``tensorflow.python.keras.layers.noise``."""

from retrograd.faces import missing
from retrograd.keras.layers.noise import AlphaDropout, GaussianDropout, GaussianNoise
from retrograd.nn.layers.engine import Layer

__getattr__ = missing(__name__)
