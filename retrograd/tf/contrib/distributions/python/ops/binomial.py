"""The names of ``tensorflow.contrib.distributions.python.ops.binomial``."""

from retrograd.faces import missing
from retrograd.nn.distributions.trials import Binomial, Geometric, NegativeBinomial, Poisson

__getattr__ = missing(__name__)
