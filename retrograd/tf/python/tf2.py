"""The names of ``tensorflow.python.tf2``."""

from retrograd.faces import missing
from retrograd.graph.modes import enabled

__getattr__ = missing(__name__)
