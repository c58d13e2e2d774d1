"""The names of ``tensorflow.contrib.graph_editor``."""

from retrograd.editing.connecting import (
    bypass,
    connect,
    detach,
    detach_control_inputs,
    detach_control_outputs,
    detach_inputs,
    detach_outputs,
    reroute_inputs,
    reroute_ios,
    reroute_outputs,
    swap_inputs,
    swap_ios,
    swap_outputs,
)
from retrograd.editing.copying import (
    SubGraphView,
    Transformer,
    TransformerInfo,
    assign_renamed_collections_handler,
    copy,
    copy_op_handler,
    copy_with_input_replacements,
    graph_replace,
    keep_t_if_possible_handler,
    make_placeholder_from_dtype_and_shape,
    make_placeholder_from_tensor,
    make_view,
    make_view_from_scope,
    placeholder_name,
    replace_t_with_placeholder_handler,
    transform_op_if_inside_handler,
)
from retrograd.editing.copying import (
    make_placeholder_from_dtype_and_shape as ph,
)
from retrograd.editing.copying import (
    make_view as sgv,
)
from retrograd.editing.copying import (
    make_view_from_scope as sgv_scope,
)
from retrograd.editing.rerouting import add_control_inputs, remove_control_inputs, reroute_ts, swap_ts
from retrograd.editing.selecting import (
    ControlOutputs,
    can_be_regex,
    check_cios,
    compute_boundary_ts,
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
    get_walks_intersection_ops,
    get_walks_union_ops,
    get_within_boundary_ops,
    make_list_of_op,
    make_list_of_t,
    make_regex,
    select_ops,
    select_ops_and_ts,
    select_ts,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
