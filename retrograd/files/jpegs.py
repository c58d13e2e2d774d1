"""Gray and colored JPEGs, or windows of them, by libjpeg-turbo, asked for what TensorFlow asks it for."""

from __future__ import annotations

import re
import struct
import threading
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

LARGEST = 1 << 29  # bytes of pixels that TensorFlow refuses
_COLORS = {1: "GRAY", 3: "RGB"}
_FRAMES = (0xC0, 0xC1, 0xC2)  # markers: baseline, extended, progressive
_PROGRESSIVE, _SCAN, _END = 0xC2, 0xDA, b"\xff\xd9"
_IS_LEFT = re.compile(r"Corrupt JPEG data: \d+ extraneous bytes before marker 0xd\d$")
_KEPT = 1 << 25  # bytes
_room = threading.local()


class Frame(NamedTuple):
    """What the header of a JPEG with 8 bits a sample says, and at which byte its height stands."""

    height: int
    width: int
    channels: int
    place: int
    is_in_rows: bool  # one scan has all channels of one row of blocks after the other


def frame_of(data: bytes) -> Frame | None:
    """The frame of a JPEG of 1 or 3 channels of 8 bits."""
    found = None
    place = 2
    while place + 10 <= len(data):
        start, marker, length = struct.unpack_from(">BBH", data, place)
        if found is not None and marker == _SCAN:
            return found._replace(is_in_rows=found.is_in_rows and data[place + 4] == found.channels)
        if marker in _FRAMES:
            bits, height, width, channels = struct.unpack_from(">BHHB", data, place + 4)
            if bits != 8 or channels not in _COLORS or not 0 < height * width * channels < LARGEST:
                return None
            found = Frame(height, width, channels, place + 5, marker != _PROGRESSIVE)
        elif start != 0xFF or not 0xC4 <= marker < 0xFF or marker == _SCAN:
            break
        place += 2 + length
    return found and found._replace(is_in_rows=False)


def decoded(
    data: bytes, channels: int, ratio: int, accurate: bool, fancy: bool, strict: bool = True
) -> np.ndarray | None:  # fmt: skip
    """The pixels; None of a damaged file if ``strict``, and without the package: Pillow lacks the fast transforms."""
    decode_jpeg, frame = _decoder(), frame_of(data)
    if decode_jpeg is None or frame is None or (channels or 1) not in _COLORS:
        return None
    try:
        pixels: np.ndarray = decode_jpeg(
            data, _COLORS[channels or frame.channels], fastdct=not accurate, fastupsample=not fancy, min_factor=ratio,
            min_height=-(-frame.height // ratio), min_width=-(-frame.width // ratio), strict=strict,
        )  # fmt: skip
    except ValueError:
        return None
    return pixels


def window(
    data: bytes, y: int, x: int, height: int, width: int, channels: int, accurate: bool, fancy: bool
) -> np.ndarray | None:  # fmt: skip
    """The pixels of a window; None where one must look at the whole file.

    Rows of blocks stand one after the other, so a header that tells of fewer rows makes the decoder end behind the
    window.  What is damaged below is not seen, as TensorFlow does not see it.
    """
    decode_jpeg, frame = _decoder(), frame_of(data)
    if decode_jpeg is None or frame is None or not frame.is_in_rows or (channels or 1) not in _COLORS:
        return None
    if min(y, x) < 0 or min(height, width) <= 0 or y + height > frame.height or x + width > frame.width:
        return None
    place = frame.place + 6
    block = 8 * max(1, *(factors & 15 for factors in data[place : place + 3 * frame.channels : 3]))
    rows = min(-(-(y + height + 2) // block) * block, frame.height)  # colors are interpolated with those of the next
    code = data[: frame.place] + struct.pack(">H", rows) + data[frame.place + 2 :] + _END
    depth = channels or frame.channels
    pixels = _space(rows * frame.width * depth)
    try:
        decode_jpeg(code, _COLORS[depth], fastdct=not accurate, fastupsample=not fancy, buffer=pixels)
    except ValueError as error:
        if not _IS_LEFT.match(str(error)):
            return None
    return pixels.reshape(rows, frame.width, depth)[y : y + height, x : x + width].copy()


def _decoder() -> Callable[..., np.ndarray] | None:
    try:
        from simplejpeg import decode_jpeg
    except ImportError:
        return None
    return decode_jpeg  # type: ignore[no-any-return]


def _space(size: int) -> np.ndarray:
    """Bytes that this thread writes over each time: the system would have to clear new ones."""
    kept: np.ndarray | None = getattr(_room, "kept", None)
    if kept is None or kept.size < size:
        kept = np.empty(size, np.uint8)
        if size <= _KEPT:
            _room.kept = kept
    return kept[:size]
