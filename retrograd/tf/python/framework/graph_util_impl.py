"""The names of ``tensorflow.python.framework.graph_util_impl``."""

from retrograd.faces import missing
from retrograd.io.graph_defs import (
    convert_variables_to_constants,
    extract_sub_graph,
    must_run_on_cpu,
    remove_training_nodes,
    tensor_shape_from_node_def_name,
)

__getattr__ = missing(__name__)
