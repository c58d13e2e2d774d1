"""The names of ``tensorflow.python.ops.linalg.linear_operator_zeros``."""

from retrograd.faces import missing
from retrograd.nn.linear_operators.zeros import LinearOperatorZeros

__getattr__ = missing(__name__)
