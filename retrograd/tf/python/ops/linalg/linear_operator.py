"""The names of ``tensorflow.python.ops.linalg.linear_operator``."""

from retrograd.faces import missing
from retrograd.nn.linear_operators.operator import LinearOperator

__getattr__ = missing(__name__)
