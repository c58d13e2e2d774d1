"""The names of ``tensorflow.tools.graph_transforms``."""

from retrograd.faces import missing
from retrograd.io.graph_transforms import transform_graph as TransformGraph

__getattr__ = missing(__name__)
