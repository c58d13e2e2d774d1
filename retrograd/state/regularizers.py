"""Regularizers: functions from weights to a loss, as ``get_variable(..., regularizer=...)`` takes them."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any

from retrograd.graph import log
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import add_to_collection, get_collection, name_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops import activations, arithmetic, constants, reductions, rounding, sums

Regularizer = Callable[[Any], Tensor | None]


def _has_effect(scale: Any) -> bool:
    """Whether a regularizer of this scale has any effect.

    Raises:
      ValueError: it is an integer, or less than 0.
    """
    if isinstance(scale, numbers.Integral):
        raise ValueError(f"scale cannot be an integer: {scale}")
    if isinstance(scale, numbers.Real):
        if scale < 0.0:
            raise ValueError(f"Setting a scale less than 0 on a regularizer: {scale:g}")
        if scale == 0.0:
            log.info("Scale of 0 disables regularizer.")
            return False
    return True


def l1_regularizer(scale: Any, scope: str | None = None) -> Regularizer:
    """``scale * sum(|w|)``: drives weights to zero."""
    if not _has_effect(scale):
        return lambda _: None

    def l1(weights: Any, name: str | None = None) -> Tensor:
        with name_scope(scope, "l1_regularizer", [weights]) as name:
            factor = as_tensor(scale, weights.dtype.base_dtype, name="scale")
            return arithmetic.multiply(factor, reductions.reduce_sum(rounding.abs_(weights)), name=name)

    return l1


def l2_regularizer(scale: Any, scope: str | None = None) -> Regularizer:
    """``scale * sum(w * w) / 2``: keeps weights small."""
    if not _has_effect(scale):
        return lambda _: None

    def l2(weights: Any) -> Tensor:
        with name_scope(scope, "l2_regularizer", [weights]) as name:
            factor = as_tensor(scale, weights.dtype.base_dtype, name="scale")
            return arithmetic.multiply(factor, activations.l2_loss(weights), name=name)

    return l2


def l1_l2_regularizer(scale_l1: Any = 1.0, scale_l2: Any = 1.0, scope: str | None = None) -> Regularizer | None:
    """The sum of the two."""
    for name, scale in (("scale_l1", scale_l1), ("scale_l2", scale_l2)):
        if isinstance(scale, numbers.Integral):
            raise ValueError(f"{name} cannot be an integer: {scale}")
    scope = scope or "l1_l2_regularizer"
    if scale_l1 == 0.0:
        return l2_regularizer(scale_l2, scope)
    if scale_l2 == 0.0:
        return l1_regularizer(scale_l1, scope)
    return sum_regularizer([l1_regularizer(scale_l1), l2_regularizer(scale_l2)], scope=scope)


def sum_regularizer(regularizer_list: Any, scope: str | None = None) -> Regularizer | None:
    """The sum of several regularizers; None if there are none."""
    regularizers = [r for r in regularizer_list if r is not None]
    if not regularizers:
        return None

    def sum_reg(weights: Any) -> Tensor | None:
        with name_scope(scope, "sum_regularizer", [weights]) as name:
            penalties = [p for p in (r(weights) for r in regularizers) if p is not None]
            return sums.add_n(penalties, name=name) if penalties else None

    return sum_reg


def apply_regularization(regularizer: Regularizer, weights_list: Any = None) -> Tensor:
    """The sum of the penalties of ``weights_list``, which joins ``GraphKeys.REGULARIZATION_LOSSES``.

    By default the weights are those of ``GraphKeys.WEIGHTS``.

    Raises:
      ValueError: there are no weights, or a penalty is no scalar.
    """
    weights_list = weights_list or get_collection(GraphKeys.WEIGHTS)
    if not weights_list:
        raise ValueError("No weights to regularize.")
    with name_scope("get_regularization_penalty", values=weights_list) as scope:
        penalties = [regularizer(w) for w in weights_list]
        scalars = [constants.constant(0.0) if p is None else p for p in penalties]
        for p in scalars:
            if p.rank != 0:
                raise ValueError(f"regularizer must return a scalar Tensor instead of a Tensor with rank {p.rank}.")
        total = sums.add_n(scalars, name=scope)
        add_to_collection(GraphKeys.REGULARIZATION_LOSSES, total)
        return total
