"""Images in files as ops: decoding and encoding."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from retrograd.files import images, jpegs
from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.definition import define, not_differentiable
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.errors import invalid
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape, shape_text
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor
from retrograd.graph.values import in_array
from retrograd.ops import comparison, kinds, shape_rules
from retrograd.ops.strings import substr
from retrograd.ops.whole_files import texts


def _image_shape(contents: Tensor, *, channels: int) -> RawShape:
    shape_rules.with_rank(contents, 0)
    if channels < 0:
        raise ValueError(f"channels must be non-negative, got {channels}")
    return (None, None, channels or None)


_JPEG: dict[str, Any] = {
    "channels": 0, "ratio": 1, "fancy_upscaling": True, "try_recover_truncated": False, "acceptable_fraction": 1.0,
    "dct_method": "",
}  # fmt: skip


def _check_channels(channels: int, allowed: tuple[int, ...]) -> None:
    if channels not in allowed:
        raise invalid(f"channels must be {', '.join(map(str, allowed[:-1]))}, or {allowed[-1]}, got {channels}")


def _decode_jpeg(
    xp: Any, contents: Any, *, channels: int, ratio: int, fancy_upscaling: bool, dct_method: Any
) -> Any:  # fmt: skip
    _check_channels(channels, (0, 1, 3, 4))
    accurate = dct_method in _ACCURATE
    return images.decoded(texts(contents)[0], channels, ratio=ratio, accurate=accurate, fancy=fancy_upscaling)


_ACCURATE = ("INTEGER_ACCURATE", b"INTEGER_ACCURATE")


DECODE_JPEG = define(
    "DecodeJpeg", "contents: string", "image: uint8", attrs=_JPEG, shape=_image_shape, kernel=_decode_jpeg,
    gradient=not_differentiable,
)  # fmt: skip


def decode_jpeg(
    contents: Any, channels: int = 0, ratio: int = 1, fancy_upscaling: bool = True,
    try_recover_truncated: bool = False, acceptable_fraction: float = 1, dct_method: str = "", name: str | None = None,
) -> Tensor:  # fmt: skip
    """The pixels (height, width, channels), uint8, of a JPEG, reduced by ``ratio`` (1, 2, 4, 8)."""
    return apply(
        DECODE_JPEG, contents, channels=channels, ratio=ratio, fancy_upscaling=fancy_upscaling,
        try_recover_truncated=try_recover_truncated, acceptable_fraction=acceptable_fraction, dct_method=dct_method,
        name=name,
    )  # fmt: skip


def _crop_shape(contents: Tensor, crop_window: Tensor, *, channels: int) -> RawShape:
    known = static_value(crop_window)
    size = (None, None) if known is None or len(known) != 4 else (int(known[2]), int(known[3]))
    return (*size, channels or None)


def _decode_crop(
    xp: Any, contents: Any, window: Any, *, channels: int, ratio: int, fancy_upscaling: bool, dct_method: Any
) -> Any:  # fmt: skip
    _check_channels(channels, (0, 1, 3, 4))
    y, x, height, width = np.asarray(window).tolist()
    if ratio == 1:
        accurate = dct_method in _ACCURATE
        part = jpegs.window(texts(contents)[0], y, x, height, width, channels, accurate, fancy_upscaling)
        if part is not None:
            return part
    whole = _decode_jpeg(
        xp, contents, channels=channels, ratio=ratio, fancy_upscaling=fancy_upscaling, dct_method=dct_method
    )
    if min(y, x) < 0 or min(height, width) <= 0 or y + height > whole.shape[0] or x + width > whole.shape[1]:
        raise invalid(f"Invalid JPEG data or crop window, data size {len(texts(contents)[0])}")
    return np.ascontiguousarray(whole[y : y + height, x : x + width])


DECODE_AND_CROP_JPEG = define(
    "DecodeAndCropJpeg", "contents: string, crop_window: int32", "image: uint8", attrs=_JPEG, static=("crop_window",),
    shape=_crop_shape, kernel=_decode_crop, gradient=not_differentiable,
)  # fmt: skip


def decode_and_crop_jpeg(
    contents: Any, crop_window: Any, channels: int = 0, ratio: int = 1, fancy_upscaling: bool = True,
    try_recover_truncated: bool = False, acceptable_fraction: float = 1, dct_method: str = "", name: str | None = None,
) -> Tensor:  # fmt: skip
    """The pixels of a part of a JPEG: ``crop_window`` is (y, x, height, width)."""
    return apply(
        DECODE_AND_CROP_JPEG, contents, crop_window, channels=channels, ratio=ratio, fancy_upscaling=fancy_upscaling,
        try_recover_truncated=try_recover_truncated, acceptable_fraction=acceptable_fraction, dct_method=dct_method,
        name=name,
    )  # fmt: skip


def _decode_png(xp: Any, contents: Any, *, channels: int, dtype: DType) -> Any:
    _check_channels(channels, (0, 1, 3, 4))
    return images.decoded(texts(contents)[0], channels, deep=dtype == dtypes.uint16)


DECODE_PNG = define(
    "DecodePng", "contents: string", "image: dtype", attrs={"channels": 0, "dtype": dtypes.uint8},
    types={"dtype": (dtypes.uint8, dtypes.uint16)}, shape=_image_shape, kernel=_decode_png,
    gradient=not_differentiable,
)  # fmt: skip


def decode_png(contents: Any, channels: int = 0, dtype: Any = dtypes.uint8, name: str | None = None) -> Tensor:
    """The pixels (height, width, channels) of a PNG, uint8 or uint16."""
    return apply(DECODE_PNG, contents, channels=channels, dtype=as_dtype(dtype), name=name)


def _gif_shape(contents: Tensor) -> RawShape:
    shape_rules.with_rank(contents, 0)
    return (None, None, None, 3)


DECODE_GIF = define(
    "DecodeGif", "contents: string", "image: uint8", shape=_gif_shape,
    kernel=lambda xp, contents: images.frames(texts(contents)[0]), gradient=not_differentiable,
)  # fmt: skip


def decode_gif(contents: Any, name: str | None = None) -> Tensor:
    """The frames (number, height, width, 3) of a GIF."""
    return apply(DECODE_GIF, contents, name=name)


DECODE_BMP = define(
    "DecodeBmp", "contents: string", "image: uint8", attrs={"channels": 0}, shape=_image_shape,
    kernel=lambda xp, contents, *, channels: images.bitmap(texts(contents)[0], channels), gradient=not_differentiable,
)  # fmt: skip


def decode_bmp(contents: Any, channels: int = 0, name: str | None = None) -> Tensor:
    """The pixels (height, width, channels) of a BMP."""
    return apply(DECODE_BMP, contents, channels=channels, name=name)


def _jpeg_shape(xp: Any, contents: Any, *, output_type: DType) -> Any:
    return np.array(images.jpeg_shape(texts(contents)[0]), output_type.np)


EXTRACT_JPEG_SHAPE = define(
    "ExtractJpegShape", "contents: string", "image_shape: output_type", attrs={"output_type": dtypes.int32},
    types={"output_type": kinds.INDEX}, shape=lambda contents: (3,), kernel=_jpeg_shape, gradient=not_differentiable,
)  # fmt: skip


def extract_jpeg_shape(contents: Any, output_type: Any = dtypes.int32, name: str | None = None) -> Tensor:
    """(height, width, channels) of a JPEG, without decoding it."""
    return apply(EXTRACT_JPEG_SHAPE, contents, output_type=as_dtype(output_type), name=name)


# -- encoding ----------------------------------------------------------------------------------


def _scalar_of_image(image: Tensor) -> RawShape:
    shape_rules.with_rank(image, 3)
    return ()


def _encode_png(xp: Any, image: Any, *, compression: int) -> Any:
    if np.ndim(image) != 3 or image.shape[-1] not in (1, 2, 3, 4):
        raise invalid(f"image must be 3-dimensional with 1 to 4 channels, got {shape_text(np.shape(image))}")
    return in_array(images.png(np.asarray(image), compression))


ENCODE_PNG = define(
    "EncodePng", "image: T", "contents: string", attrs={"compression": -1, "T": dtypes.uint8},
    types={"T": (dtypes.uint8, dtypes.uint16)}, shape=_scalar_of_image, kernel=_encode_png,
    gradient=not_differentiable,
)  # fmt: skip


def encode_png(image: Any, compression: int = -1, name: str | None = None) -> Tensor:
    """Pixels (height, width, 1 to 4 channels), uint8 or uint16, as a PNG."""
    return apply(ENCODE_PNG, image, compression=compression, name=name)


def _jpeg(image: Any, **options: Any) -> Any:
    """The bytes of a JPEG of pixels (height, width, 1 or 3)."""
    from PIL import Image

    if np.ndim(image) != 3 or image.shape[-1] not in (1, 3):
        raise invalid(f"image must be 3-dimensional with 1 or 3 channels, got {shape_text(np.shape(image))}")
    pixels, out = np.asarray(image), io.BytesIO()
    Image.fromarray(pixels[..., 0] if pixels.shape[-1] == 1 else pixels).save(out, "JPEG", **options)
    return in_array(out.getvalue())


def _encode_jpeg(
    xp: Any, image: Any, *, format: Any, quality: int, progressive: bool, optimize_size: bool,
    chroma_downsampling: bool, density_unit: Any, x_density: int, y_density: int,
) -> Any:  # fmt: skip
    wanted = format.decode() if isinstance(format, bytes) else format
    if wanted and np.ndim(image) == 3 and (wanted == "grayscale") != (image.shape[-1] == 1):
        raise invalid(f"format {wanted} is not for {image.shape[-1]} channels")
    unit = 1.0 if density_unit in ("in", b"in") else 2.54
    return _jpeg(
        image, quality=quality, progressive=progressive, optimize=optimize_size,
        subsampling=2 if chroma_downsampling else 0, dpi=(x_density * unit, y_density * unit),
    )  # fmt: skip


ENCODE_JPEG = define(
    "EncodeJpeg", "image: uint8", "contents: string",
    attrs={
        "format": "", "quality": 95, "progressive": False, "optimize_size": False, "chroma_downsampling": True,
        "density_unit": "in", "x_density": 300, "y_density": 300, "xmp_metadata": "",
    },
    choices={"format": ("", "grayscale", "rgb"), "density_unit": ("in", "cm")}, shape=_scalar_of_image,
    kernel=_encode_jpeg, gradient=not_differentiable,
)  # fmt: skip


def encode_jpeg(
    image: Any, format: str = "", quality: int = 95, progressive: bool = False, optimize_size: bool = False,
    chroma_downsampling: bool = True, density_unit: str = "in", x_density: int = 300, y_density: int = 300,
    xmp_metadata: str = "", name: str | None = None,
) -> Tensor:  # fmt: skip
    """Pixels (height, width, 1 or 3 channels), uint8, as a JPEG."""
    return apply(
        ENCODE_JPEG, image, format=format, quality=quality, progressive=progressive, optimize_size=optimize_size,
        chroma_downsampling=chroma_downsampling, density_unit=density_unit, x_density=x_density, y_density=y_density,
        xmp_metadata=xmp_metadata, name=name,
    )  # fmt: skip


def _encode_jpeg_of_quality(xp: Any, image: Any, quality: Any) -> Any:
    value = int(quality)
    if not 0 <= value <= 100:
        raise invalid(f"quality must be in [0,100], got {value}")
    return _jpeg(image, quality=value, subsampling=2, dpi=(300.0, 300.0))


ENCODE_JPEG_VARIABLE_QUALITY = define(
    "EncodeJpegVariableQuality", "images: uint8, quality: int32", "contents: string",
    shape=lambda images, quality: _scalar_of_image(images), kernel=_encode_jpeg_of_quality,
    gradient=not_differentiable,
)  # fmt: skip


# -- by what the file is -----------------------------------------------------------------------


def is_jpeg(contents: Any, name: str | None = None) -> Tensor:
    """Whether the bytes are a JPEG's."""
    with name_scope(name, "is_jpeg"):
        return comparison.equal(substr(contents, 0, 3), b"\xff\xd8\xff", name=name)


def is_png(contents: Any, name: str | None = None) -> Tensor:
    """Whether the bytes are a PNG's."""
    with name_scope(name, "is_png"):
        return comparison.equal(substr(contents, 0, 3), b"\x89PN", name=name)
