"""The names of ``tensorflow.python.ops.distributions.transformed_distribution``."""

from retrograd.faces import missing
from retrograd.nn.distributions.transformed import TransformedDistribution

__getattr__ = missing(__name__)
