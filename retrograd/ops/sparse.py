"""``SparseTensor`` ops: to and from dense tensors, products, sums, and rearrangements."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REQUIRED, define, not_differentiable
from retrograd.graph.deprecation import deprecated_argument_lookup
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape
from retrograd.graph.sparse import SparseTensor, SparseTensorValue
from retrograd.graph.static import constant_value, shape_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arrays,
    casts,
    comparison,
    constants,
    indexing,
    joining,
    kinds,
    permuting,
    placing,
    reductions,
    shape_rules,
)  # fmt: skip


def _as_sparse(value: Any) -> SparseTensor:
    if isinstance(value, SparseTensorValue):
        return SparseTensor.from_value(value)
    if not isinstance(value, SparseTensor):
        raise TypeError("Input must be a SparseTensor.")
    return value


def _parts_of_rank(dense_shape: Tensor) -> list[RawShape]:
    """The shapes of the three parts of a sparse tensor of unknown length."""
    rank = shape_rules.with_rank(dense_shape, 1)[0]
    return [(None, rank), (None,), (rank,)]


def sparse_placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> SparseTensor:
    """A sparse tensor whose parts each run must give through ``feed_dict``."""

    def part(suffix: str) -> str | None:
        return None if name is None else f"{name}/{suffix}"

    if shape is None:
        rank = None
        dense_shape = constants.placeholder(dtypes.int64, shape=[None], name=part("shape"))
    else:
        if isinstance(shape, Tensor):
            rank = shape.dims[0] if shape.dims else None
            dense_shape = as_tensor(shape, dtypes.int64, name=part("shape"))
        else:
            rank = len(shape)
            if any(n is None for n in shape):
                dense_shape = constants.placeholder(dtypes.int64, shape=[rank], name=part("shape"))
            else:
                dense_shape = as_tensor(shape, dtypes.int64, name=part("shape"))
    values = constants.placeholder(dtype, shape=[None], name=part("values"))
    indices = constants.placeholder(dtypes.int64, shape=[None, rank], name=part("indices"))
    return SparseTensor(values=values, indices=indices, dense_shape=dense_shape)


# -- to dense ----------------------------------------------------------------------------------


def _dense_shape(indices: Tensor, shape: Tensor, values: Tensor, default: Tensor) -> RawShape:
    shape_rules.with_rank(shape, 1)
    return shape_value(shape)


def check_coordinates(indices: Any, dims: Any) -> None:
    """Raise TensorFlow's error for the first row that is out of bounds, out of order or repeated."""
    rows, sizes = np.asarray(indices), tuple(np.asarray(dims).tolist())
    for i, row in enumerate(rows):
        text = f"indices[{i}] = [{','.join(map(str, row))}]"
        if (row < 0).any() or (row >= sizes).any():
            bounds = f"need 0 <= index < [{','.join(map(str, sizes))}]"
            raise InvalidArgumentError(None, None, f"{text} is out of bounds: {bounds}")
        if i and tuple(row) == tuple(rows[i - 1]):
            raise InvalidArgumentError(None, None, f"{text} is repeated")
        if i and tuple(row) < tuple(rows[i - 1]):
            raise InvalidArgumentError(None, None, f"{text} is out of order. Many sparse ops require sorted indices.")


def _rows(indices: Any) -> Any:
    """Coordinates as a matrix: a vector names elements of a vector, a scalar one element."""
    indices = np.asarray(indices)
    return indices if indices.ndim == 2 else indices.reshape(-1, 1)


