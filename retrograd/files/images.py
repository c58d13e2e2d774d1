"""Images in files: JPEG by libjpeg-turbo, PNG by its own rules, what is left by Pillow."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

import numpy as np

from retrograd.files import gifs, jpegs
from retrograd.graph.errors import invalid
from retrograd.graph.text import escaped

_PNG = b"\x89PNG\r\n\x1a\n"
_LARGEST_BITMAP = 1 << 30  # bytes
_LONGEST_PNG = 1_000_000  # pixels
_MOST_INFLATED = 1032  # bytes that one compressed byte stands for
_SAMPLES = {0: 1, 2: 3, 4: 2, 6: 4}  # of a pixel, by the kind of a PNG
# Of the passes of an interlaced PNG the first column and line, and how many on the next ones are.
_PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
_PNG_END = b"IEND\xaeB`\x82"


def format_of(data: bytes) -> str:
    """``jpeg``, ``png``, ``gif``, ``bmp``, or nothing."""
    for start, name in ((b"\xff\xd8\xff", "jpeg"), (_PNG, "png"), (b"GIF8", "gif"), (b"BM", "bmp")):
        if data.startswith(start):
            return name
    return ""


def _opened(data: bytes, name: str) -> Any:
    """A JPEG or PNG whose header is read; its pixels are not larger than what follows can hold."""
    from PIL import JpegImagePlugin, PngImagePlugin

    # ``Image.open`` would look for further pictures behind the first of a JPEG, and takes large ones for attacks
    kind = JpegImagePlugin.JpegImageFile if name == "jpeg" else PngImagePlugin.PngImageFile
    try:
        image: Any = kind(io.BytesIO(data))
    except (OSError, SyntaxError, ValueError):
        raise invalid(_damaged(data, name, "header")) from None
    if name == "png":
        _check_png_size(data)
    elif image.width * image.height * len(image.getbands()) >= jpegs.LARGEST:
        raise invalid(_damaged(data, name))
    return image


def _check_png_size(data: bytes) -> None:
    """Refuse a size that TensorFlow refuses, and one of more pixels than so many bytes can stand for."""
    width, height, depth, kind = struct.unpack_from(">IIBB", data, 16)
    if max(width, height) > _LONGEST_PNG:
        raise invalid(_damaged(data, "png", "header"))
    if width * height >= jpegs.LARGEST:
        raise invalid(f"PNG size too large for int: {width} by {height}")
    if width * height * depth * _SAMPLES.get(kind, 1) > 8 * _MOST_INFLATED * len(data):
        raise invalid(_damaged(data, "png"))


def _damaged(data: bytes, name: str, part: str = "data") -> str:
    """What TensorFlow says of a file whose header, or what follows it, cannot be read."""
    if name == "jpeg":
        return f"Invalid JPEG data or crop window, data size {len(data)}"
    return f"Invalid {name.upper()} {part}, {'data ' if part == 'header' else ''}size {len(data)}"


def _loaded(image: Any, data: bytes, name: str) -> Any:
    try:
        image.load()
    except Exception:  # Pillow raises whatever its decoders do
        raise invalid(_damaged(data, name)) from None
    if name == "png" and _PNG_END not in data:
        raise invalid(_damaged(data, name))
    return image


def _array(image: Any, channels: int) -> np.ndarray:
    """The pixels with so many channels; 0 as many as the image has."""
    mode = image.mode
    if mode == "P":
        mode = "RGBA" if "transparency" in image.info else "RGB"
    elif mode in ("1", "L") and "transparency" in image.info and not channels:
        mode = "LA"
    elif mode == "1":
        mode = "L"
    elif mode in ("CMYK", "YCCK"):
        mode = "RGB"
    if channels:
        mode = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}[channels]
    if image.mode == "P" and mode in ("L", "LA"):
        image = image.convert("RGB")
    pixels = np.asarray(image if image.mode == mode else image.convert(mode))
    return pixels[..., None] if pixels.ndim == 2 else pixels


def decoded(
    data: bytes, channels: int = 0, deep: bool = False, ratio: int = 1, accurate: bool = False, fancy: bool = True
) -> np.ndarray:
    """The pixels (height, width, channels) of a JPEG, PNG or GIF of one frame; with ``deep`` 16 bits a channel.

    ``ratio``, ``accurate`` and ``fancy`` are for a JPEG: how much smaller, by which cosine transform, and whether
    colors of fewer pixels are interpolated.

    Raises:
      InvalidArgumentError: it is none, or damaged.
    """
    name = format_of(data)
    if name == "jpeg" and not deep:
        found = jpegs.decoded(data, channels, ratio, accurate, fancy)
        if found is not None:
            return found
    if name == "png" and data[24:25] == b"\x10":
        pixels = _deep_png(data, channels)
        return pixels if deep else (pixels >> 8).astype(np.uint8)
    if name not in ("jpeg", "png", "gif"):
        what = f"unknown format starting with '{escaped(data[:16])}'" if data else "empty file"
        raise invalid(f"Expected image (JPEG, PNG, or GIF), got {what}")
    if name == "gif":
        return _still_gif(data, channels, deep)
    image = _opened(data, name)
    if name == "jpeg" and ratio > 1:
        image.draft(image.mode, (max(image.width // ratio, 1), max(image.height // ratio, 1)))
    image = _loaded(image, data, name)
    if name == "jpeg" and not deep:  # Pillow has found that TensorFlow takes what is damaged in it
        found = jpegs.decoded(data, channels, ratio, accurate, fancy, strict=False)
        if found is not None:
            return found
    if name == "png" and channels:
        pixels = _png_with_channels(_array(image, 0), channels, data[24])
    else:
        pixels = _array(image, channels)
    return pixels.astype(np.uint16) * 257 if deep else pixels


def _still_gif(data: bytes, channels: int, deep: bool) -> np.ndarray:
    """The pixels of a GIF of one frame, which has three channels of 8 bits."""
    if channels not in (0, 3):
        raise invalid(f"channels must be 0 or 3 for GIF, got {channels}")
    if deep:
        raise invalid("GIF does not support uint16 output")
    return gifs.frames(data, most=1)[0]


def _png_with_channels(pixels: np.ndarray, channels: int, bits: int) -> np.ndarray:
    """Pixels of a PNG of ``bits`` a sample with so many channels, as TensorFlow asks libpng for them.

    Gray is 0.299 R + 0.587 G + 0.114 B, rounded down; an alpha that is added is the largest value of the file's depth.
    """
    color, alpha = pixels[..., : 1 if pixels.shape[-1] < 3 else 3], pixels[..., -1:]
    if channels == 1 and color.shape[-1] == 3:
        weighted = color.astype(np.int64) @ np.array([9798, 19235, 3735]) >> 15
        gray = weighted.astype(np.uint8)
        even = (color[..., 0] == color[..., 1]) & (color[..., 0] == color[..., 2])
        return np.where(even, color[..., 0], gray)[..., None]
    if channels >= 3 and color.shape[-1] == 1:
        color = np.repeat(color, 3, axis=-1)
    if channels < 4:
        return np.ascontiguousarray(color)
    if pixels.shape[-1] not in (2, 4):
        alpha = np.full_like(alpha, (1 << bits) - 1)
    return np.concatenate([color, alpha], axis=-1)


def frames(data: bytes) -> np.ndarray:
    """The frames (number, height, width, 3) of a GIF, or the one of a JPEG or PNG."""
    return gifs.frames(data) if format_of(data) == "gif" else decoded(data, 3)[None]


def bitmap(data: bytes, channels: int = 0) -> np.ndarray:
    """The pixels of a BMP, as many channels as it has."""
    if len(data) < 32:
        raise invalid(
            "Incomplete bmp content, requires at least 32 bytes to find the header size, width, height, and bpp, "
            f"got {len(data)} bytes"
        )
    bits = struct.unpack_from("<H", data, 28)[0]
    if channels and channels != bits // 8:
        raise invalid(f"channels attribute {channels} does not match bits per pixel from file {bits // 8}")
    if bits // 8 not in (1, 3, 4):
        raise invalid(f"Number of channels must be 1, 3 or 4, was {bits // 8}")
    return _uncompressed_bitmap(data, bits // 8)


def _uncompressed_bitmap(data: bytes, channels: int) -> np.ndarray:
    (start,) = struct.unpack_from("<i", data, 10)
    width, height = struct.unpack_from("<ii", data, 18)
    rows = abs(height)
    stride = (width * channels + 3) // 4 * 4
    for is_wrong, words in (
        (start < 0, "header size must be nonnegative"),
        (width <= 0, "Width must be positive"),
        (rows == 0, "Height must be nonzero"),
        (rows * width * channels >= _LARGEST_BITMAP, "Total possible pixel bytes must be less than 2^30"),
    ):
        if is_wrong:
            raise invalid(words)
    if len(data) < start + stride * (rows - 1) + width * channels:
        raise invalid(f"Incomplete bmp content, requires at least {start + stride * rows} bytes, got {len(data)} bytes")
    body = data[start : start + stride * rows].ljust(stride * rows, b"\x00")
    pixels = np.frombuffer(body, np.uint8).reshape(rows, stride)[:, : width * channels].reshape(rows, width, channels)
    if height > 0:
        pixels = pixels[::-1]
    order = {1: [0], 3: [2, 1, 0], 4: [2, 1, 0, 3]}[channels]
    return np.ascontiguousarray(pixels[..., order])


def jpeg_shape(data: bytes) -> tuple[int, int, int]:
    """Height, width and number of channels of a JPEG."""
    if format_of(data) != "jpeg":
        raise invalid(f"Invalid JPEG data, size {len(data)}")
    frame = jpegs.frame_of(data)
    if frame is not None:
        return frame.height, frame.width, frame.channels
    image = _opened(data, "jpeg")
    return image.height, image.width, len(image.getbands())


# -- PNG ---------------------------------------------------------------------------------------


def png(pixels: np.ndarray, compression: int = -1) -> bytes:
    """Pixels (height, width, 1 to 4 channels) of 8 or 16 bits as a PNG."""
    height, width, channels = pixels.shape
    kind = {1: 0, 2: 4, 3: 2, 4: 6}[channels]
    bits = 8 * pixels.dtype.itemsize
    rows = np.ascontiguousarray(pixels.astype(pixels.dtype.newbyteorder(">"))).view(np.uint8).reshape(height, -1)
    raw = _filtered(rows, channels * pixels.dtype.itemsize).tobytes()
    header = struct.pack(">IIBBBBB", width, height, bits, kind, 0, 0, 0)
    return _PNG + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(raw, compression)) + _chunk(b"IEND", b"")


def _filtered(rows: np.ndarray, step: int) -> np.ndarray:
    """Each line by the PNG filter that leaves the smallest bytes, taken as signed, with the filter's number first."""
    left, above, corner = (np.zeros_like(rows) for _ in range(3))
    left[:, step:], above[1:], corner[1:, step:] = rows[:, :-step], rows[:-1], rows[:-1, :-step]
    a, b, c = (x.astype(np.int16) for x in (left, above, corner))
    to_a, to_b, to_c = abs(b - c), abs(a - c), abs(a + b - 2 * c)
    nearest = np.where((to_a <= to_b) & (to_a <= to_c), a, np.where(to_b <= to_c, b, c))
    guesses = [np.zeros_like(rows), left, above, ((a + b) >> 1).astype(np.uint8), nearest.astype(np.uint8)]
    lines = np.stack([rows - guess for guess in guesses])
    best = np.abs(lines.view(np.int8).astype(np.int32)).sum(-1).argmin(0)
    chosen = lines[best, np.arange(len(rows))]
    return np.concatenate([best.astype(np.uint8)[:, None], chosen], axis=1)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _deep_png(data: bytes, channels: int) -> np.ndarray:
    """The pixels of a PNG of 16 bits a channel."""
    try:
        width, height, _, kind, _, _, interlaced = struct.unpack_from(">IIBBBBB", data, 16)
        _check_png_size(data)
        body, place = b"", 8
        while place + 8 <= len(data):
            (length,) = struct.unpack_from(">I", data, place)
            if data[place + 4 : place + 8] == b"IDAT":
                body += data[place + 8 : place + 8 + length]
            place += 12 + length
        pixels = np.empty((height, width, _SAMPLES[kind]), np.uint16)
        raw = zlib.decompressobj().decompress(body, pixels.nbytes + len(_PASSES) * height)
        _fill(pixels, raw, _PASSES if interlaced else ((0, 0, 1, 1),))
    except (struct.error, KeyError, ValueError, zlib.error):
        raise invalid(_damaged(data, "png")) from None
    return _with_channels(pixels, channels or pixels.shape[-1])


