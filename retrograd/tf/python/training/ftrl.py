"""The names of ``tensorflow.python.training.ftrl``."""

from retrograd.faces import missing
from retrograd.train.ftrl import FtrlOptimizer

__getattr__ = missing(__name__)
