"""Rows of tables by their numbers: embeddings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor, as_tensor_or_slices
from retrograd.graph.log import warning
from retrograd.graph.scopes import colocate_with, device, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    comparison,
    constants,
    indexing,
    joining,
    powers,
    reductions,
    repeating,
    segments,
    slicing,
    sparse,
    sparse_joining,
    stitching,
    uniqueness,
)
from retrograd.ops.clipping import clip_by_norm
from retrograd.state.partitioned import PartitionedVariable
from retrograd.state.resource import ResourceVariable

# -- rows --------------------------------------------------------------------------------------


def embedding_lookup(
    params: Any, ids: Any, partition_strategy: str = "mod", name: str | None = None, validate_indices: bool = True,
    max_norm: float | None = None,
) -> Tensor:  # fmt: skip
    """The rows ``ids`` of ``params``, a table or a list of its parts; its gradient is sparse.

    Args:
      partition_strategy: how rows are dealt to the parts: ``"mod"``, in turn, or ``"div"``, in blocks.
      max_norm: rows that are longer are cut to this length.

    Raises:
      ValueError: there is no table, or no such strategy.
    """
    return _embedding_lookup_and_transform(params, ids, partition_strategy, name, max_norm)


Transform = Callable[[Tensor], Tensor]


def _embedding_lookup_and_transform(
    params: Any, ids: Any, partition_strategy: str = "mod", name: str | None = None, max_norm: float | None = None,
    transform_fn: Transform | None = None,
) -> Tensor:  # fmt: skip
    """``embedding_lookup``, each row of which goes through ``transform_fn`` beside the table that it is from."""
    if params is None:
        raise ValueError("params must be specified")
    if isinstance(params, list | tuple) and not params:
        raise ValueError("Need at least one param")
    if isinstance(params, PartitionedVariable):
        params = list(params)
    parts = params if isinstance(params, list) else [params]
    with name_scope(name, "embedding_lookup", [*parts, ids]) as name:
        if not any(isinstance(p, ResourceVariable) for p in parts):
            parts = [as_tensor_or_slices(p, name=f"params_{i}") for i, p in enumerate(parts)]
        ids = as_tensor(ids, name="ids")
        if len(parts) == 1 and (transform_fn is None or ids.rank == 1):
            with colocate_with(parts[0]):
                rows = _cut(indexing.gather(parts[0], ids, name=name), ids, max_norm)
                rows = rows if transform_fn is None else transform_fn(rows)
            return arrays.identity(rows)
        return _from_parts(parts, ids, partition_strategy, max_norm, name, transform_fn)


def _from_parts(
    parts: list[Any], ids: Tensor, strategy: str, max_norm: float | None, name: str, transform_fn: Transform | None
) -> Tensor:  # fmt: skip
    """Each part gives the rows that it holds; the rows are put in the order of their ids."""
    flat = arrays.reshape(ids, [-1])
    order = constants.range_(arrays.size(flat))
    holders, places = _dealt(parts, flat, strategy)
    holders = casts.cast(holders, dtypes.int32)
    places_by_part = stitching.dynamic_partition(places, holders, len(parts))
    order_by_part = stitching.dynamic_partition(order, holders, len(parts))
    found = []
    for part, rows in zip(parts, places_by_part, strict=True):
        with device(None), colocate_with(part):
            taken = indexing.gather(part, rows)
            found.append(taken if transform_fn is None else transform_fn(_cut(taken, rows, max_norm)))
    result = stitching.parallel_dynamic_stitch(order_by_part, found, name=name)
    if transform_fn is None:
        row_shape = parts[0].shape[1:]
        for part in parts[1:]:
            row_shape = row_shape.merge_with(part.shape[1:])
    else:
        row_shape = result.shape[1:]
    row_shape_now: Any = row_shape
    if not row_shape.is_fully_defined():
        row_shape_now = _inner_shape(parts[0]) if transform_fn is None else arrays.shape(result)[1:]
    result = arrays.reshape(result, joining.concat([arrays.shape(ids), row_shape_now], 0))
    result.set_shape(ids.shape.concatenate(row_shape))
    return _cut(result, ids, max_norm) if transform_fn is None else result


def _inner_shape(part: Any) -> Tensor:
    with colocate_with(part):
        shape = arrays.shape(part)
    return shape[1:]


def _dealt(parts: list[Any], flat: Tensor, strategy: str) -> tuple[Tensor, Tensor]:
    """For each id the number of its part, and its row there."""
    count = len(parts)
    if strategy == "mod":
        return flat % count, flat // count
    if strategy != "div":
        raise ValueError("Unrecognized partition strategy: " + strategy)
    total = _row_count(parts, flat.dtype)
    per_part = total // count
    extras = total % count  # the first parts hold one row more
    holders = arithmetic.maximum(flat // (per_part + 1), (flat - extras) // per_part)
    places = comparison.where(holders < extras, flat % (per_part + 1), (flat - extras) % per_part)
    return holders, places


def _row_count(parts: list[Any], dtype: Any) -> Tensor:
    sizes: list[Any] = [part.shape.dims[0].value if part.shape.dims else None for part in parts]
    if None not in sizes and sum(sizes):
        return constants.constant(sum(sizes), dtype)
    read: list[Any] = []
    for part, size in zip(parts, sizes, strict=True):
        if size is None:
            with colocate_with(part):
                size = arrays.shape(part)[0]
        read.append(size)
    return reductions.reduce_sum(casts.cast(joining.stack(read), dtype))


def _cut(rows: Tensor, ids: Tensor, max_norm: float | None) -> Tensor:
    """``rows``, none longer than ``max_norm``."""
    if max_norm is None:
        return rows
    if ids.dims and rows.dims:
        axes: Any = list(range(len(ids.dims), len(rows.dims)))
    else:
        axes = constants.range_(_rank(ids), _rank(rows))
    return clip_by_norm(rows, max_norm, axes=axes)


def _rank(x: Tensor) -> Any:
    return len(x.dims) if x.dims else arrays.rank(x)


# -- combined rows -----------------------------------------------------------------------------


def embedding_lookup_sparse(
    params: Any, sp_ids: Any, sp_weights: Any, partition_strategy: str = "mod", name: str | None = None,
    combiner: str | None = None, max_norm: float | None = None,
) -> Tensor:  # fmt: skip
    """For each row of ``sp_ids``, the table's rows that it names, weighted and combined.

    Args:
      sp_weights: a weight for each id, or None for 1.
      combiner: ``"sum"``, ``"mean"`` (over the sum of weights, the default) or ``"sqrtn"`` (over the root of the sum of
        their squares).

    Raises:
      TypeError: ids or weights are not sparse.
      ValueError: there is no such combiner.
    """
    if combiner is None:
        warning('The default value of combiner will change from "mean" to "sqrtn" after 2016/11/01.')
        combiner = "mean"
    if combiner not in ("mean", "sqrtn", "sum"):
        raise ValueError("combiner must be one of 'mean', 'sqrtn' or 'sum'")
    if isinstance(params, PartitionedVariable):
        params = list(params)
    parts = params if isinstance(params, list) else [params]
    if not isinstance(sp_ids, SparseTensor):
        raise TypeError("sp_ids must be SparseTensor")
    if sp_weights is not None:
        _check_weights(sp_ids, sp_weights)
    with name_scope(name, "embedding_lookup_sparse", [*parts, sp_ids]) as name:
        rows = sp_ids.indices[:, 0]
        rows = casts.cast(rows, dtypes.int32) if rows.dtype != dtypes.int32 else rows
        ids, places = uniqueness.unique(sp_ids.values)
        found = embedding_lookup(parts, ids, partition_strategy=partition_strategy, max_norm=max_norm)
        if found.dtype in (dtypes.float16, dtypes.bfloat16):
            found = casts.cast(found, dtypes.float32)
        if sp_weights is not None:
            return _combined(found, places, rows, sp_weights.values, combiner, name)
        combine = {
            "sum": segments.sparse_segment_sum,
            "mean": segments.sparse_segment_mean,
            "sqrtn": segments.sparse_segment_sqrt_n,
        }[combiner]
        return combine(found, places, rows, name=name)


def _check_weights(sp_ids: SparseTensor, sp_weights: Any) -> None:
    if not isinstance(sp_weights, SparseTensor):
        raise TypeError("sp_weights must be either None or SparseTensor")
    for mine, theirs in (
        (sp_ids.values, sp_weights.values), (sp_ids.indices, sp_weights.indices),
        (sp_ids.dense_shape, sp_weights.dense_shape),
    ):  # fmt: skip
        mine.shape.assert_is_compatible_with(theirs.shape)


def _combined(found: Tensor, places: Tensor, rows: Tensor, weights: Tensor, combiner: str, name: str) -> Tensor:
    """sum(w e), over sum(w) or over sqrt(sum(w^2))."""
    if weights.dtype != found.dtype:
        weights = casts.cast(weights, found.dtype)
    found = indexing.gather(found, places)
    ones = constants.fill(arrays.expand_dims(arrays.rank(found) - 1, 0), 1)
    spread = joining.concat([arrays.shape(weights), ones], 0)
    known, found_dims = weights.dims, found.dims
    weights = arrays.reshape(weights, spread)
    if known is not None and found_dims is not None:
        weights.set_shape(TensorShape(known).concatenate([1] * (len(found_dims) - 1)))
    found *= weights
    if combiner == "sum":
        return segments.segment_sum(found, rows, name=name)
    total = segments.segment_sum(found, rows)
    if combiner == "mean":
        return arithmetic.div(total, segments.segment_sum(weights, rows), name=name)
    lengths = powers.sqrt(segments.segment_sum(powers.pow_(weights, 2), rows))
    return arithmetic.div(total, lengths, name=name)


def safe_embedding_lookup_sparse(
    embedding_weights: Any, sparse_ids: Any, sparse_weights: Any = None, combiner: str = "mean", default_id: Any = None,
    name: str | None = None, partition_strategy: str = "div", max_norm: float | None = None,
) -> Tensor:  # fmt: skip
    """``embedding_lookup_sparse`` without negative ids and, unless they are summed, weights that are not positive.

    A row left without ids gives the row ``default_id`` of the table, or zeros.  Ids of more dimensions than two are
    taken as rows along their last.

    Raises:
      ValueError: there is no table.
    """
    if embedding_weights is None:
        raise ValueError(f"Missing embedding_weights {embedding_weights}.")
    if isinstance(embedding_weights, PartitionedVariable):
        embedding_weights = list(embedding_weights)
    parts = embedding_weights if isinstance(embedding_weights, list) else [embedding_weights]
    if not parts:
        raise ValueError(f"Missing embedding_weights {parts}.")
    dtype = sparse_weights.dtype if sparse_weights is not None else None
    parts = [p if isinstance(p, ResourceVariable) and dtype in (None, p.dtype) else as_tensor(p, dtype) for p in parts]
    with name_scope(name, "embedding_lookup", [*parts, sparse_ids, sparse_weights]) as scope:
        shape = sparse_ids.dense_shape
        rank_known = shape.dims[0] if shape.dims else None
        rank = arrays.size(shape) if rank_known is None else rank_known
        outer = reductions.reduce_prod(slicing.slice_(shape, [0], [rank - 1]))
        ids = sparse.sparse_reshape(sparse_ids, [outer, indexing.gather(shape, rank - 1)])
        weights = sparse_weights
        if weights is not None:
            weights = SparseTensor(ids.indices, weights.values, ids.dense_shape)
        ids, weights = _pruned(ids, weights, positive_only=combiner != "sum")
        ids, empty = sparse_joining.sparse_fill_empty_rows(ids, default_id or 0)
        if weights is not None:
            weights, _ = sparse_joining.sparse_fill_empty_rows(weights, 1.0)
        result = embedding_lookup_sparse(
            parts, ids, weights, combiner=combiner, partition_strategy=partition_strategy,
            name=None if default_id is None else scope, max_norm=max_norm,
        )  # fmt: skip
        if default_id is None:
            empty = arrays.reshape(empty, [-1, 1])
            empty = repeating.tile(empty, joining.stack([1, arrays.shape(result)[1]]))
            result = comparison.where(empty, constants.zeros_like(result), result, name=scope)
        outer_shape = slicing.slice_(casts.cast(shape, dtypes.int32), [0], [rank - 1])
        row_shape = slicing.slice_(arrays.shape(result), [1], [-1])
        final = arrays.reshape(result, joining.concat([outer_shape, row_shape], 0))
        unknown = TensorShape(None if rank_known is None else [None] * (rank_known - 1))
        final.set_shape(unknown.concatenate(result.shape[1:]))
        return final


def _pruned(
    ids: SparseTensor, weights: SparseTensor | None, positive_only: bool
) -> tuple[SparseTensor, SparseTensor | None]:
    """Without negative ids, and if asked without weights that are not positive."""
    valid = comparison.greater_equal(ids.values, 0)
    if weights is None:
        return sparse.sparse_retain(ids, valid), None
    valid = comparison.logical_and(valid, constants.ones_like(weights.values, dtype=dtypes.bool))
    ids, weights = sparse.sparse_retain(ids, valid), sparse.sparse_retain(weights, valid)
    if positive_only:
        valid = comparison.greater(weights.values, 0)
        ids, weights = sparse.sparse_retain(ids, valid), sparse.sparse_retain(weights, valid)
    return ids, weights


# -- with the arguments of TensorFlow 2 --------------------------------------------------------


def embedding_lookup_v2(params: Any, ids: Any, max_norm: float | None = None, name: str | None = None) -> Tensor:
    """``embedding_lookup`` of a table whose parts are blocks."""
    return embedding_lookup(params, ids, "div", name, max_norm=max_norm)


def embedding_lookup_sparse_v2(
    params: Any, sp_ids: Any, sp_weights: Any, combiner: str | None = None, max_norm: float | None = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """``embedding_lookup_sparse`` of a table whose parts are blocks."""
    return embedding_lookup_sparse(params, sp_ids, sp_weights, "div", name, combiner, max_norm)


def safe_embedding_lookup_sparse_v2(
    embedding_weights: Any, sparse_ids: Any, sparse_weights: Any = None, combiner: str = "mean", default_id: Any = None,
    max_norm: float | None = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """``safe_embedding_lookup_sparse`` of a table whose parts are blocks."""
    return safe_embedding_lookup_sparse(
        embedding_weights, sparse_ids, sparse_weights, combiner, default_id, name, "div", max_norm
    )


def embedding_lookup_sparse_with_distributed_aggregation(
    params: Any, sp_ids: Any, sp_weights: Any, partition_strategy: str = "mod", name: str | None = None,
    combiner: str | None = None, max_norm: float | None = None,
) -> Tensor:  # fmt: skip
    """``embedding_lookup_sparse``: TensorFlow adds up where the parts of the table are, and here they are together."""
    return embedding_lookup_sparse(params, sp_ids, sp_weights, partition_strategy, name, combiner, max_norm)
