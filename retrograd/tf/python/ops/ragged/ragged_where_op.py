"""The names of ``tensorflow.python.ops.ragged.ragged_where_op``."""

from retrograd.faces import missing
from retrograd.ragged.rows import where

__getattr__ = missing(__name__)
