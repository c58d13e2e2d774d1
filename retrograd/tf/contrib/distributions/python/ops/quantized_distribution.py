"""The names of ``tensorflow.contrib.distributions.python.ops.quantized_distribution``."""

from retrograd.faces import missing
from retrograd.nn.distributions.quantized import QuantizedDistribution

__getattr__ = missing(__name__)
