"""Cutting rectangular parts out of tensors: ``slice``, ``strided_slice`` and ``tensor[...]``."""

from __future__ import annotations

import numbers
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import dtypes, shapes
from retrograd.graph.apply import apply
from retrograd.graph.definition import Effect, define
from retrograd.graph.errors import InvalidArgumentError, invalid
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import Dimension, RawShape, TensorShape
from retrograd.graph.static import partial_value, shape_value, static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, arrays, constants, indexing, joining, kinds, padding, placing, shape_rules

# -- blocks ------------------------------------------------------------------------------------


def _sliced(x: Tensor, begin: Tensor, size: Tensor) -> RawShape:
    starts, sizes = partial_value(begin), static_value(size)
    for vector in (begin, size):
        shape_rules.with_rank(vector, 1)
    if sizes is None:
        wanted = shape_value(size)
        return wanted if wanted is not None or x.dims is None else (None,) * len(x.dims)
    dims = shape_rules.with_rank(x, len(sizes))
    starts = [None] * len(sizes) if starts is None else starts
    result: list[int | None] = []
    for n, start, length in zip(dims, starts, sizes.tolist(), strict=True):
        if length >= 0:
            result.append(length)
        elif length < -1:
            raise ValueError(f"Invalid value in tensor used for shape: {length}")
        elif n is None or start is None:
            result.append(None)
        elif start > n:
            raise ValueError(f"Negative dimension size caused by subtracting {start} from {n}")
        else:
            result.append(n - start)
    return tuple(result)


def _slice(xp: Any, x: Any, begin: Any, size: Any) -> Any:
    dims, begins, lengths = np.shape(x), np.shape(begin), np.shape(size)
    if not begins == lengths == (len(dims),):
        raise invalid(
            f"Expected begin and size arguments to be 1-D tensors of size {len(dims)}, but got shapes "
            f"{shapes.shape_text(begins)} and {shapes.shape_text(lengths)} instead.",
        )
    starts, sizes = np.asarray(begin).tolist(), np.asarray(size).tolist()
    ranges = []
    for i, (n, start, length) in enumerate(zip(dims, starts, sizes, strict=True)):
        length = n - start if length == -1 else length
        if not 0 <= start <= n:
            raise invalid(f"Expected begin[{i}] in [0, {n}], but got {start}")
        if not 0 <= length <= n - start:
            raise invalid(f"Expected size[{i}] in [0, {n - start}], but got {length}")
        ranges.append(slice(start, start + length))
    return x[tuple(ranges)]


def _slice_gradient(op: Any, dy: Any) -> list[Any]:
    """dx is dy with zeros around it: begin before it, and what is left of x behind it."""
    x, begin = op.inputs[:2]
    rank, size = arrays.rank(x), arrays.shape(op.outputs[0])
    column = joining.stack([rank, 1])
    before = arrays.reshape(begin, column)
    after = arrays.reshape(arrays.shape(x) - size - begin, column)
    return [padding.pad(dy, joining.concat([before, after], 1)), None, None]


SLICE = define(
    "Slice", "input: T, begin: Index, size: Index", "output: T", types={"Index": kinds.INDEX},
    static=("begin", "size"), shape=_sliced, kernel=_slice, gradient=_slice_gradient,
)  # fmt: skip


def slice_(input_: Any, begin: Any, size: Any, name: str | None = None) -> Tensor:
    """``size[i]`` elements from ``begin[i]`` on along each dimension i; a size of -1 takes the rest."""
    return apply(SLICE, input_, begin, size, name=name)


# -- with steps --------------------------------------------------------------------------------

MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")


