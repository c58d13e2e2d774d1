"""The names of ``tensorflow.contrib.distributions.python.ops.bijectors.inline``."""

from retrograd.faces import missing
from retrograd.nn.distributions.bijectors import Inline

__getattr__ = missing(__name__)
