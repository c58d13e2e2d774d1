"""The names of ``tensorflow.contrib.distributions.python.ops.bijectors.invert``."""

from retrograd.faces import missing
from retrograd.nn.distributions.bijectors import Invert

__getattr__ = missing(__name__)
