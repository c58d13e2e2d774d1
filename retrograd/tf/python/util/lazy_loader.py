"""The names of ``tensorflow.python.util.lazy_loader``."""

from retrograd.faces import missing
from retrograd.graph.module_names import LazyLoader

__getattr__ = missing(__name__)
