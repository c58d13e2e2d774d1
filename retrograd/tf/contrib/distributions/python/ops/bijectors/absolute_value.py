"""The names of ``tensorflow.contrib.distributions.python.ops.bijectors.absolute_value``."""

from retrograd.faces import missing
from retrograd.nn.distributions.bijectors import AbsoluteValue

__getattr__ = missing(__name__)
