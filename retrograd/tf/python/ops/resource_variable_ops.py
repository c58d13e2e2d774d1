"""The names of ``tensorflow.python.ops.resource_variable_ops``."""

from retrograd.faces import missing
from retrograd.graph.deprecation import deprecated, deprecated_args
from retrograd.ops.mutexes import consume_mutex_lock, mutex_lock, mutex_v2
from retrograd.ops.resources import (
    assign_add_variable_op,
    assign_sub_variable_op,
    assign_variable_op,
    destroy_resource_op,
    read_variable_op,
    resource_gather,
    resource_gather_nd,
    var_handle_op,
    var_is_initialized_op,
    variable_shape,
)
from retrograd.state.resource import (
    BaseResourceVariable,
    ResourceVariable,
    UninitializedVariable,
    is_resource_variable,
)

__getattr__ = missing(__name__, raw=True)
