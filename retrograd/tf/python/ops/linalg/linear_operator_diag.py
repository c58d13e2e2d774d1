"""The names of ``tensorflow.python.ops.linalg.linear_operator_diag``."""

from retrograd.faces import missing
from retrograd.nn.linear_operators.kinds import LinearOperatorDiag

__getattr__ = missing(__name__)
