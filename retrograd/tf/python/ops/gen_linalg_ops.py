"""The names of ``tensorflow.python.ops.gen_linalg_ops``."""

from retrograd.faces import missing
from retrograd.ops.matrix_functions import logm as matrix_logarithm
from retrograd.ops.matrix_functions import matrix_exponential, matrix_square_root
from retrograd.ops.orthogonal import qr
from retrograd.ops.pivoting import lu
from retrograd.ops.solving import (
    cholesky,
    log_matrix_determinant,
    matrix_determinant,
    matrix_inverse,
    matrix_solve,
    matrix_triangular_solve,
)

__getattr__ = missing(__name__, raw=True)
