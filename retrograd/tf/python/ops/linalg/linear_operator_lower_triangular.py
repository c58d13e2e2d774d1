"""The names of ``tensorflow.python.ops.linalg.linear_operator_lower_triangular``."""

from retrograd.faces import missing
from retrograd.nn.linear_operators.kinds import LinearOperatorLowerTriangular

__getattr__ = missing(__name__)
