"""The names of ``tensorflow.contrib.opt.python.training.addsign``."""

from retrograd.faces import missing
from retrograd.train.signs import AddSignOptimizer

__getattr__ = missing(__name__)
