"""The names of ``tensorflow.contrib.distributions.python.ops.kumaraswamy``."""

from retrograd.faces import missing
from retrograd.nn.distributions.kumaraswamy import Kumaraswamy

__getattr__ = missing(__name__)
