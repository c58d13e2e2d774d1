"""Divergences between distributions, registered by their kinds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.ops import arrays, asserts, comparison, reductions, rounding

_divergences: dict[tuple[type, type], Callable[..., Any]] = {}


def _registered(type_a: type, type_b: type) -> Callable[..., Any] | None:
    """The rule for the nearest bases of the two kinds."""
    found = {
        (i + j, i): _divergences[a, b]
        for i, a in enumerate(type_a.__mro__)
        for j, b in enumerate(type_b.__mro__)
        if (a, b) in _divergences
    }
    return found[min(found)] if found else None


def kl_divergence(
    distribution_a: Any, distribution_b: Any, allow_nan_stats: bool = True, name: str | None = None
) -> Any:
    """``E[log a(X) - log b(X)]`` for X of the first distribution.

    Raises:
      NotImplementedError: no rule is registered for the two kinds.
    """
    rule = _registered(type(distribution_a), type(distribution_b))
    if rule is None:
        raise NotImplementedError(
            "No KL(distribution_a || distribution_b) registered for distribution_a "
            f"type {type(distribution_a).__name__} and distribution_b type {type(distribution_b).__name__}"
        )
    with name_scope("KullbackLeibler"):
        divergence = rule(distribution_a, distribution_b, name=name)
        if allow_nan_stats:
            return divergence
        divergence = arrays.identity(divergence, name="kl")
        message = (
            f"KL calculation between {distribution_a.name} and {distribution_b.name} returned NaN values "
            "(and was called with allow_nan_stats=False). Values:"
        )
        check = asserts.Assert(
            comparison.logical_not(reductions.reduce_any(rounding.is_nan(divergence))), [message, divergence]
        )
        with control_dependencies([check]):
            return arrays.identity(divergence, name="checked_kl")


def cross_entropy(ref: Any, other: Any, allow_nan_stats: bool = True, name: str | None = None) -> Any:
    """``-E[log other(X)]`` for X of ``ref``."""
    with name_scope(name, "cross_entropy"):
        return ref.entropy() + kl_divergence(ref, other, allow_nan_stats=allow_nan_stats)


class RegisterKL:
    """Register the decorated ``rule(a, b, name=None)`` as the divergence of two kinds of distributions.

    Raises:
      TypeError: the rule is not callable.
      ValueError: the two kinds have one.
    """

    def __init__(self, dist_cls_a: type, dist_cls_b: type) -> None:
        self._key = (dist_cls_a, dist_cls_b)

    def __call__(self, kl_fn: Callable[..., Any]) -> Callable[..., Any]:
        if not callable(kl_fn):
            raise TypeError(f"kl_fn must be callable, received: {kl_fn}")
        if self._key in _divergences:
            a, b = (kind.__name__ for kind in self._key)
            raise ValueError(f"KL({a} || {b}) has already been registered to: {_divergences[self._key]}")
        _divergences[self._key] = kl_fn
        return kl_fn
