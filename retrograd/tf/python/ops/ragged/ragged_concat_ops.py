"""The names of ``tensorflow.python.ops.ragged.ragged_concat_ops``."""

from retrograd.faces import missing
from retrograd.ragged.rows import concat, stack

__getattr__ = missing(__name__)
