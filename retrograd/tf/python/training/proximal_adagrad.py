"""The names of ``tensorflow.python.training.proximal_adagrad``."""

from retrograd.faces import missing
from retrograd.train.proximal import ProximalAdagradOptimizer

__getattr__ = missing(__name__)
