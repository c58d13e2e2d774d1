"""Products of matrices."""

from __future__ import annotations

import functools
import math
import operator
from typing import Any

import numpy as np

from retrograd.graph import errors, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import define
from retrograd.graph.dispatch import dispatched
from retrograd.graph.dtypes import bfloat16, complex64, complex128, float16, float32, float64, int32, int64
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape, shape_text
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, arrays, blas, casts, complex_numbers, kinds, permuting, reductions, shape_rules
from retrograd.ops.any_size import is_any_size
from retrograd.ops.apart import unsimplified

# -- one product -------------------------------------------------------------------------------


def product(a: Tensor, b: Tensor, *, transpose_a: bool, transpose_b: bool) -> RawShape:
    m, k = shape_rules.with_rank(a, 2)[:: -1 if transpose_a else 1]
    depth, n = shape_rules.with_rank(b, 2)[:: -1 if transpose_b else 1]
    shapes.merge_dim(k, depth)
    return (m, n)


def _matmul(xp: Any, a: Any, b: Any, *, transpose_a: bool, transpose_b: bool) -> Any:
    if xp is np:
        return blas.matmul(a.T if transpose_a else a, b.T if transpose_b else b)
    if transpose_a and b.shape[0 if transpose_b else 1] <= _NARROW < a.shape[1]:
        return _narrow(xp, a, b if transpose_b else b.T)
    return xp.matmul(a.T if transpose_a else a, b.T if transpose_b else b)


def _narrow(xp: Any, a: Any, b: Any) -> Any:
    """``a^T b^T`` of few columns, such as the gradient of the weights of a last layer.

    The library that XLA calls for it first puts a in another order, number by number: ``(b a)^T`` takes a third to a
    twentieth of the time, if XLA does not turn it over again.
    """
    return unsimplified(xp.matmul(b, a)).T


def _matmul_gradient(op: Any, dy: Any) -> list[Any]:
    """da = dy b^T, db = a^T dy, with the transposes moved where a or b is taken transposed."""
    a, b = (complex_numbers.conj(x) for x in op.inputs)
    ta, tb = op.attrs["transpose_a"], op.attrs["transpose_b"]
    if not ta and not tb:
        return [_product_op(dy, b, False, True), _product_op(a, dy, True, False)]
    if not ta:
        return [_product_op(dy, b, False, False), _product_op(dy, a, True, False)]
    if not tb:
        return [_product_op(b, dy, False, True), _product_op(a, dy, False, False)]
    return [_product_op(b, dy, True, True), _product_op(dy, a, True, True)]


_NARROW = 16  # columns
_TYPES = (bfloat16, float16, float32, float64, int32, int64, complex64, complex128)
MATMUL = define(
    "MatMul", "a: T, b: T", "product: T", attrs={"transpose_a": False, "transpose_b": False}, types={"T": _TYPES},
    ranks={
        "a": "2: In[0] is not a matrix. Instead it has shape {}",
        "b": "2: In[1] is not a matrix. Instead it has shape {}",
    },
    shape=product, kernel=_matmul, gradient=_matmul_gradient,
    failure=lambda a, b: f"Matrix size-incompatible: In[0]: {a}, In[1]: {b}",
    remedy="tf.matmul(a, b, transpose_b=True), where b holds as rows what the product needs as columns",
)  # fmt: skip


def _product_op(a: Any, b: Any, transpose_a: bool, transpose_b: bool, name: str | None = None) -> Tensor:
    return apply(MATMUL, a, b, transpose_a=transpose_a, transpose_b=transpose_b, name=name)


# -- a batch of products -----------------------------------------------------------------------


def _batch_product(x: Tensor, y: Tensor, *, adj_x: bool, adj_y: bool) -> RawShape:
    a, b = shape_rules.with_rank_at_least(x, 2), shape_rules.with_rank_at_least(y, 2)
    m, k = (None, None) if a is None else a[-2:][:: -1 if adj_x else 1]
    depth, n = (None, None) if b is None else b[-2:][:: -1 if adj_y else 1]
    shapes.merge_dim(k, depth)
    batch = shapes.broadcast(None if a is None else a[:-2], None if b is None else b[:-2])
    return None if batch is None else (*batch, m, n)


