"""The initializers of ``tf.contrib.layers``."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.tensor import Tensor
from retrograd.ops import random

_TRUNCATION = 1.3  # makes up for the variance that a normal distribution loses when cut at two standard deviations


def xavier_initializer(
    uniform: bool = True, seed: int | None = None, dtype: Any = dtypes.float32
) -> Callable[..., Tensor]:
    """Variance ``2 / (inputs + outputs)`` (Glorot and Bengio, 2010)."""
    return scaling_initializer(1.0, "FAN_AVG", uniform, seed, dtype)


xavier_initializer_conv2d = xavier_initializer


def scaling_initializer(
    factor: float = 2.0,
    mode: str = "FAN_IN",
    uniform: bool = False,
    seed: int | None = None,
    dtype: Any = dtypes.float32,
) -> Callable[..., Tensor]:
    """Variance ``factor / n``, n by ``mode``: the inputs (``FAN_IN``), outputs (``FAN_OUT``) or their mean.

    Raises:
      TypeError: the dtype is no floating type, or the mode does not exist.
    """
    if not dtype.is_floating:
        raise TypeError("Cannot create initializer for non-floating point type.")
    if mode not in ("FAN_IN", "FAN_OUT", "FAN_AVG"):
        raise TypeError("Unknown mode %s [FAN_IN, FAN_OUT, FAN_AVG]", mode)

    def _initializer(shape: Any, dtype: Any = dtype, partition_info: Any = None) -> Tensor:
        if not dtype.is_floating:
            raise TypeError("Cannot create initializer for non-floating point type.")
        field = math.prod(float(n) for n in shape[:-2])
        fan_in = field * (float(shape[-2] if len(shape) > 1 else shape[-1]) if shape else 1.0)
        fan_out = field * (float(shape[-1]) if shape else 1.0)
        n = {"FAN_IN": fan_in, "FAN_OUT": fan_out, "FAN_AVG": (fan_in + fan_out) / 2.0}[mode]
        if uniform:
            limit = math.sqrt(3.0 * factor / n)
            return random.random_uniform(shape, -limit, limit, dtype, seed=seed)
        return random.truncated_normal(shape, 0.0, math.sqrt(_TRUNCATION * factor / n), dtype, seed=seed)

    return _initializer
