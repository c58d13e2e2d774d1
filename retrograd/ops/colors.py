"""Colors: hue, saturation and value, and how to change them.

With ``V = max(R, G, B)`` and ``C = V - min(R, G, B)``: the saturation is ``S = C / V``, the hue goes round
from 0 to 1, a third from red to green and another to blue.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.definition import OpDef, define
from retrograd.graph.errors import FailedPreconditionError, invalid
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import shape_rules


def _of_three(x: Tensor) -> RawShape:
    dims = shape_rules.with_rank_at_least(x, 1)
    if dims is None:
        return None
    if dims[-1] not in (None, 3):
        raise ValueError(f"Dimension must be 3 but is {dims[-1]}")
    return (*dims[:-1], 3)


def _rgb_to_hsv(xp: Any, rgb: Any) -> Any:
    one = rgb.dtype.type(1)
    r, g, b = rgb[..., 0], rgb[..., 1], rgb[..., 2]
    v = xp.max(rgb, axis=-1)
    c = v - xp.min(rgb, axis=-1)
    s = xp.where(v > 0, c / xp.where(v > 0, v, one), 0 * v)
    per = one / (rgb.dtype.type(6) * xp.where(c > 0, c, one))
    third = rgb.dtype.type(1 / 3)
    h = xp.where(v == r, (g - b) * per, xp.where(v == g, (b - r) * per + third, (r - g) * per + 2 * third))
    h = xp.where(c > 0, h, 0 * h)
    return xp.stack([xp.where(h < 0, h + one, h), s, v], axis=-1).astype(rgb.dtype)


def _hsv_to_rgb(xp: Any, hsv: Any) -> Any:
    """``V - VS + VS * clip(|6H - 3| - 1)`` for red, and so on."""
    h, s, v = hsv[..., 0] * 6, hsv[..., 1], hsv[..., 2]
    rising = xp.stack([xp.abs(h - 3) - 1, 2 - xp.abs(h - 2), 2 - xp.abs(h - 4)], axis=-1)
    pure = xp.clip(rising, 0, 1)
    return (((pure - 1) * s[..., None] + 1) * v[..., None]).astype(hsv.dtype)


_FLOATING = (dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64)
_SOME = {"images": "1+: input must be at least 1D{}"}


def _of_three_channels(kernel: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """``kernel``, whose images have three channels."""

    def checked(xp: Any, images: Any) -> Any:
        if images.shape[-1] != 3:
            words = f"input must have 3 channels but input only has {images.shape[-1]} channels."
            raise FailedPreconditionError(None, None, words)
        return kernel(xp, images)

    return checked


RGB_TO_HSV = define(
    "RGBToHSV", "images: T", "output: T", attrs={"T": dtypes.float32}, types={"T": _FLOATING}, shape=_of_three,
    ranks=_SOME, kernel=_of_three_channels(_rgb_to_hsv),
)  # fmt: skip
HSV_TO_RGB = define(
    "HSVToRGB", "images: T", "output: T", attrs={"T": dtypes.float32}, types={"T": _FLOATING}, shape=_of_three,
    ranks=_SOME, kernel=_of_three_channels(_hsv_to_rgb),
)  # fmt: skip


def rgb_to_hsv(images: Any, name: str | None = None) -> Tensor:
    """Red, green and blue as hue, saturation and value, all in [0, 1]."""
    return apply(RGB_TO_HSV, images, name=name)


def hsv_to_rgb(images: Any, name: str | None = None) -> Tensor:
    """Hue, saturation and value as red, green and blue."""
    return apply(HSV_TO_RGB, images, name=name)


# -- changes -------------------------------------------------------------------------------------


def _images(x: Tensor, amount: Tensor) -> RawShape:
    shape_rules.with_rank(amount, 0)
    return shape_rules.with_rank_at_least(x, 3)


def _check_sides(x: Any) -> None:
    if x.ndim < 3:
        shape = str(list(x.shape)).replace(" ", "")
        raise invalid(f"input must be at least 3-D, got shape{shape}")


def _colored(x: Any) -> None:
    _check_sides(x)
    if x.shape[-1] != 3:
        raise invalid(f"input must have 3 channels but instead has {x.shape[-1]} channels.")


def _adjust_contrast(xp: Any, x: Any, factor: Any) -> Any:
    """``(x - mean) * factor + mean``, where the mean of each channel is over height and width."""
    _check_sides(x)
    wide = x.astype(np.float32)
    mean = xp.mean(wide, axis=(-3, -2), keepdims=True, dtype=np.float32)
    return ((wide - mean) * factor + mean).astype(x.dtype)


def _adjust_hue(xp: Any, x: Any, delta: Any) -> Any:
    """The hue goes round by ``delta``; value and chroma stay."""
    _colored(x)
    wide = x.astype(np.float32)
    r, g, b = wide[..., 0], wide[..., 1], wide[..., 2]
    top, low = xp.max(wide, axis=-1), xp.min(wide, axis=-1)
    c = top - low
    safe = xp.where(c > 0, c, np.float32(1))
    sixth = xp.where(top == r, (g - b) / safe, xp.where(top == g, 2 + (b - r) / safe, 4 + (r - g) / safe))
    h = xp.where(c > 0, sixth, 0 * sixth) + delta * np.float32(6)
    h = h - np.float32(6) * xp.floor(h / np.float32(6))
    rising = xp.stack([xp.abs(h - 3) - 1, 2 - xp.abs(h - 2), 2 - xp.abs(h - 4)], axis=-1)
    return (low[..., None] + c[..., None] * xp.clip(rising, 0, 1)).astype(x.dtype)


def _adjust_saturation(xp: Any, x: Any, scale: Any) -> Any:
    """The saturation times ``scale``, at most 1."""
    _colored(x)
    hsv = _rgb_to_hsv(xp, x.astype(np.float32))
    s = xp.clip(hsv[..., 1] * scale, 0, 1)
    return _hsv_to_rgb(xp, xp.stack([hsv[..., 0], s, hsv[..., 2]], axis=-1)).astype(x.dtype)


WHOLE = (dtypes.uint8, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64)


def _adjustment(name: str, amount: str, kernel: Any) -> OpDef:
    return define(
        name, f"images: T, {amount}: float32", "output: T", attrs={"T": dtypes.float32},
        types={"T": (dtypes.float16, dtypes.float32)}, shape=_images, kernel=kernel,
        ranks={amount: f"0: {amount} must be scalar: {{}}"},
    )  # fmt: skip


ADJUST_CONTRAST = _adjustment("AdjustContrastv2", "contrast_factor", _adjust_contrast)
ADJUST_HUE = _adjustment("AdjustHue", "delta", _adjust_hue)
ADJUST_SATURATION = _adjustment("AdjustSaturation", "scale", _adjust_saturation)


# -- in YIQ ----------------------------------------------------------------------------------------

_YIQ = np.array([[0.299, 0.587, 0.114], [0.596, -0.274, -0.322], [0.211, -0.523, 0.312]])
_RGB = np.linalg.inv(_YIQ)


def _as_images(x: Tensor, *amounts: Tensor) -> RawShape:
    for amount in amounts:
        shape_rules.with_rank(amount, 0)
    return shape_rules.with_rank_at_least(x, 3)


def _adjust_hsv_in_yiq(xp: Any, x: Any, delta: Any, saturation: Any, value: Any) -> Any:
    """Y times v; (I, Q) turned by delta and times v s. Source: NTSC's primaries, with TensorFlow's decimals."""
    _colored(x)
    across, along = (value * saturation * f(delta) for f in (xp.sin, xp.cos))
    zero = xp.zeros_like(along)
    rows = [[value, zero, zero], [zero, along, -across], [zero, across, along]]
    middle = xp.stack([xp.stack([xp.asarray(n, np.float32) for n in row]) for row in rows])
    turned = xp.asarray(_RGB, np.float32) @ middle @ xp.asarray(_YIQ, np.float32)
    return (x @ turned.T).astype(x.dtype)


ADJUST_HSV_IN_YIQ = define(
    "AdjustHsvInYiq", "images: T, delta_h: float32, scale_s: float32, scale_v: float32", "output: T",
    attrs={"T": dtypes.float32}, types={"T": (dtypes.float32,)}, shape=_as_images, kernel=_adjust_hsv_in_yiq,
)  # fmt: skip


def adjust_hsv_in_yiq(images: Any, delta: Any, saturation: Any, value: Any) -> Tensor:
    """The op alone, on images of float32."""
    return apply(ADJUST_HSV_IN_YIQ, images, delta, saturation, value)
