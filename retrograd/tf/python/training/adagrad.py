"""The names of ``tensorflow.python.training.adagrad``."""

from retrograd.faces import missing
from retrograd.train.adagrad import AdagradOptimizer

__getattr__ = missing(__name__)
