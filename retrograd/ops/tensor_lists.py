"""Lists of tensors, as loops of TensorFlow 2 carry them: each op gives a list, and leaves the others as they are.

Here are lists that are new, that grow, shrink or change one element; ``list_stacks`` has what takes all elements at
once.  Source: TensorFlow 1.15.5, ``python/ops/list_ops.py``: names, order of ops in gradients, messages.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes, shapes
from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, Effect, define, not_differentiable
from retrograd.graph.dtypes import DType, type_word
from retrograd.graph.operation import Operation
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, constants, shape_rules
from retrograd.ops.conditions import cond
from retrograd.ops.list_elements import (
    ELEMENT,
    EXPECTED,
    KNOWN_OF,
    PASSING,
    POPPED,
    PUSHED,
    SHAPE_TYPE,
    _build_element_shape,
    by_shape,
    check_dtypes,
    checked_shape,
    element_of,
    element_shape_of,
    full_shape,
    same_elements,
    wanted_shape,
    zeros_of,
)
from retrograd.ops.list_values import TensorList, merged, text, unwrapped, wrong

# -- new lists -----------------------------------------------------------------------------------


def _empty(xp: Any, memory: Any, element_shape: Any, limit: Any, *, element_dtype: DType) -> TensorList:
    return TensorList([], element_dtype, element_shape_of(element_shape), None, int(limit))


EMPTY_TENSOR_LIST = define(
    "EmptyTensorList", "element_shape: shape_type, max_num_elements: int32", "handle: variant", attrs=ELEMENT,
    types=SHAPE_TYPE, shape=lambda element_shape, limit: (), kernel=_empty, effect=Effect.HOST,
    gradient=not_differentiable,
)  # fmt: skip
KNOWN_OF["EmptyTensorList"] = by_shape(0)


def empty_tensor_list(
    element_shape: Any, element_dtype: Any, max_num_elements: Any = None, name: str | None = None
) -> Tensor:
    """A list without elements, of at most ``max_num_elements``."""
    limit = -1 if max_num_elements is None else max_num_elements
    shape = _build_element_shape(element_shape)
    return apply(EMPTY_TENSOR_LIST, shape, limit, element_dtype=dtypes.as_dtype(element_dtype), name=name)


def _reserve(xp: Any, memory: Any, element_shape: Any, count: Any, *, element_dtype: DType) -> TensorList:
    return TensorList([None] * int(count), element_dtype, element_shape_of(element_shape))


TENSOR_LIST_RESERVE = define(
    "TensorListReserve", "element_shape: shape_type, num_elements: int32", "handle: variant", attrs=ELEMENT,
    types=SHAPE_TYPE, shape=lambda element_shape, count: (), kernel=_reserve, effect=Effect.HOST,
    gradient=not_differentiable,
)  # fmt: skip
KNOWN_OF["TensorListReserve"] = by_shape(0)


def tensor_list_reserve(element_shape: Any, num_elements: Any, element_dtype: Any, name: str | None = None) -> Tensor:
    """A list of elements that are to be set."""
    shape = _build_element_shape(element_shape)
    return apply(TENSOR_LIST_RESERVE, shape, num_elements, element_dtype=dtypes.as_dtype(element_dtype), name=name)


# -- at the end of a list ------------------------------------------------------------------------


def _push_shape(handle: Tensor, item: Tensor, *, element_dtype: DType) -> RawShape:
    checked_shape(handle, element_dtype, PUSHED)
    return ()


def _check_item(target: TensorList, item: Any, dtype: DType) -> None:
    if target.element_dtype is not dtype:
        listed, given = type_word(target.element_dtype), type_word(dtype)
        raise wrong(f"Invalid data types; list elements {listed} but tried to append {given}")
    if not shapes.compatible(target.element_shape, np.shape(item)):
        raise wrong(
            f"Tried to append a tensor with incompatible shape to a list. Op element shape: {text(np.shape(item))} "
            f"list shape: {text(target.element_shape)}"
        )


def _push(xp: Any, memory: Any, handle: Any, item: Any, *, element_dtype: DType) -> TensorList:
    target = unwrapped(handle)
    _check_item(target, item, element_dtype)
    limit = target.max_num_elements
    if limit >= 0 and target.length >= limit:
        raise wrong(f"Tried to push item into a full list list size: {target.length} max_num_elements: {limit}")
    return target.pushed(item)


def _push_gradient(op: Operation, dlist: Any) -> Any:
    return apply(TENSOR_LIST_POP_BACK, dlist, arrays.shape(op.inputs[1]), element_dtype=op.attrs["element_dtype"])


TENSOR_LIST_PUSH_BACK = define(
    "TensorListPushBack", "input_handle: variant, tensor: element_dtype", "output_handle: variant", shape=_push_shape,
    kernel=_push, effect=Effect.HOST, gradient=_push_gradient,
)  # fmt: skip
KNOWN_OF["TensorListPushBack"] = same_elements


def tensor_list_push_back(input_handle: Any, tensor: Any, name: str | None = None) -> Tensor:
    """The list with one more element."""
    return apply(TENSOR_LIST_PUSH_BACK, input_handle, tensor, name=name)


def _pop(xp: Any, memory: Any, handle: Any, element_shape: Any, *, element_dtype: DType) -> list[Any]:
    source = unwrapped(handle)
    check_dtypes(source.element_dtype, element_dtype)
    if not source.length:
        raise wrong("Trying to pop from an empty list.")
    item = source.item(source.length - 1)
    if item is None:
        shape = merged(element_shape_of(element_shape), source.element_shape)
        item = zeros_of(element_dtype, full_shape(shape, _UNSET))
    return [source.popped(), item]


_UNSET = "Trying to read an uninitialized tensor but element_shape is not fully defined: "


def _pop_shape(handle: Tensor, element_shape: Tensor, *, element_dtype: DType) -> list[RawShape]:
    return [(), checked_shape(handle, element_dtype, POPPED)]


def _pop_gradient(op: Operation, dlist: Any, ditem: Any) -> list[Any]:
    if dlist is None:
        dlist = empty_tensor_list(shape_of_elements(op.outputs[0]), ditem.dtype)
    return [tensor_list_push_back(dlist, ditem), None]


TENSOR_LIST_POP_BACK = define(
    "TensorListPopBack", "input_handle: variant, element_shape: int32",
    "output_handle: variant, tensor: element_dtype", attrs=ELEMENT, shape=_pop_shape, kernel=_pop, effect=Effect.HOST,
    gradient=_pop_gradient,
)  # fmt: skip
KNOWN_OF["TensorListPopBack"] = same_elements


def tensor_list_pop_back(input_handle: Any, element_dtype: Any, name: str | None = None) -> list[Tensor]:
    """The list without its last element, and that element."""
    return apply(TENSOR_LIST_POP_BACK, input_handle, -1, element_dtype=dtypes.as_dtype(element_dtype), name=name)


def _push_many(xp: Any, memory: Any, handles: Any, tensor: Any, *, element_dtype: DType) -> Any:
    lists, rows = np.asarray(handles, object), np.asarray(tensor)
    if rows.shape[:1] != (lists.size,):
        raise wrong(f"Expected tensor.shape[0] == input_handles.size, but saw {len(rows)} vs. {lists.size}")
    made = np.empty_like(lists)
    for i, (one, row) in enumerate(zip(lists.flat, rows, strict=True)):
        target = unwrapped(one)
        if target.element_dtype is not element_dtype:
            raise wrong(f"Invalid data type at index {i}")
        if not shapes.compatible(target.element_shape, np.shape(row)):
            raise wrong(
                f"Tried to append a tensor with incompatible shape to a list at index {i}. Op element shape: "
                f"{text(np.shape(row))} list shape: {text(target.element_shape)}"
            )
        made.flat[i] = target.pushed(row)
    return made


def _push_many_shape(handles: Tensor, tensor: Tensor, *, element_dtype: DType) -> RawShape:
    checked_shape(handles, element_dtype, PUSHED)
    if tensor.dims is None:
        return handles.dims
    if not tensor.dims:
        raise ValueError("Shape must be at least rank 1 but is rank 0")
    (lists,) = shape_rules.with_rank(handles, 1)
    return (shapes.merge_dim(tensor.dims[0], lists),)


TENSOR_LIST_PUSH_BACK_BATCH = define(
    "TensorListPushBackBatch", "input_handles: variant, tensor: element_dtype", "output_handles: variant",
    shape=_push_many_shape, kernel=_push_many, effect=Effect.HOST, gradient=not_differentiable,
)  # fmt: skip
KNOWN_OF["TensorListPushBackBatch"] = same_elements


def tensor_list_push_back_batch(input_handles: Any, tensor: Any, name: str | None = None) -> Tensor:
    """Each of the lists with one more element, a row of the tensor."""
    return apply(TENSOR_LIST_PUSH_BACK_BATCH, input_handles, tensor, name=name)


# -- what a list is ------------------------------------------------------------------------------

TENSOR_LIST_LENGTH = define(
    "TensorListLength", "input_handle: variant", "length: int32", shape=lambda handle: (), effect=Effect.HOST,
    kernel=lambda xp, memory, handle: np.int32(unwrapped(handle).length), gradient=not_differentiable,
)  # fmt: skip


def tensor_list_length(input_handle: Any, name: str | None = None) -> Tensor:
    """How many elements a list has."""
    return apply(TENSOR_LIST_LENGTH, input_handle, name=name)


def _shape_kernel(xp: Any, memory: Any, handle: Any, *, shape_type: DType) -> Any:
    shape = unwrapped(handle).element_shape
    return np.asarray(-1 if shape is None else [-1 if n is None else n for n in shape], shape_type.np)


def _shape_shape(handle: Tensor) -> RawShape:
    known = element_of(handle)
    return (None,) if known is None or known.shape is None else (len(known.shape),)


TENSOR_LIST_ELEMENT_SHAPE = define(
    "TensorListElementShape", "input_handle: variant", "element_shape: shape_type", attrs={"shape_type": REQUIRED},
    types=SHAPE_TYPE, shape=_shape_shape, kernel=_shape_kernel, effect=Effect.HOST, gradient=not_differentiable,
)  # fmt: skip


def tensor_list_element_shape(input_handle: Any, shape_type: Any, name: str | None = None) -> Tensor:
    """The shape of the elements of a list, -1 where it is not known."""
    return apply(TENSOR_LIST_ELEMENT_SHAPE, input_handle, shape_type=dtypes.as_dtype(shape_type), name=name)


def shape_of_elements(handle: Tensor) -> Tensor:
    return tensor_list_element_shape(handle, dtypes.int32)


def _resize(xp: Any, memory: Any, handle: Any, size: Any) -> TensorList:
    source, size = unwrapped(handle), int(size)
    if size < 0:
        raise wrong(f"TensorListSlice expects size to be non-negative. Got: {size}")
    if size <= source.length:
        return source.of(source.items[:size])
    return source.of(source.items + [None] * (size - source.length))


def _resize_gradient(op: Operation, dlist: Any) -> list[Any]:
    return [tensor_list_resize(dlist, tensor_list_length(op.inputs[0])), None]


TENSOR_LIST_RESIZE = define(
    "TensorListResize", "input_handle: variant, size: int32", "output_handle: variant",
    shape=lambda handle, size: (), kernel=_resize, effect=Effect.HOST, gradient=_resize_gradient,
)  # fmt: skip
PASSING.add("TensorListResize")


def tensor_list_resize(input_handle: Any, size: Any, name: str | None = None) -> Tensor:
    """The list, cut, or with elements behind that are to be set."""
    return apply(TENSOR_LIST_RESIZE, input_handle, size, name=name)


# -- one element ---------------------------------------------------------------------------------


def _get(xp: Any, memory: Any, handle: Any, index: Any, element_shape: Any, *, element_dtype: DType) -> Any:
    source, index = unwrapped(handle), int(index)
    check_dtypes(source.element_dtype, element_dtype)
    if not 0 <= index < source.length:
        raise wrong(f"Trying to access element {index} in a list with {source.length} elements.")
    item = source.item(index)
    if item is not None:
        return item
    shape = source.known_shape(element_shape_of(element_shape))
    return zeros_of(element_dtype, full_shape(shape, _UNSET, " and no list element is set."))


def _get_shape(handle: Tensor, index: Tensor, element_shape: Tensor, *, element_dtype: DType) -> RawShape:
    return shapes.merge(checked_shape(handle, element_dtype, EXPECTED), wanted_shape(element_shape))


def _get_gradient(op: Operation, ditem: Any) -> list[Any]:
    size = tensor_list_length(op.inputs[0])
    zeros = tensor_list_reserve(shape_of_elements(op.inputs[0]), size, ditem.dtype)
    return [apply(TENSOR_LIST_SET_ITEM, zeros, op.inputs[1], ditem), None, None]


TENSOR_LIST_GET_ITEM = define(
    "TensorListGetItem", "input_handle: variant, index: int32, element_shape: int32", "item: element_dtype",
    attrs=ELEMENT, shape=_get_shape, kernel=_get, effect=Effect.HOST, gradient=_get_gradient,
)  # fmt: skip


def tensor_list_get_item(
    input_handle: Any, index: Any, element_dtype: Any, element_shape: Any = None, name: str | None = None
) -> Tensor:
    """One element of a list; zeros where none was set."""
    shape = _build_element_shape(element_shape)
    return apply(
        TENSOR_LIST_GET_ITEM, input_handle, index, shape, element_dtype=dtypes.as_dtype(element_dtype), name=name
    )


def _set(xp: Any, memory: Any, handle: Any, index: Any, item: Any, *, element_dtype: DType) -> TensorList:
    target, index = unwrapped(handle), int(index)
    check_dtypes(target.element_dtype, element_dtype)
    if not 0 <= index < target.length:
        raise wrong(f"Trying to modify element {index} in a list with {target.length} elements.")
    if not shapes.compatible(target.element_shape, np.shape(item)):
        raise wrong(
            f"Tried to set a tensor with incompatible shape at a list index. Item element shape: "
            f"{text(np.shape(item))} list shape: {text(target.element_shape)}"
        )
    return target.changed([(index, item)])


def _set_shape(handle: Tensor, index: Tensor, item: Tensor) -> RawShape:
    known = element_of(handle)
    if known is not None:
        shapes.merge(item.dims, known.shape)
    return ()


def _set_gradient(op: Operation, dlist: Any) -> list[Any]:
    _, index, item = op.inputs
    rest = apply(TENSOR_LIST_SET_ITEM, dlist, index, constants.zeros_like(item))
    ditem = tensor_list_get_item(dlist, index, item.dtype, arrays.shape(item))
    return [rest, None, ditem]


TENSOR_LIST_SET_ITEM = define(
    "TensorListSetItem", "input_handle: variant, index: int32, item: element_dtype", "output_handle: variant",
    shape=_set_shape, kernel=_set, effect=Effect.HOST, gradient=_set_gradient,
)  # fmt: skip
KNOWN_OF["TensorListSetItem"] = same_elements


def tensor_list_set_item(
    input_handle: Any, index: Any, item: Any, resize_if_index_out_of_bounds: bool = False, name: str | None = None
) -> Tensor:
    """The list with another element at one place."""
    if resize_if_index_out_of_bounds:
        size = tensor_list_length(input_handle)
        given = input_handle
        input_handle = cond(index >= size, lambda: tensor_list_resize(given, index + 1), lambda: given)
    return apply(TENSOR_LIST_SET_ITEM, input_handle, index, item, name=name)
