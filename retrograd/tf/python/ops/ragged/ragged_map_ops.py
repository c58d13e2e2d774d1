"""The names of ``tensorflow.python.ops.ragged.ragged_map_ops``."""

from retrograd.faces import missing
from retrograd.nn.ragged_maps import map_fn

__getattr__ = missing(__name__)