def _sparse_to_dense(xp: Any, indices: Any, shape: Any, values: Any, default: Any, *, validate_indices: bool) -> Any:
    dims, rows = tuple(np.asarray(shape).tolist()), _rows(indices)
    if np.shape(values) not in ((), (len(rows),)):
        raise InvalidArgumentError(
            None, None,
            f"sparse_values has incorrect shape {shapes.shape_text(np.shape(values))}, should be [] or [{len(rows)}]",
        )  # fmt: skip
    if np.ndim(default):
        raise InvalidArgumentError(None, None, "default_value should be a scalar.")
    if validate_indices:
        check_coordinates(rows, dims)
    if isinstance(default, bytes):
        dense = np.full(dims, default, object)
    else:
        dense = xp.full(dims, default)
    return placing.set_at(xp, dense, tuple(rows.T), xp.reshape(values, (-1,)) if np.ndim(values) else values)


def _sparse_to_dense_gradient(op: Any, dy: Any) -> list[Any]:
    """The values take dy at their places; the default value takes the rest."""
    indices = op.inputs[0]
    d_values = indexing.gather_nd(dy, indices)
    d_default = reductions.reduce_sum(dy) - reductions.reduce_sum(d_values)
    return [None, None, d_values, d_default]


SPARSE_TO_DENSE = define(
    "SparseToDense", "sparse_indices: Tindices, output_shape: Tindices, sparse_values: T, default_value: T",
    "dense: T", attrs={"validate_indices": True}, types={"Tindices": kinds.INDEX}, static=("output_shape",),
    shape=_dense_shape, kernel=_sparse_to_dense, gradient=_sparse_to_dense_gradient,
)  # fmt: skip


