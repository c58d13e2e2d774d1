"""Whole numbers in few bytes: varints, and TensorFlow's ordered code, whose bytes sort as its values do."""

from __future__ import annotations

from mmap import mmap

from retrograd.graph.errors import DataLossError


def varint(value: int) -> bytes:
    """``value`` in groups of seven bits, lowest first; all bytes but the last have the top bit set."""
    groups = bytearray()
    while value > 0x7F:
        groups.append(value & 0x7F | 0x80)
        value >>= 7
    groups.append(value)
    return bytes(groups)


def read_varint(data: bytes | mmap, start: int) -> tuple[int, int]:
    """The varint at ``start`` and where it ends.

    Raises:
      DataLossError: the data ends in it, or it has more than 64 bits.
    """
    value = 0
    for i in range(10):
        if start + i >= len(data):
            break
        byte = data[start + i]
        value |= (byte & 0x7F) << 7 * i
        if byte < 0x80:
            return value, start + i + 1
    raise DataLossError(None, None, "a number is cut short or too long")


def ordered_number(value: int) -> bytes:
    """A number of at least 0: how many bytes it has, and these, highest first."""
    size = (value.bit_length() + 7) // 8
    return bytes([size]) + value.to_bytes(size, "big")


def ordered_text(text: bytes) -> bytes:
    """Bytes with an end mark that sorts before any further byte."""
    escapes = {0x00: b"\x00\xff", 0xFF: b"\xff\x00"}
    return b"".join(escapes.get(byte, bytes([byte])) for byte in text) + b"\x00\x01"


def ordered_signed(value: int) -> bytes:
    """A number of either sign: two's complement, in which as many leading bits are flipped as it has bytes."""
    size = (~value if value < 0 else value).bit_length() // 7 + 1
    header = ((1 << size) - 1) << (7 * size)  # of 8 * size bits the first ``size``
    return ((value & ((1 << 8 * size) - 1)) ^ header).to_bytes(size, "big")
