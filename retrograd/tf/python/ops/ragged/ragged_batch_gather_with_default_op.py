"""The names of ``tensorflow.python.ops.ragged.ragged_batch_gather_with_default_op``."""

from retrograd.faces import missing
from retrograd.ragged.defaults import batch_gather_with_default

__getattr__ = missing(__name__)
