"""The names of ``tensorflow.contrib.distributions.python.ops.bijectors.softmax_centered``."""

from retrograd.faces import missing
from retrograd.nn.distributions.bijectors import SoftmaxCentered

__getattr__ = missing(__name__)
