"""What examples hold, as arrays: the work behind ``parse_example`` and its kin."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any

import numpy as np

from retrograd.files import examples
from retrograd.files.example_columns import Columns, OtherForm, columns_of
from retrograd.files.examples import Values
from retrograd.files.messages import message
from retrograd.graph import dtypes
from retrograd.graph.dtypes import DType
from retrograd.graph.errors import InvalidArgumentError, invalid
from retrograd.graph.shapes import RawShape, shape_text

_KINDS = {"bytes_list": dtypes.string, "float_list": dtypes.float32, "int64_list": dtypes.int64}
_WORDS = {dtypes.string: "string", dtypes.float32: "float", dtypes.int64: "int64"}
_LISTS = {dtypes.string: "bytes_list", dtypes.float32: "float_list", dtypes.int64: "int64_list"}
_COUNTED = {dtypes.string: "bytes", dtypes.float32: "float", dtypes.int64: "int64"}


def decoded(kind: str, serialized: bytes) -> Any:
    """The message ``kind`` that ``serialized`` is.

    Raises:
      InvalidArgumentError: it is none.
    """
    try:
        return message(kind).FromString(serialized)
    except Exception:  # protobuf's DecodeError, without importing it
        raise _no_example(serialized) from None


def _no_example(serialized: bytes) -> InvalidArgumentError:
    shown = serialized.decode("utf-8", "replace")
    return invalid(f"Could not parse example input, value: '{shown}'")


def dtype_of(feature: Any) -> DType | None:
    """The dtype of a feature's values; None of one that holds nothing."""
    kind = feature.WhichOneof("kind")
    return None if kind is None else _KINDS[kind]


def values_of(feature: Any, dtype: DType) -> np.ndarray:
    """The values of a feature that is of this dtype."""
    values = getattr(feature, _LISTS[dtype]).value
    if dtype is dtypes.string:
        array = np.empty(len(values), object)
        array[:] = list(values)
        return array
    return np.fromiter(values, dtype.np, len(values))


def raw_dims(shape: Any) -> RawShape:
    """A shape attribute as a raw shape."""
    return shape if isinstance(shape, tuple) else shape._raw  # type: ignore[no-any-return]


def is_variable(dims: RawShape) -> bool:
    """Whether the number of values along the first dimension is left open."""
    return bool(dims) and dims is not None and dims[0] is None


