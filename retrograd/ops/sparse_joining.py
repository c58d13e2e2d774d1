"""Sparse tensors joined and cut: concat, slice, split, rows filled, ids merged."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral
from typing import Any

import numpy as np

from retrograd.graph import dtypes, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REQUIRED, define, not_differentiable
from retrograd.graph.deprecation import deprecated_argument_lookup
from retrograd.graph.errors import InvalidArgumentError, invalid
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape
from retrograd.graph.sparse import SparseTensor, SparseTensorValue
from retrograd.graph.static import constant_value, shape_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, casts, constants, joining, kinds, reductions, shape_rules, stitching
from retrograd.ops.sparse import (
    as_sparse,
    check_parts,
    order_of,
    parts_of_rank,
    sparse_reorder,
    sparse_tensor_to_dense,
    whole,
)

# -- joining and cutting -----------------------------------------------------------------------


def _joined(
    indices: list[Tensor], values: list[Tensor], shapes_: list[Tensor], *, concat_dim: int
) -> list[RawShape]:  # fmt: skip
    counts: list[int | None] = []
    rank: int | None = None
    for rows, part, dims in zip(indices, values, shapes_, strict=True):
        count, columns = shape_rules.with_rank(rows, 2)
        counts.append(shapes.merge_dim(count, shape_rules.with_rank(part, 1)[0]))
        rank = shapes.merge_dim(shapes.merge_dim(rank, columns), shape_rules.with_rank(dims, 1)[0])
    total = None if None in counts else sum(n for n in counts if n is not None)
    return [(total, rank), (total,), (rank,)]


def _check_joinable(shapes_: list[Any], at: int) -> None:
    """Raise TensorFlow's error for the first shape that differs from the first one elsewhere than at ``at``."""
    first = shapes_[0]
    for place, dims in enumerate(shapes_[1:], 1):
        if len(dims) != len(first):
            raise InvalidArgumentError(
                None, None,
                f"Ranks of all input tensors must match: expected {len(first)} but got {len(dims)} at position {place}",
            )  # fmt: skip
        for i in np.flatnonzero(dims != first):
            if i != at:
                raise InvalidArgumentError(
                    None, None,
                    f"Input shapes must match: expected {first[i]} for dimension {i} but got {dims[i]} at position "
                    f"{place}",
                )  # fmt: skip


def _sparse_concat(
    xp: Any, indices: list[Any], values: list[Any], shapes_: list[Any], *, concat_dim: int
) -> list[Any]:  # fmt: skip
    for part in zip(indices, values, shapes_, strict=True):
        check_parts(*part)
    rank = len(shapes_[0])
    at = concat_dim % rank
    _check_joinable(shapes_, at)
    start, moved = 0, []
    for rows, dims in zip(indices, shapes_, strict=True):
        shift = np.zeros(rank, np.int64)
        shift[at] = start
        moved.append(rows + shift)
        start += int(dims[at])
    dims = np.array(shapes_[0])
    dims[at] = start
    rows = np.concatenate(moved)
    order = order_of(rows)
    return [rows[order], np.concatenate(values)[order], dims]


SPARSE_CONCAT = define(
    "SparseConcat", "indices: N*int64, values: N*T, shapes: N*int64",
    "output_indices: int64, output_values: T, output_shape: int64", attrs={"concat_dim": REQUIRED}, shape=_joined,
    kernel=_sparse_concat, gradient=not_differentiable,
)  # fmt: skip


def sparse_concat(
    axis: Any, sp_inputs: Any, name: str | None = None, expand_nonconcat_dim: bool = False, concat_dim: Any = None,
    expand_nonconcat_dims: Any = None,
) -> SparseTensor:  # fmt: skip
    """Sparse tensors one after the other along ``axis``; other sizes may grow with ``expand_nonconcat_dim``.

    Raises:
      TypeError: ``sp_inputs`` is no list of sparse tensors.
    """
    axis = deprecated_argument_lookup("axis", axis, "concat_dim", concat_dim)
    expand = deprecated_argument_lookup(
        "expand_nonconcat_dims", expand_nonconcat_dims or None, "expand_nonconcat_dim", expand_nonconcat_dim or None
    )
    if not isinstance(sp_inputs, list | tuple):
        raise TypeError("Inputs must be a list or tuple.")
    inputs = [as_sparse(x) for x in sp_inputs]
    if len(inputs) == 1:
        return inputs[0]
    dense_shapes = [casts.cast(x.dense_shape, dtypes.int64) for x in inputs]
    if expand:
        dense_shapes = _expanded(dense_shapes, axis)
    indices, values, dense_shape = apply(
        SPARSE_CONCAT, [x.indices for x in inputs], [x.values for x in inputs], dense_shapes, concat_dim=axis, name=name
    )
    known = [constant_value(s) for s in dense_shapes]
    if all(k is not None for k in known):
        total = sum(k[axis] for k in known)
        full = np.array(known[0])
        full[axis] = total
        dense_shape = as_tensor(full)
    return SparseTensor(indices, values, dense_shape)


