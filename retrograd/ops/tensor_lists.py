"""Lists of tensors, as loops of TensorFlow 2 carry them: each op gives a list, and leaves the others as they are.

A graph keeps what is known of the elements of a list by the ops that it comes from (``element_of``).  Source:
TensorFlow 1.15.5, ``python/ops/list_ops.py``: names, order of ops in gradients, messages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from retrograd.graph import dtypes, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REQUIRED, Effect, define, not_differentiable
from retrograd.graph.dtypes import DType, type_word
from retrograd.graph.operation import Operation
from retrograd.graph.shapes import Dimension, RawShape, TensorShape
from retrograd.graph.static import shape_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, constants, joining, kinds, shape_rules, slicing
from retrograd.ops.conditions import cond
from retrograd.ops.list_values import TensorList, merged, text, unwrapped, wrong

_SHAPE_TYPE = {"shape_type": kinds.INDEX}
_ELEMENT = {"element_dtype": REQUIRED}

# -- what is known of the elements ---------------------------------------------------------------


class Element(NamedTuple):
    """What is known of the elements of a list."""

    dtype: DType
    shape: RawShape


_KNOWN: WeakKeyDictionary[Operation, Element | None] = WeakKeyDictionary()
_PASSING = {"Identity", "Enter", "Exit", "NextIteration", "Switch", "ZerosLike", "StridedSlice"}
_FROM: dict[str, Callable[[Operation], Element]] = {}  # of ops that give a list, what is known of it


def element_of(handle: Tensor) -> Element | None:
    """What is known of the elements of a list; None if it comes from an op that does not say."""
    op = handle.op
    if op.type == "TensorListPopBack" and handle.value_index:
        return None
    if op not in _KNOWN:
        if op.type in _FROM:
            _KNOWN[op] = _FROM[op.type](op)
        elif op.type in _PASSING:
            _KNOWN[op] = element_of(op.inputs[0])
        elif op.type in ("Pack", "AddN"):
            found = [e for e in map(element_of, op.inputs) if e is not None]
            _KNOWN[op] = found[0] if found else None
        else:
            _KNOWN[op] = None
    return _KNOWN[op]


def _wanted(shape: Tensor) -> RawShape:
    """The shape that a tensor holds; a single -1 is an unknown one."""
    return None if shape.dims is None or shape.dims == () else shape_value(shape)


def _checked(handle: Tensor, element_dtype: DType, otherwise: str) -> RawShape:
    """What is known of the shape of the elements of a list.

    Raises:
      ValueError: they are of another dtype than the op takes; ``otherwise`` says so of ``{ours}`` and ``{theirs}``.
    """
    known = element_of(handle)
    if known is None:
        return None
    if known.dtype is not element_dtype:
        raise ValueError(otherwise.format(ours=type_word(known.dtype), theirs=type_word(element_dtype)))
    return known.shape


_BUT = "List has type {ours} but trying to push element with type {theirs}"
_PUSHED = f"Trying to push to list with wrong element dtype. {_BUT}"
_POPPED = f"Trying to read from list with wrong element dtype. {_BUT}"
_READ = "Trying to read from list with wrong element dtype. List has type {ours} but expected type {theirs}"
_EXPECTED = "Expected list with element dtype {theirs} but got list with element dtype {ours}"


def _merged(a: RawShape, b: RawShape) -> RawShape:
    return shapes.merge(a, b)


def _same(op: Operation) -> Element:
    """The elements of the first input, a list, to which the op holds its own."""
    dtype = op.attrs["element_dtype"]
    known = element_of(op.inputs[0])
    return Element(dtype, None if known is None else known.shape)


def _by_shape(at: int) -> Callable[[Operation], Element]:
    return lambda op: Element(op.attrs["element_dtype"], _wanted(op.inputs[at]))


def _as_element_shape(shape: Any) -> RawShape:
    """The shape that the value of a tensor describes.

    Raises:
      InvalidArgumentError: it is a single number that is not -1.
    """
    if np.ndim(shape) == 0:
        if int(shape) != -1:
            raise wrong("The only valid scalar shape tensor is the fully unknown shape specified as -1.")
        return None
    return tuple(None if n < 0 else int(n) for n in shape)


def _check_dtypes(listed: DType, of_op: DType) -> None:
    if listed is not of_op:
        raise wrong(f"Invalid data types; op elements {type_word(of_op)} but list elements {type_word(listed)}")


def _full(shape: RawShape, message: str, end: str = "") -> tuple[int, ...]:
    if not shapes.is_known(shape):
        raise wrong(message + text(shape) + end)
    return shape  # type: ignore[return-value]


def _zeros(dtype: DType, shape: tuple[int, ...]) -> Any:
    if dtype is dtypes.variant:
        return np.zeros(shape, object)
    return np.full(shape, b"", object) if dtype is dtypes.string else np.zeros(shape, dtype.np)


# -- new lists -----------------------------------------------------------------------------------


def _empty(xp: Any, memory: Any, element_shape: Any, limit: Any, *, element_dtype: DType) -> TensorList:
    return TensorList([], element_dtype, _as_element_shape(element_shape), None, int(limit))


EMPTY_TENSOR_LIST = define(
    "EmptyTensorList", "element_shape: shape_type, max_num_elements: int32", "handle: variant", attrs=_ELEMENT,
    types=_SHAPE_TYPE, shape=lambda element_shape, limit: (), kernel=_empty, effect=Effect.HOST,
    gradient=not_differentiable,
)  # fmt: skip
_FROM["EmptyTensorList"] = _by_shape(0)


def empty_tensor_list(
    element_shape: Any, element_dtype: Any, max_num_elements: Any = None, name: str | None = None
) -> Tensor:
    """A list without elements, of at most ``max_num_elements``."""
    limit = -1 if max_num_elements is None else max_num_elements
    shape = _build_element_shape(element_shape)
    return apply(EMPTY_TENSOR_LIST, shape, limit, element_dtype=dtypes.as_dtype(element_dtype), name=name)


def _reserve(xp: Any, memory: Any, element_shape: Any, count: Any, *, element_dtype: DType) -> TensorList:
    return TensorList([None] * int(count), element_dtype, _as_element_shape(element_shape))


TENSOR_LIST_RESERVE = define(
    "TensorListReserve", "element_shape: shape_type, num_elements: int32", "handle: variant", attrs=_ELEMENT,
    types=_SHAPE_TYPE, shape=lambda element_shape, count: (), kernel=_reserve, effect=Effect.HOST,
    gradient=not_differentiable,
)  # fmt: skip
_FROM["TensorListReserve"] = _by_shape(0)


def tensor_list_reserve(element_shape: Any, num_elements: Any, element_dtype: Any, name: str | None = None) -> Tensor:
    """A list of elements that are to be set."""
    shape = _build_element_shape(element_shape)
    return apply(TENSOR_LIST_RESERVE, shape, num_elements, element_dtype=dtypes.as_dtype(element_dtype), name=name)


def _from_tensor(xp: Any, memory: Any, tensor: Any, element_shape: Any, *, element_dtype: DType) -> TensorList:
    if not np.ndim(tensor):
        raise wrong(f"Tensor must be at least a vector, but saw shape: {text(np.shape(tensor))}")
    shape, rows = _as_element_shape(element_shape), np.shape(tensor)[1:]
    _check_rows(shape, rows)
    return TensorList(list(tensor), element_dtype, shape)


def _check_rows(shape: RawShape, rows: Any) -> None:
    if not shapes.compatible(shape, rows):
        raise wrong(f"Specified a list with shape {text(shape)} from a tensor with shape {text(rows)}")


def _from_tensor_gradient(op: Operation, dlist: Any) -> list[Any]:
    t = op.inputs[0]
    count = None if not t.dims else t.dims[0]
    if dlist is None:
        dlist = empty_tensor_list(_shape_of_elements(op.outputs[0]), t.dtype)
    rows = slicing.slice_(arrays.shape(t), [1], [-1])
    return [
        apply(TENSOR_LIST_STACK, dlist, rows, element_dtype=t.dtype, num_elements=-1 if count is None else count), None
    ]  # fmt: skip


def _from_tensor_shape(tensor: Tensor, element_shape: Tensor) -> RawShape:
    if tensor.dims is not None:
        _merged(tensor.dims[1:], _wanted(element_shape))
    return ()


TENSOR_LIST_FROM_TENSOR = define(
    "TensorListFromTensor", "tensor: element_dtype, element_shape: shape_type", "output_handle: variant",
    types=_SHAPE_TYPE, shape=_from_tensor_shape, kernel=_from_tensor, effect=Effect.HOST,
    gradient=_from_tensor_gradient,
)  # fmt: skip
_FROM["TensorListFromTensor"] = _by_shape(1)


def tensor_list_from_tensor(tensor: Any, element_shape: Any, name: str | None = None) -> Tensor:
    """The list of the rows of a tensor."""
    return apply(TENSOR_LIST_FROM_TENSOR, tensor, _build_element_shape(element_shape), name=name)


# -- at the end of a list ------------------------------------------------------------------------


def _push_shape(handle: Tensor, item: Tensor, *, element_dtype: DType) -> RawShape:
    _checked(handle, element_dtype, _PUSHED)
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
_FROM["TensorListPushBack"] = _same


def tensor_list_push_back(input_handle: Any, tensor: Any, name: str | None = None) -> Tensor:
    """The list with one more element."""
    return apply(TENSOR_LIST_PUSH_BACK, input_handle, tensor, name=name)


def _pop(xp: Any, memory: Any, handle: Any, element_shape: Any, *, element_dtype: DType) -> list[Any]:
    source = unwrapped(handle)
    _check_dtypes(source.element_dtype, element_dtype)
    if not source.length:
        raise wrong("Trying to pop from an empty list.")
    item = source.item(source.length - 1)
    if item is None:
        shape = merged(_as_element_shape(element_shape), source.element_shape)
        item = _zeros(element_dtype, _full(shape, _UNSET))
    return [source.popped(), item]


_UNSET = "Trying to read an uninitialized tensor but element_shape is not fully defined: "


def _pop_shape(handle: Tensor, element_shape: Tensor, *, element_dtype: DType) -> list[RawShape]:
    return [(), _checked(handle, element_dtype, _POPPED)]


def _pop_gradient(op: Operation, dlist: Any, ditem: Any) -> list[Any]:
    if dlist is None:
        dlist = empty_tensor_list(_shape_of_elements(op.outputs[0]), ditem.dtype)
    return [tensor_list_push_back(dlist, ditem), None]


TENSOR_LIST_POP_BACK = define(
    "TensorListPopBack", "input_handle: variant, element_shape: int32",
    "output_handle: variant, tensor: element_dtype", attrs=_ELEMENT, shape=_pop_shape, kernel=_pop, effect=Effect.HOST,
    gradient=_pop_gradient,
)  # fmt: skip
_FROM["TensorListPopBack"] = _same


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
    _checked(handles, element_dtype, _PUSHED)
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
_FROM["TensorListPushBackBatch"] = _same


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
    types=_SHAPE_TYPE, shape=_shape_shape, kernel=_shape_kernel, effect=Effect.HOST, gradient=not_differentiable,
)  # fmt: skip


def tensor_list_element_shape(input_handle: Any, shape_type: Any, name: str | None = None) -> Tensor:
    """The shape of the elements of a list, -1 where it is not known."""
    return apply(TENSOR_LIST_ELEMENT_SHAPE, input_handle, shape_type=dtypes.as_dtype(shape_type), name=name)


def _shape_of_elements(handle: Tensor) -> Tensor:
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
_PASSING.add("TensorListResize")


def tensor_list_resize(input_handle: Any, size: Any, name: str | None = None) -> Tensor:
    """The list, cut, or with elements behind that are to be set."""
    return apply(TENSOR_LIST_RESIZE, input_handle, size, name=name)


# -- one element ---------------------------------------------------------------------------------


def _get(xp: Any, memory: Any, handle: Any, index: Any, element_shape: Any, *, element_dtype: DType) -> Any:
    source, index = unwrapped(handle), int(index)
    _check_dtypes(source.element_dtype, element_dtype)
    if not 0 <= index < source.length:
        raise wrong(f"Trying to access element {index} in a list with {source.length} elements.")
    item = source.item(index)
    if item is not None:
        return item
    shape = source.known_shape(_as_element_shape(element_shape))
    return _zeros(element_dtype, _full(shape, _UNSET, " and no list element is set."))


def _get_shape(handle: Tensor, index: Tensor, element_shape: Tensor, *, element_dtype: DType) -> RawShape:
    return _merged(_checked(handle, element_dtype, _EXPECTED), _wanted(element_shape))


def _get_gradient(op: Operation, ditem: Any) -> list[Any]:
    size = tensor_list_length(op.inputs[0])
    zeros = tensor_list_reserve(_shape_of_elements(op.inputs[0]), size, ditem.dtype)
    return [apply(TENSOR_LIST_SET_ITEM, zeros, op.inputs[1], ditem), None, None]


TENSOR_LIST_GET_ITEM = define(
    "TensorListGetItem", "input_handle: variant, index: int32, element_shape: int32", "item: element_dtype",
    attrs=_ELEMENT, shape=_get_shape, kernel=_get, effect=Effect.HOST, gradient=_get_gradient,
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
    _check_dtypes(target.element_dtype, element_dtype)
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
        _merged(item.dims, known.shape)
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
_FROM["TensorListSetItem"] = _same


def tensor_list_set_item(
    input_handle: Any, index: Any, item: Any, resize_if_index_out_of_bounds: bool = False, name: str | None = None
) -> Tensor:
    """The list with another element at one place."""
    if resize_if_index_out_of_bounds:
        size = tensor_list_length(input_handle)
        given = input_handle
        input_handle = cond(index >= size, lambda: tensor_list_resize(given, index + 1), lambda: given)
    return apply(TENSOR_LIST_SET_ITEM, input_handle, index, item, name=name)


# -- all elements --------------------------------------------------------------------------------


def _stacked(items: list[Any], dtype: DType, shape: tuple[int, ...]) -> Any:
    if dtype is dtypes.variant:
        out = np.empty((len(items), *shape), object)
        for i, item in enumerate(items):
            out[i] = item
        return out
    made = np.empty((len(items), *shape), object if dtype is dtypes.string else dtype.np)
    for i, item in enumerate(items):
        made[i] = _zeros(dtype, shape) if item is None else item
    return made


def _common(source: TensorList, wanted: RawShape, items: list[Any], empty: str, unset: str) -> tuple[int, ...]:
    """The one shape of all elements.

    Raises:
      InvalidArgumentError: there is none, or it is not known.
    """
    shape = merged(wanted, source.element_shape)
    if not items:
        return _full(shape, empty)
    for item in items:
        if item is not None:
            shape = merged(shape, np.shape(item))
    return _full(shape, unset)


def _stack(xp: Any, memory: Any, handle: Any, element_shape: Any, *, element_dtype: DType, num_elements: int) -> Any:
    source = unwrapped(handle)
    _check_dtypes(source.element_dtype, element_dtype)
    if num_elements not in (-1, source.length):
        raise wrong(
            f"Operation expected a list with {num_elements} elements but got a list with {source.length} elements."
        )
    shape = _common(
        source, _as_element_shape(element_shape), source.items,
        "Tried to stack elements of an empty list with non-fully-defined element_shape: ",
        "Tried to stack list which only contains uninitialized tensors and has a non-fully-defined element_shape: ",
    )  # fmt: skip
    return _stacked(source.items, element_dtype, shape)


def _stack_shape(handle: Tensor, element_shape: Tensor, *, element_dtype: DType, num_elements: int) -> RawShape:
    shape = _merged(_checked(handle, element_dtype, _READ), _wanted(element_shape))
    return None if shape is None else (None if num_elements < 0 else num_elements, *shape)


def _stack_gradient(op: Operation, dtensor: Any) -> list[Any]:
    return [tensor_list_from_tensor(dtensor, dtensor.shape[1:]), None]


TENSOR_LIST_STACK = define(
    "TensorListStack", "input_handle: variant, element_shape: int32", "tensor: element_dtype",
    attrs={**_ELEMENT, "num_elements": -1}, shape=_stack_shape, kernel=_stack, effect=Effect.HOST,
    gradient=_stack_gradient,
)  # fmt: skip


def tensor_list_stack(
    input_handle: Any, element_dtype: Any, num_elements: Any = -1, element_shape: Any = None, name: str | None = None
) -> Tensor:
    """The elements of a list as the rows of a tensor."""
    shape = _build_element_shape(element_shape)
    return apply(
        TENSOR_LIST_STACK, input_handle, shape, element_dtype=dtypes.as_dtype(element_dtype),
        num_elements=-1 if num_elements is None else num_elements, name=name,
    )  # fmt: skip


def _gather(xp: Any, memory: Any, handle: Any, indices: Any, element_shape: Any, *, element_dtype: DType) -> Any:
    source = unwrapped(handle)
    _check_dtypes(source.element_dtype, element_dtype)
    for i in np.ravel(indices):
        if not 0 <= i < source.length:
            raise wrong(f"Index {i} out o range; list only has {source.length} elements.")
    items = [source.item(int(i)) for i in np.ravel(indices)]
    shape = _common(
        source, _as_element_shape(element_shape), items,
        "Tried to gather 0-elements from a list with non-fully-defined shape: ",
        "Tried to gather uninitialized tensors from a list with non-fully-defined element_shape: ",
    )  # fmt: skip
    return _stacked(items, element_dtype, shape)


def _gather_shape(handle: Tensor, indices: Tensor, element_shape: Tensor, *, element_dtype: DType) -> RawShape:
    shape = _merged(_checked(handle, element_dtype, _EXPECTED), _wanted(element_shape))
    return None if shape is None or indices.dims is None else (*indices.dims, *shape)


def _gather_gradient(op: Operation, dtensor: Any) -> list[Any]:
    source, indices, _ = op.inputs
    shape = _shape_of_elements(source)
    dlist = tensor_list_reserve(shape, tensor_list_length(source), dtensor.dtype)
    return [tensor_list_scatter(dtensor, indices, input_handle=dlist), None, None]


TENSOR_LIST_GATHER = define(
    "TensorListGather", "input_handle: variant, indices: int32, element_shape: int32", "values: element_dtype",
    attrs=_ELEMENT, shape=_gather_shape, kernel=_gather, effect=Effect.HOST, gradient=_gather_gradient,
)  # fmt: skip


def tensor_list_gather(
    input_handle: Any, indices: Any, element_dtype: Any, element_shape: Any = None, name: str | None = None
) -> Tensor:
    """Some elements of a list as the rows of a tensor."""
    shape = _build_element_shape(element_shape)
    return apply(
        TENSOR_LIST_GATHER, input_handle, indices, shape, element_dtype=dtypes.as_dtype(element_dtype), name=name
    )


def _scattered(target: TensorList, tensor: Any, indices: Any) -> TensorList:
    if np.ndim(indices) != 1:
        raise wrong(f"Expected indices to be a vector, but received shape: {text(np.shape(indices))}")
    if len(indices) != len(tensor):
        raise wrong(f"Invalid number of rows in input tensor. Expected: {len(indices)} Actual: {len(tensor)}")
    return target.changed((int(i), row) for i, row in zip(indices, tensor, strict=True))


def _scatter(
    xp: Any, memory: Any, tensor: Any, indices: Any, element_shape: Any, count: Any = -1, *, element_dtype: DType
) -> TensorList:
    count = int(count)
    if count < -1:
        raise wrong(f"TensorListScatter expects num_elements >= -1, found: {count}")
    shape = _as_element_shape(element_shape)
    _check_rows(shape, np.shape(tensor)[1:])
    highest = int(np.max(indices, initial=-1))
    if np.min(indices, initial=0) < 0:
        raise wrong("Indices in TensorListScatter must all be non-negative.")
    if count != -1 and highest >= count:
        raise wrong(f"TensorListScatter: Trying to scatter at index {highest} in list with size {count}")
    return _scattered(TensorList([None] * (highest + 1 if count == -1 else count), element_dtype, shape),
                      tensor, indices)  # fmt: skip


def _scatter_gradient(op: Operation, dlist: Any) -> list[Any]:
    tensor, indices = op.inputs[:2]
    rows = slicing.slice_(arrays.shape(tensor), [1], [-1])
    dtensor = apply(TENSOR_LIST_GATHER, dlist, indices, rows, element_dtype=tensor.dtype)
    return [dtensor, *[None] * (len(op.inputs) - 1)]


TENSOR_LIST_SCATTER = define(
    "TensorListScatter", "tensor: element_dtype, indices: int32, element_shape: shape_type", "output_handle: variant",
    types=_SHAPE_TYPE, shape=lambda tensor, indices, element_shape: (), kernel=_scatter, effect=Effect.HOST,
    gradient=_scatter_gradient,
)  # fmt: skip
_FROM["TensorListScatter"] = _by_shape(2)
TENSOR_LIST_SCATTER_V2 = define(
    "TensorListScatterV2", "tensor: element_dtype, indices: int32, element_shape: shape_type, num_elements: int32",
    "output_handle: variant", types=_SHAPE_TYPE, shape=lambda tensor, indices, element_shape, count: (),
    kernel=_scatter, effect=Effect.HOST, gradient=_scatter_gradient,
)  # fmt: skip
_FROM["TensorListScatterV2"] = _by_shape(2)


def _scatter_into(xp: Any, memory: Any, handle: Any, tensor: Any, indices: Any, *, element_dtype: DType) -> TensorList:
    target = unwrapped(handle)
    _check_dtypes(target.element_dtype, element_dtype)
    if np.min(indices, initial=0) < 0:
        raise wrong("Indices in TensorListScatter must all be non-negative.")
    missing = int(np.max(indices, initial=-1)) + 1 - target.length
    return _scattered(target.of(target.items + [None] * max(missing, 0)), tensor, indices)


def _scatter_into_shape(handle: Tensor, tensor: Tensor, indices: Tensor, *, element_dtype: DType) -> RawShape:
    _checked(handle, element_dtype, _EXPECTED)
    return ()


def _scatter_into_gradient(op: Operation, dlist: Any) -> list[Any]:
    _, tensor, indices = op.inputs
    rows = slicing.slice_(arrays.shape(tensor), [1], [-1])
    dtensor = apply(TENSOR_LIST_GATHER, dlist, indices, rows, element_dtype=tensor.dtype)
    return [tensor_list_scatter(constants.zeros_like(tensor), indices, indices, input_handle=dlist), dtensor, None]


TENSOR_LIST_SCATTER_INTO = define(
    "TensorListScatterIntoExistingList", "input_handle: variant, tensor: element_dtype, indices: int32",
    "output_handle: variant", shape=_scatter_into_shape, kernel=_scatter_into, effect=Effect.HOST,
    gradient=_scatter_into_gradient,
)  # fmt: skip
_FROM["TensorListScatterIntoExistingList"] = _same


def tensor_list_scatter(
    tensor: Any, indices: Any, element_shape: Any = None, input_handle: Any = None, name: str | None = None
) -> Tensor:
    """A list that has the rows of a tensor at some places: a new one, or a changed one."""
    if input_handle is not None:
        return apply(TENSOR_LIST_SCATTER_INTO, input_handle, tensor, indices, name=name)
    return apply(TENSOR_LIST_SCATTER_V2, tensor, indices, _build_element_shape(element_shape), -1, name=name)


# -- elements of different lengths, one behind the other -----------------------------------------

_HEADLESS = "element_shape_except_first_dim_"


def _concat(
    xp: Any, memory: Any, handle: Any, element_shape: Any, leading_dims: Any, *, element_dtype: DType
) -> list[Any]:
    source = unwrapped(handle)
    _check_dtypes(source.element_dtype, element_dtype)
    known = merged(_as_element_shape(element_shape), source.element_shape)
    if known == ():
        raise wrong("Concat requires elements to be at least vectors, found scalars instead.")
    items = source.items
    if not items and not shapes.is_known(None if known is None else known[1:]):
        raise wrong(
            "All except the first dimension must be fully defined when concating an empty tensor list. element_shape: "
            + text(known)
        )
    rest: Any = None if known is None else known[1:]
    for i, item in enumerate(items):
        if item is None:
            continue
        if not np.ndim(item):
            raise wrong(f"Concat saw a scalar shape at index {i} but requires at least vectors.")
        rest = merged(rest, np.shape(item)[1:])
    firsts = {len(item) for item in items if item is not None}
    lengths, parts = [], []
    for i, item in enumerate(items):
        if item is None:
            if not shapes.is_known(rest):
                raise wrong(
                    f"Trying to concat list with only uninitialized tensors but {_HEADLESS} is not fully defined: "
                    + text(rest)
                )
            first = known[0] if known else None
            if first is None and not len(leading_dims) and len(firsts) == 1:
                (first,) = firsts
            if first is None:
                if i >= len(leading_dims):
                    raise wrong(
                        f"List contains uninitialized tensor at index {i} but leading_dims has only "
                        f"{len(leading_dims)} elements."
                    )
                first = int(leading_dims[i])
            item = _zeros(element_dtype, (first, *(rest or ())))
        parts.append(item)
        lengths.append(len(item))
    joined = np.concatenate(parts) if parts else _zeros(element_dtype, (0, *(rest or ())))
    return [joined, np.asarray(lengths, np.int64)]


def _concat_shape(
    handle: Tensor, element_shape: Tensor, leading_dims: Tensor, *, element_dtype: DType
) -> list[RawShape]:
    shape = _merged(_checked(handle, element_dtype, _READ), _wanted(element_shape))
    return [None if not shape else (None, *shape[1:]), (None,)]


def _concat_gradient(op: Operation, dtensor: Any, dlengths: Any) -> list[Any]:
    shape = _shape_of_elements(op.inputs[0])
    dlist = tensor_list_split(dtensor, element_shape=shape, lengths=op.outputs[1])
    return [dlist, *[None] * (len(op.inputs) - 1)]


TENSOR_LIST_CONCAT_V2 = define(
    "TensorListConcatV2", "input_handle: variant, element_shape: shape_type, leading_dims: int64",
    "tensor: element_dtype, lengths: int64", attrs=_ELEMENT, types=_SHAPE_TYPE, shape=_concat_shape, kernel=_concat,
    effect=Effect.HOST, gradient=_concat_gradient,
)  # fmt: skip


def _concat_first(xp: Any, memory: Any, handle: Any, *, element_dtype: DType, element_shape: TensorShape) -> list[Any]:
    shape = element_shape._raw
    wanted = -1 if shape is None else [-1 if n is None else n for n in shape]
    return _concat(xp, memory, handle, wanted, [], element_dtype=element_dtype)


def _concat_first_shape(handle: Tensor, *, element_dtype: DType, element_shape: TensorShape) -> list[RawShape]:
    shape = _merged(_checked(handle, element_dtype, _READ), element_shape._raw)
    return [None if not shape else (None, *shape[1:]), (None,)]


TENSOR_LIST_CONCAT = define(
    "TensorListConcat", "input_handle: variant", "tensor: element_dtype, lengths: int64",
    attrs={**_ELEMENT, "element_shape": TensorShape(None)}, shape=_concat_first_shape, kernel=_concat_first,
    effect=Effect.HOST, gradient=_concat_gradient,
)  # fmt: skip


def tensor_list_concat(
    input_handle: Any, element_dtype: Any, element_shape: Any = None, name: str | None = None
) -> Tensor:
    """The elements of a list, one behind the other."""
    shape, none = _build_element_shape(element_shape), as_tensor([], dtype=dtypes.int64)
    found = apply(
        TENSOR_LIST_CONCAT_V2, input_handle, shape, none, element_dtype=dtypes.as_dtype(element_dtype), name=name
    )
    first: Tensor = found[0]
    return first


def _split(xp: Any, memory: Any, tensor: Any, element_shape: Any, lengths: Any, *, element_dtype: DType) -> TensorList:
    if not np.ndim(tensor):
        raise wrong(f"Tensor must be at least a vector, but saw shape: {text(np.shape(tensor))}")
    if np.ndim(lengths) != 1:
        raise wrong(f"Expected lengths to be a vector, received shape: {text(np.shape(lengths))}")
    shape = _as_element_shape(element_shape)
    if shape is not None and not shape:
        raise wrong("TensorListSplit requires element_shape to be at least of rank 1, but saw: " + text(shape))
    if shape is not None and not shapes.compatible(shape[1:], np.shape(tensor)[1:]):
        raise wrong(f"tensor shape {text(np.shape(tensor))} is not compatible with element_shape {text(shape)}")
    items, at = [], 0
    for n in lengths:
        if n < 0:
            raise wrong(f"Invalid value in lengths: {n}")
        if at + n > len(tensor):
            raise wrong(f"Attempting to slice [{at}, {at + n}] from tensor with length {len(tensor)}")
        items.append(tensor[at : at + n])
        at += int(n)
    if at != len(tensor):
        raise wrong(f"Unused values in tensor. Length of tensor: {len(tensor)} Values used: {at}")
    return TensorList(items, element_dtype, shape)


def _split_shape(tensor: Tensor, element_shape: Tensor, lengths: Tensor) -> RawShape:
    shape, dims = _wanted(element_shape), tensor.dims
    if dims == ():
        raise ValueError("Shape must be at least rank 1 but is rank 0")
    shape_rules.with_rank(lengths, 1)
    if dims is not None and shape is not None:
        _merged((None, *dims[1:]), (None, *shape[1:]) if shape else ())
    return ()


def _split_gradient(op: Operation, dlist: Any) -> list[Any]:
    tensor, _, lengths = op.inputs
    rows = slicing.slice_(arrays.shape(tensor), [1], [-1])
    shape = joining.concat([[-1], rows], axis=0)
    return [apply(TENSOR_LIST_CONCAT_V2, dlist, shape, lengths, element_dtype=tensor.dtype)[0], None, None]


TENSOR_LIST_SPLIT = define(
    "TensorListSplit", "tensor: element_dtype, element_shape: shape_type, lengths: int64", "output_handle: variant",
    types=_SHAPE_TYPE, shape=_split_shape, kernel=_split, effect=Effect.HOST, gradient=_split_gradient,
)  # fmt: skip
_FROM["TensorListSplit"] = _by_shape(1)


def tensor_list_split(tensor: Any, element_shape: Any, lengths: Any, name: str | None = None) -> Tensor:
    """The list of the parts of a tensor that have some lengths."""
    return apply(TENSOR_LIST_SPLIT, tensor, _build_element_shape(element_shape), lengths, name=name)


# -- lists behind lists --------------------------------------------------------------------------


def _joined(xp: Any, memory: Any, first: Any, second: Any, *, element_dtype: DType) -> Any:
    a, b = np.asarray(first, object), np.asarray(second, object)
    if a.shape != b.shape:
        raise wrong(f"Incompatible input TensorList tensor shapes: {text(a.shape)} vs. {text(b.shape)}")
    made = np.empty_like(a)
    for i, (x, y) in enumerate(zip(a.flat, b.flat, strict=True)):
        x, y = unwrapped(x), unwrapped(y)
        for name, one in (("input_a", x), ("input_b", y)):
            if one.element_dtype is not element_dtype:
                listed, wanted = type_word(one.element_dtype), type_word(element_dtype)
                raise wrong(f"{name}[{i}].dtype != element_dtype.  Saw: {listed} vs. {wanted}")
        if x.element_shape != y.element_shape:
            raise wrong(
                f"input_a and input_b TensorList element shapes are not identical at index {i}.  Saw "
                f"{text(x.element_shape)} vs. {text(y.element_shape)}"
            )
        made.flat[i] = x.of(x.items + y.items)
    return made if made.shape else made.item()


def _joined_shape(first: Tensor, second: Tensor, *, element_dtype: DType) -> RawShape:
    a, b = element_of(first), element_of(second)
    for name, known in (("input_a", a), ("input_b", b)):
        if known is not None and known.dtype is not element_dtype:
            raise ValueError(f"{name}.type != element_dtype: {type_word(known.dtype)} vs. {type_word(element_dtype)}")
    if a is not None and b is not None:
        _merged(a.shape, b.shape)
    return _merged(first.dims, second.dims)


TENSOR_LIST_CONCAT_LISTS = define(
    "TensorListConcatLists", "input_a: variant, input_b: variant", "output: variant", attrs=_ELEMENT,
    shape=_joined_shape, kernel=_joined, effect=Effect.HOST, gradient=not_differentiable,
)  # fmt: skip
_FROM["TensorListConcatLists"] = _same


def tensor_list_concat_lists(input_a: Any, input_b: Any, element_dtype: Any, name: str | None = None) -> Tensor:
    """Lists, each with the elements of another behind it."""
    return apply(TENSOR_LIST_CONCAT_LISTS, input_a, input_b, element_dtype=dtypes.as_dtype(element_dtype), name=name)


def _build_element_shape(shape: Any) -> Any:
    """A shape as ops on lists take it: a tensor, or numbers with -1 for what is not known."""
    if isinstance(shape, Tensor):
        return shape
    if isinstance(shape, TensorShape):
        shape = shape.as_list() if shape else None
    if shape is None:
        return -1
    if not shape:
        return as_tensor(shape, dtype=dtypes.int32)

    def size(n: Any) -> Any:
        n = n.value if isinstance(n, Dimension) else n
        return -1 if n is None else n

    return [size(n) for n in shape]
