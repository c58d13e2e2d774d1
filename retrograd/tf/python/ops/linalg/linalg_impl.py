"""The names of ``tensorflow.python.ops.linalg.linalg_impl``."""

from retrograd.faces import missing
from retrograd.ops.contraction import einsum, tensordot, trace
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
from retrograd.ops.orthogonal import qr
from retrograd.ops.permuting import matrix_transpose as transpose

__getattr__ = missing(__name__)