def _expanded(dense_shapes: list[Tensor], axis: int) -> list[Tensor]:
    """The shapes with every size but that of ``axis`` grown to the largest."""
    largest = reductions.reduce_max(joining.concat([arrays.reshape(s, [1, -1]) for s in dense_shapes], 0), 0)
    if axis == -1:
        return [joining.concat([largest[:axis], s[-1:], []], axis=0) for s in dense_shapes]
    return [joining.concat([largest[:axis], s[axis : axis + 1], largest[axis + 1 :]], axis=0) for s in dense_shapes]


def _sparse_slice(xp: Any, indices: Any, values: Any, shape: Any, start: Any, size: Any) -> list[Any]:
    first, dims = np.asarray(start), np.asarray(shape)
    for which, given in (("start", first), ("size", np.asarray(size))):
        if len(given) != len(dims):
            raise InvalidArgumentError(
                None, None, f"Expected {which} to be a vector of length {len(dims)} but got length {len(given)}"
            )
    last = np.minimum(first + np.asarray(size), dims)
    inside = ((indices >= first) & (indices < last)).all(axis=1)
    return [indices[inside] - first, values[inside], np.maximum(last - first, 0)]


def _sparse_slice_grad(xp: Any, dy: Any, input_indices: Any, input_start: Any, output_indices: Any) -> Any:
    """Zero but for the values that were kept."""
    if not np.ndim(input_indices) == np.ndim(output_indices) == 2:
        shown = " and ".join(shapes.shape_text(np.shape(v)) for v in (input_indices, output_indices))
        raise invalid(f"Input and output indices should be matrices but received shapes: {shown}")
    (rows, width), (kept, kept_width) = np.shape(input_indices), np.shape(output_indices)
    if width != kept_width:
        raise invalid(f"The input and output should have the same ndims: got: {width} and {kept_width}")
    if kept > rows:
        raise invalid(f"# rows of output_indices should be not greater than of input_indices, got {kept} and {rows}")
    if len(dy) != kept:
        raise invalid(
            "# elements of backprop_val_grad and # rows of output_indices should match (#nnz of sum): "
            f"got {len(dy)} and {kept}"
        )
    if len(input_start) != width:
        raise invalid(f"Expected input_start to be a vector of length {width} but got length {len(input_start)}")
    at = {tuple(row): i for i, row in enumerate((np.asarray(output_indices) + np.asarray(input_start)).tolist())}
    places = np.array([at.get(tuple(row), -1) for row in np.asarray(input_indices).tolist()], np.int64)
    used = np.count_nonzero(places >= 0)
    if used != kept:
        raise invalid(f"Elements of backprop_val_grad aren't all propagated. Num elements:{kept}, used: {used}")
    return xp.append(dy, dy.dtype.type(0))[places]


SPARSE_SLICE_GRAD = define(
    "SparseSliceGrad", "backprop_val_grad: T, input_indices: int64, input_start: int64, output_indices: int64",
    "val_grad: T", types={"T": kinds.NUMERIC}, kernel=_sparse_slice_grad,
    ranks={
        "backprop_val_grad": "1: Input backprop_val_grad should be a vector but received shape: {}",
                "input_start": "1: The input_start should be a vector but received shape {}",
    },
    shape=lambda dy, indices, start, kept: (indices.dims[0] if indices.dims else None,),
)  # fmt: skip


def _sparse_slice_gradient(op: Any, _: Any, dy: Any, __: Any) -> list[Any]:
    indices, values, _shape, start, _size = op.inputs
    d_values = apply(SPARSE_SLICE_GRAD, dy, indices, start, op.outputs[0])
    d_values.set_shape(values.dims)
    return [None, d_values, None, None, None]


