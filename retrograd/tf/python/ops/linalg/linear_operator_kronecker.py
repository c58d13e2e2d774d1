"""The names of ``tensorflow.python.ops.linalg.linear_operator_kronecker``."""

from retrograd.faces import missing
from retrograd.nn.linear_operators.products import LinearOperatorKronecker

__getattr__ = missing(__name__)
