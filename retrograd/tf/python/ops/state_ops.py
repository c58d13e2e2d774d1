"""The names of ``tensorflow.python.ops.state_ops``."""

from retrograd.faces import missing
from retrograd.graph.deprecation import deprecated
from retrograd.ops.scatters import (
    batch_scatter_update,
    scatter_add,
    scatter_div,
    scatter_max,
    scatter_min,
    scatter_mul,
    scatter_nd_add,
    scatter_nd_sub,
    scatter_nd_update,
    scatter_sub,
    scatter_update,
)
from retrograd.ops.state import (
    assign,
    assign_add,
    assign_sub,
    count_up_to,
    init_variable,
    is_variable_initialized,
    variable_op,
    variable_op_v2,
)

__getattr__ = missing(__name__, raw=True)
