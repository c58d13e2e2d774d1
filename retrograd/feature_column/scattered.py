"""Embeddings whose components are shared: each is the number at a hash in one vector."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes, log
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.nn.embeddings import embedding_lookup
from retrograd.ops import (
    arithmetic,
    arrays,
    asserts,
    casts,
    comparison,
    constants,
    indexing,
    joining,
    reductions,
    repeating,
    segments,
    sparse,
    sparse_joining,
)
from retrograd.ops.sparse_crossing import sparse_feature_cross
from retrograd.ops.uniqueness import unique
from retrograd.state.partitioned import PartitionedVariable


def scattered_embedding_lookup(
    params: Any, values: Any, dimension: int, name: str | None = None, hash_key: int | None = None
) -> Tensor:
    """Component i of value v is the number at hash(i, v) of the vector ``params``, of which there may be parts.

    Raises:
      ValueError: ``dimension`` is below 1, or the parts are no even cut of one vector.
    """
    if dimension is None:
        raise ValueError("You must specify dimension.")
    return sampled_scattered_embedding_lookup(params, values, dimension, None, hash_key, name)


def sampled_scattered_embedding_lookup(
    params: Any, values: Any, dimension: int | None = None, sampled_candidates: Any = None,
    hash_key: int | None = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The components ``sampled_candidates`` of each value, or the first ``dimension``, as above.

    Args:
      sampled_candidates: numbers of components, ``[shape of values..., n]``.

    Raises:
      ValueError: neither is given, ``dimension`` is below 1, or the parts are no even cut of one vector.
      InvalidArgumentError: while running; there are no candidates for each value.
    """
    params = _as_list(params)
    with name_scope(name, "scattered_embedding_lookup", [*params, dimension, values]):
        shape = arrays.shape(values)
        if sampled_candidates is None:
            if dimension is None:
                raise ValueError("You must specify either dimension or sampled_candidates.")
            if dimension <= 0:
                raise ValueError(f"Dimension must be >0. Given is {dimension}")
            values = arrays.reshape(values, [-1, 1])
            places = arrays.expand_dims(constants.range_(0, dimension), 0)
            places = repeating.tile(places, arrays.shape(values))
            length: Any = [dimension]
        else:
            values = arrays.reshape(values, [-1, 1])
            given = arrays.shape(sampled_candidates)
            length = given[-1:]
            message = ["The shape of sampled_candidates: ", given, " does not match the shape of values: ", shape]
            fits = asserts.Assert(reductions.reduce_all(comparison.equal(given[:-1], shape)), message)
            with control_dependencies([fits]):
                places = arrays.reshape(sampled_candidates, joining.concat([[-1], length], 0))
        sizes = [p.get_shape().as_list()[0] for p in params]
        for i, size in enumerate(sizes):
            expected = (sum(sizes) - i - 1) // len(sizes) + 1
            if size != expected:
                raise ValueError(f"Tensor {i} in params has size {size}, expected {expected}.")
        ids = sparse_feature_cross([places, values], hashed_output=True, num_buckets=sum(sizes), hash_key=hash_key)
        found = embedding_lookup(params, sparse.sparse_tensor_to_dense(ids), partition_strategy="div")
        return arrays.reshape(found, joining.concat([shape, length], 0))


_COMBINERS = {
    "sum": segments.sparse_segment_sum,
    "mean": segments.sparse_segment_mean,
    "sqrtn": segments.sparse_segment_sqrt_n,
}


def scattered_embedding_lookup_sparse(
    params: Any, sparse_values: Any, dimension: int, combiner: str | None = None, default_value: Any = None,
    name: str | None = None, hash_key: int | None = None,
) -> Tensor:  # fmt: skip
    """``scattered_embedding_lookup`` of the values of each row, combined.

    Raises:
      TypeError: ``sparse_values`` is not sparse.
      ValueError: there is no such combiner.
    """
    if combiner is None:
        log.warn('The default value of combiner will change from "mean" to "sqrtn" after 2016/11/01.')
        combiner = "mean"
    params = _as_list(params)
    if not isinstance(sparse_values, SparseTensor):
        raise TypeError("sparse_values must be SparseTensor")
    with name_scope(name, "scattered_embedding_lookup_sparse", [*params, sparse_values]) as scope:
        if default_value is None:
            default_value = "6ZxWzWOHxZ" if sparse_values.dtype == dtypes.string else 1288896567
        sparse_values, _ = sparse_joining.sparse_fill_empty_rows(sparse_values, default_value)
        rows = casts.cast(sparse_values.indices[:, 0], dtypes.int32)
        values, places = unique(sparse_values.values)
        vectors = scattered_embedding_lookup(params, values, dimension, hash_key=hash_key)
        if combiner not in _COMBINERS:
            raise ValueError("Combiner must be one of 'mean', 'sqrtn' or 'sum'.")
        return _COMBINERS[combiner](vectors, places, rows, name=scope)


def sampled_scattered_embedding_lookup_sparse(
    params: Any, sp_values: SparseTensor, dimension: int | None = None, sampled_candidates: Any = None,
    hash_key: int | None = None, with_sign_hash: bool = False, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The sums of ``sampled_scattered_embedding_lookup`` over the values of each row.

    Args:
      sampled_candidates: numbers of components for each row, ``[rows, n]``.
      with_sign_hash: multiply each number with 1 or -1, which another hash chooses.

    Raises:
      TypeError: ``sp_values`` is not sparse.
    """
    if not isinstance(sp_values, SparseTensor):
        raise TypeError("sp_values must be SparseTensor")
    given = [sp_values, params, dimension, sampled_candidates]
    with name_scope(name, "sampled_scattered_embedding_lookup_sparse", given) as scope:
        rows, values = sp_values.indices[:, 0], sp_values.values
        if sampled_candidates is not None:
            sampled_candidates = indexing.gather(sampled_candidates, rows)
        vectors = sampled_scattered_embedding_lookup(
            params, values, dimension, sampled_candidates, hash_key, "values_lookup"
        )
        if with_sign_hash:
            either = constants.constant([-1.0, 1.0])
            signs = sampled_scattered_embedding_lookup(
                either, values, dimension, sampled_candidates, hash_key, "signs_lookup"
            )
            vectors = arithmetic.multiply(signs, vectors, name="signs_hash")
        rows = casts.cast(rows, dtypes.int32)
        return segments.unsorted_segment_sum(vectors, rows, arrays.shape(sp_values)[0], name=scope)


def _as_list(params: Any) -> list[Any]:
    return list(params) if isinstance(params, PartitionedVariable | list) else [params]
