"""Comparisons, logic, buckets, and choosing between tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.graph import dtypes, errors, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REQUIRED, OpDef, define, not_differentiable
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, arrays, constants, kinds, reductions, shape_rules
from retrograd.ops.choosing import chosen


def comparison(name: str, kernel: Callable[..., Any], types: tuple[dtypes.DType, ...], **attrs: Any) -> OpDef:
    """The record of an elementwise test of two broadcast inputs."""
    return define(
        name, "x: T, y: T", "z: bool", attrs=attrs, types={"T": types}, shape=shape_rules.broadcast,
        kernel=kernel,
        gradient=not_differentiable, failure=shape_rules.incompatible, remedy=shape_rules.ALIGN,
    )  # fmt: skip


LESS = comparison("Less", lambda xp, x, y: xp.less(x, y), kinds.REAL)
LESS_EQUAL = comparison("LessEqual", lambda xp, x, y: xp.less_equal(x, y), kinds.REAL)
GREATER = comparison("Greater", lambda xp, x, y: xp.greater(x, y), kinds.REAL)
GREATER_EQUAL = comparison("GreaterEqual", lambda xp, x, y: xp.greater_equal(x, y), kinds.REAL)
EQUAL = comparison("Equal", lambda xp, x, y: xp.equal(x, y), kinds.EQUATABLE, incompatible_shape_error=True)
NOT_EQUAL = comparison("NotEqual", lambda xp, x, y: xp.not_equal(x, y), kinds.EQUATABLE, incompatible_shape_error=True)


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


def _approximately_equal(xp: Any, x: Any, y: Any, *, tolerance: float) -> Any:
    if np.shape(x) != np.shape(y):
        texts = [shapes.shape_text(np.shape(v)) for v in (x, y)]
        raise errors.InvalidArgumentError(
            None, None, f"x and y must be of the same shape. x shape: {texts[0]}. y shape: {texts[1]}"
        )
    return xp.abs(x - y) <= tolerance


APPROXIMATE_EQUAL = define(
    "ApproximateEqual", "x: T, y: T", "z: bool", attrs={"tolerance": float(np.float32(1e-5))},
    types={"T": kinds.NUMERIC}, shape=shape_rules.merged, kernel=_approximately_equal,
    gradient=not_differentiable,
)  # fmt: skip


def approximate_equal(x: Any, y: Any, tolerance: float = 1e-05, name: str | None = None) -> Tensor:
    """``|x - y| <= tolerance``, elementwise, of two tensors of one shape."""
    return apply(APPROXIMATE_EQUAL, x, y, tolerance=tolerance, name=name)


# -- logic -------------------------------------------------------------------------------------


def _logic(name: str, kernel: Callable[..., Any]) -> OpDef:
    return define(
        name, "x: bool, y: bool", "z: bool", shape=shape_rules.broadcast, kernel=kernel,
        gradient=not_differentiable,
        failure=shape_rules.incompatible, remedy=shape_rules.ALIGN,
    )  # fmt: skip


LOGICAL_AND = _logic("LogicalAnd", lambda xp, x, y: xp.logical_and(x, y))
LOGICAL_OR = _logic("LogicalOr", lambda xp, x, y: xp.logical_or(x, y))
LOGICAL_NOT = define(
    "LogicalNot", "x: bool", "y: bool", shape=shape_rules.same, kernel=lambda xp, x: xp.logical_not(x),
    gradient=not_differentiable,
)  # fmt: skip


def logical_and(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x and y``, elementwise."""
    return apply(LOGICAL_AND, x, y, name=name)


