"""The names of ``tensorflow.python.training.rmsprop``."""

from retrograd.faces import missing
from retrograd.train.rmsprop import RMSPropOptimizer

__getattr__ = missing(__name__)
