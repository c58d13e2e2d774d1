"""The names of ``tensorflow.python.ops.linalg.linear_operator_algebra``."""

from retrograd.faces import missing
from retrograd.nn.linear_operators.operator import (
    RegisterAdjoint,
    RegisterCholesky,
    RegisterInverse,
    RegisterMatmul,
    RegisterSolve,
    adjoint,
    cholesky,
    inverse,
    matmul,
    solve,
)

__getattr__ = missing(__name__)
