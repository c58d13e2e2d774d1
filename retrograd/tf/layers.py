"""The names of ``tensorflow.layers``."""

from retrograd.faces import missing
from retrograd.ops.segments import dense

__getattr__ = missing(__name__)
