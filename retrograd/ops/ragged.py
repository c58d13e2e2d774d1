"""Ops on rows of different lengths: ranges, picked rows, and sparse forms.

A ragged tensor of ragged rank r is the values of all rows, one after the other, beside r nested vectors of splits:
row i is ``values[splits[i] : splits[i + 1]]``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, define, not_differentiable
from retrograd.graph.dtypes import DType
from retrograd.graph.errors import invalid
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape, merge
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, casts, constants, indexing, kinds

# -- ranges ------------------------------------------------------------------------------------


def _range_shapes(starts: Tensor, limits: Tensor, deltas: Tensor) -> list[RawShape]:
    rows: int | None = 1
    vectors = [x.dims[0] for x in (starts, limits, deltas) if x.dims is not None and len(x.dims) == 1]
    for x in (starts, limits, deltas):
        if x.dims is not None and len(x.dims) > 1:
            raise ValueError(f"Shape must be at most rank 1 but is rank {len(x.dims)}")
    if vectors:
        dims: RawShape = (None,)
        for n in vectors:
            dims = merge(dims, (n,))
        rows = None if dims is None else dims[0]
    elif any(x.dims is None for x in (starts, limits, deltas)):
        rows = None
    return [(None if rows is None else rows + 1,), (None,)]


def _range(xp: Any, starts: Any, limits: Any, deltas: Any, *, Tsplits: DType) -> list[Any]:
    """Row i is starts[i], starts[i] + deltas[i], ... before limits[i]."""
    starts, limits, deltas = (np.asarray(x) for x in (starts, limits, deltas))
    for name, x in (("starts", starts), ("limits", limits), ("deltas", deltas)):
        if x.ndim > 1:
            raise invalid(f"{name} must be a scalar or vector")
    if len({x.size for x in (starts, limits, deltas) if x.ndim}) > 1:
        raise invalid("starts, limits, and deltas must have the same shape")
    starts, limits, deltas = np.broadcast_arrays(*map(np.atleast_1d, (starts, limits, deltas)))
    if not deltas.all():
        raise invalid("Requires delta != 0")
    if starts.dtype.kind == "f":
        counts = np.ceil(np.abs((limits - starts) / deltas)).astype(np.int64)
    else:
        gap = np.abs(limits.astype(np.int64) - starts)
        counts = -(-gap // np.abs(deltas.astype(np.int64)))
    counts = np.where(((deltas > 0) & (limits < starts)) | ((deltas < 0) & (limits > starts)), 0, counts)
    splits = np.concatenate([[0], np.cumsum(counts)])
    steps = np.arange(splits[-1]) - np.repeat(splits[:-1], counts)
    values = np.repeat(starts, counts) + steps.astype(starts.dtype) * np.repeat(deltas, counts)
    return [splits.astype(Tsplits.np), values.astype(starts.dtype)]


RAGGED_RANGE = define(
    "RaggedRange", "starts: T, limits: T, deltas: T", "rt_nested_splits: Tsplits, rt_dense_values: T",
    attrs={"T": dtypes.int32, "Tsplits": dtypes.int64},
    types={"T": (dtypes.bfloat16, dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64), "Tsplits": kinds.INDEX},
    static=("starts", "limits", "deltas"), shape=_range_shapes, kernel=_range, gradient=not_differentiable,
)  # fmt: skip


# -- rows picked by index ----------------------------------------------------------------------


def _gathered_shapes(
    nested: list[Tensor], values: Tensor, indices: Tensor, *, PARAMS_RAGGED_RANK: int, OUTPUT_RAGGED_RANK: int
) -> list[RawShape]:
    if indices.dims is not None and PARAMS_RAGGED_RANK + len(indices.dims) - 1 != OUTPUT_RAGGED_RANK:
        raise ValueError("OUTPUT_RAGGED_RANK must equal indices.rank + PARAMS_RAGGED_RANK - 1")
    inner = None if values.dims is None else (None, *values.dims[1:])
    return [*([(None,)] * OUTPUT_RAGGED_RANK), inner]


def _gathered(xp: Any, nested: list[Any], values: Any, indices: Any) -> list[Any]:
    """The rows of the outermost splits that ``indices`` name, with the splits that lead to them."""
    rows = len(np.atleast_1d(nested[0])) - 1
    nested, indices = [np.ravel(splits) for splits in nested], np.asarray(indices)
    if nested[0].size == 0:
        raise invalid("Params must have at least one row")
    wrong = (indices < 0) | (indices >= rows)
    if wrong.any():
        at = ",".join(str(int(i)) for i in np.argwhere(wrong)[0])
        raise invalid(f"indices[{at}] = {int(indices[wrong][0])} is not in [0, {rows})")
    counts = [*(len(splits) - 1 for splits in nested[1:]), len(values) if np.ndim(values) else 0]
    if any(splits[-1] > count for splits, count in zip(nested, counts, strict=True) if len(splits)):
        raise invalid("Ragged splits must not point past values")
    out = []
    for depth in range(indices.ndim - 1):
        count = int(np.prod(indices.shape[: depth + 1]))
        out.append(np.arange(count + 1) * indices.shape[depth + 1])
    places = indices.ravel()
    for splits in nested:
        starts, lengths = splits[places], splits[places + 1] - splits[places]
        ends = np.concatenate([[0], np.cumsum(lengths)])
        out.append(ends)
        places = np.arange(ends[-1]) - np.repeat(ends[:-1], lengths) + np.repeat(starts, lengths)
    picked = values[places]
    out = out if indices.ndim else out[1:]  # one row is what it holds
    return [*(splits.astype(nested[0].dtype) for splits in out), picked]


def _gathered_gradient(op: Any, *dys: Any) -> list[Any]:
    """The rows of dy as slices of what they were picked from."""
    *nested, values, indices = op.inputs
    splits = nested[0]
    for inner in nested[1:]:
        splits = indexing.gather(inner, splits)
    flat = arrays.reshape(indices, [-1])
    starts, limits = indexing.gather(splits, flat), indexing.gather(splits[1:], flat)
    with name_scope(None, "RaggedRange", [starts, limits]) as name:
        step = casts.cast(constants.constant(1, name="deltas"), starts.dtype)
        _, places = apply(RAGGED_RANGE, starts, limits, step, name=name)
    dx = IndexedSlices(dys[-1], places, arrays.shape(values))
    return [*([None] * len(nested)), dx, None]


RAGGED_GATHER = define(
    "RaggedGather",
    "params_nested_splits: PARAMS_RAGGED_RANK*Tsplits, params_dense_values: Tvalues, indices: Tindices",
    "output_nested_splits: OUTPUT_RAGGED_RANK*Tsplits, output_dense_values: Tvalues",
    attrs={"Tsplits": dtypes.int64, "OUTPUT_RAGGED_RANK": REQUIRED},
    types={"Tindices": kinds.INDEX, "Tsplits": kinds.INDEX}, static=("params_nested_splits", "indices"),
    shape=_gathered_shapes, kernel=_gathered, gradient=_gathered_gradient,
)  # fmt: skip


# -- sparse tensors ----------------------------------------------------------------------------


def _sparse_shapes(nested: list[Tensor], values: Tensor) -> list[RawShape]:
    rank = None if values.dims is None else len(values.dims) + len(nested)
    count = None if values.dims is None or None in values.dims else int(np.prod([n or 0 for n in values.dims]))
    return [(count, rank), (count,), (rank,)]


def _sparse(xp: Any, nested: list[Any], values: Any) -> list[Any]:
    """The places of all values, and the bounds of the longest rows."""
    nested = [np.ravel(splits) for splits in nested]
    if not np.ndim(values):
        raise invalid("Final value of ragged splits must match the length the corresponding ragged values.")
    for i, splits in enumerate(nested):
        if splits.size == 0:
            raise invalid("ragged splits may not be empty.")
        if splits[0] != 0:
            raise invalid("First value of ragged splits must be 0.")
        count = len(nested[i + 1]) - 1 if i + 1 < len(nested) else len(values)
        if splits[-1] != count:
            raise invalid("Final value of ragged splits must match the length the corresponding ragged values.")
    places = np.arange(len(nested[0]) - 1)[:, None]
    sizes = [len(nested[0]) - 1]
    for splits in nested:
        lengths = np.diff(splits)
        columns = np.arange(splits[-1]) - np.repeat(splits[:-1], lengths)
        places = np.concatenate([np.repeat(places, lengths, axis=0), columns[:, None]], axis=1)
        sizes.append(int(lengths.max(initial=0)))
    inner = values.shape[1:]
    if inner:
        count = int(np.prod(inner))
        grid = np.indices(inner).reshape(len(inner), count).T
        places = np.concatenate([np.repeat(places, count, axis=0), np.tile(grid, (len(values), 1))], axis=1)
    return [places.astype(np.int64), values.reshape(-1), np.array([*sizes, *inner], np.int64)]


def _sparse_gradient(op: Any, _: Any, dvalues: Any, __: Any) -> list[Any]:
    *nested, values = op.inputs
    shape = arrays.shape(values)
    return [*([None] * len(nested)), arrays.reshape(dvalues, shape)]


RAGGED_TENSOR_TO_SPARSE = define(
    "RaggedTensorToSparse", "rt_nested_splits: RAGGED_RANK*Tsplits, rt_dense_values: T",
    "sparse_indices: int64, sparse_values: T, sparse_dense_shape: int64", attrs={"Tsplits": dtypes.int64},
    types={"Tsplits": kinds.INDEX}, static=("rt_nested_splits",), shape=_sparse_shapes, kernel=_sparse,
    gradient=_sparse_gradient,
)  # fmt: skip


# -- as variants -------------------------------------------------------------------------------


class Encoded:
    """A ragged tensor as one value: its nested splits, the outermost first, and its values behind them."""

    __slots__ = ("parts",)

    def __init__(self, *parts: np.ndarray) -> None:
        self.parts = parts

    def rows(self) -> list[Encoded]:
        """Each row of the outermost dimension."""
        splits, *rest = self.parts
        return [_cut(rest, begin, end) for begin, end in pairwise(splits.tolist())]

    def __len__(self) -> int:
        return len(self.parts[0]) - (len(self.parts) > 1)


def _cut(parts: Sequence[np.ndarray], begin: int, end: int) -> Encoded:
    """The rows from ``begin`` to ``end``."""
    kept = []
    for splits in parts[:-1]:
        here = splits[begin : end + 1]
        kept.append(here - here[0])
        begin, end = int(here[0]), int(here[-1])
    return Encoded(*kept, parts[-1][begin:end])


def _objects(items: Sequence[Any]) -> np.ndarray:
    array = np.empty(len(items), object)
    array[:] = items
    return array


def _to_variant(xp: Any, splits: list[Any], values: Any, *, batched_input: bool) -> Any:
    encoded = Encoded(*splits, np.asarray(values))
    return _objects(encoded.rows()) if batched_input else _objects([encoded]).reshape(())


TO_VARIANT = define(
    "RaggedTensorToVariant", "rt_nested_splits: RAGGED_RANK*Tsplits, rt_dense_values: Tvalues",
    "encoded_ragged: variant", attrs={"batched_input": REQUIRED, "Tsplits": dtypes.int64},
    types={"Tsplits": kinds.INDEX}, kernel=_to_variant, gradient=not_differentiable,
    shape=lambda splits, values, *, batched_input: _variants(splits) if batched_input else (),
)  # fmt: skip


def _variants(splits: list[Tensor]) -> RawShape:
    dims = splits[0].dims if splits else None
    return (None if not dims or dims[0] is None else dims[0] - 1,)


def _from_variant(
    xp: Any, encoded: Any, *, input_ragged_rank: int, output_ragged_rank: int, Tvalues: DType, Tsplits: DType
) -> list[Any]:
    """Outer dimensions become splits of equal rows; below them the rows of all follow each other."""
    shape = np.shape(encoded)
    items = list(encoded.ravel()) if isinstance(encoded, np.ndarray) else [encoded]
    rank = input_ragged_rank if input_ragged_rank >= 0 else output_ragged_rank - len(shape)
    if rank < 0 or rank + len(shape) != output_ragged_rank:
        raise invalid(
            f"output_ragged_rank must be equal to input_ragged_rank + encoded_ragged.dims(); output_ragged_rank: "
            f"{output_ragged_rank}, input_ragged_rank: {rank}, encoded_ragged.dims(): {len(shape)}"
        )
    for item in items:
        if not isinstance(item, Encoded) or len(item.parts) != rank + 1 or item.parts[-1].dtype != Tvalues.np:
            raise invalid("Input Variant element is no ragged tensor of this rank and dtype")
    if not shape:
        return list(items[0].parts)
    outer = [np.arange(int(np.prod(shape[: i + 1])) + 1) * shape[i + 1] for i in range(len(shape) - 1)]
    outer.append(np.cumsum([0, *map(len, items)]))
    for level in range(rank):
        ends = np.cumsum([0, *(int(item.parts[level][-1]) for item in items)])
        joined = [item.parts[level][1:] + begin for item, begin in zip(items, ends, strict=False)]
        outer.append(np.concatenate([np.zeros(1, np.int64), *joined]))
    values = [item.parts[-1] for item in items]
    return [
        *(splits.astype(Tsplits.np) for splits in outer),
        np.concatenate(values) if values else np.empty(0, Tvalues.np),
    ]


FROM_VARIANT = define(
    "RaggedTensorFromVariant", "encoded_ragged: variant",
    "output_nested_splits: output_ragged_rank*Tsplits, output_dense_values: Tvalues",
    attrs={"input_ragged_rank": REQUIRED, "output_ragged_rank": REQUIRED, "Tvalues": REQUIRED, "Tsplits": REQUIRED},
    types={"Tsplits": kinds.INDEX}, kernel=_from_variant, gradient=not_differentiable,
    shape=lambda encoded, *, output_ragged_rank: [*[(None,)] * output_ragged_rank, None],
)  # fmt: skip
