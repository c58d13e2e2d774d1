"""The names of ``tensorflow.contrib.graph_editor.util``."""

from retrograd.editing.copying import (
    make_placeholder_from_dtype_and_shape,
    make_placeholder_from_tensor,
    placeholder_name,
)
from retrograd.editing.selecting import (
    ControlOutputs,
    can_be_regex,
    check_cios,
    compute_boundary_ts,
    concatenate_unique,
    filter_ops,
    filter_ops_from_regex,
    filter_ts,
    filter_ts_from_regex,
    get_backward_walk_ops,
    get_consuming_ops,
    get_forward_walk_ops,
    get_generating_ops,
    get_name_scope_ops,
    get_ops_ios,
    get_tensors,
    get_unique_graph,
    get_walks_intersection_ops,
    get_walks_union_ops,
    get_within_boundary_ops,
    is_iterable,
    make_list_of_op,
    make_list_of_t,
    make_regex,
    select_ops,
    select_ops_and_ts,
    select_ts,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
