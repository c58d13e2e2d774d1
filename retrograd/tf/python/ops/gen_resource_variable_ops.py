"""The names of ``tensorflow.python.ops.gen_resource_variable_ops``."""

from retrograd.faces import missing
from retrograd.ops.mutexes import mutex_lock, mutex_v2
from retrograd.ops.resources import (
    assign_add_variable_op,
    assign_sub_variable_op,
    destroy_resource_op,
    read_variable_op,
    resource_gather,
    resource_gather_nd,
    var_handle_op,
    var_is_initialized_op,
)

__getattr__ = missing(__name__, raw=True)
