"""The names of ``tensorflow.python.ops.metrics``."""

from retrograd.faces import missing
from retrograd.graph.deprecation import deprecated

__getattr__ = missing(__name__)
