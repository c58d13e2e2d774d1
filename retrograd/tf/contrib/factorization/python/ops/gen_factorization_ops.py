"""The names of ``tensorflow.contrib.factorization.python.ops.gen_factorization_ops``."""

from retrograd.faces import missing
from retrograd.ops.factorization import masked_matmul, wals_compute_partial_lhs_and_rhs

__getattr__ = missing(__name__, raw=True)
