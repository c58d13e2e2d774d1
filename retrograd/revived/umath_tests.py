"""``numpy.core.umath_tests``, which NumPy 2 removed: products of the last one or two axes."""

from numpy import matmul as matrix_multiply
from numpy import vecdot as inner1d

__all__ = ["inner1d", "matrix_multiply"]
