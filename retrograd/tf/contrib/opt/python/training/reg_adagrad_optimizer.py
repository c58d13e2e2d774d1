"""The names of ``tensorflow.contrib.opt.python.training.reg_adagrad_optimizer``."""

from retrograd.faces import missing
from retrograd.train.adagrad import RegAdagradOptimizer

__getattr__ = missing(__name__)
