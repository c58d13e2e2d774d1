"""Snappy, as old tables are compressed with: reading only."""

from __future__ import annotations

from retrograd.files.varints import read_varint
from retrograd.graph.errors import DataLossError

_LARGEST = 1 << 28  # bytes of a block; tables are written in far smaller ones


def decompressed(data: bytes) -> bytes:
    """The bytes that ``data`` stands for: pieces given in full, and copies of what came before.

    Raises:
      DataLossError: the data is damaged.
    """
    size, i = read_varint(data, 0)
    if size > _LARGEST:
        raise DataLossError(None, None, f"a compressed block claims {size} bytes")
    out = bytearray()
    while i < len(data) and len(out) <= size:
        tag = data[i]
        kind, extra = tag & 3, 0
        if kind == 0:
            length = tag >> 2
            if length >= 60:
                extra = length - 59
                length = int.from_bytes(data[i + 1 : i + 1 + extra], "little")
            start = i + 1 + extra
            out += data[start : start + length + 1]
            i = start + length + 1
            continue
        if kind == 1:
            length, extra = (tag >> 2 & 7) + 4, 1
            back = (tag >> 5) << 8 | int.from_bytes(data[i + 1 : i + 2], "little")
        else:
            length, extra = (tag >> 2) + 1, 2 if kind == 2 else 4
            back = int.from_bytes(data[i + 1 : i + 1 + extra], "little")
        if not 0 < back <= len(out):
            raise DataLossError(None, None, "a compressed block copies what it does not hold")
        piece = bytes(out[len(out) - back : len(out) - back + length])
        out += (piece * (length // len(piece) + 1))[:length]
        i += 1 + extra
    if len(out) != size:
        raise DataLossError(None, None, f"a compressed block of {size} bytes holds {len(out)}")
    return bytes(out)
