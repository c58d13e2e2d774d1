"""The names of ``tensorflow.python.ops.distributions.distributions``."""

from retrograd.faces import missing
from retrograd.nn.distributions.continuous import Laplace, StudentT, Uniform
from retrograd.nn.distributions.counts import Dirichlet, DirichletMultinomial, Multinomial
from retrograd.nn.distributions.discrete import Bernoulli, Categorical
from retrograd.nn.distributions.distribution import (
    FULLY_REPARAMETERIZED,
    NOT_REPARAMETERIZED,
    Distribution,
    ReparameterizationType,
)
from retrograd.nn.distributions.divergences import RegisterKL, kl_divergence
from retrograd.nn.distributions.gamma import Beta, Exponential, Gamma
from retrograd.nn.distributions.normal import Normal

__getattr__ = missing(__name__)
