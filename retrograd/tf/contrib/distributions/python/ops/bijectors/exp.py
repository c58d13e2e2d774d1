"""The names of ``tensorflow.contrib.distributions.python.ops.bijectors.exp``."""

from retrograd.faces import missing
from retrograd.nn.distributions.bijectors import Exp

__getattr__ = missing(__name__)
