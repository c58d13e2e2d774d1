"""The names of ``tensorflow.python.framework.meta_graph``."""

from retrograd.faces import missing
from retrograd.io.meta_graphs import export_scoped_meta_graph, stripped_op_list_for_graph

__getattr__ = missing(__name__)
