"""The names of ``tensorflow.python.distribute.reduce_util``."""

from retrograd.distribute.contexts import ReduceOp
from retrograd.faces import missing

__getattr__ = missing(__name__)
