"""The names of ``tensorflow.graph_util``."""

from retrograd.faces import missing
from retrograd.io.graph_defs import (
    convert_variables_to_constants,
    extract_sub_graph,
    must_run_on_cpu,
    remove_training_nodes,
    tensor_shape_from_node_def_name,
)
from retrograd.io.importing import import_graph_def

__getattr__ = missing(__name__)
