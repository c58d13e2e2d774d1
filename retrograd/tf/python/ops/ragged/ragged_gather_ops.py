"""The names of ``tensorflow.python.ops.ragged.ragged_gather_ops``."""

from retrograd.faces import missing
from retrograd.ragged.rows import gather, gather_nd

__getattr__ = missing(__name__)
