"""Rows of a tensor written, or added to, by their numbers: ``tensorflow.python.ops.inplace_ops``.

y = x, and y[i[k] mod n] = v[k]  (or += v[k], or -= v[k])  for each k, with n rows of x.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REQUIRED, OpDef, define
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.shapes import RawShape, shape_text
from retrograd.graph.static import shape_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, casts, placing, shape_rules


def _check(x: Any, i: Any, v: Any) -> None:
    """``i`` is a vector, and ``v`` has a row of ``x`` for each element of it."""

    def refuse(text: str) -> None:
        raise InvalidArgumentError(None, None, text)

    xs, vs = shape_text(x.shape), shape_text(v.shape)
    if np.ndim(i) != 1:
        refuse(f"i must be a vector. {shape_text(np.shape(i))}")
    if x.ndim != v.ndim or not x.ndim:
        refuse(f"x and v shape doesn't match (ranks differ): {xs} vs. {vs}")
    for axis in range(1, x.ndim):
        if x.shape[axis] != v.shape[axis]:
            refuse(f"x and v shape doesn't match at index {axis} : {xs} vs. {vs}")
    if len(i) != v.shape[0]:
        refuse(f"i and x shape doesn't match at index 0: {shape_text(np.shape(i))} vs. {vs}")


def _define(name: str, write: Any) -> OpDef:
    def kernel(xp: Any, x: Any, i: Any, v: Any) -> Any:
        x, i, v = xp.asarray(x), xp.asarray(i), xp.asarray(v)
        _check(x, i, v)
        if write is not placing.set_at and x.dtype.kind in "bO":
            word = "bool" if x.dtype.kind == "b" else "string"
            raise InvalidArgumentError(None, None, f"Unsupported data type: {word}")
        return write(xp, x, (i % max(x.shape[0], 1),), v)

    return define(name, "x: T, i: int32, v: T", "y: T", shape=lambda x, i, v: x.dims, kernel=kernel)


INPLACE_UPDATE = _define("InplaceUpdate", placing.set_at)
INPLACE_ADD = _define("InplaceAdd", placing.add_at)
INPLACE_SUB = _define("InplaceSub", lambda xp, x, at, v: placing.add_at(xp, x, at, -v))
DEEP_COPY = define(
    "DeepCopy", "x: T", "y: T", shape=shape_rules.same, kernel=lambda xp, x: x, gradient=lambda op, dy: [dy]
)


def _written(op: OpDef, x: Any, i: Any, v: Any) -> Tensor:
    """``op`` on ``x``; ``i`` may be one number, whose ``v`` is one row, or None for all of ``x``."""
    x = as_tensor(x)
    v = as_tensor(v, x.dtype.base_dtype)
    if i is None:
        rows = apply(op, arrays.reshape(x, [1, -1]), [0], arrays.reshape(v, [1, -1]))
        return arrays.reshape(rows, arrays.shape(x))
    i = casts.cast(i, dtypes.int32)
    if i.shape.rank == 0:
        i, v = arrays.reshape(i, [1]), arrays.expand_dims(v, 0)
    return apply(op, x, i, v)


def alias_inplace_update(x: Any, i: Any, v: Any) -> Tensor:
    """``x`` with ``v`` in its rows ``i``; ``x`` itself stays as it is."""
    return _written(INPLACE_UPDATE, x, i, v)


def alias_inplace_add(x: Any, i: Any, v: Any) -> Tensor:
    """``x`` with ``v`` added to its rows ``i``; ``x`` itself stays as it is."""
    return _written(INPLACE_ADD, x, i, v)


def alias_inplace_sub(x: Any, i: Any, v: Any) -> Tensor:
    """``x`` with ``v`` taken from its rows ``i``; ``x`` itself stays as it is."""
    return _written(INPLACE_SUB, x, i, v)


def inplace_update(x: Any, i: Any, v: Any) -> Tensor:
    """A copy of ``x`` with ``v`` in its rows ``i``."""
    return alias_inplace_update(apply(DEEP_COPY, x), i, v)


def inplace_add(x: Any, i: Any, v: Any) -> Tensor:
    """A copy of ``x`` with ``v`` added to its rows ``i``."""
    return alias_inplace_add(apply(DEEP_COPY, x), i, v)


def inplace_sub(x: Any, i: Any, v: Any) -> Tensor:
    """A copy of ``x`` with ``v`` taken from its rows ``i``."""
    return alias_inplace_sub(apply(DEEP_COPY, x), i, v)


# -- tensors without values --------------------------------------------------------------------


def _empty_dims(shape: Tensor) -> RawShape:
    shape_rules.with_rank(shape, 1)
    return shape_value(shape)


def _empty(xp: Any, shape: Any, *, dtype: Any) -> Any:
    """Zeros, or empty strings: nothing tells them from what happens to be there."""
    dims = tuple(np.asarray(shape).tolist())
    return np.full(dims, b"", object) if dtype == dtypes.string else xp.zeros(dims, dtype.np)


EMPTY = define(
    "Empty", "shape: int32", "output: dtype", attrs={"dtype": REQUIRED, "init": False}, static=("shape",),
    shape=_empty_dims, kernel=_empty,
)  # fmt: skip


def empty(shape: Any, dtype: Any, init: bool = False, name: str | None = None) -> Tensor:
    """A tensor to be written to; all zeros whatever ``init`` says."""
    return apply(EMPTY, shape, dtype=as_dtype(dtype), init=init, name=name)


def empty_like(x: Any, init: bool | None = None) -> Tensor:
    """The same of the shape and the dtype of ``x``."""
    x = as_tensor(x)
    return empty(arrays.shape(x), x.dtype.base_dtype, init=bool(init))
