"""The names of ``tensorflow.contrib.bayesflow.python.ops.monte_carlo_impl``."""

from retrograd.contrib.monte_carlo import (
    expectation,
    expectation_importance_sampler,
    expectation_importance_sampler_logspace,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
