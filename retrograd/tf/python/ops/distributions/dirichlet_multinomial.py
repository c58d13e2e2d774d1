"""The names of ``tensorflow.python.ops.distributions.dirichlet_multinomial``."""

from retrograd.faces import missing
from retrograd.nn.distributions.counts import Dirichlet, DirichletMultinomial, Multinomial

__getattr__ = missing(__name__)