def subscripts_of(begin: Any, end: Any, strides: Any, masks: Any) -> list[Any]:
    """The Python subscripts that a strided slice stands for; a bound that is not known is ``Ellipsis``."""
    begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask = masks
    unknown = [Ellipsis] * len(strides)
    rows = zip(unknown if begin is None else begin, unknown if end is None else end, strides, strict=True)
    result: list[Any] = []
    for i, (first, last, step) in enumerate(rows):
        bit = 1 << i
        if ellipsis_mask & bit:
            result.append(Ellipsis)
        elif new_axis_mask & bit:
            result.append(None)
        elif not step:
            raise ValueError(f"strides[{i}] must be non-zero")
        elif shrink_axis_mask & bit:
            if step < 0:
                raise ValueError("only stride 1 allowed on non-range indexing.")
            result.append(first)
        else:
            result.append(slice(None if begin_mask & bit else first, None if end_mask & bit else last, step))
    if result.count(Ellipsis) > 1 and ellipsis_mask & (ellipsis_mask - 1):
        raise ValueError("Multiple ellipses in slice spec not allowed")
    return result


def _strided(
    x: Tensor, begin: Tensor, end: Tensor, strides: Tensor, *, begin_mask: int, end_mask: int, ellipsis_mask: int,
    new_axis_mask: int, shrink_axis_mask: int,
) -> RawShape:  # fmt: skip
    for vector in (begin, end, strides):
        shape_rules.with_rank(vector, 1)
    shapes.merge(shapes.merge(begin.dims, end.dims), strides.dims)
    steps = static_value(strides)
    if x.dims is None or steps is None:
        return None
    first, last = (None if v is None else v.tolist() for v in (static_value(begin), static_value(end)))
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    subscripts = subscripts_of(first, last, steps.tolist(), masks)
    taken = sum(1 << i & (ellipsis_mask | new_axis_mask) == 0 for i in range(len(subscripts)))
    if taken > len(x.dims):
        raise ValueError(f"Index out of range using input dim {len(x.dims)}; input has only {len(x.dims)} dims")
    hidden = len(x.dims) - taken
    if not ellipsis_mask:
        subscripts.append(Ellipsis)
        ellipsis_mask = 1 << len(subscripts) - 1
    dims, result = list(x.dims), []
    for i, subscript in enumerate(subscripts):
        bit = 1 << i
        if ellipsis_mask & bit:
            result += dims[:hidden]
            del dims[:hidden]
        elif new_axis_mask & bit:
            result.append(1)
        else:
            n = dims.pop(0)
            if not shrink_axis_mask & bit:
                result.append(_length(n, subscript))
            elif n is not None and subscript is not Ellipsis and not -n <= subscript < n:
                raise ValueError(f"slice index {subscript} of dimension {len(x.dims) - len(dims) - 1} out of bounds.")
    return tuple(result)


def _length(n: int | None, subscript: slice) -> int | None:
    whole = subscript.start is None and subscript.stop is None
    if n is None or (not whole and Ellipsis in (subscript.start, subscript.stop)):
        return None
    return len(range(*subscript.indices(n)))


def index_of(begin: Any, end: Any, strides: Any, masks: Any) -> tuple[Any, ...]:
    if np.ndim(begin) != 1 or not np.shape(begin) == np.shape(end) == np.shape(strides):
        raise invalid(
            "Expected begin, end, and strides to be 1D equal size tensors, but got shapes "
            f"{_text(begin)}, {_text(end)}, and {_text(strides)} instead."
        )
    try:
        first, last, steps = (np.asarray(v).tolist() for v in (begin, end, strides))
        return tuple(subscripts_of(first, last, steps, masks))
    except ValueError as error:
        raise invalid(str(error)) from None


def _taking(
    begin: Any, end: Any, strides: Any, *, begin_mask: int, end_mask: int, ellipsis_mask: int, new_axis_mask: int,
    shrink_axis_mask: int,
) -> Callable[..., Any]:  # fmt: skip
    index = index_of(begin, end, strides, (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask))

    def take(x: Any, *bounds: Any) -> Any:
        try:
            return x[index]
        except IndexError:
            raise _out_of_bounds(np.shape(x), index) from None

    return take


def _strided_slice(
    xp: Any, x: Any, begin: Any, end: Any, strides: Any, *, begin_mask: int, end_mask: int, ellipsis_mask: int,
    new_axis_mask: int, shrink_axis_mask: int,
) -> Any:  # fmt: skip
    take = _taking(
        begin, end, strides, begin_mask=begin_mask, end_mask=end_mask, ellipsis_mask=ellipsis_mask,
        new_axis_mask=new_axis_mask, shrink_axis_mask=shrink_axis_mask,
    )  # fmt: skip
    return take(xp.asarray(x))