SPARSE_SLICE = define(
    "SparseSlice", "indices: int64, values: T, shape: int64, start: int64, size: int64",
    "output_indices: int64, output_values: T, output_shape: int64",
    ranks={
        "indices": "2: Input indices should be a matrix but received shape {}",
        "values": "1: Input values should be a vector but received shape {}",
        "shape": "1: Input shape should be a vector but received shape {}",
        "start": "1: Input start should be a vector but received shape {}",
        "size": "1: Input size should be a vector but received shape {}",
    },
    shape=lambda indices, values, shape, start, size: parts_of_rank(shape),
    kernel=whole(_sparse_slice), gradient=_sparse_slice_gradient,
)  # fmt: skip


def sparse_slice(sp_input: Any, start: Any, size: Any, name: str | None = None) -> SparseTensor:
    """The block of ``sp_input`` of ``size`` from ``start`` on."""
    sp_input = as_sparse(sp_input)
    start, size = as_tensor(start, dtypes.int64), as_tensor(size, dtypes.int64)
    with name_scope(name, "SparseSlice", [sp_input]) as name:
        parts = apply(SPARSE_SLICE, sp_input.indices, sp_input.values, sp_input.dense_shape, start, size, name=name)
        return SparseTensor(*parts)


def _fill_empty_rows(xp: Any, indices: Any, values: Any, dense_shape: Any, default: Any) -> list[Any]:
    if not len(dense_shape):
        raise InvalidArgumentError(None, None, "Dense shape cannot be empty.")
    if len(values) != len(indices):
        words = f"The length of `values` ({len(values)}) must match the first dimension of `indices` ({len(indices)})."
        raise InvalidArgumentError(None, None, words)
    count = int(dense_shape[0])
    for i in np.flatnonzero((indices[:, 0] < 0) | (indices[:, 0] >= count))[:1]:
        raise InvalidArgumentError(None, None, f"indices({i}, 0) is invalid: {indices[i, 0]} >= {count}")
    taken = np.bincount(indices[:, 0], minlength=count) if len(indices) else np.zeros(count, np.int64)
    empty = taken == 0
    if not empty.any() and not (np.diff(indices[:, 0]) < 0).any():
        return [indices, values, empty, np.arange(len(indices))]
    extra = np.zeros((int(empty.sum()), indices.shape[1]), np.int64)
    extra[:, 0] = np.flatnonzero(empty)
    rows = np.concatenate([indices, extra])
    filled = np.concatenate([values, np.full(len(extra), default, values.dtype)])
    order = np.argsort(rows[:, 0], kind="stable")
    places = np.argsort(order, kind="stable")[: len(indices)]
    return [rows[order], filled[order], empty, places.astype(np.int64)]


def _filled_rows(indices: Tensor, values: Tensor, dense_shape: Tensor, default: Tensor) -> list[RawShape]:
    rank = shape_rules.with_rank(dense_shape, 1)[0]
    dims = shape_value(dense_shape)
    return [(None, rank), (None,), (dims[0] if dims else None,), (indices.dims[0] if indices.dims else None,)]


def _fill_empty_rows_grad(xp: Any, reverse_index_map: Any, grad_values: Any) -> list[Any]:
    """The values take the gradient of where they went; the default value takes the rest."""
    for name, x in (("reverse_index_map", reverse_index_map), ("grad_values", grad_values)):
        if np.ndim(x) != 1:
            raise invalid(f"{name} must be a vector, saw: [{','.join(map(str, np.shape(x)))}]")
    count, places = len(grad_values), np.asarray(reverse_index_map)
    for i in np.flatnonzero((places < 0) | (places >= count))[:1]:
        raise InvalidArgumentError(None, None, f"Elements in reverse index must be in [0, {count}) but got {places[i]}")
    rest = np.delete(np.arange(count), places)
    return [grad_values[reverse_index_map], xp.sum(grad_values[rest], dtype=grad_values.dtype)]


def _filled_rows_grad_shape(reverse_index_map: Tensor, grad_values: Tensor) -> list[RawShape]:
    shape_rules.with_rank(grad_values, 1)
    return [shape_rules.with_rank(reverse_index_map, 1), ()]


SPARSE_FILL_EMPTY_ROWS_GRAD = define(
    "SparseFillEmptyRowsGrad", "reverse_index_map: int64, grad_values: T", "d_values: T, d_default_value: T",
    ranks={"grad_values": "1: grad_values must be a vector, saw: {}"},
    shape=_filled_rows_grad_shape, kernel=_fill_empty_rows_grad,
)  # fmt: skip