def logical_or(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x or y``, elementwise."""
    return apply(LOGICAL_OR, x, y, name=name)


def logical_not(x: Any, name: str | None = None) -> Tensor:
    """``not x``, elementwise."""
    return apply(LOGICAL_NOT, x, name=name)


def logical_xor(x: Any, y: Any, name: str = "LogicalXor") -> Tensor:
    """``x != y`` of truth values: ``(x or y) and not (x and y)``."""
    return logical_and(logical_or(x, y), logical_not(logical_and(x, y)), name=name)


# -- buckets -----------------------------------------------------------------------------------


def _bucketize(xp: Any, input: Any, *, boundaries: Sequence[float]) -> Any:
    edges = np.asarray(boundaries, np.float32)
    if np.any(np.diff(edges) < 0):
        raise errors.InvalidArgumentError(None, None, "Expected sorted boundaries")
    return xp.asarray(xp.searchsorted(edges.astype(np.float64), input, side="right")).astype(np.int32)


BUCKETIZE = define(
    "Bucketize", "input: T", "output: int32", attrs={"boundaries": REQUIRED}, types={"T": (*kinds.INDEX,
    *kinds.PRECISE)},
    shape=shape_rules.same, kernel=_bucketize,
)  # fmt: skip


def bucketize(input: Any, boundaries: Sequence[float], name: str | None = None) -> Tensor:
    """How many of ``boundaries``, which are sorted, each element has reached."""
    if not isinstance(boundaries, list | tuple):
        raise TypeError(f"Expected list for 'boundaries' argument to 'bucketize' Op, not {boundaries!r}.")
    return apply(BUCKETIZE, input, boundaries=[float(b) for b in boundaries], name=name)


# -- choosing ----------------------------------------------------------------------------------


def _selected(condition: Tensor, t: Tensor, e: Tensor) -> RawShape:
    """``t`` and ``e`` of one shape; the condition has it too, or is a scalar, or a vector of rows."""
    dims = shapes.merge(t.dims, e.dims)
    if condition.dims is None or dims is None or not condition.dims:
        return dims
    if len(condition.dims) == 1 and dims:
        shapes.merge(condition.dims, dims[:1])
        return dims
    return shapes.merge(dims, condition.dims)


def _select(xp: Any, condition: Any, t: Any, e: Any) -> Any:
    asked, then, other = np.shape(condition), np.shape(t), np.shape(e)
    if then != other:
        if not asked:
            raise _unlike(then, 1, other, 2)
        raise _unlike(asked, 0, *((other, 2) if asked == then else (then, 1)))
    if len(asked) == 1 and len(then) > 1 and asked[0] == then[0]:
        condition = xp.reshape(condition, (-1,) + (1,) * (len(then) - 1))
    elif asked and asked != then:
        raise _unlike(asked, 0, then, 1)
    return chosen(xp, condition, t, e)


def _unlike(shape: Any, i: int, other: Any, j: int) -> errors.OpError:
    texts = [shapes.shape_text(s) for s in (shape, other)]
    return errors.InvalidArgumentError(
        None,
        None,
        "Inputs to operation {node} of type Select must have the same size and shape.  "
        f"Input {i}: {texts[0]} != input {j}: {texts[1]}",
    )


def _select_gradient(op: Any, dy: Any) -> list[Any]:
    """The gradient goes to the tensor that each element was taken from."""
    condition = op.inputs[0]
    zeros = constants.zeros_like(op.inputs[1])
    return [None, apply(SELECT, condition, dy, zeros), apply(SELECT, condition, zeros, dy)]


SELECT = define(
    "Select", "condition: bool, t: T, e: T", "output: T", shape=_selected, kernel=_select,
    gradient=_select_gradient,
)  # fmt: skip


def _select_v2_gradient(op: Any, dy: Any) -> list[Any]:
    """As Select's, each summed over the axes along which its input was repeated."""
    condition, x, y = op.inputs
    zeros = constants.zeros([], dtype=dy.dtype.base_dtype)
    dx = apply(SELECT_V2, condition, dy, zeros)
    x_shape, shape = arrays.shape(x), arrays.shape(op.outputs[0])
    axes, _ = apply(arithmetic.BROADCAST_GRADIENT_ARGS, x_shape, shape)
    dx = arrays.reshape(reductions.reduce_sum(dx, keepdims=True, axis=axes), x_shape)
    other = apply(SELECT_V2, condition, zeros, dy)
    y_shape = arrays.shape(y)
    axes, _ = apply(arithmetic.BROADCAST_GRADIENT_ARGS, y_shape, shape)
    return [None, dx, arrays.reshape(reductions.reduce_sum(other, keepdims=True, axis=axes), y_shape)]


SELECT_V2 = define(
    "SelectV2", "condition: bool, t: T, e: T", "output: T",
    shape=lambda condition, t, e: shapes.broadcast(condition.dims, shapes.broadcast(t.dims, e.dims)),
    kernel=chosen, gradient=_select_v2_gradient,
    failure=lambda c, t, e: f"condition {c}, then {t}, and else {e} must be broadcastable",
)  # fmt: skip


WHERE = define(
    "Where", "input: T", "index: int64", attrs={"T": dtypes.bool}, types={"T": (*kinds.NUMERIC, dtypes.bool)},
    shape=lambda x: (None, x.rank), kernel=lambda xp, x: np.argwhere(x).astype(np.int64),
)  # fmt: skip


def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """Elements of ``x`` where ``condition`` holds, else of ``y``; without them, the indices where it holds.

    ``x`` and ``y`` have one shape.  A ``condition`` that is a vector chooses whole rows.

    Raises:
      ValueError: only one of ``x`` and ``y`` is given.
    """
    return _chosen(SELECT, condition, x, y, name)


def where_v2(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """As ``where``, with the three broadcast to one shape."""
    return _chosen(SELECT_V2, condition, x, y, name)


def _chosen(definition: OpDef, condition: Any, x: Any, y: Any, name: str | None) -> Tensor:
    if x is None and y is None:
        with name_scope(name, "Where", [condition]) as name:
            return apply(WHERE, as_tensor(condition, preferred_dtype=dtypes.bool, name="condition"), name=name)
    if x is None or y is None:
        raise ValueError("x and y must both be non-None or both be None.")
    return apply(definition, condition, x, y, name=name)
