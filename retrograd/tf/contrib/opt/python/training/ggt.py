"""The names of ``tensorflow.contrib.opt.python.training.ggt``."""

from retrograd.contrib.state_optimizer_kinds import GGTOptimizer
from retrograd.faces import missing

__getattr__ = missing(__name__)
