"""The names of ``tensorflow.contrib.distributions.python.ops.bijectors.softplus``."""

from retrograd.faces import missing
from retrograd.nn.distributions.bijectors import Softplus

__getattr__ = missing(__name__)
