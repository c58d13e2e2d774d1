"""The names of ``tensorflow.python.data.experimental.ops.scan_ops``."""

from retrograd.data.folding import scan
from retrograd.faces import missing

__getattr__ = missing(__name__)
