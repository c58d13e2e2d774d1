"""The names of ``tensorflow.python.ops.linalg_ops``."""

from retrograd.faces import missing
from retrograd.ops.grids import eye
from retrograd.ops.matrix_functions import logm as matrix_logarithm
from retrograd.ops.matrix_functions import matrix_exponential, matrix_square_root
from retrograd.ops.norms import norm
from retrograd.ops.orthogonal import qr
from retrograd.ops.pivoting import lu
from retrograd.ops.solving import (
    cholesky,
    cholesky_solve,
    log_matrix_determinant,
    matrix_determinant,
    matrix_inverse,
    matrix_solve,
    matrix_solve_ls,
    matrix_triangular_solve,
)
from retrograd.ops.spectra import self_adjoint_eig, self_adjoint_eigvals, svd

__getattr__ = missing(__name__)
