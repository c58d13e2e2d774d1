"""The names of ``tensorflow.python.ops.linalg.linear_operator_adjoint``."""

from retrograd.faces import missing
from retrograd.nn.linear_operators.turned import LinearOperatorAdjoint

__getattr__ = missing(__name__)
