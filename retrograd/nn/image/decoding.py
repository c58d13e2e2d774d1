"""Images in files, whatever their format."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.nn.image.colors import convert_image_dtype
from retrograd.ops import comparison
from retrograd.ops.asserts import Assert
from retrograd.ops.coded_images import decode_bmp, decode_gif, decode_jpeg, decode_png, is_jpeg, is_png
from retrograd.ops.conditions import cond
from retrograd.ops.strings import substr


def decode_image(
    contents: Any, channels: int | None = None, dtype: Any = dtypes.uint8, name: str | None = None,
    expand_animations: bool = True,
) -> Any:  # fmt: skip
    """The pixels of a JPEG, PNG, GIF or BMP, whichever it is; of a GIF the frames.

    Args:
      dtype: floats are scaled to [0, 1].

    Raises:
      ValueError: there is no such number of channels.
    """
    with name_scope(name, "decode_image"):
        if channels not in (None, 0, 1, 3, 4):
            raise ValueError("channels must be in (None, 0, 1, 3, 4)")
        number = 0 if channels is None else channels
        start = substr(contents, 0, 3)

        def bmp() -> Any:
            is_bmp = comparison.equal(substr(contents, 0, 2), "BM", name="is_bmp")
            checks = [Assert(is_bmp, ["Unable to decode bytes as JPEG, PNG, GIF, or BMP"])]
            right = comparison.not_equal(number, 1, name="check_channels")
            checks.append(Assert(right, ["Channels must be in (None, 0, 3) when decoding BMP images"]))
            with control_dependencies(checks):
                return convert_image_dtype(decode_bmp(contents), dtype)

        def gif() -> Any:
            with control_dependencies([_check_gif(number)]):
                frames = decode_gif(contents)
                return convert_image_dtype(frames if expand_animations else frames[0], dtype)

        def gif_or_bmp() -> Any:
            return cond(comparison.equal(start, b"GIF", name="is_gif"), gif, bmp, name="cond_gif")

        def png() -> Any:
            depth = dtypes.uint8 if as_dtype(dtype) == dtypes.uint8 else dtypes.uint16
            return convert_image_dtype(decode_png(contents, number, depth), dtype)

        def png_or_less() -> Any:
            return cond(is_png(contents), png, gif_or_bmp, name="cond_png")

        def jpeg() -> Any:
            right = comparison.not_equal(number, 4, name="check_jpeg_channels")
            check = Assert(right, ["Channels must be in (None, 0, 1, 3) when decoding JPEG images"])
            with control_dependencies([check]):
                return convert_image_dtype(decode_jpeg(contents, number), dtype)

        return cond(is_jpeg(contents), jpeg, png_or_less, name="cond_jpeg")


def _check_gif(number: int) -> Operation:
    """The check of a run that a GIF is asked for three channels."""
    right = comparison.logical_and(
        comparison.not_equal(number, 1, name="check_gif_channels"),
        comparison.not_equal(number, 4, name="check_gif_channels"),
    )
    return Assert(right, ["Channels must be in (None, 0, 3) when decoding GIF images"])
