"""The names of ``tensorflow.contrib.distributions.python.ops.bijectors.conditional_bijector``."""

from retrograd.faces import missing
from retrograd.nn.distributions.conditional import ConditionalBijector

__getattr__ = missing(__name__)
