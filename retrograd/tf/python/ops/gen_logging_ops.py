"""The names of ``tensorflow.python.ops.gen_logging_ops``."""

from retrograd.faces import missing
from retrograd.ops.clock import timestamp

__getattr__ = missing(__name__, raw=True)