def _adjoint(xp: Any, x: Any) -> Any:
    x = xp.swapaxes(x, -1, -2)
    return xp.conj(x) if x.dtype.kind == "c" else x


def _batch_matmul(xp: Any, x: Any, y: Any, *, adj_x: bool, adj_y: bool) -> Any:
    for i, value in enumerate((x, y)):
        if np.ndim(value) < 2:
            raise errors.InvalidArgumentError(None, None, f"In[{i}] ndims must be >= 2: {np.ndim(value)}")
    a, b = _adjoint(xp, x) if adj_x else x, _adjoint(xp, y) if adj_y else y
    if a.shape[-1] != b.shape[-2]:
        raise errors.InvalidArgumentError(
            None, None,
            f"In[0] mismatch In[1] shape: {a.shape[-1]} vs. {b.shape[-2]}: {shape_text(x.shape)} {shape_text(y.shape)} "
            f"{int(adj_x)} {int(adj_y)}",
        )  # fmt: skip
    if xp is np:
        return blas.matmul(a, b)
    return _of_columns(a, b) if _are_tiny(a, b) else xp.matmul(a, b)


def _are_tiny(a: Any, b: Any) -> bool:
    """Whether XLA, which would call a library for each product of matrices, is to multiply numbers instead."""
    (m, k), n = a.shape[-2:], b.shape[-1]
    count = math.prod(np.broadcast_shapes(a.shape[:-2], b.shape[:-2]))
    is_plain = a.dtype == b.dtype and a.dtype in (np.float32, np.float64)
    return is_plain and count >= 16 and 0 < k <= 16 and m * k * n <= 4096 and not is_any_size()


def _of_columns(a: Any, b: Any) -> Any:
    """The sum of the products of a column and a row each."""
    products = [a[..., :, i : i + 1] * b[..., i : i + 1, :] for i in range(a.shape[-1])]
    return functools.reduce(operator.add, products)


def _matmul_of_batches(xp: Any, x: Any, y: Any, *, adj_x: bool, adj_y: bool) -> Any:
    """The product of as many matrices as there are on the other side: this op repeats none."""
    if np.ndim(x) != np.ndim(y):
        words = f"In[0] and In[1] has different ndims: {shape_text(x.shape)} vs. {shape_text(y.shape)}"
        raise errors.InvalidArgumentError(None, None, words)
    for i, (m, n) in enumerate(zip(x.shape[:-2], y.shape[:-2], strict=True)):
        if m != n:
            words = (
                f"In[0].dim({i}) and In[1].dim({i}) must be the same: {shape_text(x.shape)} vs {shape_text(y.shape)}"
            )
            raise errors.InvalidArgumentError(None, None, words)
    return _batch_matmul(xp, x, y, adj_x=adj_x, adj_y=adj_y)


def _batch_gradient_of_products(op: Any, dz: Any) -> list[Any]:
    """The rule of ``MatMul`` with adjoints for transposes."""
    x, y = op.inputs
    if not op.attrs["adj_x"]:
        if not op.attrs["adj_y"]:
            return [matmul(dz, y, adjoint_b=True), matmul(x, dz, adjoint_a=True)]
        return [matmul(dz, y), matmul(dz, x, adjoint_a=True)]
    if not op.attrs["adj_y"]:
        return [matmul(y, dz, adjoint_b=True), matmul(x, dz)]
    return [matmul(y, dz, adjoint_a=True, adjoint_b=True), matmul(dz, x, adjoint_a=True, adjoint_b=True)]


