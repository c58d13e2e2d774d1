"""The names of ``tensorflow.python.ops.linalg.linear_operator_low_rank_update``."""

from retrograd.faces import missing
from retrograd.nn.linear_operators.low_rank import LinearOperatorLowRankUpdate

__getattr__ = missing(__name__)
