"""Set operations between the rows of two tensors: the last dimension holds the elements of a set."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import convert_to_tensor_or_sparse_tensor
from retrograd.graph.definition import REQUIRED, define, not_differentiable
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.shapes import RawShape
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.ops import shape_rules
from retrograd.ops.sparse import check_coordinates

_ALLOWED = (
    dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64, dtypes.uint8, dtypes.uint16, dtypes.string,
)  # fmt: skip
_COMBINED = {
    b"a-b": lambda a, b: a - b,
    b"b-a": lambda a, b: b - a,
    b"intersection": lambda a, b: a & b,
    b"union": lambda a, b: a | b,
}
Sets = dict[tuple[int, ...], set[Any]]


def _dense_sets(x: Any) -> tuple[tuple[int, ...], Sets]:
    """The shape of the groups, and the set of each group."""
    if x.ndim < 2:
        raise InvalidArgumentError(None, None, f"Shape {shapes.shape_text(x.shape)} has rank {x.ndim} < 2")
    groups = x.shape[:-1]
    return groups, {g: set(x[g].tolist()) for g in np.ndindex(*groups)}


def _sparse_sets(indices: Any, values: Any, shape: Any, check: bool) -> tuple[tuple[int, ...], Sets]:
    if check:
        check_coordinates(indices, shape)
    sets: Sets = {}
    for row, value in zip(indices.tolist(), values.tolist(), strict=True):
        sets.setdefault(tuple(row[:-1]), set()).add(value)
    return tuple(np.asarray(shape).tolist()[:-1]), sets


def _combined(a: Any, b: Any, operation: bytes, dtype: Any) -> list[Any]:
    """Each group's result, its elements in order, as a sparse tensor."""
    (groups, first), (others, second) = a, b
    if groups != others:
        raise InvalidArgumentError(
            None, None, f"Mismatched shapes {shapes.shape_text(groups)} vs {shapes.shape_text(others)}"
        )
    combine = _COMBINED[operation]
    rows, values, widest = [], [], 0
    for group in sorted(first.keys() | second.keys()):
        found = sorted(combine(first.get(group, set()), second.get(group, set())))
        rows += [(*group, i) for i in range(len(found))]
        values += found
        widest = max(widest, len(found))
    indices = np.array(rows, np.int64).reshape(-1, len(groups) + 1)
    return [indices, np.array(values, dtype), np.array([*groups, widest], np.int64)]


def _result_of_rank(rank: int | None) -> list[RawShape]:
    return [(None, rank), (None,), (rank,)]


def _groups_of(x: Tensor) -> RawShape:
    dims = shape_rules.with_rank_at_least(x, 2)
    return None if dims is None else dims[:-1]


def _dense_with_dense(a: Tensor, b: Tensor) -> list[RawShape]:
    first, second = _groups_of(a), _groups_of(b)
    if first is None or second is None:
        known = first or second
        return _result_of_rank(None if known is None else len(known) + 1)
    if len(first) != len(second):
        raise ValueError(f"Shape must be rank {len(first) + 1} but is rank {len(second) + 1}")
    shapes.merge(first, second)
    return _result_of_rank(len(first) + 1)


def _dense_with_sparse(a: Tensor, indices: Tensor, values: Tensor, shape: Tensor) -> list[RawShape]:
    groups = _groups_of(a)
    rank = None if groups is None else len(groups) + 1
    theirs = shapes.merge_dim(shape_rules.with_rank(indices, 2)[1], shape_rules.with_rank(shape, 1)[0])
    return _result_of_rank(_same_rank(rank, theirs))


def _sparse_with_sparse(
    indices: Tensor, values: Tensor, shape: Tensor, indices2: Tensor, values2: Tensor, shape2: Tensor
) -> list[RawShape]:
    first = shapes.merge_dim(shape_rules.with_rank(indices, 2)[1], shape_rules.with_rank(shape, 1)[0])
    second = shapes.merge_dim(shape_rules.with_rank(indices2, 2)[1], shape_rules.with_rank(shape2, 1)[0])
    return _result_of_rank(_same_rank(first, second))


def _same_rank(first: int | None, second: int | None) -> int | None:
    if first is not None and second is not None and first != second:
        raise ValueError(f"Dimension must be {first} but is {second}")
    return second if first is None else first


def _dense_dense(xp: Any, a: Any, b: Any, *, set_operation: bytes, T: Any) -> list[Any]:
    return _combined(_dense_sets(a), _dense_sets(b), set_operation, T.np)


def _dense_sparse(
    xp: Any, a: Any, indices: Any, values: Any, shape: Any, *, set_operation: bytes, validate_indices: bool, T: Any
) -> list[Any]:
    return _combined(_dense_sets(a), _sparse_sets(indices, values, shape, validate_indices), set_operation, T.np)


