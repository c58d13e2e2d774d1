"""The names of ``tensorflow.python.ops.distributions.beta``."""

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
