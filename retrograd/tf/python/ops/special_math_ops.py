"""The names of ``tensorflow.python.ops.special_math_ops``."""

from retrograd.faces import missing
from retrograd.ops.contraction import einsum
from retrograd.ops.special import bessel_i0, bessel_i1, lbeta

__getattr__ = missing(__name__)
