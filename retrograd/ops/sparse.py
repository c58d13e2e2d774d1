"""``SparseTensor`` ops: to and from dense tensors, order and shape."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from numbers import Integral
from typing import Any

import numpy as np

from retrograd.graph import dtypes, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import define
from retrograd.graph.errors import InvalidArgumentError, invalid
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape, TensorShape
from retrograd.graph.sparse import IndexedSlices, SparseTensor, SparseTensorValue
from retrograd.graph.static import constant_value, constant_value_as_shape, shape_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    checks,
    comparison,
    constants,
    control,
    indexing,
    joining,
    kinds,
    permuting,
    placing,
    reductions,
    shape_rules,
    slicing,
    uniqueness,
)  # fmt: skip
from retrograd.ops.requirements import require

_MOST = 2**62  # of numbers that stand for coordinates


def as_sparse(value: Any) -> SparseTensor:
    """A ``SparseTensor``, from one or from its value.

    Raises:
      TypeError: it is neither.
    """
    if isinstance(value, SparseTensorValue):
        return SparseTensor.from_value(value)
    if not isinstance(value, SparseTensor):
        raise TypeError("Input must be a SparseTensor.")
    return value


def parts_of_rank(dense_shape: Tensor) -> list[RawShape]:
    """The shapes of the three parts of a sparse tensor of unknown length."""
    rank = shape_rules.with_rank(dense_shape, 1)[0]
    return [(None, rank), (None,), (rank,)]


def sparse_placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> SparseTensor:
    """A sparse tensor whose parts each run must give through ``feed_dict``; a ``shape`` that is known need not be."""

    def part(suffix: str) -> str | None:
        return None if name is None else f"{name}/{suffix}"

    if isinstance(shape, Tensor):
        rank = shape.dims[0] if shape.dims else None
        dense_shape = as_tensor(shape, dtypes.int64, name=part("shape"))
    else:
        dims = TensorShape(shape)._raw
        rank = None if dims is None else len(dims)
        if dims is None or None in dims:
            dense_shape = constants.placeholder(dtypes.int64, shape=[rank], name=part("shape"))
        else:
            dense_shape = as_tensor(np.array(dims, np.int64), dtypes.int64, name=part("shape"))
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
    if _are_inside(rows, sizes) and _follow(np, rows, strictly=True).all():
        return
    for i, row in enumerate(rows):
        text = f"indices[{i}] = [{','.join(map(str, row))}]"
        if (row < 0).any() or (row >= sizes).any():
            bounds = f"need 0 <= index < [{','.join(map(str, sizes))}]"
            raise InvalidArgumentError(None, None, f"{text} is out of bounds: {bounds}")
        if i and tuple(row) == tuple(rows[i - 1]):
            raise InvalidArgumentError(None, None, f"{text} is repeated")
        if i and tuple(row) < tuple(rows[i - 1]):
            raise InvalidArgumentError(None, None, f"{text} is out of order. Many sparse ops require sorted indices.")


def _are_inside(rows: Any, sizes: tuple[int, ...]) -> bool:
    return not ((rows < 0).any() or (rows >= sizes).any())


def _rows(indices: Any) -> Any:
    """Coordinates as a matrix: a vector names elements of a vector, a scalar one element."""
    return indices if indices.ndim == 2 else indices.reshape(-1, 1)


def require_inside(rows: Any, dims: tuple[int, ...]) -> None:
    """Coordinates that XLA gets to know in a run must lie in an array of the shape ``dims``."""
    require((rows >= 0) & (rows < np.array(dims, rows.dtype)))


def _follow(xp: Any, rows: Any, strictly: bool) -> Any:
    """For each row but the first, whether it is not before, or ``strictly`` behind, the last one in row-major order."""
    before, behind = rows[:-1], rows[1:]
    follows = xp.full(before.shape[0], not strictly)
    for column in reversed(range(rows.shape[1])):
        a, b = before[:, column], behind[:, column]
        follows = (a < b) | (a == b) & follows
    return follows


def _sparse_to_dense(xp: Any, indices: Any, shape: Any, values: Any, default: Any, *, validate_indices: bool) -> Any:
    shape_rules.check_rank(shape, 1, "output_shape should be a vector, got shape {}")
    dims, rows = tuple(np.asarray(shape).tolist()), _rows(indices)
    if rows.shape[1] != len(dims):
        words = f"output_shape has incorrect number of elements: {len(dims)} should be: {rows.shape[1]}"
        raise InvalidArgumentError(None, None, words)
    if np.shape(values) not in ((), (len(rows),)):
        raise InvalidArgumentError(
            None, None,
            f"sparse_values has incorrect shape {shapes.shape_text(np.shape(values))}, should be [] or [{len(rows)}]",
        )  # fmt: skip
    if np.ndim(default):
        raise InvalidArgumentError(None, None, "default_value should be a scalar.")
    if xp is not np and not isinstance(rows, np.ndarray):
        require_inside(rows, dims)
        if validate_indices:
            require(_follow(xp, rows, strictly=True))
    elif validate_indices:
        check_coordinates(rows, dims)
    elif not _are_inside(rows, dims):
        raise InvalidArgumentError(
            None, None, f"Indices are not valid (out of bounds).  Shape: {shapes.shape_text(dims)}"
        )
    if isinstance(default, bytes):
        dense = np.full(dims, default, object)
    else:
        dense = xp.full(dims, default)
    return placing.set_at(xp, dense, tuple(rows.T), xp.reshape(values, (-1,)) if np.ndim(values) else values)


def _sparse_to_dense_gradient(op: Any, dy: Any) -> list[Any]:
    """The values take dy at their places; the default value takes the rest."""
    indices, shape = op.inputs[:2]
    d_values = indexing.gather_nd(dy, indices)
    d_default = reductions.reduce_sum(dy) - reductions.reduce_sum(d_values)
    return [constants.zeros_like(indices), constants.zeros_like(shape), d_values, d_default]


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
    sp_input = as_sparse(sp_input)
    if default_value is None:
        default_value = constants.zeros([], dtype=sp_input.dtype)
    return sparse_to_dense(
        sp_input.indices, sp_input.dense_shape, sp_input.values, default_value, validate_indices, name
    )


# -- order and shape ---------------------------------------------------------------------------


def order_of(indices: Any) -> Any:
    """The permutation that puts coordinates in row-major order."""
    return _order(_numbers(np.asarray(indices)))


def different_rows(indices: Any) -> tuple[Any, Any]:
    """The different coordinates in row-major order, and for each of ``indices`` which of them it is."""
    indices = np.asarray(indices)
    numbers = _numbers(indices)
    order = _order(numbers)
    is_new = np.append(True, np.diff(numbers[order]) != 0)[: len(order)]
    at = np.empty(len(order), np.intp)
    at[order] = np.cumsum(is_new) - 1
    return indices[order[is_new]], at


def _order(numbers: Any) -> Any:
    is_sorted = (numbers[:-1] <= numbers[1:]).all()
    return np.arange(len(numbers)) if is_sorted else np.argsort(numbers, kind="stable")


def _numbers(indices: Any) -> Any:
    """A number for each row of coordinates, in their row-major order: one key is sorted sooner than several."""
    numbers, count = np.zeros(len(indices), np.int64), 1
    for column in indices.T.astype(np.int64) if len(indices) else ():
        low, high = int(column.min()), int(column.max())
        places, span = column, high - low + 1
        if span > _MOST // len(indices):
            places, low, span = np.unique(column, return_inverse=True)[1], 0, len(indices)
        if count > _MOST // span:
            numbers, count = np.unique(numbers, return_inverse=True)[1], len(indices)
        numbers, count = numbers * span + (places - low), count * span
    return numbers


def _sparse_reorder(xp: Any, indices: Any, values: Any, shape: Any) -> list[Any]:
    order = order_of(indices)
    return [indices[order], values[order]]


def _reorder_gradient(op: Any, _: Any, dy: Any) -> list[Any]:
    """Each value takes the gradient of the place that it was moved to."""
    indices, shape = op.inputs[0], op.inputs[2]
    entries = arrays.shape(indices)[0]
    labels = SparseTensor(indices, constants.range_(entries), shape)
    inverse = permuting.invert_permutation(sparse_reorder(labels).values)
    return [None, indexing.gather(dy, inverse), None]


def check_parts(indices: Any, values: Any, shape: Any) -> None:
    """In a run: there is a row of indices for each value, and a column for each dimension.

    Raises:
      InvalidArgumentError: there is not.
    """
    if np.shape(indices)[0] != np.shape(values)[0]:
        counts = f"(indices = {np.shape(indices)[0]}, values = {np.shape(values)[0]})"
        raise invalid(f"indices and values rows (indexing dimension) must match. {counts}")
    if np.ndim(indices) != 2 or np.shape(indices)[1] != np.size(shape):
        raise invalid("Order length must be SparseTensor rank.")


def whole(kernel: Callable[..., Any], first: int = 0) -> Callable[..., Any]:
    """``kernel``, of whose inputs three from ``first`` on are the parts of a sparse tensor."""

    @wraps(kernel)
    def checked(xp: Any, *inputs: Any, **attrs: Any) -> Any:
        check_parts(*inputs[first : first + 3])
        return kernel(xp, *inputs, **attrs)

    return checked


SPARSE_REORDER = define(
    "SparseReorder", "input_indices: int64, input_values: T, input_shape: int64",
    "output_indices: int64, output_values: T",
    ranks={
        "input_indices": "2: Input indices should be a matrix but received shape {}",
        "input_values": "1: Input values should be a vector but received shape {}",
        "input_shape": "1: Input shape should be a vector but received shape {}",
    },
    shape=lambda indices, values, shape: [indices.dims, values.dims],
    kernel=whole(_sparse_reorder), gradient=_reorder_gradient,
)  # fmt: skip


def sparse_reorder(sp_input: Any, name: str | None = None) -> SparseTensor:
    """``sp_input`` with its values in row-major order of their coordinates."""
    sp_input = as_sparse(sp_input)
    indices, values = apply(SPARSE_REORDER, sp_input.indices, sp_input.values, sp_input.dense_shape, name=name)
    known = shapes.is_known(sp_input.shape._raw)
    return SparseTensor(indices, values, sp_input.shape.as_list() if known else arrays.identity(sp_input.dense_shape))


def _flat_places(indices: Any, dims: Any) -> Any:
    return np.ravel_multi_index(tuple(np.asarray(indices).T), tuple(dims)) if len(indices) else np.zeros(0, np.int64)


def _sparse_reshape(xp: Any, indices: Any, shape: Any, new_shape: Any) -> list[Any]:
    dims, wanted = np.asarray(shape).tolist(), np.asarray(new_shape).tolist()
    count = int(np.prod(dims, dtype=np.int64))
    places = [i for i, n in enumerate(wanted) if n == -1]
    if len(places) > 1:
        raise InvalidArgumentError(
            None, None, f"only one output dimension may be -1, not both {places[0]} and {places[1]}"
        )
    if places:
        known = int(np.prod([n for n in wanted if n != -1], dtype=np.int64))
        if not known or count % known:
            raise InvalidArgumentError(
                None, None,
                f"Input to reshape is a SparseTensor with {count} dense values, but the requested shape requires a "
                f"multiple of {known}. input_shape={shapes.shape_text(tuple(dims))} "
                f"output_shape={shapes.shape_text(tuple(1 if n == -1 else n for n in wanted))}",
            )  # fmt: skip
        wanted[places[0]] = count // known
    if int(np.prod(wanted, dtype=np.int64)) != count:
        raise InvalidArgumentError(
            None, None,
            f"Input to reshape is a tensor with {count} dense values, but the requested shape has "
            f"{int(np.prod(wanted, dtype=np.int64))}. input_shape={shapes.shape_text(tuple(dims))} "
            f"output_shape={shapes.shape_text(tuple(wanted))}",
        )  # fmt: skip
    if wanted == dims:
        return [indices, np.array(wanted, np.int64)]
    moved = np.unravel_index(_flat_places(indices, dims), tuple(wanted))
    return [np.stack(moved, axis=1).astype(np.int64), np.array(wanted, np.int64)]


def _reshaped(indices: Tensor, shape: Tensor, new_shape: Tensor) -> list[RawShape]:
    rank = shape_rules.with_rank(new_shape, 1)[0]
    count = shape_rules.with_rank(indices, 2)[0]
    return [(count, rank), (rank,)]


SPARSE_RESHAPE = define(
    "SparseReshape", "input_indices: int64, input_shape: int64, new_shape: int64",
    "output_indices: int64, output_shape: int64",
    ranks={
        "input_indices": "2: Input indices should be a matrix but received shape {}",
        "input_shape": "1: Input shape should be a vector but received shape {}",
        "new_shape": "1: Target shape should be a vector but received shape {}",
    },
    shape=_reshaped, kernel=_sparse_reshape,
)  # fmt: skip


def _completed(shape: Tensor, count: int) -> list[int] | None:
    """The shape of ``count`` elements that ``shape`` asks for, one size worked out; None if more is unknown.

    Raises:
      ValueError: there is no such shape.
    """
    given = constant_value(shape)
    if given is not None and (given == -1).sum() > 1:
        raise ValueError(f"At most one dimension can be inferred (-1). Found: {given}")
    wanted = constant_value_as_shape(shape)
    if wanted.ndims is None or wanted.as_list().count(None) > 1:
        return None
    sizes = wanted.as_list()
    known = int(np.prod([n for n in sizes if n is not None]))
    full = [count // max(known, 1) if n is None else n for n in sizes]
    size = int(np.prod(full))
    if size != count:
        raise ValueError(f"Cannot reshape a tensor with {count} elements to shape {sizes} ({size} elements).")
    return full


def sparse_reshape(sp_input: Any, shape: Any, name: str | None = None) -> SparseTensor:
    """``sp_input`` in another dense ``shape``; one -1 is worked out."""
    sp_input = as_sparse(sp_input)
    shape = casts.cast(shape, dtypes.int64)
    with name_scope(name, "SparseReshape", [sp_input]) as name:
        indices, new_shape = apply(SPARSE_RESHAPE, sp_input.indices, sp_input.dense_shape, shape, name=name)
        count = shapes.element_count(sp_input.shape._raw)
        full = None if count is None else _completed(shape, count)
        if full is not None:
            new_shape = constants.constant(full, dtypes.int64)
        return SparseTensor(indices, arrays.identity(sp_input.values), new_shape)


def sparse_transpose(sp_input: Any, perm: Any = None, name: str | None = None) -> SparseTensor:
    """``sp_input`` with its dimensions in the order ``perm`` (default: reversed)."""
    with name_scope(name, "SparseTranspose", [sp_input]):
        if perm is None:
            rank = arrays.rank(sp_input)
            perm = (rank - 1) - constants.range_(0, rank, 1)
        indices = sp_input.indices
        moved = permuting.transpose(indexing.gather(permuting.transpose(indices), perm))
        order = constant_value(as_tensor(perm))
        if order is not None and shapes.is_known(sp_input.shape._raw):
            sizes = sp_input.shape.as_list()
            dense_shape: Any = [sizes[p] for p in order] + sizes[len(order) :]
        else:
            dense_shape = indexing.gather(sp_input.dense_shape, perm)
        return sparse_reorder(SparseTensor(moved, sp_input.values, dense_shape))


def sparse_retain(sp_input: Any, to_retain: Any) -> SparseTensor:
    """The values of ``sp_input`` where the vector ``to_retain`` is True."""
    sp_input = as_sparse(sp_input)
    to_retain = as_tensor(to_retain)
    if to_retain.rank is not None:
        sp_input.values.shape.with_rank(1).dims[0].merge_with(to_retain.shape.dims[0])
    kept = arrays.reshape(comparison.where(to_retain), [-1])
    indices = indexing.gather(sp_input.indices, kept)
    values = indexing.gather(sp_input.values, kept)
    return SparseTensor(indices, values, arrays.identity(sp_input.dense_shape))


def sparse_reset_shape(sp_input: Any, new_shape: Any = None) -> SparseTensor:
    """The same values in the dense shape ``new_shape``, or in the smallest that holds them.

    Raises:
      ValueError: ``new_shape`` is too small or of another rank.
    """
    sp_input = as_sparse(sp_input)
    indices, values = arrays.identity(sp_input.indices), arrays.identity(sp_input.values)
    shape = arrays.identity(sp_input.dense_shape)
    if new_shape is None:
        largest = reductions.reduce_max(indices, axis=0)
        zero = constants.constant(0, dtypes.int64)
        smallest = arithmetic.add(largest, constants.ones_like(shape))
        return SparseTensor(indices, values, arithmetic.maximum(zero, smallest))
    wanted = as_tensor(new_shape)
    shape_rules.with_rank(wanted, 1)
    wanted = casts.cast(wanted, dtypes.int64)
    wanted.shape.with_rank(1)[0].merge_with(shape.shape.with_rank(1)[0])
    known, wanted_known = constant_value(sp_input.dense_shape), constant_value(wanted)
    if known is not None and wanted_known is not None:
        if (wanted_known < known).any():
            raise ValueError(
                "Requested new_shape should have dimension sizes >= sp_input.shape.  Found new_shape "
                f"({known}), sp_input.shape ({wanted_known})."
            )
        return SparseTensor(indices, values, wanted_known)
    same_rank = checks.assert_equal(arrays.shape(shape), arrays.shape(wanted))
    wanted = control.with_dependencies([same_rank], wanted)
    wanted = control.with_dependencies([checks.assert_less_equal(shape, wanted)], wanted)
    return SparseTensor(indices, values, wanted)


def sparse_expand_dims(sp_input: Any, axis: Any = None, name: str | None = None) -> SparseTensor:
    """``sp_input`` with a new dimension of size 1 at ``axis`` (default: last)."""
    with name_scope(name, "expand_dims", [sp_input]):
        rank = sp_input.dense_shape.dims[0]
        axis = as_tensor(-1 if axis is None else axis, name="axis")
        axis = comparison.where_v2(axis >= 0, axis, axis + rank + 1)
        entries = arrays.shape(sp_input.indices)[0]
        column = constants.zeros([entries, 1], dtype=dtypes.int64)
        before = slicing.slice_(sp_input.indices, [0, 0], [-1, axis])
        after = slicing.slice_(sp_input.indices, [0, axis], [-1, -1])
        indices = joining.concat([before, column, after], axis=1)
        sizes_before = slicing.slice_(sp_input.dense_shape, [0], [axis])
        sizes_after = slicing.slice_(sp_input.dense_shape, [axis], [-1])
        size = as_tensor([1], name="new_shape", dtype=dtypes.int64)
        return SparseTensor(indices, sp_input.values, joining.concat([sizes_before, size, sizes_after], axis=0))


# -- new ones ----------------------------------------------------------------------------------


def from_dense(tensor: Any, name: str | None = None) -> SparseTensor:
    """The elements of a dense tensor that are not zero."""
    with name_scope(name, "dense_to_sparse"):
        tensor = as_tensor(tensor)
        indices = comparison.where(comparison.not_equal(tensor, constants.constant(0, tensor.dtype)))
        return SparseTensor(indices, indexing.gather_nd(tensor, indices), arrays.shape(tensor, out_type=dtypes.int64))


def _as_int64(value: Any, name: str) -> Tensor:
    if isinstance(value, Integral):
        return as_tensor(value, dtypes.int64, name=name)
    if not isinstance(value, Tensor):
        raise TypeError(f"{name} must be an integer value")
    return casts.cast(value, dtypes.int64)


def sparse_eye(
    num_rows: Any, num_columns: Any = None, dtype: Any = dtypes.float32, name: str | None = None
) -> SparseTensor:  # fmt: skip
    """Ones on the diagonal of a matrix, square by default.

    Raises:
      TypeError: a size is neither an integer nor a tensor.
    """
    with name_scope(name, "eye", [num_rows, num_columns]):
        rows = _as_int64(num_rows, "num_rows")
        columns = rows if num_columns is None else _as_int64(num_columns, "num_columns")
        count = arithmetic.minimum(rows, columns)
        places = constants.range_(count, dtype=dtypes.int64)
        return SparseTensor(joining.stack([places, places], axis=1), constants.ones(count, dtype), [rows, columns])


def sparse_mask(a: Any, mask_indices: Any, name: str | None = None) -> IndexedSlices:
    """The slices of ``a`` whose index is not among ``mask_indices``."""
    with name_scope(name, "sparse_mask", [a, mask_indices]) as name:
        indices, kept = uniqueness.setdiff1d(a.indices, mask_indices)
        return IndexedSlices(indexing.gather(a.values, kept, name=name), indices, a.dense_shape)
