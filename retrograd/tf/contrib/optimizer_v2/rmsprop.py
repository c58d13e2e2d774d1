"""The names of ``tensorflow.contrib.optimizer_v2.rmsprop``."""

from retrograd.contrib.state_optimizer_kinds import RMSPropOptimizer
from retrograd.faces import missing

__getattr__ = missing(__name__)
