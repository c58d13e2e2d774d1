"""The names of ``tensorflow.python.data.experimental.ops.parsing_ops``."""

from retrograd.data.experimental import parse_example_dataset
from retrograd.faces import missing

__getattr__ = missing(__name__)
