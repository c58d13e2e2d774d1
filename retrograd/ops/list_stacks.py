"""All elements of a list of tensors at once: made of the rows of a tensor, stacked, gathered, scattered, joined.

Source: TensorFlow 1.15.5, ``python/ops/list_ops.py``: names, order of ops in gradients, messages.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import Effect, define, not_differentiable
from retrograd.graph.dtypes import DType, type_word
from retrograd.graph.operation import Operation
from retrograd.graph.shapes import RawShape, TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, constants, joining, shape_rules, slicing
from retrograd.ops.list_elements import (
    ELEMENT,
    EXPECTED,
    KNOWN_OF,
    READ,
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
from retrograd.ops.tensor_lists import empty_tensor_list, shape_of_elements, tensor_list_length, tensor_list_reserve

# -- the rows of a tensor ------------------------------------------------------------------------


def _from_tensor(xp: Any, memory: Any, tensor: Any, element_shape: Any, *, element_dtype: DType) -> TensorList:
    if not np.ndim(tensor):
        raise wrong(f"Tensor must be at least a vector, but saw shape: {text(np.shape(tensor))}")
    shape, rows = element_shape_of(element_shape), np.shape(tensor)[1:]
    _check_rows(shape, rows)
    return TensorList(list(tensor), element_dtype, shape)


def _check_rows(shape: RawShape, rows: Any) -> None:
    if not shapes.compatible(shape, rows):
        raise wrong(f"Specified a list with shape {text(shape)} from a tensor with shape {text(rows)}")


def _from_tensor_gradient(op: Operation, dlist: Any) -> list[Any]:
    t = op.inputs[0]
    count = None if not t.dims else t.dims[0]
    if dlist is None:
        dlist = empty_tensor_list(shape_of_elements(op.outputs[0]), t.dtype)
    rows = slicing.slice_(arrays.shape(t), [1], [-1])
    return [
        apply(TENSOR_LIST_STACK, dlist, rows, element_dtype=t.dtype, num_elements=-1 if count is None else count), None
    ]  # fmt: skip


def _from_tensor_shape(tensor: Tensor, element_shape: Tensor) -> RawShape:
    if tensor.dims is not None:
        shapes.merge(tensor.dims[1:], wanted_shape(element_shape))
    return ()


TENSOR_LIST_FROM_TENSOR = define(
    "TensorListFromTensor", "tensor: element_dtype, element_shape: shape_type", "output_handle: variant",
    types=SHAPE_TYPE, shape=_from_tensor_shape, kernel=_from_tensor, effect=Effect.HOST,
    gradient=_from_tensor_gradient,
)  # fmt: skip
KNOWN_OF["TensorListFromTensor"] = by_shape(1)


def tensor_list_from_tensor(tensor: Any, element_shape: Any, name: str | None = None) -> Tensor:
    """The list of the rows of a tensor."""
    return apply(TENSOR_LIST_FROM_TENSOR, tensor, _build_element_shape(element_shape), name=name)


# -- all elements --------------------------------------------------------------------------------


def _stacked(items: list[Any], dtype: DType, shape: tuple[int, ...]) -> Any:
    if dtype is dtypes.variant:
        out = np.empty((len(items), *shape), object)
        for i, item in enumerate(items):
            out[i] = item
        return out
    made = np.empty((len(items), *shape), object if dtype is dtypes.string else dtype.np)
    for i, item in enumerate(items):
        made[i] = zeros_of(dtype, shape) if item is None else item
    return made


def _common(source: TensorList, wanted: RawShape, items: list[Any], empty: str, unset: str) -> tuple[int, ...]:
    """The one shape of all elements.

    Raises:
      InvalidArgumentError: there is none, or it is not known.
    """
    shape = merged(wanted, source.element_shape)
    if not items:
        return full_shape(shape, empty)
    for item in items:
        if item is not None:
            shape = merged(shape, np.shape(item))
    return full_shape(shape, unset)


def _stack(xp: Any, memory: Any, handle: Any, element_shape: Any, *, element_dtype: DType, num_elements: int) -> Any:
    source = unwrapped(handle)
    check_dtypes(source.element_dtype, element_dtype)
    if num_elements not in (-1, source.length):
        raise wrong(
            f"Operation expected a list with {num_elements} elements but got a list with {source.length} elements."
        )
    shape = _common(
        source, element_shape_of(element_shape), source.items,
        "Tried to stack elements of an empty list with non-fully-defined element_shape: ",
        "Tried to stack list which only contains uninitialized tensors and has a non-fully-defined element_shape: ",
    )  # fmt: skip
    return _stacked(source.items, element_dtype, shape)


def _stack_shape(handle: Tensor, element_shape: Tensor, *, element_dtype: DType, num_elements: int) -> RawShape:
    shape = shapes.merge(checked_shape(handle, element_dtype, READ), wanted_shape(element_shape))
    return None if shape is None else (None if num_elements < 0 else num_elements, *shape)


def _stack_gradient(op: Operation, dtensor: Any) -> list[Any]:
    return [tensor_list_from_tensor(dtensor, dtensor.shape[1:]), None]


TENSOR_LIST_STACK = define(
    "TensorListStack", "input_handle: variant, element_shape: int32", "tensor: element_dtype",
    attrs={**ELEMENT, "num_elements": -1}, shape=_stack_shape, kernel=_stack, effect=Effect.HOST,
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
    check_dtypes(source.element_dtype, element_dtype)
    for i in np.ravel(indices):
        if not 0 <= i < source.length:
            raise wrong(f"Index {i} out o range; list only has {source.length} elements.")
    items = [source.item(int(i)) for i in np.ravel(indices)]
    shape = _common(
        source, element_shape_of(element_shape), items,
        "Tried to gather 0-elements from a list with non-fully-defined shape: ",
        "Tried to gather uninitialized tensors from a list with non-fully-defined element_shape: ",
    )  # fmt: skip
    return _stacked(items, element_dtype, shape)


def _gather_shape(handle: Tensor, indices: Tensor, element_shape: Tensor, *, element_dtype: DType) -> RawShape:
    shape = shapes.merge(checked_shape(handle, element_dtype, EXPECTED), wanted_shape(element_shape))
    return None if shape is None or indices.dims is None else (*indices.dims, *shape)


def _gather_gradient(op: Operation, dtensor: Any) -> list[Any]:
    source, indices, _ = op.inputs
    shape = shape_of_elements(source)
    dlist = tensor_list_reserve(shape, tensor_list_length(source), dtensor.dtype)
    return [tensor_list_scatter(dtensor, indices, input_handle=dlist), None, None]


TENSOR_LIST_GATHER = define(
    "TensorListGather", "input_handle: variant, indices: int32, element_shape: int32", "values: element_dtype",
    attrs=ELEMENT, shape=_gather_shape, kernel=_gather, effect=Effect.HOST, gradient=_gather_gradient,
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
    shape = element_shape_of(element_shape)
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
    types=SHAPE_TYPE, shape=lambda tensor, indices, element_shape: (), kernel=_scatter, effect=Effect.HOST,
    gradient=_scatter_gradient,
)  # fmt: skip
KNOWN_OF["TensorListScatter"] = by_shape(2)
TENSOR_LIST_SCATTER_V2 = define(
    "TensorListScatterV2", "tensor: element_dtype, indices: int32, element_shape: shape_type, num_elements: int32",
    "output_handle: variant", types=SHAPE_TYPE, shape=lambda tensor, indices, element_shape, count: (),
    kernel=_scatter, effect=Effect.HOST, gradient=_scatter_gradient,
)  # fmt: skip
KNOWN_OF["TensorListScatterV2"] = by_shape(2)


def _scatter_into(xp: Any, memory: Any, handle: Any, tensor: Any, indices: Any, *, element_dtype: DType) -> TensorList:
    target = unwrapped(handle)
    check_dtypes(target.element_dtype, element_dtype)
    if np.min(indices, initial=0) < 0:
        raise wrong("Indices in TensorListScatter must all be non-negative.")
    missing = int(np.max(indices, initial=-1)) + 1 - target.length
    return _scattered(target.of(target.items + [None] * max(missing, 0)), tensor, indices)


def _scatter_into_shape(handle: Tensor, tensor: Tensor, indices: Tensor, *, element_dtype: DType) -> RawShape:
    checked_shape(handle, element_dtype, EXPECTED)
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
KNOWN_OF["TensorListScatterIntoExistingList"] = same_elements


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
    check_dtypes(source.element_dtype, element_dtype)
    known = merged(element_shape_of(element_shape), source.element_shape)
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
            item = zeros_of(element_dtype, (first, *(rest or ())))
        parts.append(item)
        lengths.append(len(item))
    joined = np.concatenate(parts) if parts else zeros_of(element_dtype, (0, *(rest or ())))
    return [joined, np.asarray(lengths, np.int64)]


def _concat_shape(
    handle: Tensor, element_shape: Tensor, leading_dims: Tensor, *, element_dtype: DType
) -> list[RawShape]:
    shape = shapes.merge(checked_shape(handle, element_dtype, READ), wanted_shape(element_shape))
    return [None if not shape else (None, *shape[1:]), (None,)]


def _concat_gradient(op: Operation, dtensor: Any, dlengths: Any) -> list[Any]:
    shape = shape_of_elements(op.inputs[0])
    dlist = tensor_list_split(dtensor, element_shape=shape, lengths=op.outputs[1])
    return [dlist, *[None] * (len(op.inputs) - 1)]


TENSOR_LIST_CONCAT_V2 = define(
    "TensorListConcatV2", "input_handle: variant, element_shape: shape_type, leading_dims: int64",
    "tensor: element_dtype, lengths: int64", attrs=ELEMENT, types=SHAPE_TYPE, shape=_concat_shape, kernel=_concat,
    effect=Effect.HOST, gradient=_concat_gradient,
)  # fmt: skip


def _concat_first(xp: Any, memory: Any, handle: Any, *, element_dtype: DType, element_shape: TensorShape) -> list[Any]:
    shape = element_shape._raw
    wanted = -1 if shape is None else [-1 if n is None else n for n in shape]
    return _concat(xp, memory, handle, wanted, [], element_dtype=element_dtype)


def _concat_first_shape(handle: Tensor, *, element_dtype: DType, element_shape: TensorShape) -> list[RawShape]:
    shape = shapes.merge(checked_shape(handle, element_dtype, READ), element_shape._raw)
    return [None if not shape else (None, *shape[1:]), (None,)]


TENSOR_LIST_CONCAT = define(
    "TensorListConcat", "input_handle: variant", "tensor: element_dtype, lengths: int64",
    attrs={**ELEMENT, "element_shape": TensorShape(None)}, shape=_concat_first_shape, kernel=_concat_first,
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
    shape = element_shape_of(element_shape)
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
    shape, dims = wanted_shape(element_shape), tensor.dims
    if dims == ():
        raise ValueError("Shape must be at least rank 1 but is rank 0")
    shape_rules.with_rank(lengths, 1)
    if dims is not None and shape is not None:
        shapes.merge((None, *dims[1:]), (None, *shape[1:]) if shape else ())
    return ()


def _split_gradient(op: Operation, dlist: Any) -> list[Any]:
    tensor, _, lengths = op.inputs
    rows = slicing.slice_(arrays.shape(tensor), [1], [-1])
    shape = joining.concat([[-1], rows], axis=0)
    return [apply(TENSOR_LIST_CONCAT_V2, dlist, shape, lengths, element_dtype=tensor.dtype)[0], None, None]


TENSOR_LIST_SPLIT = define(
    "TensorListSplit", "tensor: element_dtype, element_shape: shape_type, lengths: int64", "output_handle: variant",
    types=SHAPE_TYPE, shape=_split_shape, kernel=_split, effect=Effect.HOST, gradient=_split_gradient,
)  # fmt: skip
KNOWN_OF["TensorListSplit"] = by_shape(1)


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
        shapes.merge(a.shape, b.shape)
    return shapes.merge(first.dims, second.dims)


TENSOR_LIST_CONCAT_LISTS = define(
    "TensorListConcatLists", "input_a: variant, input_b: variant", "output: variant", attrs=ELEMENT,
    shape=_joined_shape, kernel=_joined, effect=Effect.HOST, gradient=not_differentiable,
)  # fmt: skip
KNOWN_OF["TensorListConcatLists"] = same_elements


def tensor_list_concat_lists(input_a: Any, input_b: Any, element_dtype: Any, name: str | None = None) -> Tensor:
    """Lists, each with the elements of another behind it."""
    return apply(TENSOR_LIST_CONCAT_LISTS, input_a, input_b, element_dtype=dtypes.as_dtype(element_dtype), name=name)
