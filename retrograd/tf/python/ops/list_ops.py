"""The names of ``tensorflow.python.ops.list_ops``."""

from retrograd.faces import missing
from retrograd.ops.list_elements import _build_element_shape
from retrograd.ops.list_stacks import (
    tensor_list_concat,
    tensor_list_concat_lists,
    tensor_list_from_tensor,
    tensor_list_gather,
    tensor_list_scatter,
    tensor_list_split,
    tensor_list_stack,
)
from retrograd.ops.tensor_lists import (
    empty_tensor_list,
    tensor_list_element_shape,
    tensor_list_get_item,
    tensor_list_length,
    tensor_list_pop_back,
    tensor_list_push_back,
    tensor_list_push_back_batch,
    tensor_list_reserve,
    tensor_list_resize,
    tensor_list_set_item,
)

__getattr__ = missing(__name__)
