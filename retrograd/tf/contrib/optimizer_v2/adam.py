"""The names of ``tensorflow.contrib.optimizer_v2.adam``."""

from retrograd.contrib.state_optimizer_kinds import AdamOptimizer
from retrograd.faces import missing

__getattr__ = missing(__name__)
