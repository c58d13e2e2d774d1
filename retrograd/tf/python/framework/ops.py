"""The names of ``tensorflow.python.framework.ops``."""

from retrograd.command_line import eager_run
from retrograd.eager.context import (
    disable_eager_execution,
    disable_tensor_equality,
    enable_eager_execution,
    get_default_graph,
)
from retrograd.eager.tensor import EagerTensor, numpy_text
from retrograd.faces import missing
from retrograd.grad.known_rules import get_gradient_function
from retrograd.grad.known_rules import gradient_registry as _gradient_registry
from retrograd.grad.registry import (
    NotDifferentiable,
    RegisterGradient,
)
from retrograd.grad.registry import (
    NotDifferentiable as NoGradient,
)
from retrograd.grad.registry import (
    NotDifferentiable as no_gradient,
)
from retrograd.graph.collection_protos import (
    get_collection_proto_type,
    get_from_proto_function,
    get_to_proto_function,
    register_proto_function,
)
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import (
    as_tensor as internal_convert_to_tensor,
)
from retrograd.graph.convert import (
    convert_n_to_tensor,
    convert_to_tensor,
    convert_to_tensor_or_composite,
    register_tensor_conversion_function,
)
from retrograd.graph.convert import (
    get_graph_from_inputs as _get_graph_from_inputs,
)
from retrograd.graph.deprecation import deprecated_args
from retrograd.graph.graph import Graph
from retrograd.graph.lookup import element_of as _as_graph_element
from retrograd.graph.modes import executing_eagerly_outside_functions, init_scope, inside_function
from retrograd.graph.module_names import LazyLoader
from retrograd.graph.operation import Operation
from retrograd.graph.protos import new_node_def as _NodeDef
from retrograd.graph.scopes import (
    add_to_collection,
    add_to_collections,
    colocate_with,
    container,
    control_dependencies,
    device,
    get_all_collection_keys,
    get_collection,
    get_collection_ref,
    get_name_scope,
    name_scope,
    name_scope_v2,
    op_scope,
    prepend_name_scope,
    strip_name_scope,
)
from retrograd.graph.scopes import (
    colocate_with as _colocate_with,
)
from retrograd.graph.shape_functions import RegisterShape, _set_call_cpp_shape_fn
from retrograd.graph.sparse import IndexedSlices, IndexedSlicesValue
from retrograd.graph.stack import (
    default_session as get_default_session,
)
from retrograd.graph.stack import (
    graphs as _default_graph_stack,
)
from retrograd.graph.stack import (
    has_default_graph,
    reset_default_graph,
)
from retrograd.graph.stack import (
    sessions as _default_session_stack,
)
from retrograd.graph.statistics import OpStats, RegisterStatistics
from retrograd.graph.tensor import (
    Tensor,
    is_dense_tensor_like,
    register_dense_tensor_like_type,
)
from retrograd.graph.tensor import (
    TensorLike as _TensorLike,
)
from retrograd.graph.uids import uid
from retrograd.sessions.flops import get_stats_for_node_def

__getattr__ = missing(__name__)