def _out_of_bounds(dims: tuple[int, ...], index: tuple[Any, ...]) -> InvalidArgumentError:
    taken = [s for s in index if s is not None and s is not Ellipsis]
    if len(taken) > len(dims):
        words = f"Index out of range using input dim {len(dims)}; input has only {len(dims)} dims"
    else:
        at = index.index(Ellipsis) if Ellipsis in index else len(index)
        before = [s for s in index[:at] if s is not None]
        places = [*range(len(before)), *range(len(dims) - (len(taken) - len(before)), len(dims))]
        wrong = next(
            (i, s) for i, s in zip(places, taken, strict=True) if isinstance(s, int) and not -dims[i] <= s < dims[i]
        )
        words = f"slice index {wrong[1]} of dimension {wrong[0]} out of bounds."
    return invalid(words)


def _strided_slice_gradient(op: Any, dy: Any) -> list[Any]:
    """dx is zero but where y was taken from."""
    x, *bounds = op.inputs
    shape = arrays.shape(x, out_type=bounds[0].dtype)
    dx = apply(STRIDED_SLICE_GRAD, shape, *bounds, dy, **{m: op.attrs[m] for m in MASKS})
    return [dx, None, None, None]


def _putting(
    shape: Any, begin: Any, end: Any, strides: Any, *, begin_mask: int, end_mask: int, ellipsis_mask: int,
    new_axis_mask: int, shrink_axis_mask: int, xp: Any = np,
) -> Callable[..., Any]:  # fmt: skip
    index = index_of(begin, end, strides, (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask))
    whole = tuple(np.asarray(shape).tolist())
    try:
        wanted = np.broadcast_to(np.False_, whole)[index].shape
    except IndexError:
        raise _out_of_bounds(whole, index) from None

    def put(*inputs: Any) -> Any:
        dy = inputs[-1]
        if wanted != np.shape(dy):
            words = f"shape of dy was {shapes.shape_text(np.shape(dy))} instead of {shapes.shape_text(wanted)}"
            raise invalid(words)
        return placing.among_zeros(xp, whole, index, dy)

    return put


def _strided_slice_grad(
    xp: Any, shape: Any, begin: Any, end: Any, strides: Any, dy: Any, *, begin_mask: int, end_mask: int,
    ellipsis_mask: int, new_axis_mask: int, shrink_axis_mask: int,
) -> Any:  # fmt: skip
    put = _putting(
        shape, begin, end, strides, begin_mask=begin_mask, end_mask=end_mask, ellipsis_mask=ellipsis_mask,
        new_axis_mask=new_axis_mask, shrink_axis_mask=shrink_axis_mask, xp=xp,
    )  # fmt: skip
    return put(xp.asarray(dy))


STRIDED_SLICE = define(
    "StridedSlice", "input: T, begin: Index, end: Index, strides: Index", "output: T",
    attrs=dict.fromkeys(MASKS, 0), types={"Index": kinds.INDEX}, static=("begin", "end", "strides"),
    shape=_strided, kernel=_strided_slice, prepared=_taking, gradient=_strided_slice_gradient,
    remedy="an index from 0 to the size less 1; -1 is the last",
)  # fmt: skip

STRIDED_SLICE_GRAD = define(
    "StridedSliceGrad", "shape: Index, begin: Index, end: Index, strides: Index, dy: T", "output: T",
    ranks={"shape": "1: shape must be 1-D, got shape.shape = {}"},
    attrs=dict.fromkeys(MASKS, 0), types={"Index": kinds.INDEX}, static=("shape", "begin", "end", "strides"),
    shape=lambda shape, begin, end, strides, dy: shape_value(shape), kernel=_strided_slice_grad, prepared=_putting,
    gradient=lambda op, d: [
        None, None, None, None, strided_slice(d, *op.inputs[1:4], **{m: op.attrs[m] for m in MASKS}),
    ],
)  # fmt: skip


