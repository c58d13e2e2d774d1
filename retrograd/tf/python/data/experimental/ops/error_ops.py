"""The names of ``tensorflow.python.data.experimental.ops.error_ops``."""

from retrograd.data.experimental import ignore_errors
from retrograd.faces import missing

__getattr__ = missing(__name__)
