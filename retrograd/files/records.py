"""Record files, as TensorFlow writes them: a file of byte strings, each with its length and checksums.

::

    record   length (uint64), masked checksum of these 8 bytes, data, masked checksum of the data

The file may be compressed as a whole, in the format of zlib or of gzip.  Offsets count uncompressed bytes.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO

from retrograd.files.checksums import extended, masked
from retrograd.files.file_system import translated
from retrograd.files.replacing import file_error
from retrograd.graph.errors import DataLossError, FailedPreconditionError, InvalidArgumentError

_HEADER = 12
_FOOTER = 4
_LENGTH_AND_CHECKSUM = struct.Struct("<QI")
_CHUNK = 1 << 18

COMPRESSIONS = ("", "ZLIB", "GZIP")


def framed(data: bytes) -> bytes:
    """``data`` as a record."""
    length = struct.pack("<Q", len(data))
    return length + struct.pack("<I", masked(extended(0, length))) + data + struct.pack("<I", masked(extended(0, data)))


def window_bits(compression: str, bits: int = 15) -> int:
    """What zlib calls the format: gzip's is larger by 16."""
    return bits + 16 if compression == "GZIP" else bits


def check_compression(compression: str) -> None:
    """Raises ``InvalidArgumentError`` if there is no such compression."""
    if compression not in COMPRESSIONS:
        raise InvalidArgumentError(None, None, f"Unsupported compression type:{compression}")


class Writer:
    """Writes records to the file ``path``; ``compressor`` is an object of zlib's that compresses them, or None."""

    def __init__(self, path: str, compressor: Any = None) -> None:
        self._path = path
        with translated(path):
            self._file: BinaryIO | None = open(path, "wb")  # noqa: SIM115
        self._compressor = compressor

    def write(self, data: bytes) -> None:
        """Append one record."""
        record = framed(data)
        file = self._opened()
        try:
            file.write(record if self._compressor is None else self._compressor.compress(record))
        except OSError as error:
            raise file_error(error, self._path) from None

    def flush(self) -> None:
        """Bring to the file what was written so far."""
        file = self._opened()
        with translated(self._path):
            if self._compressor is not None:
                file.write(self._compressor.flush(zlib.Z_PARTIAL_FLUSH))
            file.flush()

    def close(self) -> None:
        """Finish the file.

        Raises:
          FailedPreconditionError: it is closed.
        """
        file = self._opened()
        self._file = None
        with translated(self._path), file:
            if self._compressor is not None:
                file.write(self._compressor.flush())

    def _opened(self) -> BinaryIO:
        if self._file is None:
            raise FailedPreconditionError(None, None, "Writer not initialized or previously closed")
        return self._file


