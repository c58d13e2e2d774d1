"""The names of ``tensorflow.compat.v2.graph_util``."""

from retrograd.faces import missing
from retrograd.io.importing import import_graph_def

__getattr__ = missing(__name__)
