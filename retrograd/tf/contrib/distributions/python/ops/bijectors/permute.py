"""The names of ``tensorflow.contrib.distributions.python.ops.bijectors.permute``."""

from retrograd.faces import missing
from retrograd.nn.distributions.flows import Permute

__getattr__ = missing(__name__)
