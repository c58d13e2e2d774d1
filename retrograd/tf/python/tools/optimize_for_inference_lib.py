"""The names of ``tensorflow.python.tools.optimize_for_inference_lib``."""

from retrograd.faces import missing
from retrograd.io.inference_graphs import (
    EPSILON_ATTR,
    INPUT_ORDER,
    ensure_graph_is_valid,
    fold_batch_norms,
    fuse_resize_and_conv,
    node_from_map,
    node_name_from_input,
    optimize_for_inference,
    scale_after_normalization,
    values_from_const,
)

__getattr__ = missing(__name__)
