"""Fake quantization, where many steps make almost a continuum, and images that are moved by whole pixels."""

from __future__ import annotations

from typing import Any

import numpy as np
from case_table import Row, normal

from retrograd import tf
from retrograd.nn.contrib import images
from retrograd.ops import projections
from retrograd.tf import quantization

# no number is near the ends of the range, and a difference spans hundreds of steps
NUMBERS = np.array([[-1.7, -0.8, -0.31], [0.12, 0.55, 0.83], [1.4, 1.9, -0.05]])
STEPS: dict[str, Any] = {"step": 0.02, "tolerance": 1e-2, "rounding": 1e-5}


def single(x: Any) -> Any:
    return tf.cast(x, tf.float32)


def _bits(function: Any) -> Any:
    return lambda *xs: function(*map(single, xs), num_bits=16)


def _all_of(function: Any) -> Any:
    return lambda *xs: list(function(*map(single, xs)))


ROWS = [
    Row("FakeQuantWithMinMaxArgs", lambda x: quantization.fake_quant_with_min_max_args(
        single(x), -1.1, 1.1, num_bits=16), (NUMBERS,), **STEPS),
    Row("FakeQuantWithMinMaxVars", _bits(quantization.fake_quant_with_min_max_vars),
        (NUMBERS, np.array(-1.1), np.array(1.1)), **STEPS),
    Row("FakeQuantWithMinMaxVarsPerChannel", _bits(quantization.fake_quant_with_min_max_vars_per_channel),
        (NUMBERS, np.array([-1.1, -1.0, -1.2]), np.array([1.1, 1.2, 1.0])), **STEPS),
    Row("FakeQuantWithMinMaxArgsGradient", lambda dy, x: quantization.fake_quant_with_min_max_args_gradient(
        single(dy), single(x), -1.1, 1.1), (normal(3, 3), NUMBERS), **STEPS),
    Row("FakeQuantWithMinMaxVarsGradient", _all_of(quantization.fake_quant_with_min_max_vars_gradient),
        (normal(3, 3), NUMBERS, np.array(-1.1), np.array(1.1)), **STEPS),
    Row("FakeQuantWithMinMaxVarsPerChannelGradient",
        _all_of(quantization.fake_quant_with_min_max_vars_per_channel_gradient),
        (normal(3, 3), NUMBERS, np.array([-1.1, -1.0, -1.2]), np.array([1.1, 1.2, 1.0])), **STEPS),
    Row("QuantizeAndDequantizeV2", lambda x: quantization.quantize_and_dequantize(
        x, -3.0, 3.0, num_bits=16, range_given=True), (NUMBERS,), **STEPS),
    Row("ImageProjectiveTransformV2", lambda x: images.translate(x, [1.0, -2.0], "BILINEAR"), (normal(2, 4, 5, 3),),
        shapes=False),
    Row("ImageProjectiveTransform", lambda x: projections.image_projective_transform(
        x, np.array([[1.0, 0.0, 1.0, 0.0, 1.0, -2.0, 0.0, 0.0]], np.float32), "BILINEAR"), (normal(2, 4, 5, 3),),
        shapes=False),
]  # fmt: skip
