"""The names of ``tensorflow.python.ops.linalg.linear_operator_inversion``."""

from retrograd.faces import missing
from retrograd.nn.linear_operators.turned import LinearOperatorInversion

__getattr__ = missing(__name__)
