"""The names of ``tensorflow.python.ops.linalg.linear_operator_block_diag``."""

from retrograd.faces import missing
from retrograd.nn.linear_operators.combined import LinearOperatorBlockDiag

__getattr__ = missing(__name__)
