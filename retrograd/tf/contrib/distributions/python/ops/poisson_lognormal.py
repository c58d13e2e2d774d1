"""The names of ``tensorflow.contrib.distributions.python.ops.poisson_lognormal``."""

from retrograd.faces import missing
from retrograd.nn.distributions.quadratures import (
    PoissonLogNormalQuadratureCompound,
    quadrature_scheme_lognormal_gauss_hermite,
    quadrature_scheme_lognormal_quantiles,
)

__getattr__ = missing(__name__)
