"""The constraints that layers accept by name: each gives the weights that are allowed and near the given ones."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from retrograd.graph.tensor import Tensor
from retrograd.nn.keras import lookup
from retrograd.nn.keras.lookup import described, found
from retrograd.ops import casts, clipping, constants, powers, reductions

_EPSILON = 1e-7


def _length(w: Any, axis: Any) -> Tensor:
    """``sqrt(sum(w * w))`` along ``axis``."""
    return powers.sqrt(_clipped(reductions.reduce_sum(powers.square(w), axis=axis, keepdims=True), 0.0, math.inf))


def _clipped(x: Any, low: float, high: float) -> Tensor:
    lowest = constants.constant(low, dtype=x.dtype.base_dtype)
    highest = constants.constant(high, dtype=x.dtype.base_dtype)
    return clipping.clip_by_value(x, lowest, highest)


class Constraint:
    """Weights that are allowed: called with weights, gives allowed ones."""

    _options: ClassVar[tuple[str, ...]] = ()

    def __call__(self, w: Any) -> Any:
        return w

    def get_config(self) -> dict[str, Any]:
        """The arguments that make the same constraint."""
        return {key: getattr(self, key) for key in self._options}


class MaxNorm(Constraint):
    """Vectors along ``axis`` of length at most ``max_value``."""

    _options = ("max_value", "axis")

    def __init__(self, max_value: float = 2, axis: Any = 0) -> None:
        self.max_value, self.axis = max_value, axis

    def __call__(self, w: Any) -> Tensor:
        length = _length(w, self.axis)
        return w * (_clipped(length, 0, self.max_value) / (_EPSILON + length))


class NonNeg(Constraint):
    """Weights of at least 0."""

    def __call__(self, w: Any) -> Tensor:
        return w * casts.cast(w >= 0.0, w.dtype.base_dtype)


class UnitNorm(Constraint):
    """Vectors along ``axis`` of length 1."""

    _options = ("axis",)

    def __init__(self, axis: Any = 0) -> None:
        self.axis = axis

    def __call__(self, w: Any) -> Tensor:
        return w / (_EPSILON + _length(w, self.axis))


class MinMaxNorm(Constraint):
    """Vectors along ``axis`` of a length between two, or with ``rate`` < 1, nearer to that."""

    _options = ("min_value", "max_value", "rate", "axis")

    def __init__(self, min_value: float = 0.0, max_value: float = 1.0, rate: float = 1.0, axis: Any = 0) -> None:
        self.min_value, self.max_value, self.rate, self.axis = min_value, max_value, rate, axis

    def __call__(self, w: Any) -> Tensor:
        length = _length(w, self.axis)
        wanted = self.rate * _clipped(length, self.min_value, self.max_value) + (1 - self.rate) * length
        return w * (wanted / (_EPSILON + length))


max_norm = MaxNorm
non_neg = NonNeg
unit_norm = UnitNorm
min_max_norm = MinMaxNorm

_BY_NAME = {
    "Constraint": Constraint, "MaxNorm": MaxNorm, "MinMaxNorm": MinMaxNorm, "NonNeg": NonNeg, "UnitNorm": UnitNorm,
    "max_norm": MaxNorm, "min_max_norm": MinMaxNorm, "non_neg": NonNeg, "unit_norm": UnitNorm,
}  # fmt: skip


def get(identifier: Any) -> Any:
    """The constraint of this name or configuration, or the one given.

    Raises:
      ValueError: there is no constraint of this name, or it is none.
    """
    if identifier is None or callable(identifier):
        return identifier
    if isinstance(identifier, str):
        return found(identifier, _BY_NAME, "constraint")()
    if isinstance(identifier, dict):
        return found(identifier, _BY_NAME, "constraint")
    raise ValueError(f"Could not interpret constraint identifier: {identifier}")


serialize = described


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """The constraint of a name or a configuration."""
    with lookup.custom_object_scope(custom_objects):
        return get(config)
