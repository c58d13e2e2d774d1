"""The names of ``tensorflow.python.data.experimental.ops.threading_options``."""

from retrograd.data.options import ThreadingOptions
from retrograd.faces import missing

__getattr__ = missing(__name__)
