"""``tf.python_io``: files of records, written and read by Python."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any

from retrograd.files import records
from retrograd.files.file_system import path_of
from retrograd.graph import errors


class TFRecordCompressionType:
    """How a file of records is compressed."""

    NONE = 0
    ZLIB = 1
    GZIP = 2


_NAMES = {TFRecordCompressionType.NONE: "", TFRecordCompressionType.ZLIB: "ZLIB", TFRecordCompressionType.GZIP: "GZIP"}


class TFRecordOptions:
    """How records are compressed; the other arguments are zlib's, the sizes those of buffers.

    Raises:
      ValueError: there is no such compression.
    """

    compression_type_map = _NAMES

    def __init__(
        self, compression_type: Any = None, flush_mode: int | None = None, input_buffer_size: int | None = None,
        output_buffer_size: int | None = None, window_bits: int | None = None, compression_level: int | None = None,
        compression_method: int | None = None, mem_level: int | None = None, compression_strategy: int | None = None,
    ) -> None:  # fmt: skip
        self.get_compression_type_string(compression_type)
        self.compression_type = compression_type
        self.flush_mode = flush_mode
        self.input_buffer_size = input_buffer_size
        self.output_buffer_size = output_buffer_size
        self.window_bits = window_bits
        self.compression_level = compression_level
        self.compression_method = compression_method
        self.mem_level = mem_level
        self.compression_strategy = compression_strategy

    @classmethod
    def get_compression_type_string(cls, options: Any) -> str:
        """``""``, ``"ZLIB"`` or ``"GZIP"``, of options, of one of ``TFRecordCompressionType`` or of the string."""
        if not options:
            return ""
        if isinstance(options, TFRecordOptions):
            return cls.get_compression_type_string(options.compression_type)
        if isinstance(options, TFRecordCompressionType):
            return _NAMES[options]  # type: ignore[index]
        if options in _NAMES:
            return _NAMES[options]
        if options in _NAMES.values():
            return str(options)
        raise ValueError(f'Not a valid compression_type: "{options}"')

    def _compressor(self) -> Any:
        """The object of zlib's that compresses, or None."""
        kind = self.get_compression_type_string(self)
        if not kind:
            return None
        settings = {
            "level": (self.compression_level, zlib.Z_DEFAULT_COMPRESSION),
            "method": (self.compression_method, zlib.DEFLATED),
            "memLevel": (self.mem_level, 9),
            "strategy": (self.compression_strategy, zlib.Z_DEFAULT_STRATEGY),
        }
        given: Any = {k: default if value is None else value for k, (value, default) in settings.items()}
        bits = records.window_bits(kind, zlib.MAX_WBITS if self.window_bits is None else self.window_bits)
        try:
            return zlib.compressobj(wbits=bits, **given)
        except ValueError as error:
            raise errors.InvalidArgumentError(None, None, f"Invalid compression options: {error}") from None


class TFRecordWriter:
    """Writes records to a file, which is complete when the writer is closed.

    Args:
      options: a ``TFRecordOptions``, a ``TFRecordCompressionType``, or its name.
    """

    def __init__(self, path: Any, options: Any = None) -> None:
        if not isinstance(options, TFRecordOptions):
            options = TFRecordOptions(compression_type=options)
        self._writer = records.Writer(path_of(path), options._compressor())

    def write(self, record: bytes) -> None:
        """Append ``record``."""
        if not isinstance(record, bytes):
            raise TypeError(f"expected bytes, {type(record).__name__} found")
        self._writer.write(record)

    def flush(self) -> None:
        """Bring to the file what was written."""
        self._writer.flush()

    def close(self) -> None:
        """Finish the file."""
        if self._writer._file is not None:
            self._writer.close()

    def __enter__(self) -> TFRecordWriter:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_writer"):
            self.close()


def tf_record_iterator(path: Any, options: Any = None) -> Iterator[bytes]:
    """The records of a file.

    Raises:
      NotFoundError: there is no such file.
      DataLossError: it is damaged; the message says where.
    """
    return iter(records.Reader(path_of(path), TFRecordOptions.get_compression_type_string(options)))


def tf_record_random_reader(path: Any) -> _RandomReader:
    """Reads the records of a file from any place where one begins."""
    return _RandomReader(path)


class _RandomReader:
    def __init__(self, path: Any) -> None:
        self._path = path_of(path)
        records.Reader(self._path).close()

    def read(self, offset: int) -> tuple[bytes, int]:
        """The record at ``offset``, and where the next one begins.

        Raises:
          IndexError: there is none.
        """
        found = records.record_at(self._path, offset)
        if found is None:
            raise IndexError(f"Out of range at reading offset {offset:#x}")
        return found

    def close(self) -> None:
        """Nothing is held open."""
