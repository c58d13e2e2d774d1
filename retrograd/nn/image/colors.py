"""Brightness, contrast and color of images, and dtypes that hold them.

An image of integers uses the whole range of its dtype, one of floats the range [0, 1].
"""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.nn.image.shapes import checked_grayscale, checked_image, require
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    coded_images,
    colors,
    constants,
    contraction,
    control,
    joining,
    powers,
    random,
    reductions,
    repeating,
)

_SINGLE = (dtypes.float16, dtypes.float32)


def convert_image_dtype(image: Any, dtype: Any, saturate: bool = False, name: str | None = None) -> Tensor:
    """``image`` with values of ``dtype``, scaled from the range of its own.

    ``saturate``: what lies beyond the range takes its nearest end.
    """
    image, dtype = as_tensor(image, name="image"), as_dtype(dtype)
    given = image.dtype.base_dtype
    if dtype == given:
        return arrays.identity(image, name=name)
    with name_scope(name, "convert_image", [image]) as name:
        cast = arithmetic.saturate_cast if saturate else casts.cast
        if given.is_integer and dtype.is_integer:
            if given.max > dtype.max:
                return cast(arithmetic.div(image, (given.max + 1) // (dtype.max + 1)), dtype, name=name)
            return arithmetic.multiply(cast(image, dtype), (dtype.max + 1) // (given.max + 1), name=name)
        if given.is_floating and dtype.is_floating:
            return casts.cast(image, dtype, name=name)
        if given.is_integer:
            return arithmetic.multiply(casts.cast(image, dtype), 1.0 / given.max, name=name)
        return cast(arithmetic.multiply(image, dtype.max + 0.5), dtype, name=name)


def _as_floats(image: Tensor) -> Tensor:
    return image if image.dtype.base_dtype in _SINGLE else convert_image_dtype(image, dtypes.float32)


# -- brightness and contrast ---------------------------------------------------------------------


def per_image_standardization(image: Any) -> Tensor:
    """``(x - mean) / max(stddev, 1 / sqrt(n))`` over the ``n`` values of each image."""
    with name_scope(None, "per_image_standardization", [image]) as scope:
        image = checked_image(as_tensor(image, name="image"))
        given = image.dtype.base_dtype
        image = _as_floats(image)
        count = reductions.reduce_prod(arrays.shape(image)[-3:])
        axes = [-1, -2, -3]
        mean = reductions.reduce_mean(image, axis=axes, keepdims=True)
        deviation = reductions.reduce_std(image, axis=axes, keepdims=True)
        least = powers.rsqrt(casts.cast(count, image.dtype))
        deviation = arithmetic.maximum(deviation, least)
        image = arithmetic.div(image - mean, deviation, name=scope)
        return convert_image_dtype(image, given, saturate=True)


def random_brightness(image: Any, max_delta: float, seed: int | None = None) -> Tensor:
    """``image`` with a number from ``[-max_delta, max_delta)`` added."""
    if max_delta < 0:
        raise ValueError("max_delta must be non-negative.")
    return adjust_brightness(image, random.random_uniform([], -max_delta, max_delta, seed=seed))


def random_contrast(image: Any, lower: float, upper: float, seed: int | None = None) -> Tensor:
    """``image`` with its contrast times a number from ``[lower, upper)``."""
    _check_range(lower, upper)
    return adjust_contrast(image, random.random_uniform([], lower, upper, seed=seed))


def _check_range(lower: float, upper: float) -> None:
    if upper <= lower:
        raise ValueError("upper must be > lower.")
    if lower < 0:
        raise ValueError("lower must be non-negative.")


def adjust_brightness(image: Any, delta: Any) -> Tensor:
    """``image + delta``, where the image's range is [0, 1]."""
    with name_scope(None, "adjust_brightness", [image, delta]) as name:
        image = as_tensor(image, name="image")
        given = image.dtype.base_dtype
        floats = _as_floats(image)
        brighter = apply(arithmetic.ADD, floats, casts.cast(delta, floats.dtype), name=name)
        return convert_image_dtype(brighter, given, saturate=True)


def adjust_contrast(images: Any, contrast_factor: Any) -> Tensor:
    """``(x - mean) * contrast_factor + mean`` for each channel of each image."""
    with name_scope(None, "adjust_contrast", [images, contrast_factor]) as name:
        images = as_tensor(images, name="images")
        given = images.dtype.base_dtype
        adjusted = apply(colors.ADJUST_CONTRAST, _as_floats(images), contrast_factor, name=name)
        return convert_image_dtype(adjusted, given, saturate=True)


def adjust_gamma(image: Any, gamma: Any = 1, gain: Any = 1) -> Tensor:
    """``gain * image ** gamma``, where the image's range is [0, 1].

    Raises:
      ValueError: ``gamma`` is negative.
    """
    with name_scope(None, "adjust_gamma", [image, gamma, gain]):
        image = as_tensor(image, name="image")
        given = image.dtype.base_dtype
        floats = _as_floats(image)
        waiting = require(gamma >= 0, "Gamma should be a non-negative real number.")
        if waiting:
            gamma = control.with_dependencies(waiting, gamma)
        return convert_image_dtype(gain * floats**gamma, given, saturate=True)


# -- color ---------------------------------------------------------------------------------------


def rgb_to_grayscale(images: Any, name: str | None = None) -> Tensor:
    """``0.2989 R + 0.587 G + 0.114 B``, as one channel."""
    with name_scope(name, "rgb_to_grayscale", [images]) as name:
        images = as_tensor(images, name="images")
        given = images.dtype.base_dtype
        floats = convert_image_dtype(images, dtypes.float32)
        gray = contraction.tensordot(floats, [0.2989, 0.5870, 0.1140], [-1, -1])
        return convert_image_dtype(arrays.expand_dims(gray, -1), given, name=name)


def grayscale_to_rgb(images: Any, name: str | None = None) -> Tensor:
    """The one channel three times.

    Raises:
      ValueError: there is more than one channel.
    """
    with name_scope(name, "grayscale_to_rgb", [images]) as name:
        images = checked_grayscale(as_tensor(images, name="images"))
        before = arrays.expand_dims(arrays.rank(images) - 1, 0)
        counts = [constants.ones(before, dtypes.int32), arrays.expand_dims(3, 0)]
        rgb = repeating.tile(images, joining.concat(counts, 0), name=name)
        shape = images.shape
        rgb.set_shape(shape[:-1].concatenate([3]) if shape.ndims is not None else shape)
        return rgb


def random_hue(image: Any, max_delta: float, seed: int | None = None) -> Tensor:
    """``image`` with its hue turned by a number from ``[-max_delta, max_delta)``, at most half of the circle."""
    if max_delta > 0.5:
        raise ValueError("max_delta must be <= 0.5.")
    if max_delta < 0:
        raise ValueError("max_delta must be non-negative.")
    return adjust_hue(image, random.random_uniform([], -max_delta, max_delta, seed=seed))


def adjust_hue(image: Any, delta: Any, name: str | None = None) -> Tensor:
    """``image`` with its hue, which goes round from 0 to 1, turned by ``delta``."""
    with name_scope(name, "adjust_hue", [image]):
        image = as_tensor(image, name="image")
        given = image.dtype.base_dtype
        turned = apply(colors.ADJUST_HUE, _as_floats(image), delta)
        return convert_image_dtype(turned, given)


def random_saturation(image: Any, lower: float, upper: float, seed: int | None = None) -> Tensor:
    """``image`` with its saturation times a number from ``[lower, upper)``."""
    _check_range(lower, upper)
    return adjust_saturation(image, random.random_uniform([], lower, upper, seed=seed))


def adjust_saturation(image: Any, saturation_factor: Any, name: str | None = None) -> Tensor:
    """``image`` with its saturation times ``saturation_factor``, at most 1."""
    with name_scope(name, "adjust_saturation", [image]):
        image = as_tensor(image, name="image")
        given = image.dtype.base_dtype
        adjusted = apply(colors.ADJUST_SATURATION, _as_floats(image), saturation_factor)
        return convert_image_dtype(adjusted, given)


# -- in YIQ ----------------------------------------------------------------------------------------


def adjust_hsv_in_yiq(
    image: Any, delta_hue: Any = 0, scale_saturation: Any = 1, scale_value: Any = 1, name: str | None = None
) -> Tensor:
    """``image`` with its chroma turned by ``delta_hue`` radians and scaled, and its value scaled, all in YIQ."""
    with name_scope(name, "adjust_hsv_in_yiq", [image]):
        image = as_tensor(image, name="image")
        given = image.dtype.base_dtype
        adjusted = colors.adjust_hsv_in_yiq(
            convert_image_dtype(image, dtypes.float32), delta_hue, scale_saturation, scale_value
        )
        return convert_image_dtype(adjusted, given)


def random_hsv_in_yiq(
    image: Any,
    max_delta_hue: float = 0,
    lower_saturation: float = 1,
    upper_saturation: float = 1,
    lower_value: float = 1,
    upper_value: float = 1,
    seed: int | None = None,
) -> Tensor:
    """``adjust_hsv_in_yiq`` by random numbers: a hue from ``[-max_delta_hue, max_delta_hue)`` and scales from ranges.

    Raises:
      ValueError: a negative number, or the ends of a range in the wrong order.
    """
    if max_delta_hue < 0:
        raise ValueError("max_delta must be non-negative.")
    for what, lower, upper in (
        ("saturation", lower_saturation, upper_saturation),
        ("value", lower_value, upper_value),
    ):
        if lower < 0:
            raise ValueError(f"lower_{what} must be non-negative.")
        if lower > upper:
            raise ValueError(f"lower_{what} must be < upper_{what}.")

    def drawn(low: float, high: float) -> Any:
        return low if low == high else random.random_uniform([], low, high, seed=seed)

    amounts = [(-max_delta_hue, max_delta_hue), (lower_saturation, upper_saturation), (lower_value, upper_value)]
    return adjust_hsv_in_yiq(image, *[drawn(*each) for each in amounts])


# -- what JPEG loses -------------------------------------------------------------------------------


def random_jpeg_quality(image: Any, min_jpeg_quality: int, max_jpeg_quality: int, seed: int | None = None) -> Tensor:
    """``image`` after a JPEG of a quality from ``[min_jpeg_quality, max_jpeg_quality)``.

    Raises:
      ValueError: the qualities are not in [0, 100], or in the wrong order.
    """
    if not (0 <= min_jpeg_quality <= 100 and 0 <= max_jpeg_quality <= 100):
        raise ValueError("jpeg encoding range must be between 0 and 100.")
    if min_jpeg_quality >= max_jpeg_quality:
        raise ValueError("`min_jpeg_quality` must be less than `max_jpeg_quality`.")
    quality = random.random_uniform([], min_jpeg_quality, max_jpeg_quality, seed=seed, dtype=dtypes.int32)
    return adjust_jpeg_quality(image, quality)


def adjust_jpeg_quality(image: Any, jpeg_quality: Any, name: str | None = None) -> Tensor:
    """``image`` after a JPEG of ``jpeg_quality``, from 0 to 100."""
    with name_scope(name, "adjust_jpeg_quality", [image]) as name:
        image = as_tensor(image, name="image")
        given = image.dtype
        pixels = convert_image_dtype(image, dtypes.uint8)
        quality = as_tensor(jpeg_quality, dtype=dtypes.int32)
        contents = apply(coded_images.ENCODE_JPEG_VARIABLE_QUALITY, pixels, quality)
        return convert_image_dtype(coded_images.decode_jpeg(contents), given)


_YIQ = [[0.299, 0.59590059, 0.2115], [0.587, -0.27455667, -0.52273617], [0.114, -0.32134392, 0.31119955]]
_FROM_YIQ = [[1, 1, 1], [0.95598634, -0.27201283, -1.10674021], [0.6208248, -0.64720424, 1.70423049]]
_YUV = [[0.299, -0.14714119, 0.61497538], [0.587, -0.28886916, -0.51496512], [0.114, 0.43601035, -0.10001026]]
_FROM_YUV = [[1, 1, 1], [0, -0.394642334, 2.03206185], [1.13988303, -0.58062185, 0]]


def _mixed(images: Any, matrix: Any) -> Tensor:
    """Each pixel times a matrix."""
    images = as_tensor(images, name="images")
    kernel = as_tensor(matrix, dtype=images.dtype, name="kernel")
    return contraction.tensordot(images, kernel, axes=[[images.rank - 1], [0]])


def rgb_to_yiq(images: Any) -> Tensor:
    """Red, green and blue as luma, in-phase and quadrature."""
    return _mixed(images, _YIQ)


def yiq_to_rgb(images: Any) -> Tensor:
    """Luma, in-phase and quadrature as red, green and blue."""
    return _mixed(images, _FROM_YIQ)


def rgb_to_yuv(images: Any) -> Tensor:
    """Red, green and blue as luma and two chrominances."""
    return _mixed(images, _YUV)


def yuv_to_rgb(images: Any) -> Tensor:
    """Luma and two chrominances as red, green and blue."""
    return _mixed(images, _FROM_YUV)