def _fill(pixels: np.ndarray, raw: bytes, passes: tuple[tuple[int, int, int, int], ...]) -> None:
    """Put the lines of a PNG of 16 bits, of one pass after the other, where they belong."""
    step, place = 2 * pixels.shape[-1], 0
    for column, line, columns, lines in passes:
        part = pixels[line::lines, column::columns]
        if part.size:
            stride = part.shape[1] * step + 1
            filtered = np.frombuffer(raw, np.uint8, len(part) * stride, place).reshape(-1, stride)
            part[:] = _unfiltered(filtered, step).view(">u2").reshape(part.shape)
            place += filtered.size


def _unfiltered(lines: np.ndarray, step: int) -> np.ndarray:
    """Lines of bytes as they were before a PNG's filters."""
    height, stride = lines.shape[0], lines.shape[1] - 1
    result = np.zeros((height, stride), np.uint8)
    above = np.zeros(stride, np.uint8)
    for y in range(height):
        kind, line = int(lines[y, 0]), lines[y, 1:]
        if kind == 0:
            row = line
        elif kind == 1:
            row = np.cumsum(line.reshape(-1, step), axis=0, dtype=np.uint64).astype(np.uint8).reshape(-1)
        elif kind == 2:
            row = line + above
        elif kind in (3, 4):
            row = _by_neighbours(line, above, step, kind == 4)
        else:
            raise ValueError(f"there is no filter {kind}")
        result[y] = above = row
    return result


def _by_neighbours(line: np.ndarray, above: np.ndarray, step: int, paeth: bool) -> np.ndarray:
    row, up = bytearray(line.tobytes()), above.tolist()
    for i in range(len(row)):
        a = row[i - step] if i >= step else 0
        b = up[i]
        if paeth:
            c = up[i - step] if i >= step else 0
            p = a + b - c
            near = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
        else:
            near = (a + b) // 2
        row[i] = (row[i] + near) & 255
    return np.frombuffer(bytes(row), np.uint8)


def _with_channels(pixels: np.ndarray, channels: int) -> np.ndarray:
    found = pixels.shape[-1]
    color = pixels[..., : 1 if found < 3 else 3]
    alpha = pixels[..., -1:] if found in (2, 4) else np.full((*pixels.shape[:2], 1), 65535, np.uint16)
    if channels >= 3 and color.shape[-1] == 1:
        color = np.repeat(color, 3, axis=-1)
    if channels < 3 and color.shape[-1] == 3:
        color = (color @ np.array([0.299, 0.587, 0.114])).round().astype(np.uint16)[..., None]
    return np.concatenate([color, alpha], axis=-1) if channels in (2, 4) else np.ascontiguousarray(color)
