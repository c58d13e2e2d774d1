"""The names of ``tensorflow.python.ops.gen_random_ops``."""

from retrograd.faces import missing
from retrograd.ops.variates import parameterized_truncated_normal, random_poisson_v2

__getattr__ = missing(__name__, raw=True)
