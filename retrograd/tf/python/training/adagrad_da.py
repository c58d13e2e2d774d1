"""The names of ``tensorflow.python.training.adagrad_da``."""

from retrograd.faces import missing
from retrograd.train.adagrad import AdagradDAOptimizer

__getattr__ = missing(__name__)