def sparse_column(rows: Sequence[np.ndarray], dtype: DType) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows of unequal length as the parts of a sparse matrix."""
    lengths = np.array([len(row) for row in rows], np.int64)
    indices = np.empty((int(lengths.sum()), 2), np.int64)
    indices[:, 0] = np.repeat(np.arange(len(rows)), lengths)
    indices[:, 1] = np.concatenate([np.arange(n) for n in lengths]) if rows else []
    shape = np.array([len(rows), lengths.max(initial=0)], np.int64)
    return indices, joined(rows, dtype), shape


def joined(rows: Sequence[np.ndarray], dtype: DType) -> np.ndarray:
    """All rows as one."""
    return np.concatenate(rows) if rows else np.empty(0, dtype.np)


# -- Example -----------------------------------------------------------------------------------

Complain = Callable[[str, str], InvalidArgumentError]  # of a key, and what is wrong with its feature

_KIND_OF = {dtypes.string: examples.BYTES, dtypes.float32: examples.FLOATS, dtypes.int64: examples.INTS}
_layouts = examples.Layouts()
_NAMES = {_KIND_OF[dtype]: word for dtype, word in _WORDS.items()}


def layout_of(serialized: bytes) -> tuple[bytes, examples.Layout]:
    """Where the features of an example are, and in which bytes.

    Raises:
      InvalidArgumentError: it is none.
    """
    try:
        return _layouts.of(serialized)
    except Exception:  # protobuf's DecodeError, without importing it
        raise _no_example(serialized) from None


def sparse_row(data: bytes, feature: Values | None, key: str, dtype: DType, complain: Complain) -> np.ndarray:
    """The values of a feature of any length; none if it is missing."""
    if feature is None:
        return np.empty(0, dtype.np)
    if feature[0] != _KIND_OF[dtype]:
        words = f"Data types don't match. Expected type: {_WORDS[dtype]}, Actual type: {_NAMES[feature[0]]}"
        raise complain(key, words)
    return examples.values_in(data, feature)


def dense_row(
    data: bytes, feature: Values | None, key: str, dtype: DType, dims: RawShape, default: np.ndarray,
    complain: Complain, short: bool,
) -> np.ndarray:  # fmt: skip
    """The values of a feature of a given shape, of which the first dimension may be open.

    Raises:
      InvalidArgumentError: it is missing without a default, or of another dtype or number; ``short`` is how
        a single example tells the latter.
    """
    assert dims is not None
    if feature is None:
        if is_variable(dims):
            return np.empty((0, *_inner(dims)), dtype.np)
        if default.size == 0 and math.prod(_inner(dims, 0)) != 0:
            raise complain("", f"Feature: {key} (data type: {_WORDS[dtype]}) is required but could not be found.")
        return default.reshape(_inner(dims, 0))
    if feature[0] != _KIND_OF[dtype]:
        words = f"Data types don't match. Data type: {_NAMES[feature[0]]} but expected type: {_WORDS[dtype]}"
        raise complain(key, words)
    values = examples.values_in(data, feature)
    if is_variable(dims):
        stride = math.prod(_inner(dims))
        if stride and len(values) % stride:
            words = f"Number of {_COUNTED[dtype]} values is not a multiple of stride length. Saw {len(values)} values "
            raise complain(
                key, "Can't parse serialized Example." if short else f"{words}but output shape is: {shape_text(dims)}"
            )
        return values.reshape(-1 if stride else 0, *_inner(dims))
    shape = _inner(dims, 0)
    if len(values) != math.prod(shape):
        words = f"Number of {_COUNTED[dtype]} values != expected.  Values size: {len(values)} but output shape: "
        raise complain(key, "Can't parse serialized Example." if short else words + shape_text(dims))
    return values.reshape(shape)


Sparse = tuple[str, DType]  # a feature of any length: its key and dtype
Dense = tuple[str, DType, RawShape, np.ndarray]  # one of a given shape, and its default


def read_together(texts: Sequence[bytes], sparse: Sequence[Sparse], dense: Sequence[Dense]) -> Columns | None:
    """What many examples hold under the keys of features; None if they are to be read one by one."""
    keys = tuple([key for key, _ in sparse] + [feature[0] for feature in dense])
    dtypes_ = [dtype for _, dtype in sparse] + [feature[1] for feature in dense]
    try:
        return columns_of(texts, keys, tuple([_KIND_OF[dtype] for dtype in dtypes_]))
    except OtherForm:
        return None


def sparse_columns(columns: Columns, count: int) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """The first ``count`` of the features as the parts of sparse matrices."""
    counts = columns.counts[:count]
    flat, sizes, longest = counts.ravel(), counts.sum(1), counts.max(1, initial=0)
    total = int(sizes.sum())
    indices = np.empty((total, 2), np.int64)
    indices[:, 0] = np.repeat(np.arange(flat.size) % max(counts.shape[1], 1), flat)
    indices[:, 1] = np.arange(total) - np.repeat(np.cumsum(flat) - flat, flat)
    shapes = np.stack([np.full_like(longest, counts.shape[1]), longest], 1).astype(np.int64)
    ends = np.cumsum(sizes).tolist()
    starts = [0, *ends]
    return [(indices[starts[i] : end], columns.values[i], shapes[i]) for i, end in enumerate(ends)]


def dense_column(columns: Columns, i: int, feature: Dense) -> np.ndarray | None:
    """The ``i``-th of the features, one row for each example; None if one is missing, or of another number."""
    _, dtype, dims, default = feature
    counts, values = columns.counts[i], columns.values[i]
    if is_variable(dims):
        return _filled_up(counts, values, feature)
    shape = _inner(dims, 0)
    size = math.prod(shape)
    if (counts == size).all() and (size or columns.is_there[i].all()):
        return values.reshape(len(counts), *shape)
    there = columns.is_there[i]
    if (default.size == 0 and size) or (counts[there] != size).any():
        return None
    column = np.empty((len(counts), *shape), dtype.np)
    column[:] = default.reshape(shape)
    column[there] = values.reshape(-1, *shape) if size else 0
    return column


def _filled_up(counts: np.ndarray, values: np.ndarray, feature: Dense) -> np.ndarray | None:
    _, dtype, dims, default = feature
    stride = math.prod(_inner(dims))
    if not stride or (counts % stride).any():
        return None
    lengths = counts // stride
    column = np.empty((len(counts), int(lengths.max(initial=0)), *_inner(dims)), dtype.np)
    column[...] = _filling(dtype, default)
    column[np.arange(column.shape[1]) < lengths[:, None]] = values.reshape(-1, *_inner(dims))
    return column


def _filling(dtype: DType, default: np.ndarray) -> Any:
    """What rows of open length are filled up with."""
    return default.reshape(()) if default.size == 1 else (b"" if dtype is dtypes.string else 0)


def _inner(dims: RawShape, start: int = 1) -> tuple[int, ...]:
    assert dims is not None
    return tuple([n or 0 for n in dims[start:]])


def stacked(rows: Sequence[np.ndarray], dtype: DType, dims: RawShape, default: np.ndarray) -> np.ndarray:
    """Rows as one array; rows of open length are filled up with the default."""
    assert dims is not None
    if not is_variable(dims):
        result = np.empty((len(rows), *_inner(dims, 0)), dtype.np)
        for i, row in enumerate(rows):
            result[i] = row
        return result
    length = max((len(row) for row in rows), default=0)
    filled = np.empty((len(rows), length, *_inner(dims)), dtype.np)
    filled[...] = _filling(dtype, default)
    for i, row in enumerate(rows):
        filled[i, : len(row)] = row
    return filled


# -- SequenceExample ---------------------------------------------------------------------------


def expected_but_found(dtype: DType, feature: Any) -> str:
    return f"Data types don't match. Expected type: {_WORDS[dtype]}  Feature is: {feature}"


def steps_of(
    features: Sequence[Any], key: str, dtype: DType, dims: RawShape, complain: Callable[[str], InvalidArgumentError]
) -> np.ndarray:
    """The features of a list, each of one shape, as one array."""
    assert dims is not None
    shape = tuple(n or 0 for n in dims)
    result = np.empty((len(features), *shape), dtype.np)
    list_of = attrgetter(f"{_LISTS[dtype]}.value")
    lists = [*map(list_of, features)]
    if result.size and {*map(len, lists)} == {math.prod(shape)}:  # so each is of this dtype
        result.reshape(-1)[:] = [*chain.from_iterable(lists)]
        return result
    for i, feature in enumerate(features):
        if dtype_of(feature) is not dtype:
            raise complain(f"Feature list: {key}, Index: {i}.  {expected_but_found(dtype, feature)}")
        values = values_of(feature, dtype)
        if len(values) != math.prod(shape):
            words = f"Number of {_COUNTED[dtype]} values != expected.  values size: {len(values)} but output shape: "
            raise complain(f"Key: {key}, Index: {i}.  {words}{shape_text(dims)}")
        result[i] = values.reshape(shape)
    return result


def ragged_steps(
    features: Sequence[Any], key: str, dtype: DType, complain: Callable[[str], InvalidArgumentError]
) -> list[np.ndarray]:
    """The features of a list, each of its own length."""
    rows = []
    for i, feature in enumerate(features):
        found = dtype_of(feature)
        if found is not None and found is not dtype:
            raise complain(f"Feature List: {key}, Index: {i}.  {expected_but_found(dtype, feature)}")
        rows.append(np.empty(0, dtype.np) if found is None else values_of(feature, dtype))
    return rows