def _sparse_sparse(
    xp: Any, indices: Any, values: Any, shape: Any, indices2: Any, values2: Any, shape2: Any, *, set_operation: bytes,
    validate_indices: bool, T: Any,
) -> list[Any]:  # fmt: skip
    return _combined(
        _sparse_sets(indices, values, shape, validate_indices),
        _sparse_sets(indices2, values2, shape2, validate_indices), set_operation, T.np,
    )  # fmt: skip


def _set_size(xp: Any, indices: Any, values: Any, shape: Any, *, validate_indices: bool) -> Any:
    """The number of different elements of each group."""
    groups, sets = _sparse_sets(indices, values, shape, validate_indices)
    sizes = np.zeros(groups, np.int32)
    for group, elements in sets.items():
        sizes[group] = len(elements)
    return sizes


_RESULT = "result_indices: int64, result_values: T, result_shape: int64"
_ATTRS = {"set_operation": REQUIRED, "validate_indices": True}

DENSE_TO_DENSE = define(
    "DenseToDenseSetOperation", "set1: T, set2: T", _RESULT, attrs=_ATTRS, types={"T": _ALLOWED},
    shape=_dense_with_dense, kernel=_dense_dense, gradient=not_differentiable,
)  # fmt: skip
DENSE_TO_SPARSE = define(
    "DenseToSparseSetOperation", "set1: T, set2_indices: int64, set2_values: T, set2_shape: int64", _RESULT,
    attrs=_ATTRS, types={"T": _ALLOWED}, shape=_dense_with_sparse, kernel=_dense_sparse, gradient=not_differentiable,
)  # fmt: skip
SPARSE_TO_SPARSE = define(
    "SparseToSparseSetOperation", "set1_indices: int64, set1_values: T, set1_shape: int64, set2_indices: int64, "
    "set2_values: T, set2_shape: int64", _RESULT, attrs=_ATTRS, types={"T": _ALLOWED}, shape=_sparse_with_sparse,
    kernel=_sparse_sparse, gradient=not_differentiable,
)  # fmt: skip
SET_SIZE = define(
    "SetSize", "set_indices: int64, set_values: T, set_shape: int64", "size: int32", attrs={"validate_indices": True},
    types={"T": _ALLOWED}, shape=lambda *_: None, kernel=_set_size,
    gradient=not_differentiable,
)  # fmt: skip


def set_size(a: Any, validate_indices: bool = True) -> Tensor:
    """The number of different elements in each row of a sparse tensor.

    Raises:
      TypeError: ``a`` is no sparse tensor of integers or strings.
    """
    a = convert_to_tensor_or_sparse_tensor(a, name="a")
    if not isinstance(a, SparseTensor):
        raise TypeError(f"Expected `SparseTensor`, got {a}.")
    if a.values.dtype.base_dtype not in _ALLOWED:
        raise TypeError(f"Invalid dtype {a.values.dtype}.")
    return apply(SET_SIZE, a.indices, a.values, a.dense_shape, validate_indices=validate_indices)


def _operation(a: Any, b: Any, name: str, validate_indices: bool) -> SparseTensor:
    a, b = convert_to_tensor_or_sparse_tensor(a, name="a"), convert_to_tensor_or_sparse_tensor(b, name="b")
    if a.dtype.base_dtype not in _ALLOWED:
        raise TypeError(f"'a' invalid dtype {a.dtype}.")
    if b.dtype.base_dtype != a.dtype.base_dtype:
        raise TypeError(f"Types don't match, {a.dtype} vs {b.dtype}.")
    if isinstance(a, SparseTensor) and not isinstance(b, SparseTensor):
        a, b, name = b, a, {"a-b": "b-a", "b-a": "a-b"}.get(name, name)
    attrs: dict[str, Any] = {"set_operation": name.encode(), "validate_indices": validate_indices}
    if isinstance(a, SparseTensor):
        parts = [a.indices, a.values, a.dense_shape, b.indices, b.values, b.dense_shape]
        return SparseTensor(*apply(SPARSE_TO_SPARSE, *parts, **attrs))
    if isinstance(b, SparseTensor):
        return SparseTensor(*apply(DENSE_TO_SPARSE, a, b.indices, b.values, b.dense_shape, **attrs))
    return SparseTensor(*apply(DENSE_TO_DENSE, a, b, **attrs))


def set_intersection(a: Any, b: Any, validate_indices: bool = True) -> SparseTensor:
    """The elements of each row of ``a`` that are in that row of ``b``, in order."""
    return _operation(a, b, "intersection", validate_indices)


def set_difference(a: Any, b: Any, aminusb: bool = True, validate_indices: bool = True) -> SparseTensor:
    """The elements of each row of ``a`` that are not in that row of ``b``, or the other way round, in order."""
    return _operation(a, b, "a-b" if aminusb else "b-a", validate_indices)


def set_union(a: Any, b: Any, validate_indices: bool = True) -> SparseTensor:
    """The elements of each row of ``a`` or ``b``, in order."""
    return _operation(a, b, "union", validate_indices)
