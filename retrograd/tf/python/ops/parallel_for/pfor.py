"""The names of ``tensorflow.python.ops.parallel_for.pfor``."""

from retrograd.derivatives.rowwise import PForConfig
from retrograd.faces import missing

__getattr__ = missing(__name__)
