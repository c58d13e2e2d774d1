"""The names of ``tensorflow.contrib.kernel_methods.python.mappers.random_fourier_features``."""

from retrograd.contrib.kernel_methods import RandomFourierFeatureMapper
from retrograd.faces import missing

__getattr__ = missing(__name__)
