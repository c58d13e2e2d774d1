"""The names of ``tensorflow.contrib.training.python.training.device_setter``."""

from retrograd.faces import missing
from retrograd.train.device_setter import GreedyLoadBalancingStrategy, RandomStrategy, byte_size_load_fn

__getattr__ = missing(__name__)
