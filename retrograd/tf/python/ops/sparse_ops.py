"""The names of ``tensorflow.python.ops.sparse_ops``."""

from retrograd.faces import missing
from retrograd.ops.special import bessel_i1e as unary_op

__getattr__ = missing(__name__)
