"""The names of ``tensorflow.python.training.training_ops``."""

from retrograd.faces import missing
from retrograd.ops import training

__getattr__ = missing(__name__, raw=True)
