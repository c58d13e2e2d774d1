"""Databases of LMDB in files: the pairs of the main table, in the order of their keys.

A file is a list of pages of one size.  One of the first two says where the root of a B+ tree is, the one that was
written last.  Source: Symas, LMDB 0.9, the layout of its data file on 64-bit systems.
"""

from __future__ import annotations

import mmap
import os
import struct
from collections.abc import Iterator

from retrograd.files.file_system import is_directory, path_of, translated
from retrograd.graph.errors import DataLossError, OpError, UnimplementedError

_HEADER = 16  # bytes of a page before its places
_MAGIC, _VERSION = 0xBEEFC0DE, 1
_BRANCH, _LEAF, _OVERFLOW, _META = 1, 2, 4, 8  # kinds of pages
_BIG, _SUBTABLE, _MANY = 1, 2, 4  # kinds of values
_NONE = (1 << 64) - 1


class Database:
    """The pairs of a file, or of ``data.mdb`` in a folder.

    Raises:
      NotFoundError: there is no such file.
      DataLossError: it is no such file, or damaged.
      UnimplementedError: it has several values of a key.
    """

    def __init__(self, name: str | bytes) -> None:
        path = path_of(name)
        self.path = os.path.join(path, "data.mdb") if is_directory(path) else path
        with translated(self.path), open(self.path, "rb") as file:
            if not os.fstat(file.fileno()).st_size:
                raise self._damaged("it is empty")
            self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._size, self._root = self._found_root()

    def close(self) -> None:
        """Leave the file."""
        self._data.close()

    def pairs(self) -> Iterator[tuple[bytes, bytes]]:
        """Every key with its value."""
        waiting, seen = [] if self._root == _NONE else [self._root], set()
        while waiting:
            number = waiting.pop()
            if number in seen:
                raise self._damaged(f"two places lead to page {number}")
            seen.add(number)
            at, kind, nodes = self._page(number)
            if kind & _BRANCH:
                waiting += [self._child(at + node) for node in reversed(nodes)]
            elif kind & _LEAF:
                for node in nodes:
                    yield self._pair(at + node, at + self._size)
            else:
                raise self._damaged(f"page {number} is of the kind {kind}")

    def _damaged(self, what: str) -> OpError:
        return DataLossError(None, None, f"{self.path} is no database of LMDB, or damaged: {what}")

    def _numbers(self, form: str, at: int, end: int | None = None) -> tuple[int, ...]:
        if at + struct.calcsize(form) > min(len(self._data), len(self._data) if end is None else end):
            raise self._damaged(f"it ends before byte {at + struct.calcsize(form)}")
        return struct.unpack_from(form, self._data, at)

    def _found_root(self) -> tuple[int, int]:
        """The size of a page, and the page of the root."""
        (size,) = self._numbers("<I", _HEADER + 24)
        if not 512 <= size <= 1 << 16:
            raise self._damaged(f"its pages have {size} bytes")
        found: list[tuple[int, int]] = []
        for at in (0, size):
            (kind,) = self._numbers("<H", at + 10)
            magic, version = self._numbers("<II", at + _HEADER)
            if kind & _META and (magic, version) == (_MAGIC, _VERSION):
                fields = (("<H", 76), ("<Q", 112), ("<Q", 128))
                flags, root, turn = (self._numbers(form, at + _HEADER + place)[0] for form, place in fields)
                if flags & _MANY:
                    raise UnimplementedError(None, None, f"{self.path} has several values of a key")
                found.append((turn, root))
        if not found:
            raise self._damaged("its first pages are of another kind")
        return size, max(found)[1]

    def _page(self, number: int) -> tuple[int, int, list[int]]:
        """Where a page begins, its kind, and where in it its nodes are."""
        at = number * self._size
        kind, lower = self._numbers("<HH", at + 10)
        if not _HEADER <= lower <= self._size:
            raise self._damaged(f"page {number} has no places")
        nodes = self._numbers(f"<{(lower - _HEADER) // 2}H", at + _HEADER)
        return at, kind, list(nodes)

    def _child(self, at: int) -> int:
        low, middle, high = self._numbers("<HHH", at)
        return low | middle << 16 | high << 32

    def _pair(self, at: int, end: int) -> tuple[bytes, bytes]:
        low, high, kind, length = self._numbers("<HHHH", at, end)
        size, start = low | high << 16, at + 8
        key = self._bytes(start, length, end)
        if kind & (_SUBTABLE | _MANY):
            raise UnimplementedError(None, None, f"{self.path} has tables within its table")
        if not kind & _BIG:
            return key, self._bytes(start + length, size, end)
        (page,) = self._numbers("<Q", start + length, end)
        (kind,) = self._numbers("<H", page * self._size + 10)
        if not kind & _OVERFLOW:
            raise self._damaged(f"page {page} holds no value")
        return key, self._bytes(page * self._size + _HEADER, size, len(self._data))

    def _bytes(self, at: int, size: int, end: int) -> bytes:
        if at + size > min(end, len(self._data)):
            raise self._damaged(f"a key or value ends at byte {at + size}")
        return self._data[at : at + size]
