"""The names of ``tensorflow.contrib.optimizer_v2.adadelta``."""

from retrograd.contrib.state_optimizer_kinds import AdadeltaOptimizer
from retrograd.faces import missing

__getattr__ = missing(__name__)
