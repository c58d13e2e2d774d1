"""The names of ``tensorflow.python.tools.freeze_graph``."""

from retrograd.faces import missing
from retrograd.io.tools import freeze_graph, freeze_graph_with_def_protos

__getattr__ = missing(__name__)
