"""The names of ``tensorflow.python.data.experimental.ops.distribute_options``."""

from retrograd.data.options import DistributeOptions
from retrograd.faces import missing

__getattr__ = missing(__name__)
