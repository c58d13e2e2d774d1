"""The names of ``tensorflow.contrib.optimizer_v2.adagrad``."""

from retrograd.contrib.state_optimizer_kinds import AdagradOptimizer
from retrograd.faces import missing

__getattr__ = missing(__name__)
