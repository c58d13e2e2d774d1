"""Pictures of a GIF as TensorFlow reads them: all frames of one size, drawn over the last one's pixels."""

from __future__ import annotations

import struct
from typing import NamedTuple

import numpy as np

from retrograd.graph.errors import invalid

_IMAGE, _EXTENSION, _END = 0x2C, 0x21, 0x3B
_HAS_COLORS, _IS_INTERLACED = 0x80, 0x40
_MOST_BITS = 12  # of a code
_UNKNOWN = 2  # the pixel that TensorFlow takes a code without a meaning for
_PASSES = ((0, 8), (4, 8), (2, 4), (1, 2))  # of interlaced lines: the first, and how many on the next is
_ENDED = "Failed to read from given file"
_DEFECT = "Image is defective, decoding aborted"


class _Frame(NamedTuple):
    """Part of the picture: where it stands in it, the number of each pixel's color (height, width), and the colors."""

    left: int
    top: int
    numbers: np.ndarray
    colors: np.ndarray | None


def frames(data: bytes, most: int | None = None) -> np.ndarray:
    """The frames (number, height, width, 3) of a GIF, whose first one fills the picture.

    What is transparent is drawn too, and nothing is taken away behind a frame.

    Raises:
      InvalidArgumentError: it is damaged, or has more than ``most`` frames.
    """
    try:
        found = _File(data).frames()
    except _DamageError as damage:
        raise invalid(f"Invalid GIF data (size {len(data)}), failed to {damage}") from None
    if most is not None and len(found) > most:
        raise invalid(
            f"Got {len(found)} frames, but animated gifs can only be decoded by tf.image.decode_gif or "
            "tf.image.decode_image"
        )
    height, width = (max(sizes) for sizes in zip(*(frame.numbers.shape for frame in found), strict=True))
    if found[0][:2] != (0, 0) or found[0].numbers.shape != (height, width):
        raise invalid(f"Invalid GIF data (size {len(data)}), the first frame does not fill the canvas")
    drawn = np.empty((len(found), height, width, 3), np.uint8)
    for i, frame in enumerate(found):
        if frame.colors is None:
            raise invalid(f"Invalid GIF data (size {len(data)}), missing color map for frame {i}")
        numbers = frame.numbers[: max(height - frame.top, 0), : max(width - frame.left, 0)]
        beyond = numbers[numbers >= len(frame.colors)]
        if beyond.size:
            raise invalid(
                f"Invalid GIF data (size {len(data)}), found color index {beyond[0]} outside of color map range "
                f"{len(frame.colors)}"
            )
        if numbers.shape != (height, width):
            drawn[i] = drawn[i - 1]
        rows, columns = numbers.shape
        drawn[i, frame.top : frame.top + rows, frame.left : frame.left + columns] = frame.colors[numbers]
    return drawn


class _DamageError(Exception):
    """What could not be done with the file, and why."""


class _File:
    """The bytes of a GIF, read from the front."""

    def __init__(self, data: bytes) -> None:
        self._data, self._place = data, 0

    def frames(self) -> list[_Frame]:
        """All frames, up to the mark of the end."""
        if len(self._data) < 6:
            raise _DamageError(f"open gif file: {_ENDED}")
        try:
            self._place = 6
            *_, packed, _, _ = struct.unpack("<HHBBB", self._next(7))
            colors = self._colors(packed)
        except _DamageError:
            raise _DamageError("open gif file: No screen descriptor detected") from None
        found = []
        while (kind := self._next(1)[0]) != _END:
            if kind == _IMAGE:
                found.append(self._frame(colors))
            elif kind == _EXTENSION:
                self._next(1)
                if not self._blocks()[1]:
                    raise _slurp(_ENDED)
            else:
                raise _slurp("Wrong record type detected")
        if not found:
            raise _slurp("No Image Descriptor detected")
        return found

    def _next(self, count: int) -> bytes:
        """The next bytes."""
        found = self._data[self._place : self._place + count]
        if len(found) < count:
            raise _slurp(_ENDED)
        self._place += count
        return found

    def _colors(self, packed: int) -> np.ndarray | None:
        """The table of colors (number, 3) that follows if the bits say so."""
        if not packed & _HAS_COLORS:
            return None
        return np.frombuffer(self._next(3 * (2 << (packed & 7))), np.uint8).reshape(-1, 3)

    def _blocks(self) -> tuple[bytes, bool]:
        """What stands in the blocks up to an empty one, and whether there is such a one."""
        found: list[bytes] = []
        while self._place < len(self._data):
            start, end = self._place + 1, self._place + 1 + self._data[self._place]
            if end > len(self._data):
                break
            self._place = end
            if start == end:
                return b"".join(found), True
            found.append(self._data[start:end])
        return b"".join(found), False

    def _frame(self, colors: np.ndarray | None) -> _Frame:
        left, top, width, height, packed = struct.unpack("<HHHHB", self._next(9))
        own = self._colors(packed)
        if self._place == len(self._data):
            raise _slurp("Unknown error")
        (bits,) = self._next(1)
        if bits > 8:
            raise _slurp(_ENDED)
        if not 0 < width * height < 1 << 31:
            raise _slurp("Unknown error")
        start = self._place
        codes, is_whole = self._blocks()
        pixels = _quickly(self._data[start : self._place], bits, width, height)
        if pixels is None:
            pixels = _unpacked(codes, bits, width * height, _DEFECT if is_whole else _ENDED)
        if not is_whole:
            raise _slurp(_ENDED)
        numbers = np.frombuffer(pixels, np.uint8).reshape(height, width)
        if packed & _IS_INTERLACED:
            order = np.concatenate([np.arange(first, height, step) for first, step in _PASSES])
            numbers = numbers[np.argsort(order)]
        return _Frame(left, top, numbers, colors if own is None else own)


