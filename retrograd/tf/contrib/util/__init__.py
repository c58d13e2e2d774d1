"""The names of ``tensorflow.contrib.util``."""

from retrograd.faces import missing
from retrograd.graph.protos import make_ndarray, make_tensor_proto
from retrograd.graph.static import get_static_value as constant_value
from retrograd.io.fusing import ops_used_by_graph_def
from retrograd.io.meta_graphs import stripped_op_list_for_graph

__getattr__ = missing(__name__)
