"""The names of ``tensorflow.contrib.opt.python.training.shampoo``."""

from retrograd.faces import missing
from retrograd.train.shampoo import ShampooOptimizer

__getattr__ = missing(__name__)
