"""The names of ``tensorflow.python.ops.random_ops``."""

from retrograd.faces import missing
from retrograd.ops.random import (
    categorical,
    multinomial,
    random_crop,
    random_normal,
    random_shuffle,
    random_uniform,
    truncated_normal,
)
from retrograd.ops.variates import (
    parameterized_truncated_normal,
    random_gamma,
    random_poisson,
    random_poisson_v2,
)

__getattr__ = missing(__name__)
