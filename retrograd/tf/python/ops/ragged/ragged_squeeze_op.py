"""The names of ``tensorflow.python.ops.ragged.ragged_squeeze_op``."""

from retrograd.faces import missing
from retrograd.ragged.rows import squeeze

__getattr__ = missing(__name__)
