"""The names of ``tensorflow.python.util.dispatch``."""

from retrograd.faces import missing
from retrograd.graph.dispatch import dispatch_for_types

__getattr__ = missing(__name__)
