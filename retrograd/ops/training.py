"""The update steps of the optimizers, one op each."""

from __future__ import annotations

from typing import Any

from retrograd.graph import shapes
from retrograd.graph.definition import Effect, define, not_differentiable
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor


def _updated(var: Tensor, *inputs: Any) -> RawShape:
    return var.dims


def _apply_gradient_descent(xp: Any, var: Any, alpha: Any, delta: Any) -> Any:
    """var -= alpha * delta."""
    var.write(var.read() - alpha * delta)
    return var


APPLY_GRADIENT_DESCENT = define(
    "ApplyGradientDescent", "var: ref T, alpha: T, delta: T", "out: ref T", attrs={"use_locking": False},
    shape=lambda var, alpha, delta: shapes.merge(var.dims, delta.dims), kernel=_apply_gradient_descent,
    effect=Effect.WRITE, gradient=not_differentiable,
)  # fmt: skip
