"""The names of ``tensorflow.contrib.distributions.python.ops.relaxed_bernoulli``."""

from retrograd.faces import missing
from retrograd.nn.distributions.one_hot import (
    ExpRelaxedOneHotCategorical,
    OneHotCategorical,
    RelaxedBernoulli,
    RelaxedOneHotCategorical,
)

__getattr__ = missing(__name__)