def _fill_empty_rows_gradient(op: Any, _: Any, dy: Any, *rest: Any) -> list[Any]:
    d_values, d_default = apply(SPARSE_FILL_EMPTY_ROWS_GRAD, op.outputs[3], dy)
    return [None, d_values, None, d_default]


SPARSE_FILL_EMPTY_ROWS = define(
    "SparseFillEmptyRows", "indices: int64, values: T, dense_shape: int64, default_value: T",
    "output_indices: int64, output_values: T, empty_row_indicator: bool, reverse_index_map: int64",
    ranks={
        "indices": "2: indices must be a matrix, saw: {}", "values": "1: values must be a vector, saw: {}",
        "dense_shape": "1: dense_shape must be a vector, saw: {}",
        "default_value": "0: default_value must be a scalar, saw: {}",
    },
    shape=_filled_rows, kernel=_fill_empty_rows, gradient=_fill_empty_rows_gradient,
)  # fmt: skip


def sparse_fill_empty_rows(sp_input: Any, default_value: Any, name: str | None = None) -> tuple[SparseTensor, Tensor]:
    """``sp_input`` with ``default_value`` in the first column of each empty row, and which rows were empty."""
    sp_input = as_sparse(sp_input)
    with name_scope(name, "SparseFillEmptyRows", [sp_input]):
        default = as_tensor(default_value, dtype=sp_input.values.dtype)
        indices, values, empty, _ = apply(
            SPARSE_FILL_EMPTY_ROWS, sp_input.indices, sp_input.values, sp_input.dense_shape, default
        )
        return SparseTensor(indices, values, sp_input.dense_shape), empty


# -- splitting ---------------------------------------------------------------------------------


def _split_shapes(axis: Tensor, indices: Tensor, values: Tensor, shape: Tensor, *, num_split: int) -> list[RawShape]:
    rank = shape_rules.with_rank(shape, 1)[0]
    return [(None, rank)] * num_split + [(None,)] * num_split + [(rank,)] * num_split


