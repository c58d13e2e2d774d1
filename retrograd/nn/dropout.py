"""Dropout."""

from __future__ import annotations

import numbers
from typing import Any

from retrograd.graph import log
from retrograd.graph.convert import as_tensor
from retrograd.graph.deprecation import deprecated_argument_lookup
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, casts, random


def dropout(
    x: Any, keep_prob: Any = None, noise_shape: Any = None, seed: int | None = None, name: str | None = None,
    rate: Any = None,
) -> Tensor:  # fmt: skip
    """``x`` with each element kept and divided by ``1 - rate``, or with probability ``rate`` set to 0.

    Args:
      keep_prob: 1 - rate, the older argument.
      noise_shape: where it is 1, elements along that dimension are kept or dropped together.

    Raises:
      ValueError: both or none of the probabilities are given, or one is out of range.
    """
    try:
        kept = 1.0 - keep_prob if keep_prob is not None else None
    except TypeError:
        raise ValueError(f"keep_prob must be a floating point number or Tensor (got {keep_prob!r})") from None
    rate = deprecated_argument_lookup("rate", rate, "keep_prob", kept)
    if rate is None:
        raise ValueError("You must provide a rate to dropout.")
    return dropout_v2(x, rate, noise_shape=noise_shape, seed=seed, name=name)


def dropout_v2(x: Any, rate: Any, noise_shape: Any = None, seed: int | None = None, name: str | None = None) -> Tensor:
    """``dropout`` with the probability of dropping."""
    with name_scope(name, "dropout", [x]):
        x = as_tensor(x, name="x")
        if not x.dtype.is_floating:
            raise ValueError(
                f"x has to be a floating point tensor since it's going to be scaled. Got a {x.dtype} tensor instead."
            )
        if isinstance(rate, numbers.Real):
            _check_rate(rate)
            if rate == 0:
                return x
        rate = as_tensor(rate, x.dtype.base_dtype, name="rate")
        rate.shape.assert_has_rank(0)
        if constant_value(rate) == 0:
            return x
        drawn = random.random_uniform(_noise_shape(x, noise_shape), seed=seed, dtype=x.dtype)
        scale = 1 / (1 - rate)
        kept = drawn >= rate
        result = x * scale * casts.cast(kept, x.dtype)
        result.set_shape(x.dims)
        return result


def _check_rate(rate: Any) -> None:
    if not 0 <= rate < 1:
        raise ValueError(f"rate must be a scalar tensor or a float in the range [0, 1), got {rate:g}")
    if rate > 0.5:
        log.log_first_n(
            log.WARN,
            "Large dropout rate: %g (>0.5). In TensorFlow 2.x, dropout() uses dropout rate instead of keep_prob. "
            "Please ensure that this is intended.",
            5,
            rate,
        )


def _noise_shape(x: Tensor, noise_shape: Any) -> Any:
    """The shape of the draws: of ``x``, or as given, with unknown sizes taken from ``x``."""
    if noise_shape is None:
        return arrays.shape(x)
    try:
        wanted = TensorShape(noise_shape)
    except (TypeError, ValueError):
        return noise_shape
    if x.dims is not None and wanted.dims is not None and len(x.dims) == len(wanted.dims):
        sizes = [mine if size.value is None else size.value for size, mine in zip(wanted.dims, x.dims, strict=True)]
        return TensorShape(sizes)
    return noise_shape
