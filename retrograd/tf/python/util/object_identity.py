"""The names of ``tensorflow.python.util.object_identity``."""

from retrograd.faces import missing
from retrograd.graph.tensor import Reference

__getattr__ = missing(__name__)