def _sparse_split(xp: Any, axis: Any, indices: Any, values: Any, shape: Any, *, num_split: int) -> list[Any]:
    """The sizes of the parts differ by at most 1; the first ones are larger."""
    at, rank = int(axis), len(shape)
    if not 0 <= at < rank:
        raise InvalidArgumentError(None, None, f"Input split_dim should be between 0 and rank ({rank}), got {at}")
    size = int(shape[at])
    if not 1 <= num_split <= size:
        raise InvalidArgumentError(
            None, None,
            f"Input num_split should be between 1 and the splitting dimension size ({size}), got {num_split}",
        )  # fmt: skip
    sizes = np.full(num_split, size // num_split)
    sizes[: size % num_split] += 1
    starts = np.cumsum(sizes) - sizes
    rows = np.asarray(indices)
    holders = np.searchsorted(starts, rows[:, at], side="right") - 1
    unit = np.eye(rank, dtype=np.int64)[at]
    chosen = [np.flatnonzero(holders == i) for i in range(num_split)]
    return [
        *(rows[own] - start * unit for own, start in zip(chosen, starts, strict=True)),
        *(values[own] for own in chosen),
        *(np.asarray(shape) + (n - size) * unit for n in sizes),
    ]


def _sparse_split_gradient(op: Any, *dys: Any) -> list[Any]:
    """The gradients of the parts, put where the values came from."""
    axis, indices, _, shape = op.inputs
    count = op.attrs["num_split"]
    labels = constants.range_(arrays.shape(indices)[0])
    places = apply(SPARSE_SPLIT, axis, indices, labels, shape, num_split=count)[count : 2 * count]
    return [None, None, stitching.dynamic_stitch(places, list(dys[count : 2 * count])), None]


SPARSE_SPLIT = define(
    "SparseSplit", "split_dim: int64, indices: int64, values: T, shape: int64",
    "output_indices: num_split*int64, output_values: num_split*T, output_shape: num_split*int64",
    attrs={"num_split": REQUIRED},
    ranks={
        "indices": "2: Input indices should be a matrix but received shape {}",
        "values": "1: Input values should be a vector but received shape {}",
        "shape": "1: Input shape should be a vector but received shape {}",
    },
    shape=_split_shapes, kernel=whole(_sparse_split, 1), gradient=_sparse_split_gradient,
)  # fmt: skip


class KeywordRequired:
    """What stands in an argument that nobody should give by its place."""

    def __repr__(self) -> str:
        return "KeywordRequired()"


def sparse_split(
    keyword_required: Any = KeywordRequired(),  # noqa: B008
    sp_input: Any = None, num_split: Any = None, axis: Any = None, name: str | None = None, split_dim: Any = None,
) -> list[SparseTensor]:  # fmt: skip
    """``num_split`` parts of ``sp_input`` along ``axis``; the first ones are larger where it does not divide evenly.

    Raises:
      ValueError: an argument is missing, or given without its name.
    """
    if not isinstance(keyword_required, KeywordRequired):
        raise ValueError("Keyword arguments are required for this function.")
    axis = deprecated_argument_lookup("axis", axis, "split_dim", split_dim)
    for argument, value in (("sp_input", sp_input), ("num_split", num_split), ("axis", axis)):
        if value is None:
            raise ValueError(f"{argument} is required")
    sp_input = as_sparse(sp_input)
    parts = apply(
        SPARSE_SPLIT, axis, sp_input.indices, sp_input.values, sp_input.dense_shape, num_split=num_split, name=name
    )
    return [SparseTensor(*parts[i::num_split]) for i in range(num_split)]


# -- values as indices -------------------------------------------------------------------------


def _is_size(value: Any) -> bool:
    return isinstance(value, Tensor | Integral)


def _listed_ids(sp_ids: Any, vocab_size: Any) -> tuple[list[Any], list[Any]]:
    if isinstance(sp_ids, SparseTensor | SparseTensorValue):
        if not _is_size(vocab_size):
            raise TypeError(f"vocab_size has to be a Tensor or Python int. Found {type(vocab_size)}")
        return [sp_ids], [vocab_size]
    if not isinstance(sp_ids, Iterable):
        raise TypeError(f"sp_ids has to be a SparseTensor or list thereof. Found {type(sp_ids)}")
    if not isinstance(vocab_size, Iterable):
        raise TypeError(f"vocab_size has to be a list of Tensors or Python ints. Found {type(vocab_size)}")
    ids, sizes = list(sp_ids), list(vocab_size)
    for size in sizes:
        if not _is_size(size):
            raise TypeError(f"vocab_size has to be a list of Tensors or Python ints. Found {type(size)}")
    if len(ids) != len(sizes):
        raise ValueError("sp_ids and vocab_size have to have equal lengths.")
    return ids, sizes


def sparse_merge(
    sp_ids: Any, sp_values: Any, vocab_size: Any, name: str | None = None, already_sorted: bool = False
) -> SparseTensor:  # fmt: skip
    """``y[..., ids[i]] = values[i]``: the last dimension of ``sp_values`` becomes the ids, below ``vocab_size``.

    With a list of ids there is one dimension for each.

    Raises:
      TypeError, ValueError: ids and sizes do not match.
    """
    listed, sizes = _listed_ids(sp_ids, vocab_size)
    with name_scope(name, "SparseMerge", [sp_ids, sp_values]):
        listed = [as_sparse(ids) for ids in listed]
        sp_values = as_sparse(sp_values)
        columns = []
        for ids in listed:
            column = ids.values
            if column.dtype != dtypes.int64:
                column = casts.cast(column, dtypes.int64)
            columns.append(arrays.expand_dims(column, axis=1))
        sizes = [casts.cast(size, dtypes.int64) for size in sizes]
        indices = joining.concat([listed[0].indices[:, :-1], *columns], 1)
        dense_shape = joining.concat([listed[0].dense_shape[:-1], sizes], 0)
        merged = SparseTensor(indices, sp_values.values, dense_shape)
        if already_sorted:
            return merged
        ordered = sparse_reorder(merged)
        return SparseTensor(ordered.indices, ordered.values, dense_shape)


def sparse_to_indicator(sp_input: Any, vocab_size: Any, name: str | None = None) -> Tensor:
    """A dense bool tensor that is True at the values of each row of ``sp_input``."""
    sp_input = as_sparse(sp_input)
    with name_scope(name, "SparseToIndicator", [sp_input]) as name:
        entries = arrays.shape(sp_input.indices)[0]
        trues = constants.fill(arrays.expand_dims(entries, 0), True)
        merged = sparse_merge(sp_input, SparseTensor(sp_input.indices, trues, sp_input.dense_shape), vocab_size, name)
        return sparse_tensor_to_dense(merged, False, validate_indices=False, name=name)
