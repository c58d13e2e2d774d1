"""The names of ``tensorflow.python.ops.map_fn``."""

from retrograd.faces import missing
from retrograd.nn.functional import map_fn

__getattr__ = missing(__name__)