class Bytes:
    """The uncompressed bytes of a file, one after the other."""

    def __init__(self, path: str, compression: str = "", chunk: int = _CHUNK) -> None:
        check_compression(compression)
        with translated(path):
            if os.path.isdir(path):
                raise IsADirectoryError(21, "Is a directory")
            self._file = open(path, "rb", buffering=0)  # noqa: SIM115
        self._inflate = zlib.decompressobj(window_bits(compression)) if compression else None
        self._buffer = b""
        self._start = 0  # where in the buffer the unread bytes begin
        self._chunk = max(chunk, 1)
        self.offset = 0

    def ahead(self, size: int) -> tuple[bytes, int]:
        """A buffer that holds the next ``size`` bytes, or as many as there are left, and where in it they begin."""
        while len(self._buffer) - self._start < size:
            more = self._more(size - (len(self._buffer) - self._start))
            if not more:
                break
            self._buffer = self._buffer[self._start :] + more
            self._start = 0
        return self._buffer, self._start

    def passed(self, size: int) -> None:
        """Go on behind ``size`` bytes of those ``ahead``."""
        self._start += size
        self.offset += size

    def read(self, size: int) -> bytes:
        """The next ``size`` bytes, or as many as there are left."""
        buffer, start = self.ahead(size)
        data = buffer[start : start + size]
        self.passed(len(data))
        return data

    def record(self) -> bytes | None:
        """The next record, if it lies in the buffer whole and sound."""
        buffer, start = self._buffer, self._start
        begin = start + _HEADER
        if len(buffer) < begin:
            return None
        length, checksum = _LENGTH_AND_CHECKSUM.unpack_from(buffer, start)
        end = begin + length
        data = buffer[begin:end]
        if len(buffer) < end + _FOOTER or masked(extended(0, buffer[start : start + 8])) != checksum:
            return None
        if masked(extended(0, data)) != int.from_bytes(buffer[end : end + _FOOTER], "little"):
            return None
        self._start = end + _FOOTER
        self.offset += self._start - start
        return data

    def line(self) -> bytes | None:
        """The bytes up to the next end of a line, which is left out; None at the end of the file."""
        end = self._buffer.find(b"\n", self._start)
        while end < 0:
            more = self._more(1)
            if not more:
                break
            rest = self._buffer[self._start :]
            self._buffer, self._start = rest + more, 0
            found = more.find(b"\n")
            end = found + len(rest) if found >= 0 else -1
        if end < 0:
            if self._start == len(self._buffer):
                return None
            return self.read(len(self._buffer) - self._start)
        data = self._buffer[self._start : end]
        self._start = end + 1
        self.offset += len(data) + 1
        return data

    def skip(self, size: int) -> int:
        """Pass over ``size`` bytes; how many there were."""
        passed = 0
        while passed < size:
            part = len(self.read(min(size - passed, self._chunk)))
            if not part:
                break
            passed += part
        return passed

    def _more(self, wanted: int) -> bytes:
        size = min(max(self._chunk, wanted), 1 << 24)  # a hostile length must not claim memory at once
        if self._inflate is None:
            return self._file.read(size)
        while True:
            pending = self._inflate.unconsumed_tail
            if not pending and self._inflate.eof:
                pending = self._next_member()
            pending = pending or self._file.read(self._chunk)
            if not pending:
                return b""
            try:
                data = self._inflate.decompress(pending, size)
            except zlib.error as error:
                code, _, words = str(error).removeprefix("Error ").partition(" while decompressing data: ")
                raise DataLossError(None, None, f"inflate() failed with error {code}: {words}") from None
            if data:
                return data

    def _next_member(self) -> bytes:
        """A gzip file may be several, one after the other."""
        assert self._inflate is not None
        rest = self._inflate.unused_data or self._file.read(self._chunk)
        if rest:
            self._inflate = zlib.decompressobj(zlib.MAX_WBITS | 32)
        return rest

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __del__(self) -> None:
        if hasattr(self, "_file"):
            self._file.close()


def _check(data: bytes, checksum: int, offset: int) -> None:
    if masked(extended(0, data)) != checksum:
        raise DataLossError(None, None, f"corrupted record at {offset}")


class Reader:
    """Reads the records of a file one after the other."""

    def __init__(self, path: str, compression: str = "", chunk: int = _CHUNK) -> None:
        self._bytes = Bytes(path, compression, chunk)

    def read(self) -> bytes | None:
        """The next record; None at the end of the file, even if it ends within the header of a record.

        Raises:
          DataLossError: a checksum is wrong, or the file ends within a record.
        """
        data = self._bytes.record()
        return self._checked() if data is None else data

    def _checked(self) -> bytes | None:
        bytes_ = self._bytes
        offset = bytes_.offset
        buffer, start = bytes_.ahead(_HEADER)
        if len(buffer) - start < _HEADER:
            return None
        length, checksum = _LENGTH_AND_CHECKSUM.unpack_from(buffer, start)
        bytes_.passed(_HEADER)
        _check(buffer[start : start + 8], checksum, offset)
        buffer, start = bytes_.ahead(length + _FOOTER)
        end = start + length
        if len(buffer) < end + _FOOTER:
            raise DataLossError(None, None, f"truncated record at {offset}")
        data = buffer[start:end]
        bytes_.passed(length + _FOOTER)
        _check(data, int.from_bytes(buffer[end : end + _FOOTER], "little"), offset + _HEADER)
        return data

    def close(self) -> None:
        """Close the file."""
        self._bytes.close()

    def __iter__(self) -> Iterator[bytes]:
        try:
            while (record := self.read()) is not None:
                yield record
        finally:
            self.close()


def record_at(path: str, offset: int) -> tuple[bytes, int] | None:
    """The record that begins at ``offset`` of an uncompressed file, and where the next one begins."""
    reader = Reader(path)
    try:
        reader._bytes._file.seek(offset)
        reader._bytes.offset = offset
        record = reader.read()
        return None if record is None else (record, reader._bytes.offset)
    finally:
        reader.close()
