"""The names of ``tensorflow.python.ops.distributions.bijector``."""

from retrograd.faces import missing
from retrograd.nn.distributions.bijector import Bijector

__getattr__ = missing(__name__)
