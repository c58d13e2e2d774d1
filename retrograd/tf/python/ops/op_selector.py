"""The names of ``tensorflow.python.ops.op_selector``."""

from retrograd.editing.selecting import (
    concatenate_unique,
    get_backward_walk_ops,
    get_consuming_ops,
    get_generating_ops,
    get_tensors,
    get_unique_graph,
    is_iterable,
    make_list_of_op,
    make_list_of_t,
)
from retrograd.faces import missing
from retrograd.state.lifting import UnliftableError

__getattr__ = missing(__name__)
