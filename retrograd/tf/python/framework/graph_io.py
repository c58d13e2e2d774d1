"""The names of ``tensorflow.python.framework.graph_io``."""

from retrograd.faces import missing
from retrograd.io.graph_defs import write_graph

__getattr__ = missing(__name__)
