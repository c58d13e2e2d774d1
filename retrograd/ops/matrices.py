"""Products of matrices."""

from __future__ import annotations

from typing import Any

from retrograd.graph import shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import define
from retrograd.graph.dtypes import bfloat16, complex64, complex128, float16, float32, float64, int32, int64
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, shape_rules


def _product(a: Tensor, b: Tensor, *, transpose_a: bool, transpose_b: bool) -> RawShape:
    m, k = shape_rules.with_rank(a, 2)[:: -1 if transpose_a else 1]
    l, n = shape_rules.with_rank(b, 2)[:: -1 if transpose_b else 1]
    shapes.merge_dim(k, l)
    return (m, n)


def _matmul(xp: Any, a: Any, b: Any, *, transpose_a: bool, transpose_b: bool) -> Any:
    return xp.matmul(a.T if transpose_a else a, b.T if transpose_b else b)


def _matmul_gradient(op: Any, dy: Any) -> list[Any]:
    """da = dy b^T, db = a^T dy, with the transposes moved where a or b is taken transposed."""
    a, b = (arithmetic.conj(x) for x in op.inputs)
    ta, tb = op.attrs["transpose_a"], op.attrs["transpose_b"]
    if not ta and not tb:
        return [_product_op(dy, b, False, True), _product_op(a, dy, True, False)]
    if not ta:
        return [_product_op(dy, b, False, False), _product_op(dy, a, True, False)]
    if not tb:
        return [_product_op(b, dy, False, True), _product_op(a, dy, False, False)]
    return [_product_op(b, dy, True, True), _product_op(dy, a, True, True)]


MATMUL = define(
    "MatMul", "a: T, b: T", "product: T", attrs={"transpose_a": False, "transpose_b": False},
    types={"T": (bfloat16, float16, float32, float64, int32, int64, complex64, complex128)},
    shape=_product, kernel=_matmul, gradient=_matmul_gradient,
    failure=lambda a, b: f"Matrix size-incompatible: In[0]: {a}, In[1]: {b}",
)  # fmt: skip


def _product_op(a: Any, b: Any, transpose_a: bool, transpose_b: bool, name: str | None = None) -> Tensor:
    return apply(MATMUL, a, b, transpose_a=transpose_a, transpose_b=transpose_b, name=name)


def matmul(
    a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False, adjoint_a: bool = False,
    adjoint_b: bool = False, a_is_sparse: bool = False, b_is_sparse: bool = False, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The matrix product ``a b``, each transposed or conjugated on request; batches in leading dimensions."""
    with name_scope(name, "MatMul", [a, b]) as name:
        a, b = as_tensor(a, name="a"), as_tensor(b, name="b")
        return _product_op(a, b, transpose_a, transpose_b, name)
