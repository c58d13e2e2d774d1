"""The names of ``tensorflow.contrib.distributions.python.ops.test_util``."""

from retrograd.faces import missing
from retrograd.testing.distributions import (
    DiscreteScalarDistributionTestHelpers,
    VectorDistributionTestHelpers,
)

__getattr__ = missing(__name__)
