"""The names of ``tensorflow.python.ops.linalg.linear_operator_householder``."""

from retrograd.faces import missing
from retrograd.nn.linear_operators.products import LinearOperatorHouseholder

__getattr__ = missing(__name__)
