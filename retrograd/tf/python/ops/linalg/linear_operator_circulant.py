"""The names of ``tensorflow.python.ops.linalg.linear_operator_circulant``."""

from retrograd.faces import missing
from retrograd.nn.linear_operators.circulant import (
    LinearOperatorCirculant,
    LinearOperatorCirculant2D,
    LinearOperatorCirculant3D,
)
from retrograd.nn.linear_operators.circulant import (
    to_complex as _to_complex,
)

__getattr__ = missing(__name__)
