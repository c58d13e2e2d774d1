"""Arithmetic of sparse tensors: products and sums with dense ones and with each other, softmax."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import numpy as np

from retrograd.graph import dtypes, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import define, not_differentiable
from retrograd.graph.deprecation import deprecated_argument_lookup
from retrograd.graph.errors import InvalidArgumentError, invalid
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape
from retrograd.graph.sparse import SparseTensor, SparseTensorValue
from retrograd.graph.static import shape_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    constants,
    indexing,
    joining,
    kinds,
    permuting,
    placing,
    powers,
    reductions,
    segments,
    shape_rules,
    slicing,
)  # fmt: skip
from retrograd.ops.conjugates import conj
from retrograd.ops.requirements import require
from retrograd.ops.sparse import as_sparse, check_parts, different_rows, parts_of_rank, require_inside, whole
from retrograd.ops.sparse_reductions import sparse_reduce_sum

_MANY_TERMS = 1 << 18  # of a product, that are worth importing SciPy for
_SOME_TERMS = 1 << 12  # that are worth calling it for

# -- products ----------------------------------------------------------------------------------


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
    if indices.shape[0] != values.shape[0]:
        raise invalid("Number of rows of a_indices does not match number of entries in a_values")
    if indices.shape[1] != 2:
        raise invalid("Number of columns of a_indices does not match number of entries in a_shape")
    rows, inner = indices[:, 0], indices[:, 1]
    count, depth = (int(n) for n in shape)
    if adjoint_a:
        rows, inner, count, depth, values = inner, rows, depth, count, xp.conj(values)
    b = xp.conj(b).T if adjoint_b else b
    for letter, column, places, size in (("k", 1 - adjoint_a, inner, depth), ("m", int(adjoint_a), rows, count)):
        if xp is not np:
            require((places >= 0) & (places < size))
            continue
        for i in np.flatnonzero((places < 0) | (places >= size))[:1]:
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
    if xp is np:
        return _added_up(rows, inner, values, b, count)
    return placing.add_at(xp, xp.zeros((count, b.shape[1]), b.dtype), rows, values[:, None] * b[inner])


def _added_up(rows: np.ndarray, inner: np.ndarray, values: np.ndarray, b: np.ndarray, count: int) -> np.ndarray:
    """The terms of a product in the order of the entries: by SciPy, which JAX brings along, where they are many."""
    worth = _SOME_TERMS if "scipy.sparse" in sys.modules else _MANY_TERMS
    if values.size * b.shape[1] >= worth and b.dtype.kind in "fc" and b.dtype.itemsize > 2:
        coo_array = importlib.import_module("scipy.sparse").coo_array
        product: np.ndarray = coo_array((values, (rows, inner)), (count, b.shape[0])) @ b
        return product
    return segments.combined(np, "add", values[:, None] * b[inner], rows, count, 0)


def _sparse_product_gradient(op: Any, dy: Any) -> list[Any]:
    """db = a^H dy; the value at (i, k) takes the sum over j of dy[i, j] * conj(b[k, j])."""
    indices, values, shape, b = op.inputs
    adjoint_a, adjoint_b = op.attrs["adjoint_a"], op.attrs["adjoint_b"]
    is_complex = dy.dtype.is_complex
    db = apply(SPARSE_PRODUCT, indices, values, shape, dy, adjoint_a=not adjoint_a)
    if adjoint_b:
        db = permuting.transpose(db, conjugate=is_complex)
    rows, columns = indices[:, 0], indices[:, 1]
    at_rows = indexing.gather(dy, columns if adjoint_a else rows)
    at_columns = indexing.gather(
        permuting.transpose(b, conjugate=is_complex) if adjoint_b else b, rows if adjoint_a else columns
    )
    if is_complex:
        at_rows, at_columns = (conj(at_rows), at_columns) if adjoint_a else (at_rows, conj(at_columns))
    return [None, reductions.reduce_sum(at_rows * at_columns, axis=1), None, db]


SPARSE_PRODUCT = define(
    "SparseTensorDenseMatMul", "a_indices: Tindices, a_values: T, a_shape: int64, b: T", "product: T",
    attrs={"Tindices": dtypes.int64, "adjoint_a": False, "adjoint_b": False}, types={"Tindices": kinds.INDEX},
    static=("a_shape",),
    ranks={
        "a_indices": "2: Tensor 'a_indices' is not a matrix",
        "a_values": "1: Tensor 'a_values' is not a vector",
        "a_shape": ("1: Tensor 'a_shape' is not a vector", "[2]: Tensor 'a_shape' must have 2 elements"),
        "b": "2: Tensor 'b' is not a matrix",
    },
    shape=_product_shape, kernel=_sparse_product, gradient=_sparse_product_gradient,
)  # fmt: skip


def sparse_tensor_dense_matmul(
    sp_a: Any, b: Any, adjoint_a: bool = False, adjoint_b: bool = False, name: str | None = None
) -> Tensor:  # fmt: skip
    """The matrix product of a sparse and a dense matrix."""
    sp_a = as_sparse(sp_a)
    with name_scope(name, "SparseTensorDenseMatMul", [sp_a.indices, sp_a.values, b]):
        b = as_tensor(b, name="b")
        return apply(
            SPARSE_PRODUCT, sp_a.indices, sp_a.values, sp_a.dense_shape, b, adjoint_a=adjoint_a, adjoint_b=adjoint_b
        )


# -- sums and extrema --------------------------------------------------------------------------


def _check_same_shape(a_shape: Any, b_shape: Any, unequal_ranks: str) -> None:
    a_shape, b_shape = (np.asarray(shape).tolist() for shape in (a_shape, b_shape))
    if len(a_shape) != len(b_shape):
        raise InvalidArgumentError(None, None, unequal_ranks)
    for i, (m, n) in enumerate(zip(a_shape, b_shape, strict=True)):
        if m != n:
            raise InvalidArgumentError(None, None, f"Operands' shapes do not match: got {m} and {n} for dimension {i}")


_KINDS = (
    (2, "Input indices should be matrices but received shapes: {} and {}"),
    (1, "Input values should be vectors but received shapes: {} and {}"),
    (1, "Input shapes should be a vector but received shapes {} and {}"),
)


_KINDS_OF_EXTREMA = (
    (2, "Inputs a_indices and b_indices should be matrices but received shapes: {}, {}"),
    (1, "Inputs a_values and b_values should be vectors but received shapes: {} and {}"),
    _KINDS[2],
)


def _check_pairs(a: tuple[Any, ...], b: tuple[Any, ...], kinds_: tuple[tuple[int, str], ...] = _KINDS) -> None:
    """Two sparse tensors are whole, in the words of ops on both."""
    for (rank, words), x, y in zip(kinds_, a, b, strict=True):
        if np.ndim(x) != rank or np.ndim(y) != rank:
            raise invalid(words.format(*(shapes.shape_text(np.shape(v)) for v in (x, y))))
    rows = [len(part[0]) for part in (a, b)]
    values = [len(part[1]) for part in (a, b)]
    if rows != values:
        words = f"Expected {rows[0]} and {rows[1]} non-empty input values, got {values[0]} and {values[1]}"
        raise invalid(words)
    for part in (a, b):
        check_parts(*part)


def _sparse_sum(xp: Any, a_indices: Any, a_values: Any, a_shape: Any, b_indices: Any, b_values: Any, b_shape: Any,
                thresh: Any) -> list[Any]:  # fmt: skip
    """The values of both, those at one place added, unless their sum is below ``thresh``."""
    _check_pairs((a_indices, a_values, a_shape), (b_indices, b_values, b_shape))
    if np.ndim(thresh):
        raise invalid(f"The magnitude threshold must be a scalar: got shape {shapes.shape_text(np.shape(thresh))}")
    unequal = f"Ranks of input tensors must match, but saw ranks: {len(a_shape)} and {len(b_shape)}"
    _check_same_shape(a_shape, b_shape, unequal)
    places, at = different_rows(np.concatenate([a_indices, b_indices]))
    totals = np.zeros(len(places), a_values.dtype)
    np.add.at(totals, at, np.concatenate([a_values, b_values]))
    kept = (np.abs(totals) >= thresh) | (np.bincount(at, minlength=len(places)) < 2)
    return [places[kept], totals[kept], np.asarray(a_shape)]


def _sparse_sum_gradient(op: Any, _: Any, dy: Any, __: Any) -> list[Any]:
    a_indices, b_indices = op.inputs[0], op.inputs[3]
    da, db = apply(SPARSE_ADD_GRAD, dy, a_indices, b_indices, op.outputs[0])
    da.set_shape(op.inputs[1].dims)
    db.set_shape(op.inputs[4].dims)
    return [None, da, None, None, db, None, None]


def _sparse_add_grad(xp: Any, dy: Any, a_indices: Any, b_indices: Any, sum_indices: Any) -> list[Any]:
    if not np.ndim(a_indices) == np.ndim(b_indices) == np.ndim(sum_indices) == 2:
        shown = " and ".join(shapes.shape_text(np.shape(v)) for v in (a_indices, b_indices, sum_indices))
        raise invalid(f"Input indices should be matrices but received shapes: {shown}")
    if len(dy) != len(sum_indices):
        raise invalid(
            "# elements of backprop_val_grad and # rows of sum_indices should match (#nnz of sum): "
            f"got {len(dy)} and {len(sum_indices)}"
        )
    widths = [np.shape(v)[1] for v in (a_indices, b_indices, sum_indices)]
    if len(set(widths)) > 1:
        shown = "".join(map(str, widths))
        raise invalid(f"The densified operands should have the same ndims; for A, B, sum got: {shown}")
    places, at = different_rows(np.concatenate([sum_indices, a_indices, b_indices]))
    of_sum, of_a, of_b = np.split(at, np.cumsum([len(sum_indices), len(a_indices)]))
    slopes = np.zeros(len(places), dy.dtype)
    slopes[of_sum] = dy
    return [slopes[of_a], slopes[of_b]]


SPARSE_ADD = define(
    "SparseAdd",
    "a_indices: int64, a_values: T, a_shape: int64, b_indices: int64, b_values: T, b_shape: int64, thresh: Treal",
    "sum_indices: int64, sum_values: T, sum_shape: int64", types={"T": kinds.NUMERIC, "Treal": kinds.REAL},
    shape=lambda a_indices, a_values, a_shape, *rest: parts_of_rank(a_shape),
    kernel=_sparse_sum, gradient=_sparse_sum_gradient,
)  # fmt: skip

SPARSE_ADD_GRAD = define(
    "SparseAddGrad", "backprop_val_grad: T, a_indices: int64, b_indices: int64, sum_indices: int64",
    "a_val_grad: T, b_val_grad: T", types={"T": kinds.NUMERIC},
    ranks={"backprop_val_grad": "1: Input backprop_val_grad should be a vector but received shape: {}"},
    shape=lambda dy, a, b, s: [(a.dims[0] if a.dims else None,), (b.dims[0] if b.dims else None,)],
    kernel=_sparse_add_grad, gradient=not_differentiable,
)  # fmt: skip


def _added_to_dense(xp: Any, indices: Any, values: Any, shape: Any, b: Any) -> Any:
    """y = b, with each value added at its place."""
    if np.ndim(values) != 1 or np.ndim(shape) != 1:
        shown = " and ".join(shapes.shape_text(np.shape(v)) for v in (values, shape))
        raise invalid(f"Inputs a_values and a_shape should be vectors but received shapes: {shown}")
    check_parts(indices, values, shape)
    rows, dims, sizes = np.asarray(indices), np.shape(b), np.asarray(shape).tolist()
    if len(sizes) != len(dims):
        raise InvalidArgumentError(
            None, None, f"Two operands have different ranks; received: {len(sizes)} and {len(dims)}"
        )
    for i, (n, m) in enumerate(zip(sizes, dims, strict=True)):
        if n != m:
            raise InvalidArgumentError(
                None, None,
                f"Dimension {i} does not equal (no broadcasting is supported): sparse side {n} vs dense side {m}",
            )  # fmt: skip
    for i in np.flatnonzero(((rows < 0) | (rows >= dims)).any(axis=0))[:1]:
        raise InvalidArgumentError(
            None, None,
            f"Sparse tensor has some invalid index on dimension {i}; dense tensor shape: {shapes.shape_text(dims)}",
        )  # fmt: skip
    return placing.add_at(xp, b, tuple(rows.T), values)


SPARSE_TENSOR_DENSE_ADD = define(
    "SparseTensorDenseAdd", "a_indices: Tindices, a_values: T, a_shape: Tindices, b: T", "output: T",
    ranks={"a_indices": "2: Input a_indices should be a matrix but received shape: {}"},
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
        a, b = as_sparse(a), as_sparse(b)
        limit = as_tensor(threshold, dtype=a.values.dtype.real_dtype.base_dtype, name="threshold")
        indices, values, shape = apply(
            SPARSE_ADD, a.indices, a.values, a.dense_shape, b.indices, b.values, b.dense_shape, limit
        )
        a.shape.assert_is_compatible_with(b.shape)
        known = a.shape.merge_with(b.shape)
        return SparseTensor(indices, values, known.as_list() if known.is_fully_defined() else shape)
    if isinstance(b, sparse):
        a, b = b, a
    a = as_sparse(a)
    return apply(SPARSE_TENSOR_DENSE_ADD, a.indices, a.values, a.dense_shape, b)


def _larger(xp: Any, a: Any, b: Any) -> Any:
    return xp.where(a >= b, a, b)


def _smaller(xp: Any, a: Any, b: Any) -> Any:
    return xp.where(a <= b, a, b)


def _extremum(choose: Any) -> Any:
    """The kernel of an extremum of two sparse tensors, each 0 where it has no value."""

    def kernel(xp: Any, a_indices: Any, a_values: Any, a_shape: Any, b_indices: Any, b_values: Any,
               b_shape: Any) -> list[Any]:  # fmt: skip
        _check_pairs((a_indices, a_values, a_shape), (b_indices, b_values, b_shape), _KINDS_OF_EXTREMA)
        texts = [" ".join(map(str, np.asarray(shape))) for shape in (a_shape, b_shape)]
        unequal = f"Operands do not have the same ranks; got shapes: {texts[0]} and {texts[1]}"
        _check_same_shape(a_shape, b_shape, unequal)
        places, at = different_rows(np.concatenate([a_indices, b_indices]))
        zeros = xp.zeros(len(places), a_values.dtype)
        a = placing.set_at(xp, zeros, at[: len(a_indices)], a_values)
        b = placing.set_at(xp, zeros, at[len(a_indices) :], b_values)
        return [places, choose(xp, a, b)]

    return kernel


def _extremum_of(name: str, choose: Any, types: Any) -> Any:
    return define(
        name, "a_indices: int64, a_values: T, a_shape: int64, b_indices: int64, b_values: T, b_shape: int64",
        "output_indices: int64, output_values: T", types={"T": types}, kernel=_extremum(choose),
        static=("a_indices", "a_shape", "b_indices", "b_shape"), shape=lambda *parts: [(None, None), (None,)],
    )  # fmt: skip


SPARSE_SPARSE_MAXIMUM = _extremum_of("SparseSparseMaximum", _larger, kinds.REAL)
SPARSE_SPARSE_MINIMUM = _extremum_of("SparseSparseMinimum", _smaller, kinds.NUMERIC)


def _extremum_tensor(definition: Any, sp_a: Any, sp_b: Any, name: str | None) -> SparseTensor:
    with name_scope(name, definition.name, [sp_a.indices, sp_a.values, sp_b.indices, sp_b.values]) as name:
        indices, values = apply(
            definition, sp_a.indices, sp_a.values, sp_a.dense_shape, sp_b.indices, sp_b.values, sp_b.dense_shape,
            name=name,
        )  # fmt: skip
    return SparseTensor(indices, values, sp_a.dense_shape)


def sparse_maximum(sp_a: Any, sp_b: Any, name: str | None = None) -> SparseTensor:
    """The larger of two sparse tensors of one shape, elementwise, wherever one of them has a value."""
    return _extremum_tensor(SPARSE_SPARSE_MAXIMUM, sp_a, sp_b, name)


def sparse_minimum(sp_a: Any, sp_b: Any, name: str | None = None) -> SparseTensor:
    """The smaller of two sparse tensors of one shape, elementwise, wherever one of them has a value."""
    return _extremum_tensor(SPARSE_SPARSE_MINIMUM, sp_a, sp_b, name)


# -- with a dense tensor that broadcasts -------------------------------------------------------


def _at_places(xp: Any, indices: Any, shape: Any, dense: Any) -> Any:
    """The elements of ``dense``, broadcast to ``shape``, at the coordinates ``indices``."""
    dims, dense = tuple(np.asarray(shape).tolist()), xp.asarray(dense)
    inner = dims[len(dims) - dense.ndim :]
    if dense.ndim > len(dims) or any(n not in (1, m) for m, n in zip(inner, dense.shape, strict=True)):
        raise InvalidArgumentError(
            None, None,
            "SparseDenseBinaryOpShared broadcasts dense to sparse only; got incompatible shapes: "
            f"{shapes.shape_text(dims)} vs. {shapes.shape_text(dense.shape)}",
        )  # fmt: skip
    if not dense.ndim:
        return dense
    if not isinstance(indices, np.ndarray):
        require_inside(indices, dims)
    return xp.broadcast_to(dense, inner)[tuple(indices.T[len(dims) - dense.ndim :])]


def _with_dense(how: Any) -> Any:
    def kernel(xp: Any, indices: Any, values: Any, shape: Any, dense: Any) -> Any:
        return how(xp, xp.asarray(values), _at_places(xp, indices, shape, dense))

    return kernel


def _quotient(xp: Any, x: Any, y: Any) -> Any:
    if x.dtype.kind not in "iu":
        return x / y
    if xp is np and not np.all(y):
        raise InvalidArgumentError(None, None, "Integer division by zero")
    return (xp.sign(x) * xp.sign(y) * (abs(x) // abs(y))).astype(x.dtype)


def _spread_places(op: Any) -> tuple[Tensor, Tensor, Tensor]:
    """Of the dense input: its shape, the place of each sparse value in it, and its elements there."""
    indices, _, shape, dense = op.inputs
    dense_shape = casts.cast(arrays.shape(dense), dtypes.int64)
    added = arrays.expand_dims(arrays.size(shape) - arrays.size(dense_shape), 0)
    aligned = joining.concat([constants.ones(added, dtypes.int64), dense_shape], 0)
    places = indices // (shape // aligned)
    places = slicing.slice_(places, joining.concat([[0], added], 0), [-1, -1])
    return dense_shape, places, indexing.gather_nd(dense, places)


def _gathered_back(dense: Tensor, dense_shape: Tensor, places: Tensor, values: Tensor) -> Tensor:
    return sparse_add(SparseTensor(places, values, dense_shape), constants.zeros_like(dense))


def _dense_gradient(of_factors: Any) -> Any:
    """The gradient rule of an op that combines each value x with its dense element y by dx, dy = ``of_factors``."""

    def gradient(op: Any, dz: Any) -> list[Any]:
        x, dense = op.inputs[1], op.inputs[3]
        if dense.rank == 0:
            dx, dy = of_factors(dz, x, dense)
            return [None, dx, None, reductions.reduce_sum(dy)]
        dense_shape, places, y = _spread_places(op)
        dx, dy = of_factors(dz, x, y)
        return [None, dx, None, _gathered_back(dense, dense_shape, places, dy)]

    return gradient


def _of_product(dz: Any, x: Any, y: Any) -> tuple[Any, Any]:
    return dz * y, dz * x


def _of_quotient(dz: Any, x: Any, y: Any) -> tuple[Any, Any]:
    return dz / y, dz * (-x / powers.square(y))


def _cwise(name: str, how: Any, gradient: Any) -> Any:
    return define(
        name, "sp_indices: int64, sp_values: T, sp_shape: int64, dense: T", "output: T", types={"T": kinds.NUMERIC},
        shape=lambda indices, values, shape, dense: (indices.dims[0] if indices.dims else None,),
        kernel=whole(_with_dense(how)), gradient=gradient, static=("sp_shape",),
        ranks={
            "sp_indices": "2: Input sp_indices should be a matrix but received shape: {}",
            "sp_values": "1: sp_values must be a vector, but got shape {}",
            "sp_shape": "1: sp_shape must be a vector, but got shape {}",
        },
    )  # fmt: skip


SPARSE_DENSE_CWISE_MUL = _cwise("SparseDenseCwiseMul", lambda xp, x, y: x * y, _dense_gradient(_of_product))
SPARSE_DENSE_CWISE_DIV = _cwise("SparseDenseCwiseDiv", _quotient, _dense_gradient(_of_quotient))
SPARSE_DENSE_CWISE_ADD = _cwise(
    "SparseDenseCwiseAdd", lambda xp, x, y: x + y, _dense_gradient(lambda dz, x, y: (dz, dz))
)


def _true_quotient(indices: Tensor, values: Tensor, shape: Tensor, y: Tensor, name: str | None = None) -> Tensor:
    """x / y in floating numbers, as ``truediv`` converts them."""
    with name_scope(name, "truediv", [indices, values, shape, y]) as name:
        if values.dtype.base_dtype != y.dtype.base_dtype:
            raise TypeError(f"x and y must have the same dtype, got {values.dtype!r} != {y.dtype!r}")
        target = arithmetic.TRUE_QUOTIENT.get(values.dtype.base_dtype)
        if target is not None:
            values, y = casts.cast(values, target), casts.cast(y, target)
        return apply(SPARSE_DENSE_CWISE_DIV, indices, values, shape, y, name=name)


def _multiplied(indices: Any, values: Any, shape: Any, y: Any, name: str | None = None) -> Tensor:
    return apply(SPARSE_DENSE_CWISE_MUL, indices, values, shape, y, name=name)


def _divided(indices: Any, values: Any, shape: Any, y: Any, name: str | None = None) -> Tensor:
    return apply(SPARSE_DENSE_CWISE_DIV, indices, values, shape, y, name=name)


def _operator(name: str, build: Any) -> Any:
    def operator(sp_x: SparseTensor, y: Any) -> SparseTensor:
        with name_scope(None, name, [sp_x, y]) as scope:
            y = as_tensor(y, dtype=sp_x.dtype.base_dtype, name="y")
            values = build(sp_x.indices, sp_x.values, sp_x.dense_shape, y, name=scope)
            return SparseTensor(sp_x.indices, values, sp_x.dense_shape)

    return operator


for _name, _build in (("mul", _multiplied), ("div", _divided), ("truediv", _true_quotient)):
    setattr(SparseTensor, f"__{_name}__", _operator(_name, _build))


def dense_times_sparse(y: Tensor, sp_x: SparseTensor, name: str | None = None) -> SparseTensor:
    """``y * sp_x``, the sparse tensor on the right."""
    values = _multiplied(sp_x.indices, sp_x.values, sp_x.dense_shape, y, name=name)
    return SparseTensor(sp_x.indices, values, sp_x.dense_shape)


def sparse_dense_cwise_add(sp_t: SparseTensor, dense_t: Any) -> SparseTensor:
    """``sp_t + dense_t`` where ``sp_t`` has values; the dense tensor broadcasts."""
    values = apply(SPARSE_DENSE_CWISE_ADD, sp_t.indices, sp_t.values, sp_t.dense_shape, dense_t)
    return SparseTensor(sp_t.indices, values, sp_t.dense_shape)


# -- softmax -----------------------------------------------------------------------------------


def _sparse_softmax(xp: Any, indices: Any, values: Any, shape: Any) -> Any:
    """y = exp(x - max) / sum(exp(x - max)) over the values that differ in the last index alone."""
    rows, values = np.asarray(indices), xp.asarray(values)
    if not values.ndim == np.ndim(shape) == 1:
        shown = " and ".join(shapes.shape_text(np.shape(v)) for v in (values, shape))
        words = f"Inputs sp_values and sp_shape should be vectors but received shapes: {shown}"
        raise InvalidArgumentError(None, None, words)
    if len(shape) < 2:
        text = shapes.shape_text(tuple(np.asarray(shape).tolist()))[1:-1]
        raise InvalidArgumentError(None, None, f"Input should have rank >= 2, but received shape: {text}")
    groups, at = different_rows(rows[:, :-1])
    largest = segments.combined(xp, "max", values, at, len(groups), -np.inf)
    raised = xp.exp(values - largest[at])
    return raised / segments.combined(xp, "add", raised, at, len(groups), 0)[at]


def _sparse_softmax_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = (dy - sum(y dy)) y."""
    indices, _, shape = op.inputs
    y = op.outputs[0]
    total = -sparse_reduce_sum(SparseTensor(indices, y * dy, shape), [-1], keepdims=True)
    return [None, sparse_dense_cwise_add(SparseTensor(indices, dy, shape), total).values * y, None]


SPARSE_SOFTMAX = define(
    "SparseSoftmax", "sp_indices: int64, sp_values: T, sp_shape: int64", "output: T", types={"T": kinds.PRECISE},
    ranks={"sp_indices": "2: Input sp_indices should be a matrix but received shape: {}"},
    shape=lambda indices, values, shape: values.dims, kernel=whole(_sparse_softmax), gradient=_sparse_softmax_gradient,
)  # fmt: skip


def sparse_softmax(sp_input: Any, name: str | None = None) -> SparseTensor:
    """The softmax of the values of each row (along the last dimension); what is absent counts as -inf."""
    with name_scope(name, "SparseSoftmax", [sp_input.indices, sp_input.values]):
        values = apply(SPARSE_SOFTMAX, sp_input.indices, sp_input.values, sp_input.dense_shape)
        return SparseTensor(sp_input.indices, values, sp_input.dense_shape)
