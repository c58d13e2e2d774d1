"""The constraints that layers accept by name: each gives the weights that are allowed and near the given ones."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from retrograd.flow import loops
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.nn import functional
from retrograd.nn.keras import lookup
from retrograd.nn.keras.lookup import described, found
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    clipping,
    comparison,
    conditions,
    constants,
    joining,
    padding,
    powers,
    reductions,
)

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


class RadialConstraint(Constraint):
    """Filters that depend on the distance from their middle alone: each ring has the number on the diagonal."""

    def __call__(self, w: Any) -> Any:
        if w.shape.rank != 4:
            raise ValueError(f"The weight tensor must be of rank 4, but is of shape: {w.shape}")
        height, width, channels, count = w.shape.as_list()
        filters = arrays.reshape(w, (height, width, channels * count))
        planes = joining.stack(joining.unstack(filters, axis=-1), axis=0)
        rings = functional.map_fn(self._kernel_constraint, planes)
        filters = joining.stack(joining.unstack(rings, axis=0), axis=-1)
        return arrays.reshape(filters, (height, width, channels, count))

    def _kernel_constraint(self, kernel: Any) -> Any:
        """The rings around the middle, which is one element, or four in a filter of even size."""
        around = constants.constant([[1, 1], [1, 1]], dtype="int32")
        size = arrays.shape(kernel)[0]
        start = casts.cast(size / 2, "int32")

        def middle() -> Any:
            return kernel[start - 1 : start, start - 1 : start]

        def is_odd() -> Any:
            return casts.cast(arithmetic.floormod(size, 2), "bool")

        inner = conditions.cond(is_odd(), middle, lambda: middle() + constants.zeros((2, 2), dtype=kernel.dtype))
        first = conditions.cond(
            is_odd(), lambda: constants.constant(0, dtype="int32"), lambda: constants.constant(1, dtype="int32")
        )
        _, rings = loops.while_loop(
            lambda i, *_: comparison.less(i, start),
            lambda i, array: (i + 1, padding.pad(array, around, constant_values=kernel[start + i, start + i])),
            [first, inner], shape_invariants=[first.get_shape(), TensorShape([None, None])],
        )  # fmt: skip
        return rings


_BY_NAME = {
    "Constraint": Constraint, "MaxNorm": MaxNorm, "MinMaxNorm": MinMaxNorm, "NonNeg": NonNeg, "UnitNorm": UnitNorm,
    "max_norm": MaxNorm, "min_max_norm": MinMaxNorm, "non_neg": NonNeg, "unit_norm": UnitNorm, "maxnorm": MaxNorm,
    "nonneg": NonNeg, "unitnorm": UnitNorm, "RadialConstraint": RadialConstraint, "radial_constraint": RadialConstraint,
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


def serialize(constraint: Any) -> Any:
    """What makes the constraint again: its name, or its class and arguments."""
    return described(constraint)


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """The constraint of a name or a configuration."""
    with lookup.custom_object_scope(custom_objects):
        return get(config)
