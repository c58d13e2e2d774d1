"""The names of ``tensorflow.contrib.distributions.python.ops.chi2``."""

from retrograd.faces import missing
from retrograd.nn.distributions.inverse_gamma import (
    Chi2,
    Chi2WithAbsDf,
    InverseGamma,
    InverseGammaWithSoftplusConcentrationRate,
)

__getattr__ = missing(__name__)
