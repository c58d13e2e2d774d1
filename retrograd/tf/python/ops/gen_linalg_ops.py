"""The names of ``tensorflow.python.ops.gen_linalg_ops``."""

from retrograd.faces import missing
from retrograd.ops.orthogonal import qr
from retrograd.ops.solving import (
    cholesky,
    matrix_determinant,
    matrix_inverse,
    matrix_solve,
    matrix_square_root,
    matrix_triangular_solve,
)
from retrograd.ops.solving import (
    logm as matrix_logarithm,
)
from retrograd.ops.solving import (
    slogdet as log_matrix_determinant,
)

__getattr__ = missing(__name__, raw=True)
