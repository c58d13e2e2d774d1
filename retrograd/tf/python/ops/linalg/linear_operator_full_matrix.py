"""The names of ``tensorflow.python.ops.linalg.linear_operator_full_matrix``."""

from retrograd.faces import missing
from retrograd.nn.linear_operators.kinds import LinearOperatorFullMatrix

__getattr__ = missing(__name__)