def _slurp(why: str) -> _DamageError:
    return _DamageError(f"slurp gif file: {why}")


def _quickly(blocks: bytes, bits: int, width: int, height: int) -> bytes | None:
    """The pixels as Pillow unpacks them, which does not say what is wrong with others."""
    if width * height > len(blocks) << _MOST_BITS:
        return None
    from PIL import Image

    try:
        return Image.frombytes("L", (width, height), blocks, "gif", bits, 0).tobytes()
    except (ValueError, OSError):
        return None


def _unpacked(codes: bytes, bits: int, count: int, ran_out: str) -> bytes:
    """The first ``count`` pixels of what was compressed, or what is wrong with it.

    Codes have a bit more than pixels, and one more whenever all of that length have a meaning.  The first that is no
    pixel clears all meanings, the next ends the pixels.  ``ran_out`` is what to say if there are fewer.
    """
    clear = 1 << bits
    known, width, pixels = _Meanings(clear), bits + 1, bytearray()
    held, length, place = 0, 0, 0
    while len(pixels) < count:
        while length < width:
            if place == len(codes):
                raise _slurp(ran_out)
            held |= codes[place] << length
            length += 8
            place += 1
        code = held & ((1 << width) - 1)
        held >>= width
        length -= width
        if code == clear:
            known, width = _Meanings(clear), bits + 1
        elif code == clear + 1:
            raise _slurp("Image EOF detected before image complete")
        else:
            pixels += known.of(code)
            if known.next == 1 << width and width < _MOST_BITS:
                width += 1
    return bytes(pixels[:count])


class _Meanings:
    """What codes stand for: with each that is read the next code gets a meaning, the last one's pixels and one more."""

    def __init__(self, clear: int) -> None:
        self._clear, self.next = clear, clear + 1
        self._before: list[int | None] = [None] * (1 << _MOST_BITS)
        self._pixel = bytearray(1 << _MOST_BITS)
        self._last: int | None = None

    def of(self, code: int) -> bytes:
        """The pixels of the code that is read next."""
        new = min(self.next, len(self._before) - 1)
        backwards, now = bytearray(), code
        if code > self._clear and self._before[code] is None:
            if self._last is None:
                raise _slurp(_DEFECT)
            self._pixel[new] = self._first(self._last if code == new else code)
            backwards.append(self._pixel[new])
            now = self._last
        while now > self._clear:
            before = self._before[now]
            if before is None or len(backwards) >= len(self._before):  # it may stand for itself and more
                raise _slurp(_DEFECT)
            backwards.append(self._pixel[now])
            now = before
        backwards.append(now)
        if self._last is not None and self._before[new] is None:
            self._before[new] = self._last
            self._pixel[new] = self._first(self._last if code == new else code)
        self._last = code
        self.next = new + 1
        return bytes(reversed(backwards))

    def _first(self, code: int) -> int:
        """The first of a code's pixels."""
        for _ in self._before:
            if code <= self._clear:
                break
            before = self._before[code]
            if before is None:
                return _UNKNOWN
            code = before
        return code & 255
