"""Comparisons, logic, and choosing between tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import dtypes, shapes
from retrograd.graph.apply import apply
from retrograd.graph.definition import OpDef, define, not_differentiable
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import constants, kinds, shape_rules


def comparison(name: str, kernel: Callable[..., Any], types: tuple[dtypes.DType, ...], **attrs: Any) -> OpDef:
    """The record of an elementwise test of two broadcast inputs."""
    return define(
        name, "x: T, y: T", "z: bool", attrs=attrs, types={"T": types}, shape=shape_rules.broadcast, kernel=kernel,
        gradient=not_differentiable, failure=shape_rules.incompatible,
    )  # fmt: skip


LESS = comparison("Less", lambda xp, x, y: xp.less(x, y), kinds.REAL)
LESS_EQUAL = comparison("LessEqual", lambda xp, x, y: xp.less_equal(x, y), kinds.REAL)
GREATER = comparison("Greater", lambda xp, x, y: xp.greater(x, y), kinds.REAL)
GREATER_EQUAL = comparison("GreaterEqual", lambda xp, x, y: xp.greater_equal(x, y), kinds.REAL)
_EQUATABLE = (*kinds.NUMERIC, dtypes.string, dtypes.bool)
EQUAL = comparison("Equal", lambda xp, x, y: xp.equal(x, y), _EQUATABLE, incompatible_shape_error=True)
NOT_EQUAL = comparison("NotEqual", lambda xp, x, y: xp.not_equal(x, y), _EQUATABLE, incompatible_shape_error=True)


def less(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x < y``, elementwise."""
    return apply(LESS, x, y, name=name)


def less_equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x <= y``, elementwise."""
    return apply(LESS_EQUAL, x, y, name=name)


def greater(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x > y``, elementwise."""
    return apply(GREATER, x, y, name=name)


def greater_equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x >= y``, elementwise."""
    return apply(GREATER_EQUAL, x, y, name=name)


def equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x == y``, elementwise (the operator ``==`` compares the tensors' identities)."""
    return apply(EQUAL, x, y, name=name)


def not_equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x != y``, elementwise."""
    return apply(NOT_EQUAL, x, y, name=name)


# -- choosing ----------------------------------------------------------------------------------


def _selected(condition: Tensor, t: Tensor, e: Tensor) -> RawShape:
    """``t`` and ``e`` of one shape; the condition has it too, or is a scalar, or a vector of rows."""
    dims = shapes.merge(t.dims, e.dims)
    if condition.dims is not None and dims is not None and len(condition.dims) > 1:
        shapes.merge(condition.dims, dims)
    return dims


def _select(xp: Any, condition: Any, t: Any, e: Any) -> Any:
    rows = np.ndim(condition) == 1 and np.ndim(t) > 1
    return xp.where(xp.reshape(condition, (-1,) + (1,) * (np.ndim(t) - 1)) if rows else condition, t, e)


def _select_gradient(op: Any, dy: Any) -> list[Any]:
    """The gradient goes to the tensor that each element was taken from."""
    condition = op.inputs[0]
    zeros = constants.zeros_like(op.inputs[1])
    return [None, apply(SELECT, condition, dy, zeros), apply(SELECT, condition, zeros, dy)]


SELECT = define(
    "Select", "condition: bool, t: T, e: T", "output: T", shape=_selected, kernel=_select, gradient=_select_gradient,
)  # fmt: skip


def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """Elements of ``x`` where ``condition`` holds and of ``y`` elsewhere."""
    return apply(SELECT, condition, x, y, name=name)
