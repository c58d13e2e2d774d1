"""The names of ``tensorflow.python.training.adam``."""

from retrograd.faces import missing
from retrograd.train.adam import AdamOptimizer

__getattr__ = missing(__name__)
