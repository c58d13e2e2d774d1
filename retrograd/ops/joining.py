"""Joining tensors along an axis, and cutting them along one: stack, unstack, concat, split."""

from __future__ import annotations

import functools
import numbers
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import dtypes, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor, register_tensor_conversion_function
from retrograd.graph.definition import REQUIRED, define, not_differentiable
from retrograd.graph.errors import invalid, taught
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import Dimension, RawShape, TensorShape, shape_text
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.static import constant_value, partial_value, static_value
from retrograd.graph.tensor import Tensor, TensorLike
from retrograd.ops import arithmetic, arrays, casts, comparison, constants, indexing, kinds, shape_rules, slicing

# -- along a new axis --------------------------------------------------------------------------


def _axis(axis: int, rank: int) -> int:
    if not -rank <= axis < rank:
        raise ValueError(f"Invalid axis {axis} for input with {rank} dimensions")
    return axis % rank


def _packed(values: list[Tensor], *, axis: int) -> RawShape:
    dims = shape_rules.all_merged(values)
    if dims is None:
        return None
    at = _axis(axis, len(dims) + 1)
    return (*dims[:at], len(values), *dims[at:])


def _dims(values: list[Any]) -> list[tuple[int, ...]]:
    return [value.shape if type(value) is np.ndarray else np.shape(value) for value in values]


def _pack(xp: Any, values: list[Any], *, axis: int) -> Any:
    dims = _dims(values)
    first = dims[0]
    if dims.count(first) != len(dims):
        i, other = next((i, d) for i, d in enumerate(dims) if d != first)
        raise invalid(
            f"Shapes of all inputs must match: values[0].shape = {shapes.shape_text(first)} "
            f"!= values[{i}].shape = {shapes.shape_text(other)}",
        )
    forms = {*map(type, values)}
    if xp is np and forms == {np.ndarray} and -len(first) - 1 <= axis <= len(first):
        at = axis % (len(first) + 1)
        index = (*(slice(None),) * at, None)
        return np.concatenate([value[index] for value in values], at)
    return np.array(values) if forms == {np.int32} else xp.stack(values, axis)


PACK = define(
    "Pack", "values: N*T", "output: T", attrs={"axis": 0}, shape=_packed, kernel=_pack,
    gradient=lambda op, dy: unstack(dy, num=op.attrs["N"], axis=op.attrs["axis"]),
)  # fmt: skip


def stack(values: Any, axis: int = 0, name: str = "stack") -> Tensor:
    """Tensors of one shape along a new dimension ``axis``; lists of numbers become one Const.

    Raises:
      ValueError: there is no such ``axis``, or the shapes differ.
    """
    if axis == 0:
        try:
            return as_tensor(values, name=name)
        except (TypeError, ValueError):
            pass  # the op says what is wrong with them
    dims = as_tensor(values[0], name=name).dims
    if dims is not None and not -len(dims) - 1 <= axis <= len(dims):
        raise ValueError(f"axis = {axis} not in [{-len(dims) - 1}, {len(dims) + 1})")
    return apply(PACK, values, axis=axis, name=name)


