"""The names of ``tensorflow.contrib.framework``."""

from retrograd.faces import missing
from retrograd.graph.deprecation import deprecated, deprecated_args
from retrograd.ops.sorting import argsort, sort

__getattr__ = missing(__name__)
