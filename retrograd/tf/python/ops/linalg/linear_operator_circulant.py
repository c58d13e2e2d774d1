"""The names of ``tensorflow.python.ops.linalg.linear_operator_circulant``."""

from retrograd.faces import missing
from retrograd.nn.linear_operators.circulant import (
    LinearOperatorCirculant,
    LinearOperatorCirculant2D,
    LinearOperatorCirculant3D,
)

__getattr__ = missing(__name__)
