"""The names of ``tensorflow.contrib.distributions.python.ops.vector_diffeomixture``."""

from retrograd.faces import missing
from retrograd.nn.distributions.diffeomixture import VectorDiffeomixture
from retrograd.nn.distributions.quadratures import (
    quadrature_scheme_softmaxnormal_gauss_hermite,
    quadrature_scheme_softmaxnormal_quantiles,
)

__getattr__ = missing(__name__)
