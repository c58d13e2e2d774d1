"""The names of ``tensorflow.contrib.distributions.python.ops.conditional_transformed_distribution``."""

from retrograd.faces import missing
from retrograd.nn.distributions.conditional import ConditionalDistribution, ConditionalTransformedDistribution

__getattr__ = missing(__name__)