def _batch_matmul_gradient(op: Any, dz: Any) -> list[Any]:
    """The products' gradients, summed over the batch dimensions along which x or y was repeated."""
    x, y = op.inputs
    dx, dy = _batch_gradient_of_products(op, dz)
    if shapes.is_known(x.dims) and x.dims == y.dims:
        return [dx, dy]
    x_shape, y_shape = arrays.shape(x), arrays.shape(y)
    x_axes, y_axes = apply(arithmetic.BROADCAST_GRADIENT_ARGS, x_shape[:-2], y_shape[:-2])
    return [
        arrays.reshape(reductions.reduce_sum(dx, x_axes), x_shape),
        arrays.reshape(reductions.reduce_sum(dy, y_axes), y_shape),
    ]


BATCH_MATMUL = define(
    "BatchMatMul", "x: T, y: T", "output: T", attrs={"adj_x": False, "adj_y": False}, types={"T": _TYPES},
    shape=_batch_product, kernel=_matmul_of_batches, gradient=_batch_gradient_of_products,
)  # fmt: skip
BATCH_MATMUL_V2 = define(
    "BatchMatMulV2", "x: T, y: T", "output: T", attrs={"adj_x": False, "adj_y": False}, types={"T": _TYPES},
    shape=_batch_product, kernel=_batch_matmul, gradient=_batch_matmul_gradient,
    failure=lambda x, y: f"In[0] and In[1] must have compatible batch dimensions: {x} vs. {y}",
)  # fmt: skip

# -- products with many zeros ------------------------------------------------------------------


def _sparse_matmul(xp: Any, a: Any, b: Any, *, transpose_a: bool, transpose_b: bool) -> Any:
    return xp.matmul(a.T if transpose_a else a, b.T if transpose_b else b).astype(np.float32)


def _sparse_matmul_gradient(op: Any, dy: Any) -> list[Any]:
    """The rule of ``MatMul``; what is sparse stays marked, and a gradient of relu counts as sparse."""
    a, b = op.inputs
    ta, tb = op.attrs["transpose_a"], op.attrs["transpose_b"]
    sparse = {a: op.attrs["a_is_sparse"], b: op.attrs["b_is_sparse"], dy: dy.op.type == "ReluGrad"}

    def product(x: Tensor, y: Tensor, like: Tensor, transpose_x: bool = False, transpose_y: bool = False) -> Tensor:
        x_sparse, y_sparse = sparse[x], sparse[y]
        y = permuting.transpose(y) if transpose_y else y
        z = matmul(x, y, transpose_a=transpose_x, a_is_sparse=x_sparse, b_is_sparse=y_sparse)
        return casts.cast(z, like.dtype)

    if not ta and not tb:
        return [product(dy, b, a, False, True), product(a, dy, b, True)]
    if not ta:
        return [product(dy, b, a), product(dy, a, b, True)]
    if not tb:
        return [product(b, dy, a, False, True), product(a, dy, b)]
    return [product(b, dy, a, True, True), product(dy, a, b, True, True)]


SPARSE_MATMUL = define(
    "SparseMatMul", "a: Ta, b: Tb", "product: float32",
    attrs={
        "transpose_a": False, "transpose_b": False, "a_is_sparse": False, "b_is_sparse": False, "Ta": float32,
        "Tb": float32,
    },
    types={"Ta": (float32, bfloat16), "Tb": (float32, bfloat16)},
    ranks={
        "a": "2: a is not a matrix",
        "b": "2: b is not a matrix",
    },
    shape=product, kernel=_sparse_matmul,
    gradient=_sparse_matmul_gradient,
    failure=lambda a, b: f"Matrix size incompatible: {a} {b}",
)  # fmt: skip


