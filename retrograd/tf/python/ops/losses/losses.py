"""The names of ``tensorflow.python.ops.losses.losses``."""

from retrograd.faces import missing
from retrograd.graph.deprecation import deprecated_args, deprecated_argument_lookup

__getattr__ = missing(__name__)
