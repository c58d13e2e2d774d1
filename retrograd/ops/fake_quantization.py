"""Numbers rounded to those that a few bits can hold, as floats: what training for quantized inference sees.

A range ``[min, max]`` is divided into ``levels`` steps and moved so that 0 is one of them.  Gradients pass where a
number is within the range; what lies beyond goes to its ends (Jacob et al., 2017).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph.apply import apply
from retrograd.graph.definition import define
from retrograd.graph.errors import InvalidArgumentError, invalid
from retrograd.graph.shapes import RawShape, shape_text
from retrograd.graph.tensor import Tensor
from retrograd.ops import kinds, shape_rules

# -- the steps -----------------------------------------------------------------------------------


def _steps(xp: Any, low: Any, high: Any, num_bits: int, narrow_range: bool) -> tuple[Any, Any, Any]:
    """The range moved so that 0 is a step of it, and the step, in float32."""
    first, last = np.float32(1 if narrow_range else 0), np.float32(2**num_bits - 1)
    step = (high - low) / (last - first)
    zero = first - low / step
    rounded = xp.sign(zero) * xp.floor(xp.abs(zero) + np.float32(0.5))
    zero = xp.where(zero < first, first, xp.where(zero > last, last, rounded))
    return (first - zero) * step, (last - zero) * step, step


def _rounded(xp: Any, x: Any, low: Any, high: Any, num_bits: int, narrow_range: bool) -> Any:
    low, high, step = _steps(xp, low, high, num_bits, narrow_range)
    shifted = xp.clip(x, low, high) - low
    return xp.floor(shifted / step + np.float32(0.5)) * step + low


def _check(num_bits: int) -> None:
    if not 2 <= num_bits <= 16:
        raise InvalidArgumentError(None, None, f"num_bits must be between 2 and 16, inclusive but is: {num_bits}")


_BITS = {"num_bits": 8, "narrow_range": False}

# -- a range that is known while building --------------------------------------------------------


def _of_args(xp: Any, x: Any, *, min: float, max: float, num_bits: int, narrow_range: bool) -> Any:
    _check(num_bits)
    return _rounded(xp, x, np.float32(min), np.float32(max), num_bits, narrow_range).astype(np.float32)


def _of_args_slope(xp: Any, dy: Any, x: Any, *, min: float, max: float, num_bits: int, narrow_range: bool) -> Any:
    """dx = dy within the range."""
    _check(num_bits)
    if dy.shape != x.shape:
        raise invalid(
            "Inputs to operation {node} of type FakeQuantWithMinMaxArgsGradient must have the same size and shape.  "
            f"Input 0: {shape_text(dy.shape)} != input 1: {shape_text(x.shape)}"
        )
    low, high, _ = _steps(xp, np.float32(min), np.float32(max), num_bits, narrow_range)
    return xp.where((x >= low) & (x <= high), dy, np.float32(0))


FAKE_QUANT_ARGS_GRADIENT = define(
    "FakeQuantWithMinMaxArgsGradient", "gradients: float32, inputs: float32", "backprops: float32",
    attrs={"min": -6.0, "max": 6.0, **_BITS}, shape=lambda dy, x: shape_rules.same(x), kernel=_of_args_slope,
)  # fmt: skip


def _of_args_gradient(op: Any, dy: Any) -> list[Any]:
    attrs = {key: op.attrs[key] for key in ("min", "max", "num_bits", "narrow_range")}
    return [apply(FAKE_QUANT_ARGS_GRADIENT, dy, op.inputs[0], **attrs)]


FAKE_QUANT_ARGS = define(
    "FakeQuantWithMinMaxArgs", "inputs: float32", "outputs: float32", attrs={"min": -6.0, "max": 6.0, **_BITS},
    shape=shape_rules.same, kernel=_of_args, gradient=_of_args_gradient,
)  # fmt: skip


def fake_quant_with_min_max_args(
    inputs: Any, min: float = -6, max: float = 6, num_bits: int = 8, narrow_range: bool = False, name: str | None = None
) -> Tensor:
    """``inputs`` rounded to ``2^num_bits`` steps between ``min`` and ``max``."""
    return apply(
        FAKE_QUANT_ARGS,
        inputs,
        min=min,
        max=max,
        num_bits=num_bits,
        narrow_range=narrow_range,
        name=name,
    )


def fake_quant_with_min_max_args_gradient(
    gradients: Any, inputs: Any, min: float = -6, max: float = 6, num_bits: int = 8, narrow_range: bool = False,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """``gradients`` where ``inputs`` are within the range."""
    return apply(
        FAKE_QUANT_ARGS_GRADIENT, gradients, inputs, min=min, max=max,
        num_bits=num_bits, narrow_range=narrow_range, name=name,
    )  # fmt: skip


# -- a range of variables, one for all or one for each channel -----------------------------------


def _of_vars(xp: Any, x: Any, low: Any, high: Any, *, num_bits: int, narrow_range: bool) -> Any:
    """Rounded; 0 where the range is empty."""
    _check(num_bits)
    empty = (low == 0) & (high == 0)
    high = xp.where(empty, np.float32(1), high)
    return xp.where(empty, np.float32(0), _rounded(xp, x, low, high, num_bits, narrow_range)).astype(np.float32)


def _of_vars_slopes(xp: Any, dy: Any, x: Any, low: Any, high: Any, *, num_bits: int, narrow_range: bool) -> list[Any]:
    """dx = dy within the range; what is below it is the minimum's, what is above the maximum's."""
    _check(num_bits)
    if dy.shape != x.shape:
        raise invalid("gradient and input must be the same size")
    empty = (low == 0) & (high == 0)
    first, last, _ = _steps(xp, low, xp.where(empty, np.float32(1), high), num_bits, narrow_range)
    over = tuple(range(x.ndim - low.ndim))
    zero = np.float32(0)
    dx = xp.where(empty | ((x >= first) & (x <= last)), dy, zero)
    d_low = xp.sum(xp.where(~empty & (x < first), dy, zero), axis=over, dtype=np.float32)
    d_high = xp.sum(xp.where(~empty & (x > last), dy, zero), axis=over, dtype=np.float32)
    return [dx, d_low, d_high]


def _of_one(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """``kernel`` with one range, which may come with dimensions of size 1."""

    def of_one(xp: Any, *inputs: Any, num_bits: int, narrow_range: bool) -> Any:
        *arrays, low, high = inputs
        for what, bound in (("min", low), ("max", high)):
            if bound.size != 1:
                raise invalid(f"{what} must be rank 0 is rank {bound.ndim}")
        bounds = (xp.reshape(bound, ()) for bound in (low, high))
        result = kernel(xp, *arrays, *bounds, num_bits=num_bits, narrow_range=narrow_range)
        if len(arrays) == 1:
            return result
        return [result[0], *(xp.reshape(d, bound.shape) for d, bound in zip(result[1:], (low, high), strict=True))]

    return of_one


def _of_channels(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """``kernel`` with a range for each channel."""

    def of_channels(xp: Any, *inputs: Any, num_bits: int, narrow_range: bool) -> Any:
        depth = inputs[0].shape[-1] if inputs[0].ndim else 1
        for what, bound in zip(("min", "max"), inputs[-2:], strict=True):
            size = bound.shape[0] if bound.ndim else 0
            if size != depth or bound.ndim != 1:
                raise invalid(f"{what} has incorrect size, expected {depth} was {size}")
        return kernel(xp, *inputs, num_bits=num_bits, narrow_range=narrow_range)

    return of_channels


_VARS_IN = "inputs: float32, min: float32, max: float32"
_VARS_OUT = "backprops_wrt_input: float32, backprop_wrt_min: float32, backprop_wrt_max: float32"


def _vars_gradient_shapes(dy: Tensor, x: Tensor, low: Tensor, high: Tensor) -> list[RawShape]:
    return [x.dims, low.dims, high.dims]


def _same_as_inputs(x: Tensor, low: Tensor, high: Tensor) -> RawShape:
    return x.dims


FAKE_QUANT_VARS_GRADIENT = define(
    "FakeQuantWithMinMaxVarsGradient", f"gradients: float32, {_VARS_IN}", _VARS_OUT, attrs=_BITS,
    shape=_vars_gradient_shapes, kernel=_of_one(_of_vars_slopes),
)  # fmt: skip
FAKE_QUANT_CHANNELS_GRADIENT = define(
    "FakeQuantWithMinMaxVarsPerChannelGradient", f"gradients: float32, {_VARS_IN}", _VARS_OUT, attrs=_BITS,
    shape=_vars_gradient_shapes, kernel=_of_channels(_of_vars_slopes),
)  # fmt: skip


def _of_vars_gradient(op: Any, dy: Any) -> list[Any]:
    slopes = FAKE_QUANT_VARS_GRADIENT if op.type == "FakeQuantWithMinMaxVars" else FAKE_QUANT_CHANNELS_GRADIENT
    attrs = {key: op.attrs[key] for key in _BITS}
    return list(apply(slopes, dy, *op.inputs, **attrs))


FAKE_QUANT_VARS = define(
    "FakeQuantWithMinMaxVars", _VARS_IN, "outputs: float32", attrs=_BITS, shape=_same_as_inputs,
    kernel=_of_one(_of_vars),
    gradient=_of_vars_gradient,
)  # fmt: skip
FAKE_QUANT_CHANNELS = define(
    "FakeQuantWithMinMaxVarsPerChannel", _VARS_IN, "outputs: float32", attrs=_BITS, shape=_same_as_inputs,
    kernel=_of_channels(_of_vars), gradient=_of_vars_gradient,
)  # fmt: skip


def fake_quant_with_min_max_vars(
    inputs: Any, min: Any, max: Any, num_bits: int = 8, narrow_range: bool = False, name: str | None = None
) -> Tensor:
    """``inputs`` rounded to ``2^num_bits`` steps between the tensors ``min`` and ``max``."""
    return apply(FAKE_QUANT_VARS, inputs, min, max, num_bits=num_bits, narrow_range=narrow_range, name=name)


def fake_quant_with_min_max_vars_gradient(
    gradients: Any, inputs: Any, min: Any, max: Any, num_bits: int = 8, narrow_range: bool = False,
    name: str | None = None,
) -> Any:  # fmt: skip
    """What of ``gradients`` goes to ``inputs``, to ``min`` and to ``max``."""
    return apply(
        FAKE_QUANT_VARS_GRADIENT, gradients, inputs, min, max, num_bits=num_bits, narrow_range=narrow_range, name=name
    )


def fake_quant_with_min_max_vars_per_channel(
    inputs: Any, min: Any, max: Any, num_bits: int = 8, narrow_range: bool = False, name: str | None = None
) -> Tensor:
    """The same with a range for each channel, the last dimension."""
    return apply(FAKE_QUANT_CHANNELS, inputs, min, max, num_bits=num_bits, narrow_range=narrow_range, name=name)


def fake_quant_with_min_max_vars_per_channel_gradient(
    gradients: Any, inputs: Any, min: Any, max: Any, num_bits: int = 8, narrow_range: bool = False,
    name: str | None = None,
) -> Any:  # fmt: skip
    """What of ``gradients`` goes to ``inputs``, and to each channel's ``min`` and ``max``."""
    return apply(
        FAKE_QUANT_CHANNELS_GRADIENT, gradients, inputs, min, max, num_bits=num_bits, narrow_range=narrow_range,
        name=name,
    )  # fmt: skip


