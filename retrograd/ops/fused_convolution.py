"""A convolution with what is done to its images before: resizing and mirrored borders.

y = conv(mirror(resize(x))).  Graphs that were made for inference hold these ops; they have no gradient.
Source: TensorFlow 1.15.5, ``FusedResizeAndPadConv2D`` and ``FusedPadConv2D``.
"""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.definition import REQUIRED, OpDef, define, no_derivative
from retrograd.graph.shapes import RawShape
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import shape_rules, windows
from retrograd.ops.convolution import convolve
from retrograd.ops.padding import MIRROR_PAD
from retrograd.ops.resizing import RESIZE_BILINEAR

_OPTIONS: dict[str, Any] = {"mode": REQUIRED, "strides": REQUIRED, "padding": REQUIRED}
_COMMON: dict[str, Any] = {
    "types": {"T": (dtypes.float16, dtypes.float32, dtypes.float64)},
    "choices": {"mode": ("REFLECT", "SYMMETRIC"), "padding": windows.SAME_OR_VALID},
    "gradient": no_derivative,
}


def _shape(sides: Any, x: Tensor, paddings: Tensor, w: Tensor, strides: Any, padding: Any) -> RawShape:
    dims, filters = shape_rules.with_rank(x, 4), shape_rules.with_rank(w, 4)
    widths = static_value(paddings)
    if widths is None:
        return (None, None, None, filters[3])
    grown = [
        None if n is None else n + int(a) + int(b) for n, (a, b) in zip((dims[0], *sides, dims[3]), widths, strict=True)
    ]
    if None not in (grown[3], filters[2]) and grown[3] != filters[2]:
        raise ValueError(f"Dimensions must be equal, but are {grown[3]} and {filters[2]}")
    counts = windows.windowed(tuple(grown[1:3]), filters[:2], tuple(strides[1:3]), padding, (1, 1), ())
    return (grown[0], *counts, filters[3])


def _computed(record: OpDef, xp: Any, *inputs: Any, **attrs: Any) -> Any:
    assert record.kernel is not None
    return record.kernel(xp, *inputs, **attrs)


def _convolved(xp: Any, x: Any, paddings: Any, w: Any, mode: Any, strides: Any, padding: Any) -> Any:
    bordered = _computed(MIRROR_PAD, xp, x, paddings, mode=mode)
    return convolve(
        xp, bordered, w, strides=strides, padding=padding, explicit_paddings=[], data_format="NHWC",
        dilations=[1, 1, 1, 1],
    )  # fmt: skip


def _pad_shape(x: Tensor, paddings: Tensor, w: Tensor, *, mode: Any, strides: Any, padding: Any) -> RawShape:
    return _shape(shape_rules.with_rank(x, 4)[1:3], x, paddings, w, strides, padding)


def _pad_kernel(xp: Any, x: Any, paddings: Any, w: Any, *, mode: Any, strides: Any, padding: Any) -> Any:
    return _convolved(xp, x, paddings, w, mode, strides, padding)


FUSED_PAD_CONV_2D = define(
    "FusedPadConv2D", "input: T, paddings: int32, filter: T", "output: T", attrs=_OPTIONS, static=("paddings",),
    shape=_pad_shape, kernel=_pad_kernel, **_COMMON,
)  # fmt: skip


def _resize_shape(
    x: Tensor, size: Tensor, paddings: Tensor, w: Tensor, *, resize_align_corners: bool, mode: Any, strides: Any,
    padding: Any,
) -> RawShape:  # fmt: skip
    value = static_value(size)
    sides = (None, None) if value is None else tuple(int(n) for n in value)
    return _shape(sides, x, paddings, w, strides, padding)


def _resize_kernel(
    xp: Any, x: Any, size: Any, paddings: Any, w: Any, *, resize_align_corners: bool, mode: Any, strides: Any,
    padding: Any,
) -> Any:  # fmt: skip
    if x.dtype == dtypes.float64.np:
        raise NotImplementedError("FusedResizeAndPadConv2D resizes in float32: cast its images to tf.float32")
    resized = _computed(RESIZE_BILINEAR, xp, x, size, align_corners=resize_align_corners, half_pixel_centers=False)
    return _convolved(xp, resized.astype(x.dtype), paddings, w, mode, strides, padding)


FUSED_RESIZE_AND_PAD_CONV_2D = define(
    "FusedResizeAndPadConv2D", "input: T, size: int32, paddings: int32, filter: T", "output: T",
    attrs={"resize_align_corners": False, **_OPTIONS}, static=("size", "paddings"), shape=_resize_shape,
    kernel=_resize_kernel, **_COMMON,
)  # fmt: skip
