"""The names of ``tensorflow.contrib.distributions``."""

from retrograd.faces import missing
from retrograd.nn.distributions.arguments import reduce_weighted_logsumexp, softplus_inverse
from retrograd.nn.distributions.continuous import (
    Laplace,
    LaplaceWithSoftplusScale,
    StudentT,
    StudentTWithAbsDfSoftplusScale,
    Uniform,
)
from retrograd.nn.distributions.counts import Dirichlet, DirichletMultinomial, Multinomial
from retrograd.nn.distributions.discrete import Bernoulli, Categorical
from retrograd.nn.distributions.distribution import (
    FULLY_REPARAMETERIZED,
    NOT_REPARAMETERIZED,
    Distribution,
    ReparameterizationType,
)
from retrograd.nn.distributions.divergences import RegisterKL, kl_divergence
from retrograd.nn.distributions.gamma import (
    Beta,
    BetaWithSoftplusConcentration,
    Exponential,
    ExponentialWithSoftplusRate,
    Gamma,
    GammaWithSoftplusConcentrationRate,
)
from retrograd.nn.distributions.normal import Normal, NormalWithSoftplusScale
from retrograd.nn.distributions.normal_vectors import (
    MultivariateNormalDiag,
    MultivariateNormalDiagWithSoftplusScale,
    MultivariateNormalFullCovariance,
    MultivariateNormalTriL,
)
from retrograd.nn.distributions.transformed import TransformedDistribution
from retrograd.nn.distributions.vectors import (
    fill_triangular,
    fill_triangular_inverse,
    matrix_diag_transform,
    tridiag,
)

__getattr__ = missing(__name__)
