"""The names of ``tensorflow.python.ops.linalg.linear_operator_identity``."""

from retrograd.faces import missing
from retrograd.nn.linear_operators.kinds import (
    BaseLinearOperatorIdentity,
    LinearOperatorIdentity,
    LinearOperatorScaledIdentity,
)

__getattr__ = missing(__name__)
