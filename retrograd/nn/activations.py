"""Activations with a gradient of their own, and how many they leave at zero."""

from __future__ import annotations

from typing import Any

from retrograd.grad.registry import RegisterGradient
from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, casts, comparison, conditions, constants, exponentials, reductions

_SWISH = "CustomGradient-swish"


def swish(features: Any) -> Tensor:
    """``x * sigmoid(x)``; its gradient computes the sigmoid again instead of keeping it."""
    x = as_tensor(features, name="features")
    y = x * exponentials.sigmoid(x)
    arrays.identity(y)
    return apply(arrays.IDENTITY_N, [y, x], _gradient_op_type=_SWISH.encode())[0]


@RegisterGradient(_SWISH)
def _swish_gradient(op: Any, dy: Any, _: Any) -> list[Any]:
    """dx = dy * s * (1 + x * (1 - s)), with s = sigmoid(x)."""
    x = op.inputs[1]
    with control_dependencies([dy]):
        s = exponentials.sigmoid(x)
    slope = s * (1.0 + x * (1.0 - s))
    return [None, dy * slope]


def _count_nonzero(value: Tensor, dtype: dtypes.DType) -> Tensor:
    with name_scope("count_nonzero", values=[value]):
        is_counted = comparison.not_equal(value, constants.zeros([], value.dtype))
        return reductions.reduce_sum(casts.cast(is_counted, dtype), name="nonzero_count")


def zero_fraction(value: Any, name: str | None = None) -> Tensor:
    """The part of ``value`` that is zero, as float32."""
    with name_scope(name, "zero_fraction", [value]):
        value = as_tensor(value, name="value")
        size = arrays.size(value, out_type=dtypes.int64)
        count = conditions.cond(
            size <= dtypes.int32.max,
            lambda: casts.cast(_count_nonzero(value, dtypes.int32), dtypes.int64),
            lambda: _count_nonzero(value, dtypes.int64),
        )
        with name_scope("counts_to_fraction"):
            zeros = casts.cast(size - count, dtypes.float32)
            fraction = zeros / casts.cast(size, dtypes.float32)
        return arrays.identity(fraction, "fraction")
