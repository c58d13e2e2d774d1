"""The names of ``tensorflow.python.ops.logging_ops``."""

from retrograd.faces import missing
from retrograd.graph.deprecation import deprecated
from retrograd.ops.clock import timestamp
from retrograd.ops.printing import Print
from retrograd.ops.printing import print_ as print_v2

__getattr__ = missing(__name__)