def sparse_matmul(
    a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False, a_is_sparse: bool = False,
    b_is_sparse: bool = False, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The product of two matrices of float32 or bfloat16 that hold many zeros; float32."""
    return apply(
        SPARSE_MATMUL, a, b, transpose_a=transpose_a, transpose_b=transpose_b, a_is_sparse=a_is_sparse,
        b_is_sparse=b_is_sparse, name=name,
    )  # fmt: skip


# -- public functions --------------------------------------------------------------------------


@dispatched
def matmul(
    a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False, adjoint_a: bool = False,
    adjoint_b: bool = False, a_is_sparse: bool = False, b_is_sparse: bool = False, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The matrix product ``a b``, each transposed or conjugated on request; leading dimensions are a batch.

    Raises:
      ValueError: the shapes do not fit, or one matrix is both to be transposed and conjugated.

    >>> matmul([[1.0, 2.0]], [[3.0], [4.0]]).shape
    TensorShape([Dimension(1), Dimension(1)])
    """
    with name_scope(name, "MatMul", [a, b]) as name:
        if transpose_a and adjoint_a:
            raise ValueError("Only one of transpose_a and adjoint_a can be True.")
        if transpose_b and adjoint_b:
            raise ValueError("Only one of transpose_b and adjoint_b can be True.")
        a, b = as_tensor(a, name="a"), as_tensor(b, name="b")
        sparse = a_is_sparse or b_is_sparse
        if not sparse and (a.dims is None or len(a.dims) > 2 or b.dims is None or len(b.dims) > 2):
            a = complex_numbers.conj(a) if transpose_a else a
            b = complex_numbers.conj(b) if transpose_b else b
            adjoint_a, adjoint_b = adjoint_a or transpose_a, adjoint_b or transpose_b
            return apply(BATCH_MATMUL_V2, a, b, adj_x=adjoint_a, adj_y=adjoint_b, name=name)
        a = complex_numbers.conj(a) if adjoint_a else a
        b = complex_numbers.conj(b) if adjoint_b else b
        transpose_a, transpose_b = transpose_a or adjoint_a, transpose_b or adjoint_b
        kinds_ = {a.dtype.base_dtype, b.dtype.base_dtype}
        if (sparse and kinds_ <= {bfloat16, float32}) or (bfloat16 in kinds_ and len(kinds_) == 2):
            product = sparse_matmul(a, b, transpose_a, transpose_b, a_is_sparse, b_is_sparse, name)
            return casts.cast(product, bfloat16) if kinds_ == {bfloat16} else product
        return _product_op(a, b, transpose_a, transpose_b, name)


def matvec(
    a: Any, b: Any, transpose_a: bool = False, adjoint_a: bool = False, a_is_sparse: bool = False,
    b_is_sparse: bool = False, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The product of the matrix ``a`` and the vector ``b``; leading dimensions are a batch."""
    with name_scope(name, "MatVec", [a, b]):
        column = arrays.expand_dims(b, axis=-1)
        product = matmul(
            a, column, transpose_a=transpose_a, adjoint_a=adjoint_a, a_is_sparse=a_is_sparse, b_is_sparse=b_is_sparse
        )
        return arrays.squeeze(product, axis=-1)


def _three_each(a: Tensor, b: Tensor) -> RawShape:
    shape_rules.with_rank_at_least(a, 1)
    shape_rules.with_rank_at_least(b, 1)
    dims = shapes.merge(a.dims, b.dims)
    if dims is not None and dims[-1] not in (3, None):
        raise ValueError(f"Dimension must be 3 but is {dims[-1]}")
    return dims


def _cross(xp: Any, a: Any, b: Any) -> Any:
    if np.shape(a) != np.shape(b):
        words = f"Both inputs must be of same shape: {shape_text(np.shape(a))} vs. {shape_text(np.shape(b))}"
        raise errors.InvalidArgumentError(None, None, words)
    a0, a1, a2 = (a[..., i] for i in range(3))
    b0, b1, b2 = (b[..., i] for i in range(3))
    return xp.stack([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0], -1)


CROSS = define(
    "Cross", "a: T, b: T", "product: T",
    types={"T": kinds.REAL},
    ranks={"a": "1+: Input must be at least 1D{}"},
    shape=_three_each, kernel=_cross,
    gradient=lambda op, dy: [cross(op.inputs[1], dy), cross(dy, op.inputs[0])],
)  # fmt: skip


def cross(a: Any, b: Any, name: str | None = None) -> Tensor:
    """The vector product along the last dimension, which has size 3."""
    return apply(CROSS, a, b, name=name)
