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


def _planes(xp: Any, images: Any) -> list[Any]:
    """The three channels, each for itself: NumPy would begin anew for every pixel."""
    return [xp.ascontiguousarray(images[..., i]) if xp is np else images[..., i] for i in range(3)]


def _images_of(xp: Any, planes: list[Any], like: Any) -> Any:
    return xp.stack(planes, axis=-1).astype(like.dtype, copy=False)


def _extremes(xp: Any, planes: list[Any]) -> tuple[Any, Any]:
    r, g, b = planes
    return xp.maximum(xp.maximum(r, g), b), xp.minimum(xp.minimum(r, g), b)


def _by_largest(xp: Any, planes: list[Any], top: Any, first: Any, second: Any, third: Any) -> Any:
    """What counts where red, green or blue is the largest."""
    return xp.where(top == planes[0], first, xp.where(top == planes[1], second, third))


def _hsv(xp: Any, planes: list[Any]) -> list[Any]:
    r, g, b = planes
    one = r.dtype.type(1)
    v, low = _extremes(xp, planes)
    c = v - low
    s = xp.where(v > 0, c / xp.where(v > 0, v, one), 0 * v)
    per = one / (r.dtype.type(6) * xp.where(c > 0, c, one))
    third = r.dtype.type(1 / 3)
    h = _by_largest(xp, planes, v, g - b, b - r, r - g) * per
    h = h + _by_largest(xp, planes, v, 0 * third, third, 2 * third)
    h = xp.where(c > 0, h, 0 * h)
    return [xp.where(h < 0, h + one, h), s, v]


def _pure(xp: Any, sixths: Any) -> list[Any]:
    """Red, green and blue of a hue of full saturation and value: ``clip(|6H - 3| - 1)`` for red, and so on."""
    rising = xp.abs(sixths - 3) - 1, 2 - xp.abs(sixths - 2), 2 - xp.abs(sixths - 4)
    return [xp.clip(x, 0, 1) for x in rising]


def _rgb(xp: Any, h: Any, s: Any, v: Any) -> list[Any]:
    """``V - VS + VS * pure``"""
    return [((x - 1) * s + 1) * v for x in _pure(xp, h * 6)]


def _rgb_to_hsv(xp: Any, rgb: Any) -> Any:
    return _images_of(xp, _hsv(xp, _planes(xp, rgb)), rgb)


def _hsv_to_rgb(xp: Any, hsv: Any) -> Any:
    return _images_of(xp, _rgb(xp, *_planes(xp, hsv)), hsv)


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
    wide = x.astype(np.float32, copy=False)
    mean = _mean_color(xp, wide)
    if xp is np and x.size:
        height, width, channels = x.shape[-3:]
        lines = wide.reshape(*x.shape[:-3], height, width * channels)
        repeated = np.tile(mean, width).reshape(*x.shape[:-3], 1, -1)
        moved = lines - repeated
        moved *= factor[..., 0] if np.ndim(factor) else factor  # each image may have one
        moved += repeated
        return moved.reshape(x.shape).astype(x.dtype, copy=False)
    mean = mean[..., None, None, :]
    return ((wide - mean) * factor + mean).astype(x.dtype)


def _mean_color(xp: Any, images: Any) -> Any:
    """The mean over height and width; NumPy's is faster as a product, and rounds less, than pixel by pixel."""
    if xp is not np or not images.size:
        return xp.mean(images, axis=(-3, -2), dtype=np.float32)
    *many, height, width, channels = images.shape
    pixels = images.reshape(*many, height * width, channels)
    return np.ones(height * width, np.float32) @ pixels / np.float32(height * width)


def _adjust_hue(xp: Any, x: Any, delta: Any) -> Any:
    """The hue goes round by ``delta``; value and chroma stay."""
    _colored(x)
    planes = _planes(xp, x.astype(np.float32, copy=False))
    r, g, b = planes
    top, low = _extremes(xp, planes)
    c = top - low
    h = _by_largest(xp, planes, top, g - b, b - r, r - g) / xp.where(c > 0, c, np.float32(1))
    h = h + _by_largest(xp, planes, top, np.float32(0), np.float32(2), np.float32(4))
    h = xp.where(c > 0, h, 0 * h) + delta * np.float32(6)
    h = h - np.float32(6) * xp.floor(h / np.float32(6))
    return _images_of(xp, [low + c * y for y in _pure(xp, h)], x)


def _adjust_saturation(xp: Any, x: Any, scale: Any) -> Any:
    """The saturation times ``scale``, at most 1."""
    _colored(x)
    h, s, v = _hsv(xp, _planes(xp, x.astype(np.float32, copy=False)))
    return _images_of(xp, _rgb(xp, h, xp.clip(s * scale, 0, 1), v), x)


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
