"""Tensors of quantized numbers: small integers q that stand for floats of a range.

The range ``[min, max]`` is a pair of float tensors beside the integers.  ``lowest`` and ``highest`` are the ends of the
integers' type.  With ``MIN_COMBINED`` the range is divided into ``highest - lowest`` steps; with ``MIN_FIRST`` its
minimum is rounded to a step first; with ``SCALED`` 0 is 0 and both ends of the range fit.  What stands here runs in the
interpreter: such tensors occur where a graph is prepared for small machines, and no gradient goes through them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply, apply_named
from retrograd.graph.definition import REQUIRED, Effect, define, no_derivative, not_differentiable
from retrograd.graph.deprecation import deprecated
from retrograd.graph.dtypes import DType
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import convolution, joining, kinds, pooling, shape_rules, windows

_MODES = ("MIN_COMBINED", "MIN_FIRST", "SCALED")
_ROUNDINGS = ("HALF_AWAY_FROM_ZERO", "HALF_TO_EVEN")
_RANGE = "output_min: float32, output_max: float32"


def ends(dtype: DType) -> tuple[int, int]:
    """The least and the greatest integer of a type."""
    limits = np.iinfo(dtype.np)
    return int(limits.min), int(limits.max)


def away(x: Any) -> Any:
    """Rounded to the nearest integer, halves away from 0."""
    return np.sign(x) * np.floor(np.abs(x) + x.dtype.type(0.5))


def _stored(x: Any, dtype: DType) -> Any:
    """Floats as integers; the processor makes the lowest of those that do not fit."""
    low, high = ends(dtype)
    with np.errstate(invalid="ignore"):
        fits = (x >= low) & (x <= high) & (x < 2.0**31)
        return np.where(fits, x, low).astype(np.int64).astype(dtype.np)


# -- one number at a time ------------------------------------------------------------------------


def steps(dtype: DType, low: Any, high: Any) -> tuple[int, float]:
    """How many numbers the type has, and by how much neighbours differ where its range is ``[low, high]``."""
    steps = 2 ** (8 * dtype.np.itemsize)
    return steps, float(np.float32(high) - np.float32(low)) * (steps / (steps - 1.0)) / steps


def to_quantized(x: Any, low: Any, high: Any, dtype: DType) -> Any:
    """``q = round(x / step) - round(low / step) + lowest``, within the type."""
    if low == high:
        return np.zeros(np.shape(x), dtype.np)
    _, step = steps(dtype, low, high)
    least, most = ends(dtype)
    scale = np.float32(1 / step)
    q = away(np.float32(x) * scale) - (away(np.float32(low) * scale) - np.float32(least))
    highest = np.float32(most) if most < 2**24 else np.nextafter(np.float32(most), np.float32(0))
    return np.clip(q, np.float32(least), highest).astype(dtype.np)


def to_float(q: Any, low: Any, high: Any, dtype: DType) -> Any:
    """``x = round(low / step) * step + (q - lowest) * step``."""
    if low == high:
        return np.full(np.shape(q), low, np.float32)
    _, step = steps(dtype, low, high)
    first = away(np.float32(low) / np.float32(step)) * np.float32(step)
    return (first + (np.float64(q) - ends(dtype)[0]) * step).astype(np.float32)


# -- to and from floats --------------------------------------------------------------------------


def _scaled_range(low: Any, high: Any, dtype: DType) -> tuple[Any, Any, Any]:
    """The range widened so that both ends have one scale, and the scale."""
    least, most = ends(dtype)
    largest = np.finfo(np.float32).max
    from_low = np.float32(least) / low if least * low > 0 else largest
    from_high = np.float32(most) / high if most * high > 0 else largest
    scale = min(from_low, from_high)
    return np.float32(least) / scale, np.float32(most) / scale, scale


def _quantize(xp: Any, host: Any, x: Any, low: Any, high: Any, *, T: DType, mode: Any, round_mode: Any) -> list[Any]:
    if round_mode == "HALF_TO_EVEN" and mode != "SCALED":
        text = f"Round mode 'HALF_TO_EVEN' only supported for mode 'SCALED', but mode is '{mode}'."
        raise InvalidArgumentError(None, None, text)
    if high < low:
        raise InvalidArgumentError(None, None, "input_max_range must be larger than input_min_range.")
    first = np.minimum(np.float32(0), low)
    gap = np.maximum(np.float32(1), np.maximum(np.abs(low), np.abs(high))) / np.float32(100)
    last = np.maximum(np.float32(0), np.maximum(high, first + gap))
    least, most = ends(T)
    if mode == "MIN_FIRST":
        return [to_quantized(x, first, last, T), first, last]
    if mode == "SCALED":
        first, last, scale = _scaled_range(first, last, T)
        scaled = np.clip(x, first, last) * scale
        rounded = np.round(scaled) if round_mode == "HALF_TO_EVEN" else away(scaled)
        return [_stored(rounded, T), first, last]
    scale = np.float32(float(most - least) / float(last - first))
    shifted = (np.clip(x, first, last) - first) * scale
    if least < 0:
        rounded = away(shifted - np.float32((most - least + 1) / 2))
    else:
        rounded = np.trunc(shifted + np.float32(0.5))
    return [_stored(rounded, T), first, last]


def _of_scalars(x: Tensor, low: Tensor, high: Tensor) -> list[RawShape]:
    shape_rules.with_rank(low, 0)
    shape_rules.with_rank(high, 0)
    return [x.dims, (), ()]


QUANTIZE = define(
    "QuantizeV2", "input: float32, min_range: float32, max_range: float32", f"output: T, {_RANGE}",
    attrs={"T": REQUIRED, "mode": "MIN_COMBINED", "round_mode": "HALF_AWAY_FROM_ZERO"}, types={"T": kinds.QUANTIZED},
    choices={"mode": _MODES, "round_mode": _ROUNDINGS}, shape=_of_scalars, kernel=_quantize, gradient=no_derivative,
    effect=Effect.HOST,
)  # fmt: skip


def quantize(
    input: Any, min_range: Any, max_range: Any, T: Any, mode: str = "MIN_COMBINED",
    round_mode: str = "HALF_AWAY_FROM_ZERO", name: str | None = None,
) -> Any:  # fmt: skip
    """``input`` as integers of type ``T`` that stand for the numbers of a range, and the range itself."""
    return apply_named(QUANTIZE, input, min_range, max_range, T=T, mode=mode, round_mode=round_mode, name=name)


@deprecated("2017-10-25", "`tf.quantize_v2` is deprecated, please use `tf.quantization.quantize` instead.")
def quantize_v2(
    input: Any, min_range: Any, max_range: Any, T: Any, mode: str = "MIN_COMBINED", name: str | None = None,
    round_mode: str = "HALF_AWAY_FROM_ZERO",
) -> Any:  # fmt: skip
    """An older ``quantize``."""
    return quantize(input, min_range, max_range, T, mode, round_mode, name)


def _dequantize(xp: Any, host: Any, q: Any, low: Any, high: Any, *, T: DType, mode: Any) -> Any:
    least, most = ends(T)
    if mode == "MIN_FIRST":
        return to_float(q, low, high, T)
    if mode == "SCALED":
        scale = high / np.float32(most)
        if least < 0:
            scale = max(low / np.float32(least), scale)
        return q.astype(np.float32) * scale
    scale = (high - low) / (np.float32(most) - np.float32(least))
    half = np.float32((most - least + 1) / 2 if least < 0 else 0)
    return (q.astype(np.float32) + half) * scale + low


DEQUANTIZE = define(
    "Dequantize", "input: T, min_range: float32, max_range: float32", "output: float32", attrs={"mode": "MIN_COMBINED"},
    types={"T": kinds.QUANTIZED}, choices={"mode": _MODES}, shape=lambda q, low, high: _of_scalars(q, low, high)[0],
    kernel=_dequantize, gradient=no_derivative, effect=Effect.HOST,
)  # fmt: skip


def dequantize(
    input: Any, min_range: Any, max_range: Any, mode: str = "MIN_COMBINED", name: str | None = None
) -> Tensor:
    """The floats of a range that quantized integers stand for."""
    return apply(DEQUANTIZE, input, min_range, max_range, mode=mode, name=name)


# -- other ops on quantized numbers --------------------------------------------------------------


def _concat(xp: Any, host: Any, axis: Any, values: Any, lows: Any, highs: Any, *, T: DType) -> list[Any]:
    """All parts in one range that contains those of all."""
    low, high = np.minimum(np.float32(0), np.min(lows)), np.max(highs)
    if ends(T)[0] < 0:
        high = np.maximum(np.abs(low), np.abs(high))
        low = -high
    parts = [
        q if (a, b) == (low, high) else to_quantized(to_float(q, a, b, T), low, high, T)
        for q, a, b in zip(values, lows, highs, strict=True)
    ]
    return [np.concatenate(parts, int(axis)), np.float32(low), np.float32(high)]


def _concat_shapes(axis: Tensor, values: Any, lows: Any, highs: Any) -> list[RawShape]:
    for end in (*lows, *highs):
        shape_rules.with_rank(end, 0)
    return [joining.concatenated(values, axis), (), ()]


QUANTIZED_CONCAT = define(
    "QuantizedConcat", "concat_dim: int32, values: N*T, input_mins: N*float32, input_maxes: N*float32",
    f"output: T, {_RANGE}", static=("concat_dim",), shape=_concat_shapes, kernel=_concat,
    gradient=not_differentiable, effect=Effect.HOST,
)  # fmt: skip


def quantized_concat(concat_dim: Any, values: Any, input_mins: Any, input_maxes: Any, name: str | None = None) -> Any:
    """Quantized tensors joined along an axis, in one range."""
    return apply_named(QUANTIZED_CONCAT, concat_dim, values, input_mins, input_maxes, name=name)


def _pooled(q: Tensor, low: Tensor, high: Tensor, *, ksize: Any, strides: Any, padding: Any) -> list[RawShape]:
    shape_rules.with_rank(low, 0)
    shape_rules.with_rank(high, 0)
    return [pooling.pooled(q, ksize=ksize, strides=strides, padding=padding), (), ()]


def _pooling(name: str, combine: Callable[..., Any]) -> Any:
    """An op on the windows of quantized images; the range stays."""

    def kernel(
        xp: Any, host: Any, q: Any, low: Any, high: Any, *, T: DType, ksize: Any, strides: Any, padding: Any
    ) -> list[Any]:
        pool = pooling.Pool(q.shape, ksize, strides, padding, "NHWC")
        return [combine(pool.windows, q.astype(np.int32)).astype(T.np), low, high]

    return define(
        name, "input: T, min_input: float32, max_input: float32",
        "output: T, min_output: float32, max_output: float32",
        attrs={"ksize": REQUIRED, "strides": REQUIRED, "padding": REQUIRED}, types={"T": kinds.QUANTIZED},
        choices={"padding": windows.SAME_OR_VALID}, shape=_pooled, kernel=kernel, gradient=no_derivative,
        effect=Effect.HOST,
    )  # fmt: skip


def _means(slid: windows.Windows, q: Any) -> Any:
    """The mean of what a window sees, rounded towards 0."""
    total = pooling.reduced(np, np.add, slid.padded(np, q), slid)
    return np.trunc(total / pooling.counts(slid, np.float64))


def _maxima(slid: windows.Windows, q: Any) -> Any:
    return pooling.reduced(np, np.maximum, slid.padded(np, q, np.iinfo(np.int32).min), slid)


QUANTIZED_AVG_POOL = _pooling("QuantizedAvgPool", _means)
QUANTIZED_MAX_POOL = _pooling("QuantizedMaxPool", _maxima)


def quantized_avg_pool(
    input: Any, min_input: Any, max_input: Any, ksize: Any, strides: Any, padding: Any, name: str | None = None
) -> Any:
    """Means over the windows of quantized images, and the range."""
    return apply(
        QUANTIZED_AVG_POOL, input, min_input, max_input, ksize=ksize, strides=strides, padding=padding, name=name
    )


def quantized_max_pool(
    input: Any, min_input: Any, max_input: Any, ksize: Any, strides: Any, padding: Any, name: str | None = None
) -> Any:
    """Maxima over the windows of quantized images, and the range."""
    return apply(
        QUANTIZED_MAX_POOL, input, min_input, max_input, ksize=ksize, strides=strides, padding=padding, name=name
    )


def step_of(low: Any, high: Any, dtype: DType) -> Any:
    """By how much neighbours differ, in 32 bits."""
    least, most = ends(dtype)
    return (high - low) / np.float32(most - least)


def _convolve(
    xp: Any, host: Any, q: Any, w: Any, q_low: Any, q_high: Any, w_low: Any, w_high: Any, *, Tinput: DType,
    Tfilter: DType, out_type: DType, strides: Any, padding: Any, dilations: Any,
) -> list[Any]:  # fmt: skip
    """Sums of products of what lies above the integer of 0, in a range in which one step is the product of both."""
    x = np.float64(q) - to_quantized(np.float32(0), q_low, q_high, Tinput)
    w = np.float64(w) - to_quantized(np.float32(0), w_low, w_high, Tfilter)
    y = convolution.convolve(
        np, x, w, strides=strides, padding=padding, explicit_paddings=(), data_format="NHWC", dilations=dilations
    )
    step = step_of(q_low, q_high, Tinput) * step_of(w_low, w_high, Tfilter)
    return [np.rint(y).astype(out_type.np), *(step * np.float32(end) for end in ends(out_type))]


def _convolved(q: Tensor, w: Tensor, *ends: Tensor, strides: Any, padding: Any, dilations: Any) -> list[RawShape]:
    for end in ends:
        shape_rules.with_rank(end, 0)
    sides = {"strides": strides, "padding": padding, "dilations": dilations}
    return [convolution.convolved_shape(q, w, explicit_paddings=(), data_format="NHWC", **sides), (), ()]


QUANTIZED_CONV2D = define(
    "QuantizedConv2D",
    "input: Tinput, filter: Tfilter, min_input: float32, max_input: float32, min_filter: float32, max_filter: float32",
    "output: out_type, min_output: float32, max_output: float32",
    attrs={
        "out_type": dtypes.qint32, "strides": REQUIRED, "padding": REQUIRED, "dilations": convolution.UNDILATED
    },
    types={"Tinput": kinds.QUANTIZED, "Tfilter": kinds.QUANTIZED, "out_type": kinds.QUANTIZED},
    choices={"padding": windows.SAME_OR_VALID}, shape=_convolved, kernel=_convolve, gradient=no_derivative,
    effect=Effect.HOST,
)  # fmt: skip


def quantized_conv2d(
    input: Any, filter: Any, min_input: Any, max_input: Any, min_filter: Any, max_filter: Any, strides: Any,
    padding: Any, out_type: Any = dtypes.qint32, dilations: Any = convolution.UNDILATED, name: str | None = None,
) -> Any:  # fmt: skip
    """The convolution of quantized images with quantized filters, and the range of the result."""
    return apply(
        QUANTIZED_CONV2D, input, filter, min_input, max_input, min_filter, max_filter, strides=strides,
        padding=padding, out_type=out_type, dilations=list(dilations), name=name,
    )  # fmt: skip
