"""The names of ``tensorflow.contrib.distributions.python.ops.bijectors.chain``."""

from retrograd.faces import missing
from retrograd.nn.distributions.bijectors import Chain

__getattr__ = missing(__name__)
