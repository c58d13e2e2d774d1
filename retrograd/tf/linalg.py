"""The names of ``tensorflow.linalg``."""

from retrograd.faces import missing
from retrograd.nn.linear_operators.circulant import (
    LinearOperatorCirculant,
    LinearOperatorCirculant2D,
    LinearOperatorCirculant3D,
    LinearOperatorToeplitz,
)
from retrograd.nn.linear_operators.combined import LinearOperatorBlockDiag, LinearOperatorComposition
from retrograd.nn.linear_operators.kinds import (
    LinearOperatorDiag,
    LinearOperatorFullMatrix,
    LinearOperatorIdentity,
    LinearOperatorLowerTriangular,
    LinearOperatorScaledIdentity,
)
from retrograd.nn.linear_operators.low_rank import LinearOperatorLowRankUpdate
from retrograd.nn.linear_operators.operator import LinearOperator
from retrograd.nn.linear_operators.products import LinearOperatorHouseholder, LinearOperatorKronecker
from retrograd.nn.linear_operators.turned import LinearOperatorAdjoint, LinearOperatorInversion
from retrograd.nn.linear_operators.zeros import LinearOperatorZeros
from retrograd.ops.clipping import global_norm
from retrograd.ops.contraction import einsum, tensordot, trace
from retrograd.ops.diagonals import (
    diag as tensor_diag,
)
from retrograd.ops.diagonals import (
    diag_part as tensor_diag_part,
)
from retrograd.ops.diagonals import (
    matrix_band_part as band_part,
)
from retrograd.ops.diagonals import (
    matrix_diag as diag,
)
from retrograd.ops.diagonals import (
    matrix_diag_part as diag_part,
)
from retrograd.ops.diagonals import (
    matrix_set_diag as set_diag,
)
from retrograd.ops.grids import eye
from retrograd.ops.matrices import cross, matmul, matvec
from retrograd.ops.matrix_functions import expm, logm
from retrograd.ops.matrix_functions import matrix_square_root as sqrtm
from retrograd.ops.norms import l2_normalize, norm, normalize
from retrograd.ops.orthogonal import qr
from retrograd.ops.permuting import matrix_transpose
from retrograd.ops.permuting import matrix_transpose as transpose
from retrograd.ops.pivoting import lu
from retrograd.ops.solving import (
    adjoint,
    cholesky,
    cholesky_solve,
    logdet,
)
from retrograd.ops.solving import (
    log_matrix_determinant as slogdet,
)
from retrograd.ops.solving import (
    matrix_determinant as det,
)
from retrograd.ops.solving import (
    matrix_inverse as inv,
)
from retrograd.ops.solving import (
    matrix_solve as solve,
)
from retrograd.ops.solving import (
    matrix_solve_ls as lstsq,
)
from retrograd.ops.solving import (
    matrix_triangular_solve as triangular_solve,
)
from retrograd.ops.spectra import (
    matrix_rank,
    pinv,
    svd,
)
from retrograd.ops.spectra import (
    self_adjoint_eig as eigh,
)
from retrograd.ops.spectra import (
    self_adjoint_eigvals as eigvalsh,
)
from retrograd.ops.tridiagonal import tridiagonal_matmul, tridiagonal_solve

__getattr__ = missing(__name__)
