"""The names of ``tensorflow.contrib.distributions.python.ops.bijectors.weibull``."""

from retrograd.faces import missing
from retrograd.nn.distributions.more_bijectors import Weibull

__getattr__ = missing(__name__)
