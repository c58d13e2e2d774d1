"""The names of ``tensorflow.python.ops.custom_gradient``."""

from retrograd.faces import missing
from retrograd.state.custom_gradient import (
    custom_gradient,
    get_dependent_variables,
    get_variable_by_name,
    grad_pass_through,
    recompute_grad,
)
from retrograd.state.custom_gradient import (
    in_a_graph as _graph_mode_decorator,
)

__getattr__ = missing(__name__)
