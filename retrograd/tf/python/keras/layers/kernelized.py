"""The names of ``tensorflow.python.keras.layers.kernelized``."""

from retrograd.faces import missing
from retrograd.keras.kernels import RandomFourierFeatures

__getattr__ = missing(__name__)
