"""The names of ``tensorflow.contrib.graph_editor.subgraph``."""

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
from retrograd.faces import missing

__getattr__ = missing(__name__)
