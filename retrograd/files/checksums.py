"""The checksum of checkpoints and records: CRC-32C, masked so that a checksum of checksums stays good."""

from __future__ import annotations

import google_crc32c
import numpy as np

_OFFSET = 0xA282EAD8
_CHUNK = 1 << 20


def extended(crc: int, data: bytes | np.ndarray) -> int:
    """The checksum of what ``crc`` is the checksum of, followed by ``data``."""
    if isinstance(data, bytes):
        return google_crc32c.extend(crc, data)  # type: ignore[no-any-return]
    flat = bytes_in(data)
    for start in range(0, len(flat), _CHUNK):
        crc = int(google_crc32c.extend(crc, flat[start : start + _CHUNK].tobytes()))
    return crc


def bytes_in(array: np.ndarray) -> np.ndarray:
    """The bytes of an array in the order of its elements: a view, where it is contiguous."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def masked(crc: int) -> int:
    """The form in which a checksum is stored: turned by 15 bits, plus a constant."""
    return ((crc >> 15 | crc << 17) + _OFFSET) & 0xFFFFFFFF


def unmasked(stored: int) -> int:
    """The inverse of ``masked``."""
    turned = (stored - _OFFSET) & 0xFFFFFFFF
    return (turned >> 17 | turned << 15) & 0xFFFFFFFF
