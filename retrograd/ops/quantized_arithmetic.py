"""What graphs that TensorFlow has quantized compute with: products, sums and activations of small integers.

A product's step is the product of the steps of both sides.  A sum lies in a range many times as wide as both, so that
nothing overflows.  What comes out has 32 bits, and is brought to 8 by a range that was found before, or in the run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import dtypes, shapes
from retrograd.graph.definition import REQUIRED, Effect, OpDef, define, no_derivative
from retrograd.graph.dtypes import DType
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, kinds, matrices, quantized, shape_rules

_ROOM_OF_SUMS, _ROOM_OF_BIASES = 2.0**14, 2.0**17


def _op(
    name: str, inputs: str, outputs: str, kernel: Callable[..., Any], shape: Callable[..., Any],
    attrs: dict[str, Any] | None = None, types: dict[str, Any] | None = None, static: tuple[str, ...] = (),
) -> OpDef:  # fmt: skip
    return define(
        name, inputs, outputs, attrs=attrs, types=types, shape=shape, kernel=kernel, gradient=no_derivative,
        static=static, effect=Effect.HOST,
    )  # fmt: skip


def _above_zero(q: Any, low: Any, high: Any, dtype: DType) -> Any:
    """How far integers lie above the one that stands for 0."""
    least, _ = quantized.ends(dtype)
    _, step = quantized.steps(dtype, low, high)
    zero = least - quantized.away(np.float64(low) / step)
    return np.float64(q) - zero


def _range_of_products(a: tuple[Any, Any, DType], b: tuple[Any, Any, DType], dtype: DType) -> list[Any]:
    step = quantized.step_of(*a) * quantized.step_of(*b)
    return [step * np.float32(end) for end in quantized.ends(dtype)]


def _check_scalars(*ends: Tensor) -> None:
    for end in ends:
        shape_rules.with_rank(end, 0)


def _with_range(shape: RawShape) -> list[RawShape]:
    return [shape, (), ()]


# -- products ------------------------------------------------------------------------------------


def _matmul(
    xp: Any, memory: Any, a: Any, b: Any, a_low: Any, a_high: Any, b_low: Any, b_high: Any, *, T1: DType, T2: DType,
    Toutput: DType, transpose_a: bool, transpose_b: bool,
) -> list[Any]:  # fmt: skip
    left, right = _above_zero(a, a_low, a_high, T1), _above_zero(b, b_low, b_high, T2)
    left, right = left.T if transpose_a else left, right.T if transpose_b else right
    if left.ndim != 2 or right.ndim != 2 or left.shape[1] != right.shape[0]:
        shown = f"{shapes.shape_text(np.shape(a))}, In[1]: {shapes.shape_text(np.shape(b))}"
        raise InvalidArgumentError(None, None, f"Matrix size-incompatible: In[0]: {shown}")
    ends = _range_of_products((a_low, a_high, T1), (b_low, b_high, T2), Toutput)
    return [np.rint(left @ right).astype(Toutput.np), *ends]


def _multiplied(a: Tensor, b: Tensor, *ends: Tensor, transpose_a: bool, transpose_b: bool) -> list[RawShape]:
    _check_scalars(*ends)
    return _with_range(matrices.product(a, b, transpose_a=transpose_a, transpose_b=transpose_b))


QUANTIZED_MATMUL = _op(
    "QuantizedMatMul", "a: T1, b: T2, min_a: float32, max_a: float32, min_b: float32, max_b: float32",
    "out: Toutput, min_out: float32, max_out: float32", _matmul, _multiplied,
    {"Toutput": dtypes.qint32, "transpose_a": False, "transpose_b": False, "Tactivation": dtypes.quint8},
    dict.fromkeys(("T1", "T2", "Toutput", "Tactivation"), kinds.QUANTIZED),
)  # fmt: skip


def _of_both(x: Tensor, y: Tensor, *ends: Tensor) -> list[RawShape]:
    _check_scalars(*ends)
    return _with_range(shape_rules.broadcast(x, y))


def _mul(
    xp: Any, memory: Any, x: Any, y: Any, x_low: Any, x_high: Any, y_low: Any, y_high: Any, *, T1: DType, T2: DType,
    Toutput: DType,
) -> list[Any]:  # fmt: skip
    z = _above_zero(x, x_low, x_high, T1) * _above_zero(y, y_low, y_high, T2)
    return [z.astype(Toutput.np), *_range_of_products((x_low, x_high, T1), (y_low, y_high, T2), Toutput)]


_OF_TWO = "x: T1, y: T2, min_x: float32, max_x: float32, min_y: float32, max_y: float32"
_TWO_TYPES = dict.fromkeys(("T1", "T2", "Toutput"), kinds.QUANTIZED)
QUANTIZED_MUL = _op(
    "QuantizedMul", _OF_TWO, "z: Toutput, min_z: float32, max_z: float32", _mul, _of_both,
    {"Toutput": dtypes.qint32}, _TWO_TYPES,
)  # fmt: skip

# -- sums ----------------------------------------------------------------------------------------


def _widest(ends: tuple[Any, ...], room: float) -> Any:
    """The end of a range that is ``room`` times as wide as the widest."""
    return np.float32(max(abs(float(end)) for end in ends) * room)


def _add(
    xp: Any, memory: Any, x: Any, y: Any, x_low: Any, x_high: Any, y_low: Any, y_high: Any, *, T1: DType, T2: DType,
    Toutput: DType,
) -> list[Any]:  # fmt: skip
    most = _widest((x_low, x_high, y_low, y_high), _ROOM_OF_SUMS)
    total: Any = 0
    for side, low, high, dtype in ((x, x_low, x_high, T1), (y, y_low, y_high, T2)):
        ends = quantized.to_float(np.array([0, 1], dtype.np), low, high, dtype)
        first, second = quantized.to_quantized(ends, -most, most, Toutput).astype(np.int64).tolist()
        total = total + first + side.astype(np.int64) * (second - first)  # whole steps from the first number on
    return [total.astype(Toutput.np), -most, most]


QUANTIZED_ADD = _op(
    "QuantizedAdd", _OF_TWO, "z: Toutput, min_z: float32, max_z: float32", _add, _of_both,
    {"Toutput": dtypes.qint32}, _TWO_TYPES,
)  # fmt: skip


def _bias_add(
    xp: Any, memory: Any, x: Any, bias: Any, x_low: Any, x_high: Any, b_low: Any, b_high: Any, *, T1: DType, T2: DType,
    out_type: DType,
) -> list[Any]:  # fmt: skip
    if np.shape(x)[-1] != np.shape(bias)[0]:
        words = (
            "Must provide as many biases as the last dimension of the input tensor: "
            f"{shapes.shape_text(np.shape(bias))} vs. {shapes.shape_text(np.shape(x))}"
        )
        raise InvalidArgumentError(None, None, words)
    most = _widest((x_low, x_high, b_low, b_high), _ROOM_OF_BIASES)
    left, right = (
        quantized.to_quantized(quantized.to_float(*side), -most, most, out_type).astype(np.int64)
        for side in ((x, x_low, x_high, T1), (bias, b_low, b_high, T2))
    )
    return [(left + right).astype(out_type.np), -most, most]


def _biased(x: Tensor, bias: Tensor, *ends: Tensor) -> list[RawShape]:
    _check_scalars(*ends)
    shape_rules.with_rank_at_least(x, 2)
    shape_rules.with_rank(bias, 1)
    return _with_range(x.dims)


QUANTIZED_BIAS_ADD = _op(
    "QuantizedBiasAdd",
    "input: T1, bias: T2, min_input: float32, max_input: float32, min_bias: float32, max_bias: float32",
    "output: out_type, min_out: float32, max_out: float32", _bias_add, _biased, {"out_type": REQUIRED},
    dict.fromkeys(("T1", "T2", "out_type"), kinds.QUANTIZED),
)  # fmt: skip

# -- activations ---------------------------------------------------------------------------------


def _unchanged(x: Tensor, *ends: Tensor) -> list[RawShape]:
    _check_scalars(*ends)
    return _with_range(x.dims)


def _activation(name: str, *bounds: float) -> OpDef:
    """An op that cuts at the integers that stand for ``bounds``; the range stays."""

    def kernel(xp: Any, memory: Any, x: Any, low: Any, high: Any, *, Tinput: DType, out_type: DType) -> list[Any]:
        ends = [quantized.to_quantized(np.float32(bound), low, high, Tinput) for bound in bounds]
        return [np.clip(x, ends[0], ends[1] if len(ends) > 1 else None).astype(out_type.np), low, high]

    return _op(
        name, "features: Tinput, min_features: float32, max_features: float32",
        "activations: out_type, min_activations: float32, max_activations: float32", kernel, _unchanged,
        {"out_type": dtypes.quint8}, dict.fromkeys(("Tinput", "out_type"), kinds.QUANTIZED),
    )  # fmt: skip


QUANTIZED_RELU = _activation("QuantizedRelu", 0.0)
QUANTIZED_RELU6 = _activation("QuantizedRelu6", 0.0, 6.0)

# -- other ranges --------------------------------------------------------------------------------


def _found_range(q: Any, low: Any, high: Any, dtype: DType) -> list[Any]:
    """The range of the numbers that are there, and 0."""
    if not np.size(q):
        return [np.float32(0), np.float32(0)]
    ends = quantized.to_float(np.array([np.min(q), np.max(q)], dtype.np), low, high, dtype)
    return [np.minimum(np.float32(0), ends[0]), np.maximum(np.float32(0), ends[1])]


def _requantized(q: Any, low: Any, high: Any, ends: Any, dtypes_: tuple[DType, DType]) -> list[Any]:
    if dtypes_ == (dtypes.qint32, dtypes.quint8):
        return [_in_fixed_point(q, float(low), float(high), float(ends[0]), float(ends[1])), *ends]
    values = quantized.to_float(q, low, high, dtypes_[0])
    return [quantized.to_quantized(values, ends[0], ends[1], dtypes_[1]), *ends]


def _in_fixed_point(q: Any, low: float, high: float, first: float, last: float) -> Any:
    """Integers of 32 bits in a range of 8, worked out in numbers with 16 bits behind the point."""
    one, wide = 1 << 16, np.float64(np.float32(last) - np.float32(first))
    if wide == 0:
        return np.zeros(np.shape(q), np.uint8)
    scale = int(255.0 * one * np.float64(np.float32(high) - np.float32(low)) / wide)
    middle = int((low + high) / 2 * (255.0 / wide) * one)
    begin = int(quantized.away(np.float64(one * (first * 255.0) / wide)))
    fixed = ((q.astype(np.int64) * scale) >> 32) + middle - begin
    return np.clip((fixed + one // 2) >> 16, 0, 255).astype(np.uint8)


def _shrink(xp: Any, memory: Any, q: Any, low: Any, high: Any, *, Tinput: DType, out_type: DType) -> list[Any]:
    return _requantized(q, low, high, _found_range(q, low, high, Tinput), (Tinput, out_type))


def _requantize(
    xp: Any, memory: Any, q: Any, low: Any, high: Any, first: Any, last: Any, *, Tinput: DType, out_type: DType
) -> list[Any]:
    if first > 0:
        raise InvalidArgumentError(None, None, f"requested_output_min must be <= 0, but got {float(first):g}")
    if last < first:
        words = f"requested_output_max must be >= requested_output_min, but got {float(last):g} and {float(first):g}"
        raise InvalidArgumentError(None, None, words)
    return _requantized(q, low, high, [first, last], (Tinput, out_type))


def _range_shapes(*inputs: Tensor) -> list[RawShape]:
    _check_scalars(*inputs[1:])
    return [(), ()]


_INPUT = "input: Tinput, input_min: float32, input_max: float32"
_OUTPUT = "output: out_type, output_min: float32, output_max: float32"
_TYPES = dict.fromkeys(("Tinput", "out_type"), kinds.QUANTIZED)
QUANTIZE_DOWN = _op("QuantizeDownAndShrinkRange", _INPUT, _OUTPUT, _shrink, _unchanged, {"out_type": REQUIRED}, _TYPES)
REQUANTIZATION_RANGE = _op(
    "RequantizationRange", _INPUT, "output_min: float32, output_max: float32",
    lambda xp, memory, q, low, high, *, Tinput: _found_range(q, low, high, Tinput), _range_shapes,
    types={"Tinput": kinds.QUANTIZED},
)  # fmt: skip
REQUANTIZE = _op(
    "Requantize", f"{_INPUT}, requested_output_min: float32, requested_output_max: float32", _OUTPUT, _requantize,
    _unchanged, {"out_type": REQUIRED}, _TYPES,
)  # fmt: skip


def _reshape(xp: Any, memory: Any, x: Any, shape: Any, low: Any, high: Any) -> list[Any]:
    kernel = arrays.RESHAPE.kernel
    assert kernel is not None
    return [kernel(np, x, shape), low, high]


def _reshaped(x: Tensor, shape: Tensor, *ends: Tensor) -> list[RawShape]:
    assert arrays.RESHAPE.shape is not None
    _check_scalars(*ends)
    return _with_range(arrays.RESHAPE.shape(x, shape))


QUANTIZED_RESHAPE = _op(
    "QuantizedReshape", "tensor: T, shape: Tshape, input_min: float32, input_max: float32",
    "output: T, output_min: float32, output_max: float32", _reshape, _reshaped, {"Tshape": dtypes.int32},
    {"Tshape": kinds.INDEX}, ("shape",),
)  # fmt: skip