# -- the range of the tensor itself --------------------------------------------------------------


def _there_and_back(
    xp: Any, x: Any, low: Any, high: Any, *, signed_input: bool, num_bits: int, range_given: bool, round_mode: Any,
    narrow_range: bool,
) -> Any:  # fmt: skip
    """``round(x * scale) / scale``, with the larger of the scales at which both ends of the range fit."""
    if not range_given:
        low, high = xp.min(x), xp.max(x)
    elif xp is np and not (low <= high):
        text = f"Invalid range: input_min {low} > input_max {high}"
        raise InvalidArgumentError(None, None, text)
    least = -(2 ** (num_bits - 1)) + narrow_range if signed_input else 0
    most = 2 ** (num_bits - 1) - 1 if signed_input else 2**num_bits - 1
    kind = x.dtype.type
    infinity = kind(np.finfo(x.dtype).max)
    from_low = xp.where(least * low > 0, kind(least) / xp.where(low == 0, kind(1), low), infinity)
    from_high = xp.where(most * high > 0, kind(most) / xp.where(high == 0, kind(1), high), infinity)
    by_low = from_low < from_high
    scale = xp.where(by_low, from_low, from_high)
    back = xp.where(by_low, low / kind(least or 1), high / kind(most))
    low = xp.where(by_low, low, kind(least) * back)
    high = xp.where(by_low, kind(most) * back, high)
    if range_given:
        x = xp.clip(x, low, high)
    scaled = x * scale
    up = round_mode in ("HALF_UP", b"HALF_UP")
    return ((xp.floor(scaled + kind(0.5)) if up else xp.round(scaled)) * back).astype(x.dtype)


