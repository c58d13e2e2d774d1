"""The names of ``tensorflow.python.training.optimizer``."""

from retrograd.faces import missing
from retrograd.train.optimizer import Optimizer

__getattr__ = missing(__name__)
