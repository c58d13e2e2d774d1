"""The names of ``tensorflow.contrib.distributions.python.ops.bijectors.reshape``."""

from retrograd.faces import missing
from retrograd.nn.distributions.more_bijectors import Reshape

__getattr__ = missing(__name__)
