"""Fields of messages as they stand in bytes: taken out by their numbers, and written.

Source: the encoding of protocol buffers (https://protobuf.dev/programming-guides/encoding).
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from retrograd.files.varints import read_varint, varint
from retrograd.graph.errors import DataLossError

VARINT, FIXED64, LENGTH, GROUP, END, FIXED32 = range(6)
_UNREQUESTED = "Failed skipping unrequested field"
_CUT_SHORT = "ReadValue: Failed skipping field when counting"


def _signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def _zigzag(bits: int) -> tuple[Callable[[int], int], Callable[[int], int]]:
    """Small numbers of either sign as small numbers: 0, -1, 1, -2, ... are 0, 1, 2, 3, ..."""

    def read(value: int) -> int:
        value &= (1 << bits) - 1
        return (value >> 1) ^ -(value & 1)

    def write(value: int) -> int:
        value = _signed(value, bits)
        return (value << 1 ^ value >> (bits - 1)) & ((1 << bits) - 1)

    return read, write


@dataclass(frozen=True)
class Kind:
    """How the values of a type of field stand in bytes: as varints, as so many bytes, or after their lengths."""

    wire: int
    read: Callable[[Any], Any]
    write: Callable[[Any], Any]


def _fixed(form: str, bits: int) -> Kind:
    """A number in ``struct``'s format, of a value that is wrapped round to so many bits."""

    def write(value: Any) -> bytes:
        return struct.pack(form, _signed(int(value), bits) if form[-1].islower() else int(value) & ((1 << bits) - 1))

    return Kind(FIXED64 if bits == 64 else FIXED32, lambda data: struct.unpack(form, data)[0], write)


def _float(value: Any) -> bytes:
    import numpy as np

    with np.errstate(over="ignore"):
        return np.float32(value).astype("<f4").tobytes()


_TEXT = Kind(LENGTH, bytes, bytes)
_INT32 = Kind(VARINT, lambda v: _signed(v, 32), lambda v: _signed(int(v), 32) & (2**64 - 1))
KINDS = {
    "double": Kind(FIXED64, lambda data: struct.unpack("<d", data)[0], lambda v: struct.pack("<d", v)),
    "float": Kind(FIXED32, lambda data: struct.unpack("<f", data)[0], _float),
    "int64": Kind(VARINT, lambda v: _signed(v, 64), lambda v: int(v) & (2**64 - 1)),
    "uint64": Kind(VARINT, lambda v: v & (2**64 - 1), int),
    "int32": _INT32,
    "fixed64": _fixed("<Q", 64),
    "fixed32": _fixed("<I", 32),
    "bool": Kind(VARINT, bool, int),
    "string": _TEXT,
    "group": Kind(GROUP, bytes, bytes),
    "message": _TEXT,
    "bytes": _TEXT,
    "uint32": Kind(VARINT, lambda v: v & (2**32 - 1), lambda v: int(v) & (2**32 - 1)),
    "enum": _INT32,
    "sfixed32": _fixed("<i", 32),
    "sfixed64": _fixed("<q", 64),
    "sint32": Kind(VARINT, *_zigzag(32)),
    "sint64": Kind(VARINT, *_zigzag(64)),
}


def entries(data: bytes, kinds: dict[int, Kind]) -> Iterator[tuple[int, Any]]:
    """The number and the value of each entry of a field in ``kinds``, in their order; all others are passed over.

    Raises:
      DataLossError: ``data`` is no message.
    """
    at = 0
    while at < len(data):
        number, wire, at = _tag(data, at)
        kind = kinds.get(number)
        if kind is None:
            at = _value(data, at, number, wire, _UNREQUESTED)[1]
        elif wire == kind.wire:
            value, at = _value(data, at, number, wire, _CUT_SHORT)
            yield number, kind.read(value)
        elif wire == LENGTH and kind.wire in (VARINT, FIXED32, FIXED64):
            values, at = _value(data, at, number, wire, "ReadPackedValues: Skipping packed field failed")
            yield from ((number, kind.read(value)) for value in _packed(values, kind.wire))
        else:
            at = _value(data, at, number, wire, "CollectField: Failed skipping malformed field")[1]


def _tag(data: bytes, at: int) -> tuple[int, int, int]:
    wrong = DataLossError(None, None, "CountFields: Failed to consume entire buffer")
    try:
        tag, at = read_varint(data, at)
    except DataLossError:
        raise wrong from None
    if not tag >> 3 or tag & 7 == END:
        raise wrong
    return tag >> 3, tag & 7, at


def _value(data: bytes, at: int, number: int, wire: int, wrong: str) -> tuple[Any, int]:
    """The value at ``at``, a varint as a number and any other as bytes, and where it ends."""
    try:
        if wire == VARINT:
            return read_varint(data, at)
        if wire == GROUP:
            return _group(data, at, number, wrong)
        size = {FIXED64: 8, FIXED32: 4}.get(wire)
        if wire == LENGTH:
            size, at = read_varint(data, at)
        if size is not None and at + size <= len(data):
            return data[at : at + size], at + size
    except DataLossError:
        pass
    raise DataLossError(None, None, wrong)


def _group(data: bytes, start: int, number: int, wrong: str) -> tuple[bytes, int]:
    """What stands up to the end of the group ``number``, and where its end ends; groups may stand in it."""
    at, open_ = start, [number]
    while open_:
        before = at
        tag, at = read_varint(data, at)
        if tag & 7 == GROUP:
            open_.append(tag >> 3)
        elif tag & 7 == END:
            if open_.pop() != tag >> 3:
                break
        else:
            at = _value(data, at, tag >> 3, tag & 7, wrong)[1]
    else:
        return data[start:before], at
    raise DataLossError(None, None, wrong)


def _packed(data: bytes, wire: int) -> Iterator[Any]:
    at = 0
    if wire == VARINT:
        while at < len(data):
            try:
                value, at = read_varint(data, at)
            except DataLossError:
                raise DataLossError(None, None, "Corrupt packed varint") from None
            yield value
        return
    size = 8 if wire == FIXED64 else 4
    if len(data) % size:
        raise DataLossError(None, None, f"Illegal data length for packed fixed-size type: {len(data)}")
    yield from (data[i : i + size] for i in range(0, len(data), size))


def field(number: int, name: str, values: list[Any], packed: bool) -> bytes:
    """The bytes of a field of a type, with as many entries as there are values, or one that holds them packed."""
    kind = KINDS[name]
    written = [kind.write(value) for value in values]
    if kind.wire == VARINT:
        written = [varint(value) for value in written]
    if packed and kind.wire in (VARINT, FIXED32, FIXED64):
        whole = b"".join(written)
        return varint(number << 3 | LENGTH) + varint(len(whole)) + whole if values else b""
    head, tail = varint(number << 3 | kind.wire), varint(number << 3 | END) if kind.wire == GROUP else b""
    return b"".join(head + (varint(len(v)) if kind.wire == LENGTH else b"") + v + tail for v in written)
