"""The names of ``tensorflow.python.ops.linalg.linear_operator_toeplitz``."""

from retrograd.faces import missing
from retrograd.nn.linear_operators.circulant import LinearOperatorToeplitz
from retrograd.nn.linear_operators.circulant import to_complex as _to_complex

__getattr__ = missing(__name__)
