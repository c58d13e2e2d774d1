"""Lists of tensors: a row goes from a tensor to a list and back, as nothing else is smooth about a list."""

from __future__ import annotations

from typing import Any

from case_table import Row, normal

from retrograd import tf
from retrograd.ops import list_stacks as stacks
from retrograd.ops import tensor_lists as lists


def _pushed(x: Any, y: Any) -> Any:
    made = lists.tensor_list_push_back(lists.tensor_list_push_back(lists.empty_tensor_list([2], tf.float64), x), y)
    rest, last = lists.tensor_list_pop_back(made, tf.float64)
    return [stacks.tensor_list_stack(made, tf.float64), last * stacks.tensor_list_stack(rest, tf.float64)]


def _set(x: Any, y: Any) -> Any:
    made = lists.tensor_list_set_item(stacks.tensor_list_from_tensor(x, [2]), 1, y)
    return [lists.tensor_list_get_item(made, i, tf.float64, [2]) ** 2 for i in range(3)]


def _scattered(x: Any, y: Any) -> Any:
    made = stacks.tensor_list_scatter(x, [2, 0, 1], [2])
    more = stacks.tensor_list_scatter(y, [1, 0], input_handle=made)
    return [stacks.tensor_list_gather(one, [2, 0], tf.float64, [2]) ** 2 for one in (made, more)]


def _split(x: Any) -> Any:
    made = stacks.tensor_list_split(x, [None, 2], [1, 2])
    return [stacks.tensor_list_concat(made, tf.float64) ** 2, lists.tensor_list_get_item(made, 1, tf.float64) ** 3]


def _resized(x: Any) -> Any:
    made = stacks.tensor_list_from_tensor(x, [2])
    sizes = [lists.tensor_list_resize(made, n) for n in (2, 4)]
    return [stacks.tensor_list_stack(one, tf.float64, element_shape=[2]) ** 2 for one in sizes]


_HOST: dict[str, Any] = {"traced": False, "shapes": False}
ROWS = [
    Row("TensorListPushBack", _pushed, (normal(2), normal(2, seed=1)), also=("TensorListPopBack", "TensorListStack"),
        **_HOST),
    Row("TensorListSetItem", _set, (normal(3, 2), normal(2, seed=1)),
        also=("TensorListFromTensor", "TensorListGetItem"), **_HOST),
    Row("TensorListScatterV2", _scattered, (normal(3, 2), normal(2, 2, seed=1)),
        also=("TensorListScatterIntoExistingList", "TensorListGather"), **_HOST),
    Row("TensorListSplit", _split, (normal(3, 2),), also=("TensorListConcatV2",), **_HOST),
    Row("TensorListResize", _resized, (normal(3, 2),), **_HOST),
]  # fmt: skip
