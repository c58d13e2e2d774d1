"""The names of ``tensorflow.python.ops.distributions.categorical``."""

from retrograd.faces import missing
from retrograd.nn.distributions.discrete import Bernoulli, Categorical

__getattr__ = missing(__name__)
