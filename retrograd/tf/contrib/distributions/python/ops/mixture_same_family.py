"""The names of ``tensorflow.contrib.distributions.python.ops.mixture_same_family``."""

from retrograd.faces import missing
from retrograd.nn.distributions.mixtures import Mixture, MixtureSameFamily

__getattr__ = missing(__name__)
