"""Sorted tables of bytes to bytes, in LevelDB's format: what a checkpoint's index is.

::

    table    blocks of entries, an empty block, the index block, the footer
    block    entries, where to restart (uint32 each), how many of those; then the trailer
    entry    shared, rest, size (varints), the rest of the key after what it shares with the one before, the value
    trailer  0 (plain) or 1 (Snappy), and the masked checksum of block and that byte
    footer   offset and size (varints) of the empty and of the index block, zeros up to 40 bytes, a magic number

The index block has one entry per block: a key not before its last key, and its offset and size.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterable, Iterator
from mmap import mmap
from typing import BinaryIO, overload

from retrograd.files.checksums import extended, masked
from retrograd.files.snappy import decompressed
from retrograd.files.varints import read_varint, varint
from retrograd.graph.errors import DataLossError

_MAGIC = struct.pack("<Q", 0xDB4775248B80FB57)
_FOOTER = 48
_HANDLE = 20  # bytes of two varints at most
_TRAILER = 5
_BLOCK = 1 << 18  # bytes after which a new block begins
_INTERVAL = 16  # entries after which a key is written in full
_LONGEST_KEYS = 32  # how many times as long as their block the keys in it may be, all together


def _lost(message: str) -> DataLossError:
    return DataLossError(None, None, message)


# -- writing -----------------------------------------------------------------------------------


def table(entries: Iterable[tuple[bytes, bytes]]) -> bytes:
    """The table of ``entries``, which come in the order of their keys."""
    out, index, block = bytearray(), _Block(1), _Block(_INTERVAL)
    last: bytes | None = None
    handle = b""
    for key, value in entries:
        if len(block.data) >= _BLOCK:
            handle = _append(out, block.finished())
            assert last is not None
            index.add(_separator(last, key), handle)
            block = _Block(_INTERVAL)
        block.add(key, value)
        last = key
    if last is not None:
        handle = _append(out, block.finished())
        index.add(_successor(last), handle)
    handles = _append(out, _Block(_INTERVAL).finished()) + _append(out, index.finished())
    return bytes(out) + handles.ljust(_FOOTER - 8, b"\x00") + _MAGIC


class _Block:
    def __init__(self, interval: int) -> None:
        self.interval = interval
        self.data = bytearray()
        self.restarts = [0]
        self.count = 0
        self.last = b""

    def add(self, key: bytes, value: bytes) -> None:
        shared = 0
        if self.count == self.interval:
            self.restarts.append(len(self.data))
            self.count = 0
        else:
            shared = _shared(self.last, key)
        self.data += varint(shared) + varint(len(key) - shared) + varint(len(value)) + key[shared:] + value
        self.last = key
        self.count += 1

    def finished(self) -> bytes:
        numbers = [*self.restarts, len(self.restarts)]
        return bytes(self.data) + struct.pack(f"<{len(numbers)}I", *numbers)


def _shared(a: bytes, b: bytes) -> int:
    """How many bytes ``a`` and ``b`` begin with in common."""
    for i, (x, y) in enumerate(zip(a, b, strict=False)):
        if x != y:
            return i
    return min(len(a), len(b))


def _append(out: bytearray, block: bytes) -> bytes:
    """Append a block with its trailer; the result is its handle."""
    handle = varint(len(out)) + varint(len(block))
    out += block + b"\x00" + struct.pack("<I", masked(extended(0, block + b"\x00")))
    return handle


def _separator(a: bytes, b: bytes) -> bytes:
    """A short key from ``a`` on and before ``b``."""
    i = _shared(a, b)
    if i < min(len(a), len(b)) and a[i] < 0xFF and a[i] + 1 < b[i]:
        return a[:i] + bytes([a[i] + 1])
    return a


def _successor(a: bytes) -> bytes:
    """A short key from ``a`` on."""
    for i, byte in enumerate(a):
        if byte != 0xFF:
            return a[:i] + bytes([byte + 1])
    return a


# -- reading -----------------------------------------------------------------------------------


class FileBytes:
    """The bytes of an open file, read when they are asked for: what is mapped counts as memory."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._size = file.seek(0, io.SEEK_END)

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, at: int) -> int: ...

    @overload
    def __getitem__(self, at: slice) -> bytes: ...

    def __getitem__(self, at: int | slice) -> int | bytes:
        if isinstance(at, slice):
            start, stop, _ = at.indices(self._size)
            self._file.seek(start)
            return self._file.read(max(0, stop - start))
        self._file.seek(at)
        return self._file.read(1)[0]


Data = bytes | mmap | FileBytes
Place = tuple[int, int]  # where a block begins, and its size


def entries_of(data: Data) -> Iterator[tuple[bytes, bytes]]:
    """The entries of a table in the order of their keys.

    Raises:
      DataLossError: the table is damaged.
    """
    for key, value, _ in placed_entries_of(data):
        yield key, value


def value_at(data: Data, place: Place, key: bytes) -> bytes | None:
    """The value of ``key`` in the block at ``place``, if it is there.

    Raises:
      DataLossError: the block is damaged.
    """
    return next((value for found, value in _block_entries(_block(data, place)) if found == key), None)


def placed_entries_of(data: Data) -> Iterator[tuple[bytes, bytes, Place]]:
    """The same as ``entries_of``, each entry with the place of its block."""
    check_footer(data)
    _, i = _handle(data, len(data) - _FOOTER)
    index, _ = _handle(data, i)
    last = None
    for _, handle in _block_entries(_block(data, index)):
        place, _ = _handle(handle, 0)
        for key, value in _block_entries(_block(data, place)):
            if last is not None and key <= last:
                raise _lost("keys out of order")
            last = key
            yield key, value, place


def check_footer(data: Data) -> None:
    """Raises ``DataLossError`` if ``data`` does not end as a table does."""
    if len(data) < _FOOTER:
        raise _lost("file is too short to be an sstable")
    if data[-8:] != _MAGIC:
        raise _lost("not an sstable (bad magic number)")


def _handle(data: Data, i: int) -> tuple[Place, int]:
    both = data[i : i + _HANDLE]
    offset, at = read_varint(both, 0)
    size, at = read_varint(both, at)
    return (offset, size), i + at


def _block(data: Data, place: Place) -> bytes:
    offset, size = place
    end = offset + size
    if end + _TRAILER > len(data):
        raise _lost("truncated block read")
    kind = data[end]
    (stored,) = struct.unpack("<I", data[end + 1 : end + _TRAILER])
    block = data[offset:end]
    if stored != masked(extended(extended(0, block), bytes([kind]))):
        raise _lost("block checksum mismatch")
    if kind > 1:
        raise _lost("bad block type")
    return decompressed(block) if kind == 1 else block


def _block_entries(block: bytes) -> Iterator[tuple[bytes, bytes]]:
    if len(block) < 4:
        raise _lost("bad block contents")
    (count,) = struct.unpack_from("<I", block, len(block) - 4)
    end = len(block) - 4 - 4 * count
    if end < 0:
        raise _lost("bad block contents")
    key, i, left = b"", 0, _LONGEST_KEYS * len(block)
    while i < end:
        shared, i = read_varint(block, i)
        rest, i = read_varint(block, i)
        size, i = read_varint(block, i)
        if shared > len(key) or i + rest + size > end:
            raise _lost("bad entry in block")
        left -= shared + rest
        if left < 0:  # a long key that many share must not claim memory for each
            raise _lost("keys too long")
        key = key[:shared] + block[i : i + rest]
        i += rest
        yield key, block[i : i + size]
        i += size