def _straight_through(op: Any, dy: Any) -> list[Any]:
    """dx = dy."""
    return [dy, None, None]


QUANTIZE_AND_DEQUANTIZE = define(
    "QuantizeAndDequantizeV2", "input: T, input_min: T, input_max: T", "output: T",
    attrs={
        "signed_input": True, "num_bits": 8, "range_given": False, "round_mode": "HALF_TO_EVEN", "narrow_range": False
    },
    types={"T": kinds.FLOATING}, choices={"round_mode": ("HALF_TO_EVEN", "HALF_UP")},
    shape=lambda x, low, high: x.dims, kernel=_there_and_back, gradient=_straight_through,
)  # fmt: skip


def quantize_and_dequantize(
    input: Any, input_min: Any, input_max: Any, signed_input: bool = True, num_bits: int = 8,
    range_given: bool = False, round_mode: str = "HALF_TO_EVEN", name: str | None = None, narrow_range: bool = False,
) -> Tensor:  # fmt: skip
    """``input`` rounded to what ``num_bits`` hold of its range, or of the given one; its gradient passes unchanged."""
    return apply(
        QUANTIZE_AND_DEQUANTIZE, input, input_min, input_max, signed_input=signed_input, num_bits=num_bits,
        range_given=range_given, round_mode=round_mode, narrow_range=narrow_range, name=name,
    )  # fmt: skip