def _assign_slice(
    xp: Any, ref: Any, begin: Any, end: Any, strides: Any, value: Any, *, begin_mask: int, end_mask: int,
    ellipsis_mask: int, new_axis_mask: int, shrink_axis_mask: int,
) -> Any:  # fmt: skip
    index = index_of(begin, end, strides, (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask))
    old = ref.read()
    try:
        part = np.shape(np.asarray(old)[index])
    except IndexError:
        raise _out_of_bounds(np.shape(old), index) from None
    if 0 in part:
        return ref
    if part != np.shape(value) and np.size(value) != 1:
        raise invalid(f"shape of the value {_text(value)} does not fit the slice {shapes.shape_text(part)}")
    ref.write(placing.set_at(xp, old, index, np.reshape(value, part) if np.size(value) == np.prod(part) else value))
    return ref


def _text(value: Any) -> str:
    return shapes.shape_text(np.shape(value))


STRIDED_SLICE_ASSIGN = define(
    "StridedSliceAssign", "ref: ref T, begin: Index, end: Index, strides: Index, value: T", "output_ref: ref T",
    attrs=dict.fromkeys(MASKS, 0), types={"Index": kinds.INDEX}, shape=shape_rules.same, kernel=_assign_slice,
    effect=Effect.WRITE,
)  # fmt: skip


def _assign_resource_slice(
    xp: Any, ref: Any, begin: Any, end: Any, strides: Any, value: Any, *, begin_mask: int, end_mask: int,
    ellipsis_mask: int, new_axis_mask: int, shrink_axis_mask: int,
) -> list[Any]:  # fmt: skip
    _assign_slice(
        xp, ref, begin, end, strides, value, begin_mask=begin_mask, end_mask=end_mask, ellipsis_mask=ellipsis_mask,
        new_axis_mask=new_axis_mask, shrink_axis_mask=shrink_axis_mask,
    )  # fmt: skip
    return []


RESOURCE_STRIDED_SLICE_ASSIGN = define(
    "ResourceStridedSliceAssign", "ref: resource, begin: Index, end: Index, strides: Index, value: T", "",
    attrs=dict.fromkeys(MASKS, 0), types={"Index": kinds.INDEX}, kernel=_assign_resource_slice, effect=Effect.WRITE,
)  # fmt: skip


def strided_slice_assign(
    ref: Any, begin: Any, end: Any, strides: Any, value: Any, begin_mask: int = 0, end_mask: int = 0,
    ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0, name: str | None = None,
) -> Any:  # fmt: skip
    """Let the part of a reference variable that the bounds describe be ``value``."""
    return apply(
        STRIDED_SLICE_ASSIGN, ref, begin, end, strides, value, begin_mask=begin_mask, end_mask=end_mask,
        ellipsis_mask=ellipsis_mask, new_axis_mask=new_axis_mask, shrink_axis_mask=shrink_axis_mask, name=name,
    )  # fmt: skip


def strided_slice_grad(
    shape: Any, begin: Any, end: Any, strides: Any, dy: Any, begin_mask: int = 0, end_mask: int = 0,
    ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0, name: str | None = None,
) -> Tensor:  # fmt: skip
    """Zeros of ``shape`` with ``dy`` in the part that the bounds describe."""
    return apply(
        STRIDED_SLICE_GRAD, shape, begin, end, strides, dy, begin_mask=begin_mask, end_mask=end_mask,
        ellipsis_mask=ellipsis_mask, new_axis_mask=new_axis_mask, shrink_axis_mask=shrink_axis_mask, name=name,
    )  # fmt: skip


