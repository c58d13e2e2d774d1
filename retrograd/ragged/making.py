"""Ragged tensors from nested lists, placeholders for them, and functions of their values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import constants
from retrograd.ragged.splits import same_splits
from retrograd.ragged.tensor import RaggedTensor, convert_to_tensor_or_ragged_tensor, is_ragged
from retrograd.ragged.values import RaggedTensorValue


def constant(
    pylist: Any, dtype: Any = None, ragged_rank: int | None = None, inner_shape: Any = None, name: str | None = None,
    row_splits_dtype: Any = dtypes.int64,
) -> Any:  # fmt: skip
    """The rows of a nested list, a tensor where its innermost lists are the rows' only elements.

    Args:
      ragged_rank: how many axes may have rows of different lengths; by default all but the last of scalars.
      inner_shape: the shape of a value.

    Raises:
      ValueError: scalars stand at different depths, or the arguments do not fit the list.
    """

    def rows(values: Any, row_splits: Any) -> RaggedTensor:
        splits = constants.constant(row_splits, dtype=row_splits_dtype)
        return RaggedTensor.from_row_splits(values, splits, validate=False)

    with name_scope(name, "RaggedConstant"):
        return _built(rows, constants.constant_v2, pylist, dtype, ragged_rank, inner_shape)


def constant_value(
    pylist: Any, dtype: Any = None, ragged_rank: int | None = None, inner_shape: Any = None,
    row_splits_dtype: Any = "int64",
) -> Any:  # fmt: skip
    """``constant`` as a ``RaggedTensorValue`` or an array."""
    if isinstance(dtype, DType):
        dtype = dtype.as_numpy_dtype
    splits_dtype = as_dtype(row_splits_dtype).as_numpy_dtype

    def rows(values: Any, row_splits: Any) -> RaggedTensorValue:
        return RaggedTensorValue(values, np.array(row_splits, dtype=splits_dtype))

    def inner(pylist: Any, dtype: Any, shape: Any, name: str | None = None) -> np.ndarray:
        return np.reshape(np.array(pylist, dtype=dtype), shape)

    return _built(rows, inner, pylist, dtype, ragged_rank, inner_shape)


def _is_nested(x: Any) -> bool:
    return isinstance(x, list | tuple) or np.ndim(x) != 0


def _built(
    rows: Callable[..., Any], inner: Callable[..., Any], pylist: Any, dtype: Any, ragged_rank: Any, inner_shape: Any
) -> Any:
    if is_ragged(pylist):
        raise TypeError("pylist may not be a RaggedTensor or RaggedTensorValue.")
    if not _is_nested(pylist):
        if ragged_rank is not None and ragged_rank != 0:
            raise ValueError(f"Invalid pylist={pylist!r}: incompatible with ragged_rank={ragged_rank}")
        if inner_shape:
            raise ValueError(f"Invalid pylist={pylist!r}: incompatible with dim(inner_shape)={len(inner_shape)}")
        return inner(pylist, dtype, ())
    if ragged_rank is not None and ragged_rank < 0:
        raise ValueError(f"Invalid ragged_rank={ragged_rank!r}: must be nonnegative")
    scalar_depth, depth = _depths(pylist)
    if scalar_depth is not None and depth > scalar_depth:
        raise ValueError(f"Invalid pylist={pylist!r}: empty list nesting is greater than scalar value nesting")
    if inner_shape is not None and ragged_rank is not None:
        expected = ragged_rank + len(inner_shape) + 1
        if (scalar_depth is not None and expected != scalar_depth) or (scalar_depth is None and expected < depth):
            raise ValueError(
                f"Invalid pylist={pylist!r}: incompatible with ragged_rank={ragged_rank} and "
                f"dim(inner_shape)={len(inner_shape)}"
            )
    is_flat = depth < 2 or (inner_shape is not None and depth - len(inner_shape) < 2)
    if ragged_rank == 0 or (ragged_rank is None and is_flat):
        return inner(pylist, dtype, inner_shape)
    if inner_shape is None:
        inner_shape = () if ragged_rank is None else _inner_shape(pylist, ragged_rank)
    if ragged_rank is None:
        ragged_rank = max(1, depth - 1 if scalar_depth is None else scalar_depth - 1 - len(inner_shape))
    nested: list[list[int]] = []
    values = pylist
    for _ in range(ragged_rank):
        splits, joined = [0], []
        for row in values:
            splits.append(splits[-1] + len(row))
            joined.extend(row)
        nested.append(splits)
        values = joined
    result = inner(values, dtype=dtype, shape=(len(values), *inner_shape), name="values")
    for splits in reversed(nested):
        result = rows(result, splits)
    return result


def _depths(pylist: Any) -> tuple[int | None, int]:
    """How deep scalars stand, None if there are none, and how deep the lists are nested."""
    if not _is_nested(pylist):
        return 0, 0
    scalar_depth, depth = None, 1
    for child in pylist:
        of_child, child_depth = _depths(child)
        if of_child is not None:
            if scalar_depth is not None and scalar_depth != of_child + 1:
                raise ValueError("all scalar values must have the same nesting depth")
            scalar_depth = of_child + 1
        depth = max(depth, child_depth + 1)
    return scalar_depth, depth


def _inner_shape(pylist: Any, ragged_rank: int) -> tuple[int, ...]:
    """The shape of the values below ``ragged_rank`` ragged axes."""

    def first_shape(item: Any) -> tuple[int, ...]:
        if not _is_nested(item):
            return ()
        return (len(item), *first_shape(item[0])) if len(item) else (0,)

    def check(item: Any, shape: tuple[int, ...]) -> None:
        if _is_nested(item) != bool(shape) or (shape and shape[0] != len(item)):
            raise ValueError("inner values have inconsistent shape")
        for child in item if shape else ():
            check(child, shape[1:])

    flat = pylist
    for dim in range(ragged_rank):
        if not all(_is_nested(v) for v in flat):
            raise ValueError(
                f"pylist has scalar values depth {dim + 1}, but ragged_rank={ragged_rank} requires scalar value depth "
                f"greater than {ragged_rank}"
            )
        flat = [x for v in flat for x in v]
    shape = first_shape(flat)
    check(flat, shape)
    return shape[1:]


def placeholder(dtype: Any, ragged_rank: int, value_shape: Any = None, name: str | None = None) -> Any:
    """A ragged tensor that is fed, with a ``RaggedTensorValue``."""
    if ragged_rank == 0:
        return constants.placeholder(dtype, value_shape, name)
    with name_scope(name, "RaggedPlaceholder", []):
        shape = TensorShape([None]).concatenate(TensorShape(value_shape))
        result: Any = constants.placeholder(dtype, shape, "flat_values")
        for i in reversed(range(ragged_rank)):
            splits = constants.placeholder(dtypes.int64, [None], f"row_splits_{i}")
            result = RaggedTensor(result, splits, internal=True)
        return result


def map_flat_values(op: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """``op`` of the innermost values, in rows of the same lengths.

    Raises:
      ValueError: ragged arguments have splits of different dtypes or numbers.
    """
    nested: list[Any] = []

    def flat(value: Any) -> Any:
        if is_ragged(value):
            value = convert_to_tensor_or_ragged_tensor(value)
            nested.append(value.nested_row_splits)
            return value.flat_values
        if isinstance(value, list | tuple):
            return type(value)(map(flat, value))
        return {k: flat(v) for k, v in value.items()} if isinstance(value, dict) else value

    inner_args, inner_kwargs = [flat(arg) for arg in args], flat(kwargs)
    if not nested:
        return op(*args, **kwargs)
    if len({splits[0].dtype for splits in nested}) > 1:
        raise ValueError(
            "Input RaggedTensors have mismatched row_splits dtypes; use RaggedTensor.with_row_splits_dtype() to "
            "convert them to compatible dtypes."
        )
    with control_dependencies(same_splits(nested)):
        result: Tensor = op(*inner_args, **inner_kwargs)
        return RaggedTensor.from_nested_row_splits(result, nested[0], validate=False)


# -- dense and sparse forms of what may be ragged ----------------------------------------------


def from_tensor(
    tensor: Any, lengths: Any = None, padding: Any = None, ragged_rank: int = 1, row_splits_dtype: Any = dtypes.int64,
    name: str | None = None,
) -> Any:  # fmt: skip
    """``RaggedTensor.from_tensor``; what is ragged stays."""
    if is_ragged(tensor):
        return tensor
    return RaggedTensor.from_tensor(tensor, lengths, padding, ragged_rank, name, row_splits_dtype)


def to_tensor(rt_input: Any, default_value: Any = None, name: str | None = None) -> Any:
    """The dense form of what is ragged; a tensor stays."""
    return rt_input.to_tensor(default_value, name) if is_ragged(rt_input) else rt_input


def to_sparse(rt_input: Any, name: str | None = None) -> Any:
    """The sparse form of a ragged tensor."""
    return rt_input.to_sparse(name)


def from_sparse(st_input: Any, name: str | None = None) -> RaggedTensor:
    """``RaggedTensor.from_sparse``."""
    return RaggedTensor.from_sparse(st_input, name)
