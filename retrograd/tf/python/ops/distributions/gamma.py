"""The names of ``tensorflow.python.ops.distributions.gamma``."""

from retrograd.faces import missing
from retrograd.nn.distributions.gamma import (
    Beta,
    BetaWithSoftplusConcentration,
    Exponential,
    ExponentialWithSoftplusRate,
    Gamma,
    GammaWithSoftplusConcentrationRate,
)

__getattr__ = missing(__name__)
