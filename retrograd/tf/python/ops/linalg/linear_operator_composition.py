"""The names of ``tensorflow.python.ops.linalg.linear_operator_composition``."""

from retrograd.faces import missing
from retrograd.nn.linear_operators.combined import LinearOperatorComposition

__getattr__ = missing(__name__)
