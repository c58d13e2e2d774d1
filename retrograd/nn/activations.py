"""Activations with a gradient of their own, and how many they leave at zero."""

from __future__ import annotations

from typing import Any

from retrograd.grad.registry import RegisterGradient
from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, casts, exponentials, reductions

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


def zero_fraction(value: Any, name: str | None = None) -> Tensor:
    """The part of ``value`` that is zero, as float32."""
    with name_scope(name, "zero_fraction", [value]):
        value = as_tensor(value, name="value")
        size = arrays.size(value, out_type=dtypes.int64)
        count = reductions.count_nonzero(value, dtype=dtypes.int64)
        with name_scope("counts_to_fraction"):
            zeros = casts.cast(size - count, dtypes.float32)
            fraction = zeros / casts.cast(size, dtypes.float32)
        return arrays.identity(fraction, "fraction")
