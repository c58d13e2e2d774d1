"""The names of ``tensorflow.contrib.distributions.python.ops.bijectors.sigmoid``."""

from retrograd.faces import missing
from retrograd.nn.distributions.bijectors import Sigmoid

__getattr__ = missing(__name__)
