"""Records that elementwise ops share: of one number, and of two that broadcast."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import gcd
from typing import Any

import numpy as np

from retrograd.graph.apply import apply
from retrograd.graph.definition import OpDef, define
from retrograd.graph.dtypes import DType
from retrograd.graph.errors import invalid
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import shape_text
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.stack import default_graph
from retrograd.ops import shape_rules


def unary(name: str, kernel: Callable[..., Any], gradient: Callable[..., Any] | None, types: Iterable[DType]) -> OpDef:
    """The record of an elementwise op of one input that keeps its dtype."""
    return define(name, "x: T", "y: T", types={"T": types}, shape=shape_rules.same, kernel=kernel, gradient=gradient)


def binary(
    name: str,
    kernel: Callable[..., Any],
    gradient: Callable[..., Any] | None,
    types: Iterable[DType],
    inputs: str = "x: T, y: T",
) -> OpDef:
    """The record of an elementwise op of two broadcast inputs of one dtype."""
    return define(
        name, inputs, "z: T", types={"T": types}, shape=shape_rules.broadcast, kernel=kernel,
        gradient=gradient,
        failure=shape_rules.incompatible, remedy=shape_rules.ALIGN,
    )  # fmt: skip


_SHORT, _LARGE = 32, 4096


def in_lines(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """``kernel(xp, x, y)`` of each number of x and y, for which a short vector is repeated where NumPy takes it.

    NumPy goes through large arrays in loops as long as the last dimension: for the three channels of an image the
    beginning of each takes longer than all else.
    """

    def over(xp: Any, x: Any, y: Any) -> Any:
        if xp is not np or x.size == y.size or min(x.size, y.size) > _SHORT or max(x.size, y.size) < _LARGE:
            return kernel(xp, x, y)
        large, short = (x, y) if x.size > y.size else (y, x)
        lines = _lines(large, short)
        if lines is None:
            return kernel(xp, x, y)
        return kernel(xp, *lines if large is x else lines[::-1]).reshape(large.shape)

    return over


def _lines(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """x in lines of several vectors, and y as often as it stands in a line; None where that is no use."""
    n = y.size
    if n == 1 or y.shape[-1] != n or x.shape[-1] != n or y.ndim > x.ndim or not x.flags.c_contiguous:
        return None
    rows = x.size // n
    count = x.shape[-2] if x.shape[-2] <= 1024 else gcd(rows, 256)
    line = np.empty((count, n), y.dtype)
    line[:] = y.reshape(n)
    return x.reshape(rows // count, count * n), line.reshape(count * n)


def backward(name: str, kernel: Callable[..., Any], gradient: Callable[..., Any], types: Iterable[DType]) -> OpDef:
    """The record of ``name(y, dy)``, the derivative of an elementwise op by its own output y."""

    def of_one_shape(xp: Any, y: Any, dy: Any) -> Any:
        if np.shape(y) != np.shape(dy):
            raise invalid(shape_rules.incompatible(shape_text(np.shape(y)), shape_text(np.shape(dy))))
        return kernel(xp, y, dy)

    return define(
        name, "y: T, dy: T", "z: T", types={"T": types}, shape=shape_rules.same, kernel=of_one_shape,
        gradient=gradient,
        failure=shape_rules.incompatible, remedy=shape_rules.ALIGN,
    )  # fmt: skip


def on_values(definition: OpDef, x: Any, name: str | None) -> Any:
    """The op on a tensor; on a ``SparseTensor``, whose zeros it keeps, on its values."""
    if isinstance(x, SparseTensor):
        default_graph().unique_name(name or definition.name)  # TensorFlow tries the op on ``x`` itself first
        with name_scope(name, definition.name, [x]) as name:
            return SparseTensor(x.indices, apply(definition, x.values, name=name), x.dense_shape)
    return apply(definition, x, name=name)
