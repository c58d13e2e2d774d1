"""The names of ``tensorflow.contrib.distributions.python.ops.bijectors.ordered``."""

from retrograd.faces import missing
from retrograd.nn.distributions.more_bijectors import Ordered

__getattr__ = missing(__name__)