def _packed_list(values: Any, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Any:
    """Lists that hold tensors become Pack ops; other lists are left to ``constant``."""
    found = None if as_ref else _dtype_within(values)
    if found is None:
        return NotImplemented
    if dtype is not None and dtype != found:
        values = _cast_within(values, dtype)
    return _pack_nested(values, dtype or found, name or "packed")


def _cast_within(values: Any, dtype: Any) -> Any:
    if isinstance(values, list | tuple):
        return [_cast_within(v, dtype) for v in values]
    if isinstance(values, TensorLike) and values.dtype.base_dtype != dtype:
        return apply(casts.CAST, values, DstT=dtype)
    return values


def _first_tensor(values: Any) -> Any:
    if isinstance(values, list | tuple):
        return next((t for t in map(_first_tensor, values) if t is not None), None)
    return values if isinstance(values, TensorLike) else None


def _dtype_within(values: Any) -> Any:
    tensor = _first_tensor(values)
    return None if tensor is None else tensor.dtype.base_dtype


def _pack_nested(values: Any, dtype: Any, name: str) -> Any:
    with name_scope(name) as scope:
        parts: list[Any] = []
        for i, part in enumerate(values):
            if isinstance(part, TensorLike):
                if part.dtype.base_dtype != dtype:
                    raise TypeError(
                        f"Cannot convert a list containing a tensor of dtype {part.dtype} to {dtype} "
                        f"(Tensor is: {part!r})"
                    )
                parts.append(part)
            else:
                parts.append(_pack_nested(part, dtype, str(i)) if isinstance(part, list | tuple) else part)
        if not any(isinstance(p, TensorLike) for p in parts):
            return parts
        tensors = [
            p if isinstance(p, TensorLike) else constants.constant(p, dtype, name=str(i)) for i, p in enumerate(parts)
        ]
        return apply(PACK, tensors, axis=0, name=scope)


register_tensor_conversion_function((list, tuple), _packed_list, 99)


def _in_parallel(values: list[Tensor], *, shape: TensorShape) -> RawShape:
    if not all(shapes.is_known(x.dims) for x in values):
        raise ValueError("All input shapes must be fully defined.")
    first = values[0].dims
    for i, x in enumerate(values):
        try:
            shapes.merge(x.dims, first)
        except ValueError as error:
            raise ValueError(f"{error}\n\tFrom merging shape {i} with other shapes.") from None
    return shape._raw


PARALLEL_CONCAT = define(
    "ParallelConcat", "values: N*T", "output: T", attrs={"shape": REQUIRED}, shape=_in_parallel,
    kernel=lambda xp, values: xp.concatenate(values, 0),
)  # fmt: skip


def parallel_stack(values: Any, name: str = "parallel_stack") -> Tensor:
    """Tensors of one fully known shape along a new first dimension; each is copied when it is ready."""
    with name_scope(name):
        dims = as_tensor(values[0]).dims
        shape = TensorShape(None if dims is None else (len(values), *dims))
        return apply(PARALLEL_CONCAT, [arrays.expand_dims(v, 0) for v in values], shape=shape)


def _unpacked(value: Tensor, *, num: int, axis: int) -> list[RawShape]:
    if value.dims is None:
        return [None] * num
    at = _axis(axis, len(value.dims))
    if value.dims[at] not in (None, num):
        raise ValueError(f"Dimension must be {num} but is {value.dims[at]}")
    return [(*value.dims[:at], *value.dims[at + 1 :])] * num


def _unpack(xp: Any, value: Any, *, num: int, axis: int) -> list[Any]:
    rank = np.ndim(value)
    if not -rank <= axis < rank:
        raise invalid(f"axis = {axis} not in [{-rank}, {rank})")
    size = value.shape[axis]
    if size != num:
        raise invalid(f"Input shape axis {axis % rank} must equal {num}, got shape {shapes.shape_text(value.shape)}")
    slices = xp.moveaxis(value, axis, 0)
    return [slices[i] for i in range(num)]


UNPACK = define(
    "Unpack", "value: T", "output: num*T", attrs={"num": REQUIRED, "axis": 0}, shape=_unpacked, kernel=_unpack,
    gradient=lambda op, *dys: [stack(list(dys), axis=op.attrs["axis"])],
)  # fmt: skip


def unstack(value: Any, num: int | None = None, axis: int = 0, name: str = "unstack") -> list[Tensor]:
    """The slices of ``value`` along ``axis``, each with one dimension less.

    Raises:
      ValueError: ``num`` is not given and cannot be told from the shape.
    """
    if num is None:
        value = as_tensor(value)
        dims = value.dims
        if dims is not None:
            if not -len(dims) <= axis < len(dims):
                raise ValueError(f"axis = {axis} not in [{-len(dims)}, {len(dims)})")
            num = dims[axis]
    if num is None:
        raise ValueError(f"Cannot infer num from shape {value.shape}")
    return apply(UNPACK, value, num=num, axis=axis, name=name)


# -- along an axis that is there ---------------------------------------------------------------


def concatenated(values: list[Tensor], axis: Tensor) -> RawShape:
    shape_rules.with_rank(axis, 0)
    place = static_value(axis)
    if place is None:
        if any(v.rank == 0 for v in values):
            raise ValueError("Can't concatenate scalars (use tf.stack instead)")
        ranks = [len(v.dims) for v in values if v.dims is not None]
        for value in values:
            shape_rules.with_rank(value, ranks[0] if ranks else 0)
        return (None,) * ranks[0] if ranks else None
    at = int(place)
    least = -at if at < 0 else at + 1
    for value in values:
        shape_rules.with_rank_at_least(value, least)
    known = [v.dims for v in values if v.dims is not None]
    if not known:
        return None
    for dims in known[1:]:
        if len(dims) != len(known[0]):
            raise shapes.Unread(f"Shape must be rank {len(known[0])} but is rank {len(dims)}")
    at %= len(known[0])
    parts_before: list[RawShape] = [d[:at] for d in known]
    parts_after: list[RawShape] = [d[at + 1 :] for d in known]
    before = functools.reduce(shapes.merge, parts_before)
    after = functools.reduce(shapes.merge, parts_after)
    sizes = [None if v.dims is None else v.dims[at] for v in values]
    return (*(before or ()), None if None in sizes else sum(n for n in sizes if n is not None), *(after or ()))


def _concat(xp: Any, values: list[Any], axis: Any) -> Any:
    shape_rules.check_rank(axis, 0, "axis tensor should be a scalar integer, but got shape {}")
    every, at = _dims(values), int(axis)
    first = every[0]
    if not -len(first) <= at < len(first):
        raise invalid(
            f"ConcatOp : Expected concatenating dimensions in the range [{-len(first)}, {len(first)}), but got {at}",
        )
    at %= len(first)
    before, after = first[:at], first[at + 1 :]
    for i, dims in enumerate(every):
        if len(dims) != len(first) or dims[:at] != before or dims[at + 1 :] != after:
            raise invalid(
                f"ConcatOp : {'Dimensions of inputs' if len(dims) == len(first) else 'Ranks of all input tensors'} "
                "should match: "
                f"shape[0] = {shapes.shape_text(first)} vs. shape[{i}] = {shapes.shape_text(dims)}",
            )
    return xp.concatenate(values, at)


def _concatenating(axis: Any) -> Callable[..., Any]:
    at = int(axis)

    def concatenate(*inputs: Any) -> Any:
        values = inputs[:-1]
        try:
            return np.concatenate(values, at)
        except ValueError:
            return _concat(np, [*values], axis)

    return concatenate


def _concat_gradient(op: Any, dy: Any) -> list[Any]:
    """Each input takes the part of dy that it became."""
    *values, axis = op.inputs
    return [*_parts_of(dy, values, axis), None]


_MOST_SLICES = 16  # inputs; beyond it one split takes the place of the slices


def _parts_of(dy: Any, values: list[Tensor], axis: Tensor) -> list[Any]:
    if len(values) == 1:
        return [dy]
    if isinstance(dy, IndexedSlices):
        return _parts_of_slices(dy, values, axis)
    at = axis % arrays.rank(values[0])
    sizes = _shapes_of(values)
    if len(sizes) > _MOST_SLICES:
        lengths = arrays.squeeze(slicing.slice_(stack(sizes, axis=1), [at, 0], [1, -1]))
        return split(dy, lengths, at)
    offsets = apply(CONCAT_OFFSET, at, sizes)
    return [slicing.slice_(dy, offset, size) for offset, size in zip(offsets, sizes, strict=True)]


def _shapes_of(values: list[Tensor]) -> list[Tensor]:
    """Consts if every shape is known, else one ShapeN."""
    found = []
    for value in values:
        shape = arrays.shape(value)
        if shape.op.type != "Const":
            return arrays.shape_n(values)
        found.append(shape)
    return found


def _parts_of_slices(dy: IndexedSlices, values: list[Tensor], axis: Tensor) -> list[Any]:
    at = axis % arrays.rank(values[0])
    place = constant_value(axis)
    if place is None:
        raise ValueError("Can only compute IndexedSlices gradient with statically-known concat_dim")
    if place < 0:
        rank = constant_value(arrays.rank(values[0]))
        if rank is None:
            raise ValueError(
                "Can only compute IndexedSlices gradient with negative concat_dim when first value rank is "
                "statically-known."
            )
        place = place % rank
    sizes = [arrays.shape(v) for v in values]
    return _columns_of(dy, sizes, at) if place > 0 else _rows_of(dy, sizes, at)


def _columns_of(dy: IndexedSlices, sizes: list[Tensor], axis: Tensor) -> list[Any]:
    """Joined along a later axis: every input has all the rows, and its own columns of them."""
    rank = arrays.shape(sizes[0])
    along = concat([constants.fill(arrays.expand_dims(axis, 0), 0), [1], constants.fill(rank - axis - 1, 0)], 0)
    begin = constants.fill(rank, 0)
    parts = []
    for size in sizes:
        whole_rows = concat([[-1], slicing.slice_(size, [1], [-1])], 0)
        parts.append(IndexedSlices(slicing.slice_(dy.values, begin, whole_rows), dy.indices, size))
        begin = arithmetic.add(begin, size * along)
    return parts


def _rows_of(dy: IndexedSlices, sizes: list[Tensor], axis: Tensor) -> list[Any]:
    """Joined along the first axis: every input has the rows between its start and its end."""
    start: Any = constants.constant(0, dtype=dy.indices.dtype)
    parts = []
    for size in sizes:
        length = indexing.gather(size, axis)
        if length.dtype != dy.indices.dtype:
            length = arithmetic.cast(length, dy.indices.dtype)
        end = start + length
        mine = arrays.squeeze(comparison.where(comparison.logical_and(dy.indices >= start, dy.indices < end)), axis=[1])
        rows = indexing.gather(dy.indices, mine) - start
        parts.append(IndexedSlices(indexing.gather(dy.values, mine), rows, size))
        start = end
    return parts


CONCAT_V2 = define(
    "ConcatV2", "values: N*T, axis: Tidx", "output: T", attrs={"Tidx": dtypes.int32}, types={"Tidx": kinds.INDEX},
    static=("axis",), shape=concatenated, kernel=_concat, prepared=_concatenating, gradient=_concat_gradient,
)  # fmt: skip

CONCAT = define(
    "Concat", "concat_dim: int32, values: N*T", "output: T", static=("concat_dim",),
    shape=lambda concat_dim, values: concatenated(values, concat_dim),
    kernel=lambda xp, concat_dim, values: _concat(xp, values, concat_dim),
    gradient=lambda op, dy: [None, *_parts_of(dy, list(op.inputs[1:]), op.inputs[0])],
)  # fmt: skip


def concat(values: Any, axis: Any, name: str = "concat") -> Tensor:
    """Tensors one after the other along ``axis``; their other sizes agree."""
    if not isinstance(values, list | tuple):
        values = [values]
    if not values:
        raise ValueError("List argument 'values' to 'ConcatV2' Op with length 0 shorter than minimum length 2.")
    if len(values) == 1:
        with name_scope(name):
            try:
                as_tensor(axis, dtypes.int32, name="concat_dim").shape.assert_has_rank(0)
            except (TypeError, ValueError) as error:
                raise _turned(error, values[0]) from None
            return arrays.identity(values[0], name=name)
    return apply(CONCAT_V2, values, axis, name=name)


def _turned(error: Exception, first: Any) -> Exception:
    """Up to TensorFlow 0.12 the axis came first."""
    return taught(error, fix=f"tf.concat(values, {first})") if isinstance(first, int) else error


def _offsets(xp: Any, concat_dim: Any, shape: list[Any]) -> list[Any]:
    """Where each part begins: 0 but along the axis, there the sum of the sizes before it."""
    for i, dims in enumerate(shape):
        if np.ndim(dims) != 1:
            raise invalid(f"input {i + 1} should be a vector, but got shape {shape_text(np.shape(dims))}")
    at, rank = int(concat_dim), np.size(shape[0])
    if not -rank <= at < rank:
        raise invalid(f"Concat dim is out of range: {at} vs. {rank}")
    at %= rank
    every = [np.asarray(dims).tolist() for dims in shape]
    begins = np.zeros((len(every), rank), np.int32)
    offset = 0
    for i, dims in enumerate(every):
        _check_alike(at, every[0], i, dims)
        begins[i, at] = offset
        offset += dims[at]
    return list(begins)


def _check_alike(at: int, first: list[int], i: int, dims: list[int]) -> None:
    if len(dims) != len(first):
        raise invalid(f"input {i} should contain {len(first)} elements, but got {len(dims)}")
    for j, (m, n) in enumerate(zip(first, dims, strict=True)):
        if j != at and m != n:
            raise invalid(
                f"All dimensions except {at} must match. Input {i} has shape [{' '.join(map(str, dims))}] and doesn't "
                f"match input 0 with shape [{' '.join(map(str, first))}].",
            )


CONCAT_OFFSET = define(
    "ConcatOffset", "concat_dim: int32, shape: N*int32", "offset: N*int32", static=("concat_dim", "shape"),
    ranks={"concat_dim": "0: Concat dim tensor should be a scalar integer, but got shape {}"},
    shape=lambda concat_dim, shape: [s.dims for s in shape], kernel=_offsets, gradient=not_differentiable,
)  # fmt: skip


def _split_evenly(axis: Tensor, value: Tensor, *, num_split: int) -> list[RawShape]:
    place = static_value(axis)
    if value.dims is None:
        return [None] * num_split
    if place is None:
        return [(None,) * len(value.dims)] * num_split
    at = _split_axis(int(place), len(value.dims))
    size = value.dims[at]
    if size is not None and size % num_split:
        raise ValueError(
            f"Dimension size must be evenly divisible by {num_split} but is {size}\n\tNumber of ways to split should "
            "evenly divide the split dimension"
        )
    part = None if size is None else size // num_split
    return [(*value.dims[:at], part, *value.dims[at + 1 :])] * num_split


def _split_axis(axis: int, rank: int) -> int:
    if not -rank <= axis < rank:
        raise ValueError(f"Dimension size, given by scalar input {axis} must be in range [-{rank}, {rank})")
    return axis % rank


def _split(xp: Any, axis: Any, value: Any, *, num_split: int) -> list[Any]:
    at, rank = int(axis), np.ndim(value)
    if not -rank <= at < rank:
        raise invalid(f"-input rank(-{rank}) <= split_dim < input rank ({rank}), but got {at}")
    if value.shape[at] % num_split:
        raise invalid(
            f"Number of ways to split should evenly divide the split dimension, but got split_dim {at} "
            f"(size = {value.shape[at]}) and num_split {num_split}",
        )
    if xp is not np:
        return list(xp.split(value, num_split, at))
    size = value.shape[at] // num_split
    before = (slice(None),) * (at % rank)
    return [value[(*before, slice(i * size, (i + 1) * size))] for i in range(num_split)]


SPLIT = define(
    "Split", "split_dim: int32, value: T", "output: num_split*T", attrs={"num_split": REQUIRED},
    ranks={"split_dim": "0: split_dim must be a scalar but has rank {rank}"},
    static=("split_dim",), shape=_split_evenly, kernel=_split,
    gradient=lambda op, *dys: [None, concat(list(dys), op.inputs[0])],
)  # fmt: skip


def _split_by_sizes(value: Tensor, size_splits: Tensor, axis: Tensor, *, num_split: int) -> list[RawShape]:
    shape_rules.with_rank(size_splits, 1)
    place, sizes = static_value(axis), partial_value(size_splits)
    if value.dims is None:
        return [None] * num_split
    if place is None:
        return [(None,) * len(value.dims)] * num_split
    at = _split_axis(int(place), len(value.dims))
    if static_value(size_splits) is None or sizes is None:
        parts: list[int | None] = [None] * num_split
    else:
        parts = _with_rest(sizes, value.dims[at])
    return [(*value.dims[:at], n, *value.dims[at + 1 :]) for n in parts]


def _with_rest(sizes: Any, total: int | None) -> list[int | None]:
    """``sizes`` with its one -1 replaced by what the others leave of ``total``."""
    known = [int(n) for n in sizes if n is not None and n >= 0]
    if len(known) == len(sizes):
        if total is not None and sum(known) != total:
            text = ",".join(str(int(n)) for n in sizes)
            raise ValueError(f"can't split axis of size {total} into pieces of size [{text}]")
        return list(known)
    if total is not None and sum(known) > total:
        text = ",".join(str(int(n)) for n in sizes)
        raise ValueError(f"can't split axis of size {total} into pieces of size [{text}]")
    rest = None if total is None else total - sum(known)
    return [rest if n < 0 else int(n) for n in sizes]


def _split_v(xp: Any, value: Any, size_splits: Any, axis: Any, *, num_split: int) -> list[Any]:
    if np.size(axis) != 1:
        raise invalid("split_dim_tensor must have exactly one element.")
    at, rank = int(axis), np.ndim(value)
    if not -rank <= at < rank:
        raise invalid(f"-input rank(-{rank}) <= split_dim < input rank ({rank}), but got {at}")
    if np.ndim(size_splits) != 1 or len(size_splits) != num_split:
        raise invalid(
            "size of the split_tensor must be 1-D and have the same elements as outputs got "
            f"{np.ndim(size_splits)} -D and {np.size(size_splits)} elements"
        )
    wanted = [int(n) for n in np.asarray(size_splits)]
    total = value.shape[at]
    if sum(n for n in wanted if n >= 0) > total or (min(wanted) >= 0 and sum(wanted) != total):
        raise invalid(
            "Determined shape must either match input shape along split_dim exactly if fully specified, or be less "
            "than the size of the input along split_dim if not fully specified.  Got: "
            f"{sum(n for n in wanted if n >= 0)}",
        )
    sizes = [n or 0 for n in _with_rest(wanted, total)]
    return list(xp.split(value, np.cumsum(sizes)[:-1].tolist(), at))


SPLIT_V = define(
    "SplitV", "value: T, size_splits: Tlen, split_dim: int32", "output: num_split*T",
    attrs={"num_split": REQUIRED, "Tlen": dtypes.int64}, types={"Tlen": kinds.INDEX},
    static=("size_splits", "split_dim"), shape=_split_by_sizes, kernel=_split_v,
    gradient=lambda op, *dys: [concat(list(dys), op.inputs[2]), None, None],
)  # fmt: skip


def split(
    value: Any, num_or_size_splits: Any, axis: Any = 0, num: int | None = None, name: str = "split"
) -> list[Tensor]:
    """``value`` cut along ``axis`` into a number of equal parts, or into parts of given sizes.

    Raises:
      ValueError: the parts do not fill the axis, or their number cannot be told.
    """
    sizes = as_tensor(num_or_size_splits)
    if isinstance(num_or_size_splits, numbers.Integral | Dimension):
        if num_or_size_splits < 1:
            raise ValueError(f"Attr 'num_split' of 'Split' Op passed {num_or_size_splits} less than minimum 1.")
        return apply(SPLIT, axis, value, num_split=int(num_or_size_splits), name=name)
    if sizes.rank == 0:
        raise ValueError(
            "Rank-0 tensors are not supported as the num_or_size_splits argument to split. "
            f"Argument provided: {num_or_size_splits}"
        )
    if num is None:
        num = sizes.dims[0] if sizes.dims else None
        if num is None:
            raise ValueError(f"Cannot infer num from shape {num_or_size_splits}")
    return apply(SPLIT_V, value, sizes, axis, num_split=num, name=name)
