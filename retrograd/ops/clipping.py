"""Clipping tensors and gradients by value and by norm."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import define
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.scopes import colocate_with, name_scope
from retrograd.graph.shapes import shape_text
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    activations,
    arithmetic,
    arrays,
    casts,
    comparison,
    constants,
    joining,
    kinds,
    powers,
    reductions,
    rounding,
)


def _clipped(xp: Any, t: Any, least: Any, most: Any) -> Any:
    """``max(min(t, most), least)``, where a bound is one number or one for each element."""
    for bound in (least, most):
        if np.shape(bound) not in ((), np.shape(t)):
            shown = (shape_text(np.shape(x)) for x in (t, least, most))
            raise InvalidArgumentError(
                None, None,
                "clip_value_min and clip_value_max must be either of the same shape as input, or a scalar. "
                "input shape: {}clip_value_min shape: {}clip_value_max shape: {}".format(*shown),
            )  # fmt: skip
    return xp.maximum(xp.minimum(t, most), least)


CLIP_BY_VALUE = define(
    "ClipByValue", "t: T, clip_value_min: T, clip_value_max: T", "output: T", types={"T": kinds.NUMERIC},
    shape=lambda t, least, most: t.dims, kernel=_clipped,
)  # fmt: skip


def clip_by_value(t: Any, clip_value_min: Any, clip_value_max: Any, name: str | None = None) -> Any:
    """``max(min(t, clip_value_max), clip_value_min)``; slices stay slices.

    Raises:
      ValueError: the bounds would broadcast ``t`` to another shape.
    """
    with name_scope(name, "clip_by_value", [t, clip_value_min, clip_value_max]) as name:
        values = _values(t, "t")
        below = arithmetic.minimum(values, clip_value_max)
        values.shape.merge_with(below.shape)
        clipped = arithmetic.maximum(below, clip_value_min, name=name)
        values.shape.merge_with(clipped.shape)
        return _like(t, clipped)


def clip_by_norm(t: Any, clip_norm: Any, axes: Any = None, name: str | None = None) -> Any:
    """``t * clip_norm / max(norm, clip_norm)``, with the L2 norm of ``t`` over ``axes``.

    The square root is taken only of positive sums, so that the gradient at 0 is not NaN.
    """
    with name_scope(name, "clip_by_norm", [t, clip_norm]) as name:
        values = _values(t, "t")
        squares = reductions.reduce_sum(values * values, axes, keepdims=True)
        positive = squares > 0
        safe = comparison.where(positive, squares, constants.ones_like(squares))
        norm = comparison.where(positive, powers.sqrt(safe), squares)
        scaled = values * clip_norm
        values.shape.merge_with(scaled.shape)
        return _like(t, arrays.identity(scaled / arithmetic.maximum(norm, clip_norm), name=name))


def clip_by_average_norm(t: Any, clip_norm: Any, name: str | None = None) -> Tensor:
    """``t * clip_norm * min(n / norm, 1 / clip_norm)``: the L2 norm per element is at most ``clip_norm``."""
    with name_scope(name, "clip_by_average_norm", [t, clip_norm]) as name:
        t = as_tensor(t, name="t")
        count = casts.cast(arrays.size(t), "float32")
        inverse = powers.rsqrt(reductions.reduce_sum(t * t, constants.range_(arrays.rank(t))))
        scaled = t * clip_norm
        factor = arithmetic.minimum(inverse * count, constants.constant(1.0) / clip_norm)
        return arrays.identity(scaled * factor, name=name)


def global_norm(t_list: Any, name: str | None = None) -> Tensor:
    """The L2 norm of all tensors of ``t_list`` together; None entries are left out.

    Raises:
      TypeError: ``t_list`` is not a sequence.
    """
    tensors = _sequence(t_list)
    with name_scope(name, "global_norm", tensors) as name:
        halves = []
        for values in _all_values(tensors):
            if values is not None:
                with colocate_with(values):
                    halves.append(activations.l2_loss(values))
        half = reductions.reduce_sum(joining.stack(halves))
        return powers.sqrt(half * constants.constant(2.0, dtype=half.dtype), name="global_norm")


def clip_by_global_norm(
    t_list: Any, clip_norm: Any, use_norm: Any = None, name: str | None = None
) -> tuple[list[Any], Any]:
    """Each tensor times ``clip_norm / max(global_norm, clip_norm)``, and the global norm.

    Every result is NaN if the norm is not finite.

    Raises:
      TypeError: ``t_list`` is not a sequence.
    """
    tensors = _sequence(t_list)
    if use_norm is None:
        use_norm = global_norm(tensors, name)
    with name_scope(name, "clip_by_global_norm", [*tensors, clip_norm]) as name:
        one = 1.0 / use_norm
        finite = clip_norm * arithmetic.minimum(one, constants.constant(1.0, dtype=use_norm.dtype) / clip_norm)
        scale = comparison.where(
            rounding.is_finite(use_norm), finite, constants.constant(float("nan"), dtype=use_norm.dtype)
        )
        clipped: list[Any] = []
        for i, (t, values) in enumerate(zip(tensors, _all_values(tensors), strict=True)):
            if values is None:
                clipped.append(None)
                continue
            with colocate_with(values):
                clipped.append(_like(t, arrays.identity(values * scale, name=f"{name}_{i}")))
        return clipped, use_norm


def _sequence(t_list: Any) -> list[Any]:
    if not isinstance(t_list, Sequence) or isinstance(t_list, str):
        raise TypeError("t_list should be a sequence")
    return list(t_list)


def _values(t: Any, name: str) -> Tensor:
    return as_tensor(t.values if isinstance(t, IndexedSlices) else t, name=name)


def _all_values(tensors: list[Any]) -> list[Tensor | None]:
    return [None if t is None else _values(t, f"t_{i}") for i, t in enumerate(tensors)]


def _like(t: Any, values: Tensor) -> Any:
    return IndexedSlices(values, t.indices, t.dense_shape) if isinstance(t, IndexedSlices) else values
