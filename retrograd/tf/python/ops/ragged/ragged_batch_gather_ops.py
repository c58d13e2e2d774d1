"""The names of ``tensorflow.python.ops.ragged.ragged_batch_gather_ops``."""

from retrograd.faces import missing
from retrograd.ragged.rows import batch_gather

__getattr__ = missing(__name__)