def strided_slice(
    input_: Any, begin: Any, end: Any, strides: Any = None, begin_mask: int = 0, end_mask: int = 0,
    ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0, var: Any = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """``input_[begin[0]:end[0]:strides[0], ...]``.

    Bit i of a mask changes subscript i: ``begin_mask`` and ``end_mask`` drop a bound, ``ellipsis_mask``
    makes it ``...``, ``new_axis_mask`` a new axis, ``shrink_axis_mask`` the one element ``begin[i]``.
    """
    if strides is None:
        strides = constants.ones_like(begin)
    masks = {
        "begin_mask": begin_mask, "end_mask": end_mask, "ellipsis_mask": ellipsis_mask,
        "new_axis_mask": new_axis_mask, "shrink_axis_mask": shrink_axis_mask,
    }  # fmt: skip
    output = apply(STRIDED_SLICE, input_, begin, end, strides, **masks, name=name)

    def assign(val: Any, name: str | None = None) -> Any:
        if var is None:
            raise ValueError("Sliced assignment is only supported for variables")
        name = f"{scope}_assign" if name is None else name
        return var._strided_slice_assign(begin=begin, end=end, strides=strides, value=val, name=name, **masks)

    scope = name
    output.assign = assign
    return output


# -- tensor[...] -------------------------------------------------------------------------------

newaxis = None


def slice_helper(tensor: Any, slice_spec: Any, var: Any = None) -> Tensor:
    """``tensor[slice_spec]`` with everything that Python's slicing allows, tensors as bounds, and boolean masks.

    The result of slicing a variable ``var`` has a method ``assign(value)``.

    Raises:
      TypeError: an index is no integer, slice, ``...`` or ``None``.

    >>> slice_helper(constants.zeros([4, 6, 2]), (0, slice(None, None, 2), None, Ellipsis)).shape.as_list()
    [3, 1, 2]
    """
    if isinstance(slice_spec, bool | np.ndarray | Tensor) and _is_bool(slice_spec):
        return indexing.boolean_mask(tensor=tensor, mask=slice_spec)
    subscripts = slice_spec if isinstance(slice_spec, list | tuple) else [slice_spec]
    begin: list[Any] = []
    end: list[Any] = []
    strides: list[Any] = []
    masks = dict.fromkeys(MASKS, 0)
    for i, subscript in enumerate(subscripts):
        bit = 1 << i
        if isinstance(subscript, slice):
            begin.append(_bound(subscript.start, "begin_mask", masks, bit))
            end.append(_bound(subscript.stop, "end_mask", masks, bit))
            strides.append(1 if subscript.step is None else checked_index(subscript.step))
        elif subscript is Ellipsis or subscript is newaxis:
            masks["new_axis_mask" if subscript is newaxis else "ellipsis_mask"] |= bit
            begin.append(0)
            end.append(0)
            strides.append(1)
        else:
            checked_index(subscript)
            begin.append(subscript)
            end.append(subscript + 1)
            strides.append(1)
            masks["shrink_axis_mask"] |= bit
    with name_scope(None, "strided_slice", [tensor, *begin, *end, *strides]) as name:
        first, last, steps = _packed_bounds(begin, end, strides)
        return strided_slice(tensor, first, last, steps, **masks, var=var, name=name)


def _is_bool(value: Any) -> bool:
    return isinstance(value, bool) or dtypes.as_dtype(value.dtype).base_dtype == dtypes.bool


def _bound(value: Any, mask: str, masks: dict[str, int], bit: int) -> Any:
    if value is None or (not isinstance(value, Tensor) and value == sys.maxsize):
        masks[mask] |= bit
        return 0
    return checked_index(value)


SLICE_TYPE_ERROR = (
    "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar tf.int32/tf.int64 tensors "
    "are valid indices"
)


def checked_index(value: Any) -> Any:
    """``value``, which is one place along an axis.

    Raises:
      TypeError: it is not.
    """
    if isinstance(value, numbers.Integral | Dimension | str):
        valid = not isinstance(value, str)
    else:
        dtype = getattr(value, "dtype", None)
        valid = dtype is not None and dtypes.as_dtype(dtype).base_dtype in kinds.INTEGERS
        valid = valid and TensorShape(getattr(value, "shape", None)).ndims != 1  # the op refuses higher ranks
    if not valid:
        raise TypeError(f"{SLICE_TYPE_ERROR}, got {value!r}")
    return value


def _packed_bounds(*bounds: list[Any]) -> list[Tensor]:
    if not bounds[0]:
        return [constants.constant([], dtype=dtypes.int32)] * 3
    packed = [joining.stack(b) for b in bounds]
    if any(p.dtype == dtypes.int64 for p in packed):
        return [p if p.dtype == dtypes.int64 else arithmetic.cast(p, dtypes.int64) for p in packed]
    return packed


Tensor.__getitem__ = slice_helper  # type: ignore[method-assign]
