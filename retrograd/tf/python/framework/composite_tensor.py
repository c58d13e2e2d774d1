"""The names of ``tensorflow.python.framework.composite_tensor``."""

from retrograd.faces import missing
from retrograd.graph.composite import CompositeTensor, replace_composites_with_components

__getattr__ = missing(__name__)
