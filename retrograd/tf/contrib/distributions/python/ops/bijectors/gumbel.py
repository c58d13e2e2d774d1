"""The names of ``tensorflow.contrib.distributions.python.ops.bijectors.gumbel``."""

from retrograd.faces import missing
from retrograd.nn.distributions.more_bijectors import Gumbel

__getattr__ = missing(__name__)
