"""The names of ``tensorflow.python.ops.linalg.linear_operator_toeplitz``."""

from retrograd.faces import missing
from retrograd.nn.linear_operators.circulant import LinearOperatorToeplitz

__getattr__ = missing(__name__)
