"""The names of ``tensorflow.python.data.experimental.ops.batching``."""

from retrograd.data.experimental import map_and_batch, unbatch
from retrograd.faces import missing

__getattr__ = missing(__name__)
