"""The names of ``tensorflow.python.data.experimental.ops.enumerate_ops``."""

from retrograd.data.experimental import enumerate_dataset
from retrograd.faces import missing

__getattr__ = missing(__name__)