def sparse_to_dense(
    sparse_indices: Any, output_shape: Any, sparse_values: Any, default_value: Any = 0, validate_indices: bool = True,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """A tensor of ``output_shape`` with ``sparse_values`` at ``sparse_indices``, ``default_value`` elsewhere."""
    return apply(
        SPARSE_TO_DENSE, sparse_indices, output_shape, sparse_values, default_value,
        validate_indices=validate_indices, name=name,
    )  # fmt: skip


def sparse_tensor_to_dense(
    sp_input: Any, default_value: Any = None, validate_indices: bool = True, name: str | None = None
) -> Tensor:  # fmt: skip
    """The dense tensor that a ``SparseTensor`` stands for, ``default_value`` where it has no value."""
    sp_input = _as_sparse(sp_input)
    if default_value is None:
        default_value = constants.zeros([], dtype=sp_input.dtype)
    return sparse_to_dense(
        sp_input.indices, sp_input.dense_shape, sp_input.values, default_value, validate_indices, name
    )


# -- order and shape ---------------------------------------------------------------------------


def _sparse_reorder(xp: Any, indices: Any, values: Any, shape: Any) -> list[Any]:
    order = np.lexsort(np.asarray(indices).T[::-1]) if len(indices) else np.zeros(0, np.int64)
    return [indices[order], values[order]]


def _reorder_gradient(op: Any, _: Any, dy: Any) -> list[Any]:
    """Each value takes the gradient of the place that it was moved to."""
    indices, shape = op.inputs[0], op.inputs[2]
    entries = arrays.shape(indices)[0]
    labels = SparseTensor(indices, constants.range_(entries), shape)
    inverse = permuting.invert_permutation(sparse_reorder(labels).values)
    return [None, indexing.gather(dy, inverse), None]


SPARSE_REORDER = define(
    "SparseReorder", "input_indices: int64, input_values: T, input_shape: int64",
    "output_indices: int64, output_values: T", shape=lambda indices, values, shape: [indices.dims, values.dims],
    kernel=_sparse_reorder, gradient=_reorder_gradient,
)  # fmt: skip


def sparse_reorder(sp_input: Any, name: str | None = None) -> SparseTensor:
    """``sp_input`` with its values in row-major order of their coordinates."""
    sp_input = _as_sparse(sp_input)
    indices, values = apply(SPARSE_REORDER, sp_input.indices, sp_input.values, sp_input.dense_shape, name=name)
    known = constant_value(sp_input.dense_shape)
    return SparseTensor(indices, values, arrays.identity(sp_input.dense_shape) if known is None else known)


def _flat_places(indices: Any, dims: Any) -> Any:
    return np.ravel_multi_index(tuple(np.asarray(indices).T), tuple(dims)) if len(indices) else np.zeros(0, np.int64)


def _sparse_reshape(xp: Any, indices: Any, shape: Any, new_shape: Any) -> list[Any]:
    dims, wanted = np.asarray(shape).tolist(), np.asarray(new_shape).tolist()
    count = int(np.prod(dims, dtype=np.int64))
    if -1 in wanted:
        known = int(np.prod([n for n in wanted if n != -1], dtype=np.int64))
        if not known or count % known:
            raise InvalidArgumentError(
                None, None,
                f"Input to reshape is a SparseTensor with {count} dense values, but the requested shape requires a "
                f"multiple of {known}. input_shape={shapes.shape_text(tuple(dims))} "
                f"output_shape={shapes.shape_text(tuple(wanted))}",
            )  # fmt: skip
        wanted[wanted.index(-1)] = count // known
    if int(np.prod(wanted, dtype=np.int64)) != count:
        raise InvalidArgumentError(
            None, None,
            f"Input to reshape is a tensor with {count} dense values, but the requested shape has "
            f"{int(np.prod(wanted, dtype=np.int64))}. input_shape={shapes.shape_text(tuple(dims))} "
            f"output_shape={shapes.shape_text(tuple(wanted))}",
        )  # fmt: skip
    places = np.unravel_index(_flat_places(indices, dims), tuple(wanted))
    return [np.stack(places, axis=1).astype(np.int64), np.array(wanted, np.int64)]


def _reshaped(indices: Tensor, shape: Tensor, new_shape: Tensor) -> list[RawShape]:
    rank = shape_rules.with_rank(new_shape, 1)[0]
    count = shape_rules.with_rank(indices, 2)[0]
    return [(count, rank), (rank,)]


SPARSE_RESHAPE = define(
    "SparseReshape", "input_indices: int64, input_shape: int64, new_shape: int64",
    "output_indices: int64, output_shape: int64", shape=_reshaped, kernel=_sparse_reshape,
)  # fmt: skip


def sparse_reshape(sp_input: Any, shape: Any, name: str | None = None) -> SparseTensor:
    """``sp_input`` in another dense ``shape``; one -1 is worked out."""
    sp_input = _as_sparse(sp_input)
    shape = casts.cast(shape, dtypes.int64)
    with name_scope(name, "SparseReshape", [sp_input]) as name:
        indices, new_shape = apply(SPARSE_RESHAPE, sp_input.indices, sp_input.dense_shape, shape, name=name)
        value = constant_value(shape)
        known = None if value is None else tuple([None if n < 0 else n for n in value.tolist()])
        count = shapes.element_count(sp_input.shape._raw)
        if known is not None and known.count(None) == 1 and count is not None:
            rest = int(np.prod([n for n in known if n is not None], dtype=np.int64))
            known = tuple(count // rest if n is None else n for n in known)
        if known is not None and None not in known:
            new_shape = constants.constant(known, dtypes.int64)
        return SparseTensor(indices, arrays.identity(sp_input.values), new_shape)


def sparse_transpose(sp_input: Any, perm: Any = None, name: str | None = None) -> SparseTensor:
    """``sp_input`` with its dimensions in the order ``perm`` (default: reversed)."""
    with name_scope(name, "SparseTranspose", [sp_input]):
        if perm is None:
            rank = arrays.rank(sp_input)
            perm = (rank - 1) - constants.range_(0, rank, 1)
        indices = sp_input.indices
        moved = permuting.transpose(indexing.gather(permuting.transpose(indices), perm))
        dense_shape = indexing.gather(sp_input.dense_shape, perm)
        return sparse_reorder(SparseTensor(moved, sp_input.values, dense_shape))


def sparse_retain(sp_input: Any, to_retain: Any) -> SparseTensor:
    """The values of ``sp_input`` where the vector ``to_retain`` is True."""
    sp_input = _as_sparse(sp_input)
    to_retain = as_tensor(to_retain)
    if to_retain.rank is not None:
        to_retain.shape.dims[0].merge_with(sp_input.values.shape.dims[0])
    kept = arrays.reshape(comparison.where(to_retain), [-1])
    indices = indexing.gather(sp_input.indices, kept)
    values = indexing.gather(sp_input.values, kept)
    return SparseTensor(indices, values, arrays.identity(sp_input.dense_shape))


# -- joining and cutting -----------------------------------------------------------------------


def _joined(
    indices: list[Tensor], values: list[Tensor], shapes_: list[Tensor], *, concat_dim: int
) -> list[RawShape]:  # fmt: skip
    counts = [i.dims[0] if i.dims else None for i in indices]
    rank = next((s.dims[0] for s in shapes_ if s.dims and s.dims[0] is not None), None)
    total = None if None in counts else sum(n for n in counts if n is not None)
    return [(total, rank), (total,), (rank,)]


def _sparse_concat(
    xp: Any, indices: list[Any], values: list[Any], shapes_: list[Any], *, concat_dim: int
) -> list[Any]:  # fmt: skip
    rank = len(shapes_[0])
    at = concat_dim % rank
    start, moved = 0, []
    for rows, dims in zip(indices, shapes_, strict=True):
        shift = np.zeros(rank, np.int64)
        shift[at] = start
        moved.append(rows + shift)
        start += int(dims[at])
    dims = np.array(shapes_[0])
    dims[at] = start
    return [*_sparse_reorder(xp, np.concatenate(moved), np.concatenate(values), dims), dims]


SPARSE_CONCAT = define(
    "SparseConcat", "indices: N*int64, values: N*T, shapes: N*int64",
    "output_indices: int64, output_values: T, output_shape: int64", attrs={"concat_dim": REQUIRED}, shape=_joined,
    kernel=_sparse_concat, gradient=not_differentiable,
)  # fmt: skip


def sparse_concat(
    axis: Any, sp_inputs: Any, name: str | None = None, expand_nonconcat_dim: bool = False, concat_dim: Any = None,
    expand_nonconcat_dims: Any = None,
) -> SparseTensor:  # fmt: skip
    """Sparse tensors one after the other along ``axis``; other sizes may grow with ``expand_nonconcat_dim``."""
    axis = deprecated_argument_lookup("axis", axis, "concat_dim", concat_dim)
    expand = deprecated_argument_lookup(
        "expand_nonconcat_dims", expand_nonconcat_dims or None, "expand_nonconcat_dim", expand_nonconcat_dim or None
    )
    inputs = [_as_sparse(x) for x in sp_inputs]
    if len(inputs) == 1:
        return inputs[0]
    dense_shapes = [casts.cast(x.dense_shape, dtypes.int64) for x in inputs]
    if expand:
        largest = reductions.reduce_max(joining.stack(dense_shapes), axis=0)
        dense_shapes = [
            joining.concat(
                [
                    largest[:axis],
                    s[-1:] if axis == -1 else s[axis : axis + 1],
                    [] if axis == -1 else largest[axis + 1 :],
                ],
                axis=0,
            )
            for s in dense_shapes
        ]
    indices, values, dense_shape = apply(
        SPARSE_CONCAT, [x.indices for x in inputs], [x.values for x in inputs], dense_shapes, concat_dim=axis, name=name
    )
    known = [x.shape.as_list() for x in inputs if shapes.is_known(x.shape._raw)]
    if not expand and len(known) == len(inputs):
        dims = list(known[0])
        dims[axis] = sum(k[axis] for k in known)
        dense_shape = constants.constant(dims, dtypes.int64)
    return SparseTensor(indices, values, dense_shape)


def _sparse_slice(xp: Any, indices: Any, values: Any, shape: Any, start: Any, size: Any) -> list[Any]:
    first, dims = np.asarray(start), np.asarray(shape)
    last = np.minimum(first + np.asarray(size), dims)
    inside = ((indices >= first) & (indices < last)).all(axis=1)
    return [indices[inside] - first, values[inside], np.maximum(last - first, 0)]


def _sparse_slice_grad(xp: Any, dy: Any, input_indices: Any, input_start: Any, output_indices: Any) -> Any:
    """Zero but for the values that were kept."""
    at = {tuple(row): i for i, row in enumerate((np.asarray(output_indices) + np.asarray(input_start)).tolist())}
    places = np.array([at.get(tuple(row), -1) for row in np.asarray(input_indices).tolist()], np.int64)
    return xp.append(dy, dy.dtype.type(0))[places]


SPARSE_SLICE_GRAD = define(
    "SparseSliceGrad", "backprop_val_grad: T, input_indices: int64, input_start: int64, output_indices: int64",
    "val_grad: T", types={"T": kinds.NUMERIC}, kernel=_sparse_slice_grad,
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
    shape=lambda indices, values, shape, start, size: _parts_of_rank(shape),
    kernel=_sparse_slice, gradient=_sparse_slice_gradient,
)  # fmt: skip


def sparse_slice(sp_input: Any, start: Any, size: Any, name: str | None = None) -> SparseTensor:
    """The block of ``sp_input`` of ``size`` from ``start`` on."""
    sp_input = _as_sparse(sp_input)
    start, size = as_tensor(start, dtypes.int64), as_tensor(size, dtypes.int64)
    with name_scope(name, "SparseSlice", [sp_input]) as name:
        parts = apply(SPARSE_SLICE, sp_input.indices, sp_input.values, sp_input.dense_shape, start, size, name=name)
        return SparseTensor(*parts)


def _fill_empty_rows(xp: Any, indices: Any, values: Any, dense_shape: Any, default: Any) -> list[Any]:
    count = int(dense_shape[0])
    taken = np.bincount(indices[:, 0], minlength=count) if len(indices) else np.zeros(count, np.int64)
    empty = taken == 0
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
    rest = np.delete(np.arange(len(grad_values)), reverse_index_map)
    return [grad_values[reverse_index_map], xp.sum(grad_values[rest], dtype=grad_values.dtype)]


SPARSE_FILL_EMPTY_ROWS_GRAD = define(
    "SparseFillEmptyRowsGrad", "reverse_index_map: int64, grad_values: T", "d_values: T, d_default_value: T",
    shape=lambda reverse_index_map, grad_values: [reverse_index_map.dims, ()], kernel=_fill_empty_rows_grad,
)  # fmt: skip


def _fill_empty_rows_gradient(op: Any, _: Any, dy: Any, *rest: Any) -> list[Any]:
    d_values, d_default = apply(SPARSE_FILL_EMPTY_ROWS_GRAD, op.outputs[3], dy)
    return [None, d_values, None, d_default]


SPARSE_FILL_EMPTY_ROWS = define(
    "SparseFillEmptyRows", "indices: int64, values: T, dense_shape: int64, default_value: T",
    "output_indices: int64, output_values: T, empty_row_indicator: bool, reverse_index_map: int64",
    shape=_filled_rows, kernel=_fill_empty_rows, gradient=_fill_empty_rows_gradient,
)  # fmt: skip


def sparse_fill_empty_rows(sp_input: Any, default_value: Any, name: str | None = None) -> tuple[SparseTensor, Tensor]:
    """``sp_input`` with ``default_value`` in the first column of each empty row, and which rows were empty."""
    sp_input = _as_sparse(sp_input)
    with name_scope(name, "SparseFillEmptyRows", [sp_input]):
        default = as_tensor(default_value, dtype=sp_input.values.dtype)
        indices, values, empty, _ = apply(
            SPARSE_FILL_EMPTY_ROWS, sp_input.indices, sp_input.values, sp_input.dense_shape, default
        )
        return SparseTensor(indices, values, sp_input.dense_shape), empty


# -- arithmetic --------------------------------------------------------------------------------


def _product_shape(
    indices: Tensor, values: Tensor, shape: Tensor, b: Tensor, *, adjoint_a: bool, adjoint_b: bool
) -> RawShape:  # fmt: skip
    dims, other = shape_value(shape), shape_rules.with_rank(b, 2)
    rows, inner = (None, None) if dims is None or len(dims) != 2 else dims[::-1] if adjoint_a else dims
    other_inner, columns = other[::-1] if adjoint_b else other
    shapes.merge_dim(inner, other_inner)
    return (rows, columns)


def _sparse_product(
    xp: Any, indices: Any, values: Any, shape: Any, b: Any, *, adjoint_a: bool, adjoint_b: bool
) -> Any:  # fmt: skip
    """y[i] = sum over the entries (i, k) of a[i, k] * b[k]."""
    rows, inner = np.asarray(indices).T
    count, depth = (int(n) for n in shape)
    if adjoint_a:
        rows, inner, count, depth, values = inner, rows, depth, count, np.conj(values)
    b = np.conj(b).T if adjoint_b else b
    for letter, column, places, size in (("k", 1 - adjoint_a, inner, depth), ("m", int(adjoint_a), rows, count)):
        for i in np.flatnonzero(places >= size)[:1]:
            raise InvalidArgumentError(
                None, None, f"{letter} ({places[i]}) from index[{i},{column}] out of bounds (>={size})"
            )
    if b.shape[0] != depth:
        raise InvalidArgumentError(
            None, None,
            f"Cannot multiply A and B because inner dimension does not match: {depth} vs. {b.shape[0]}.  Did you "
            "forget a transpose?  Dimensions of A: "
            f"[{int(shape[0])}, {int(shape[1])}).  Dimensions of B: {shapes.shape_text(np.shape(b))}",
        )  # fmt: skip
    return placing.add_at(xp, xp.zeros((count, b.shape[1]), b.dtype), rows, values[:, None] * b[inner])


def _sparse_product_gradient(op: Any, dy: Any) -> list[Any]:
    """db = a^T dy; the value at (i, k) takes the sum over j of dy[i, j] * b[k, j]."""
    indices, values, shape, b = op.inputs
    adjoint_a, adjoint_b = op.attrs["adjoint_a"], op.attrs["adjoint_b"]
    db = apply(SPARSE_PRODUCT, indices, values, shape, dy, adjoint_a=not adjoint_a)
    if adjoint_b:
        db = permuting.matrix_transpose(db, conjugate=True)
    rows, columns = indices[:, 0], indices[:, 1]
    at_rows = indexing.gather(dy, columns if adjoint_a else rows)
    at_columns = indexing.gather(permuting.transpose(b) if adjoint_b else b, rows if adjoint_a else columns)
    return [None, reductions.reduce_sum(at_rows * at_columns, axis=1), None, db]


SPARSE_PRODUCT = define(
    "SparseTensorDenseMatMul", "a_indices: Tindices, a_values: T, a_shape: int64, b: T", "product: T",
    attrs={"Tindices": dtypes.int64, "adjoint_a": False, "adjoint_b": False}, types={"Tindices": kinds.INDEX},
    shape=_product_shape, kernel=_sparse_product, gradient=_sparse_product_gradient,
)  # fmt: skip


def sparse_tensor_dense_matmul(
    sp_a: Any, b: Any, adjoint_a: bool = False, adjoint_b: bool = False, name: str | None = None
) -> Tensor:  # fmt: skip
    """The matrix product of a sparse and a dense matrix."""
    sp_a = _as_sparse(sp_a)
    with name_scope(name, "SparseTensorDenseMatMul", [sp_a.indices, sp_a.values, b]):
        b = as_tensor(b, name="b")
        return apply(
            SPARSE_PRODUCT, sp_a.indices, sp_a.values, sp_a.dense_shape, b, adjoint_a=adjoint_a, adjoint_b=adjoint_b
        )


def _sparse_sum(xp: Any, a_indices: Any, a_values: Any, a_shape: Any, b_indices: Any, b_values: Any, b_shape: Any,
                thresh: Any) -> list[Any]:  # fmt: skip
    rows, values = np.concatenate([a_indices, b_indices]), np.concatenate([a_values, b_values])
    places, inverse = np.unique(rows, axis=0, return_inverse=True)
    totals = np.zeros(len(places), values.dtype)
    np.add.at(totals, np.ravel(inverse), values)
    kept = np.abs(totals) >= thresh
    return [places[kept], totals[kept], np.asarray(a_shape)]


def _sparse_sum_gradient(op: Any, _: Any, dy: Any, __: Any) -> list[Any]:
    a_indices, b_indices = op.inputs[0], op.inputs[3]
    da, db = apply(SPARSE_ADD_GRAD, dy, a_indices, b_indices, op.outputs[0])
    da.set_shape(op.inputs[1].dims)
    db.set_shape(op.inputs[4].dims)
    return [None, da, None, None, db, None, None]


def _sparse_add_grad(xp: Any, dy: Any, a_indices: Any, b_indices: Any, sum_indices: Any) -> list[Any]:
    at = {tuple(row): i for i, row in enumerate(np.asarray(sum_indices).tolist())}

    def taken(rows: Any) -> Any:
        return np.array([dy[at[tuple(r)]] if tuple(r) in at else 0 for r in np.asarray(rows).tolist()], dy.dtype)

    return [taken(a_indices), taken(b_indices)]


SPARSE_ADD = define(
    "SparseAdd",
    "a_indices: int64, a_values: T, a_shape: int64, b_indices: int64, b_values: T, b_shape: int64, thresh: Treal",
    "sum_indices: int64, sum_values: T, sum_shape: int64", types={"T": kinds.NUMERIC, "Treal": kinds.REAL},
    shape=lambda a_indices, a_values, a_shape, *rest: _parts_of_rank(a_shape),
    kernel=_sparse_sum, gradient=_sparse_sum_gradient,
)  # fmt: skip

SPARSE_ADD_GRAD = define(
    "SparseAddGrad", "backprop_val_grad: T, a_indices: int64, b_indices: int64, sum_indices: int64",
    "a_val_grad: T, b_val_grad: T", types={"T": kinds.NUMERIC},
    shape=lambda dy, a, b, s: [(a.dims[0] if a.dims else None,), (b.dims[0] if b.dims else None,)],
    kernel=_sparse_add_grad, gradient=not_differentiable,
)  # fmt: skip


def _added_to_dense(xp: Any, indices: Any, values: Any, shape: Any, b: Any) -> Any:
    return placing.add_at(xp, b, tuple(np.asarray(indices).T), values)


SPARSE_TENSOR_DENSE_ADD = define(
    "SparseTensorDenseAdd", "a_indices: Tindices, a_values: T, a_shape: Tindices, b: T", "output: T",
    types={"T": kinds.NUMERIC, "Tindices": kinds.INDEX}, shape=lambda indices, values, shape, b: b.dims,
    kernel=_added_to_dense, gradient=lambda op, dy: [None, indexing.gather_nd(dy, op.inputs[0]), None, dy],
)  # fmt: skip


def sparse_add(a: Any, b: Any, threshold: Any = None, thresh: Any = None) -> Any:
    """``a + b``, of which at least one is sparse; sums below ``threshold`` are dropped.

    Raises:
      TypeError: both are dense.
    """
    threshold = deprecated_argument_lookup("threshold", threshold, "thresh", thresh)
    threshold = 0 if threshold is None else threshold
    sparse = (SparseTensor, SparseTensorValue)
    if not isinstance(a, sparse) and not isinstance(b, sparse):
        raise TypeError("At least one input should be SparseTensor; do you mean to use tf.add()?")
    if isinstance(a, sparse) and isinstance(b, sparse):
        a, b = _as_sparse(a), _as_sparse(b)
        limit = as_tensor(threshold, dtype=a.values.dtype.real_dtype.base_dtype, name="threshold")
        indices, values, shape = apply(
            SPARSE_ADD, a.indices, a.values, a.dense_shape, b.indices, b.values, b.dense_shape, limit
        )
        known = [constant_value(x.dense_shape) for x in (a, b)]
        if all(k is not None for k in known):
            shape = np.broadcast_shapes(*(tuple(k.tolist()) for k in known))
        return SparseTensor(indices, values, shape)
    if isinstance(b, sparse):
        a, b = b, a
    a = _as_sparse(a)
    return apply(SPARSE_TENSOR_DENSE_ADD, a.indices, a.values, a.dense_shape, b)


def _sparse_reduced(indices: Tensor, values: Tensor, shape: Tensor, axes: Tensor, *, keep_dims: bool) -> RawShape:
    return None


def _sparse_reduce(how: Any, start: Any) -> Any:
    def kernel(xp: Any, indices: Any, values: Any, shape: Any, axes: Any, *, keep_dims: bool) -> Any:
        dims = tuple(np.asarray(shape).tolist())
        gone = {int(a) % len(dims) for a in np.ravel(axes)} if np.size(axes) else set(range(len(dims)))
        kept = [i for i in range(len(dims)) if i not in gone]
        result = np.full(tuple(dims[i] for i in kept), start(values.dtype), values.dtype)
        how.at(result, tuple(np.asarray(indices)[:, kept].T) if kept else (), values) if kept else None
        if not kept:
            result = np.asarray(how.reduce(values, initial=start(values.dtype)), values.dtype)
        return result.reshape([1 if i in gone else n for i, n in enumerate(dims)]) if keep_dims else result

    return kernel


def _sparse_sum_over_gradient(op: Any, dy: Any) -> list[Any]:
    """Each value takes the gradient of the sum that it went into."""
    indices, _, shape, axes = op.inputs
    kept = reductions.reduced_shape(shape, axes)
    dy = arrays.reshape(dy, kept)
    scale = shape // casts.cast(kept, dtypes.int64)
    return [None, indexing.gather_nd(dy, indices // scale), None, None]


SPARSE_REDUCE_SUM = define(
    "SparseReduceSum", "input_indices: int64, input_values: T, input_shape: int64, reduction_axes: int32", "output: T",
    attrs={"keep_dims": False}, types={"T": kinds.NUMERIC}, shape=_sparse_reduced,
    kernel=_sparse_reduce(np.add, lambda dtype: dtype.type(0)), gradient=_sparse_sum_over_gradient,
)  # fmt: skip


def sparse_reduce_sum(
    sp_input: Any, axis: Any = None, keepdims: Any = None, reduction_axes: Any = None, keep_dims: Any = None
) -> Tensor:  # fmt: skip
    """The sum of a sparse tensor over ``axis`` (default: over every axis), as a dense tensor."""
    keepdims = deprecated_argument_lookup("keepdims", keepdims, "keep_dims", keep_dims)
    axis = deprecated_argument_lookup("axis", axis, "reduction_axes", reduction_axes)
    axes = constants.range_(0, arrays.rank(sp_input)) if axis is None else axis
    output = apply(
        SPARSE_REDUCE_SUM, sp_input.indices, sp_input.values, sp_input.dense_shape, axes, keep_dims=bool(keepdims)
    )
    known = sp_input.shape._raw
    if known is not None and axis is not None and not isinstance(axis, Tensor):
        gone = {int(a) % len(known) for a in np.ravel(axis)}
        output.set_shape([1 if i in gone else n for i, n in enumerate(known) if keepdims or i not in gone])
    return output
