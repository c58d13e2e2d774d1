"""The names of ``tensorflow.contrib.distributions.python.ops.bijectors.square``."""

from retrograd.faces import missing
from retrograd.nn.distributions.more_bijectors import Square

__getattr__ = missing(__name__)
