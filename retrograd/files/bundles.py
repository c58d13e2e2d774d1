"""TensorFlow's checkpoints, version 2: an index that says of each tensor in which data file its bytes stand.

::

    model.ckpt.index                  a table: "" to the header, each name to its entry
    model.ckpt.data-00000-of-00001    the bytes of the tensors, one after the other

A tensor that was saved in slices has an entry without bytes that lists them; each slice has an entry of its
own.  A string tensor is the lengths (varints), their masked checksum, and the strings.
"""

from __future__ import annotations

import errno
import math
import os
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO, Any

import numpy as np

from retrograd.files import tables
from retrograd.files.checksums import bytes_in, extended, masked, unmasked
from retrograd.files.messages import message
from retrograd.files.replacing import Replacement, file_error, make_folder, replace_file, sync_folder
from retrograd.files.varints import ordered_number, ordered_signed, ordered_text, read_varint, varint
from retrograd.graph import dtypes, errors
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.shapes import shape_text

Extents = tuple[tuple[int, int], ...]  # of a slice: where it begins along each axis, and how long it is there

_CHUNK = 1 << 20
_TEXTS = (dtypes.string, dtypes.variant)  # a variant is the text that its op makes of it
_PRODUCER = 1  # the version of the format


def data_file(prefix: str, shard: int, count: int) -> str:
    """The name of a data file."""
    return f"{prefix}.data-{shard:05d}-of-{count:05d}"


def index_file(prefix: str) -> str:
    """The name of the index."""
    return f"{prefix}.index"


def exists(prefix: str) -> bool:
    """Whether there is a checkpoint of that name."""
    return os.path.exists(index_file(prefix))


# -- slices ------------------------------------------------------------------------------------


def parse_slice(text: str) -> tuple[tuple[int, ...], Extents]:
    """``"5 4 0,2:0,4"``: the shape of the whole, and the part of it; ``-`` in the part is all of an axis.

    Raises:
      InvalidArgumentError: it is no such text, or the part is not inside of the whole.
    """
    *sizes, part = text.split(" ")
    try:
        shape = tuple(int(n) for n in sizes)
        pieces = part.split(":") if part else []
        extents = tuple(
            (0, n) if piece == "-" else (int(piece.split(",")[0]), int(piece.split(",")[1]))
            for piece, n in zip(pieces, shape, strict=True)
        )
    except (ValueError, IndexError):
        words = f"Expected a space-separated list of dimensions and a slice, got '{text}'"
        raise errors.InvalidArgumentError(None, None, words) from None
    if any(start < 0 or length < 0 or start + length > n for (start, length), n in zip(extents, shape, strict=True)):
        words = f"Extent in {part} is not inside of a tensor of shape {shape_text(tuple(shape))}"
        raise errors.InvalidArgumentError(None, None, words)
    return shape, extents


def slice_key(name: bytes, extents: Sequence[tuple[int, int]]) -> bytes:
    """The name of the entry of one slice of the tensor ``name``."""
    numbers = b"".join(ordered_signed(n) for extent in extents for n in extent)
    return ordered_number(0) + ordered_text(name) + ordered_number(len(extents)) + numbers


def _is_whole(extents: Extents, shape: tuple[int, ...]) -> bool:
    return extents == tuple((0, n) for n in shape)


# -- writing -----------------------------------------------------------------------------------


class Writer:
    """Writes one data file with its index; both take their names when all is on the disk.

    >>> import tempfile
    >>> prefix = tempfile.mkdtemp() + "/model"
    >>> with Writer(prefix) as writer:
    ...     writer.add(b"w", np.zeros([2, 3]))
    >>> Reader(prefix).tensor(b"w").shape
    (2, 3)
    """

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.entries: dict[bytes, Any] = {}
        self.offset = 0
        try:
            self.made_folder = make_folder(os.path.dirname(prefix))
            self.data = Replacement(data_file(prefix, 0, 1))
        except OSError as error:
            raise file_error(error, error.filename or prefix) from None

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        try:
            if kind is None:
                self.finish()
                return
            self.data.discard()
        except OSError as failure:
            error = failure
        if self.made_folder:
            with suppress(OSError):  # others may have files there
                os.rmdir(os.path.dirname(self.prefix))
        if isinstance(error, OSError):
            raise file_error(error, self.data.path) from None

    def add(self, name: bytes, value: Any, dtype: DType | None = None) -> None:
        """Append a tensor.

        Raises:
          InvalidArgumentError: there is one of that name.
        """
        value = np.asarray(value)
        if name in self.entries:
            raise errors.InvalidArgumentError(None, None, f"Adding duplicate key: {name.decode(errors='replace')}")
        dtype = as_dtype(value.dtype) if dtype is None else dtype
        entry = message("BundleEntryProto")(dtype=dtype.as_datatype_enum, shape=_shape_proto(value.shape))
        entry.offset = self.offset
        if dtype in _TEXTS:
            entry.size, crc = self._append_strings(value)
        else:
            entry.size, crc = self._append(value)
        entry.crc32c = masked(crc)
        self.offset += entry.size
        self.entries[name] = entry

    def _append(self, value: np.ndarray) -> tuple[int, int]:
        flat, crc = bytes_in(value), 0
        for start in range(0, len(flat), _CHUNK):
            piece = flat[start : start + _CHUNK].tobytes()
            crc = extended(crc, piece)
            self.data.file.write(piece)
        return len(flat), crc

    def _append_strings(self, value: np.ndarray) -> tuple[int, int]:
        texts = [t if isinstance(t, bytes) else str(t).encode() for t in value.ravel().tolist()]
        lengths = b"".join(varint(len(t)) for t in texts)
        crc = extended(0, b"".join(struct.pack("<I" if len(t) < 1 << 32 else "<Q", len(t)) for t in texts))
        check = struct.pack("<I", masked(crc))
        crc = extended(crc, check)
        self.data.file.write(lengths + check)
        for text in texts:
            crc = extended(crc, text)
            self.data.file.write(text)
        return len(lengths) + 4 + sum(map(len, texts)), crc

    def add_slice(self, name: bytes, shape: tuple[int, ...], extents: Extents, value: Any) -> None:
        """Append the part ``extents`` of a tensor of ``shape``.

        Raises:
          InvalidArgumentError: the value is not of the slice's shape, or other slices were of another shape.
        """
        value = np.asarray(value)
        if value.shape != tuple(length for _, length in extents):
            words = f"Slice of {name.decode(errors='replace')} has shape {shape_text(value.shape)}, not its extents'"
            raise errors.InvalidArgumentError(None, None, words)
        if _is_whole(extents, shape):
            self.add(name, value)
            return
        whole = self.entries.get(name)
        if whole is None:
            whole = message("BundleEntryProto")(dtype=as_dtype(value.dtype).as_datatype_enum, shape=_shape_proto(shape))
            self.entries[name] = whole
        elif _shape_of(whole) != shape or not whole.slices:
            words = f"Slices of {name.decode(errors='replace')} are of tensors of different shapes"
            raise errors.InvalidArgumentError(None, None, words)
        proto = whole.slices.add()
        for start, length in extents:
            proto.extent.add(start=start, length=length)
        self.add(slice_key(name, extents), value)

    def finish(self) -> None:
        """Bring both files to the disk, then give them their names, the index last."""
        index = None
        try:
            self.data.complete()
            index = Replacement(index_file(self.prefix))
            index.file.write(index_of(self.entries, 1))
            index.complete()
            self.data.take_place()
            index.take_place()
            sync_folder(os.path.dirname(self.prefix))
        except BaseException:
            self.data.discard()
            if index is not None:
                index.discard()
            raise


def index_of(entries: dict[bytes, Any], shards: int) -> bytes:
    """The index of ``entries`` over so many data files."""
    header = message("BundleHeaderProto")(num_shards=shards)
    header.version.producer = _PRODUCER
    rows = sorted((name, entry.SerializeToString(deterministic=True)) for name, entry in entries.items())
    return tables.table([(b"", header.SerializeToString()), *rows])


def _shape_proto(shape: Iterable[int]) -> Any:
    proto = message("TensorShapeProto")()
    for n in shape:
        proto.dim.add(size=n)
    return proto


def _shape_of(entry: Any) -> tuple[int, ...]:
    return tuple(d.size for d in entry.shape.dim)


# -- reading -----------------------------------------------------------------------------------


class Reader:
    """Reads tensors of a checkpoint, each when it is asked for.

    Args:
      keeps_open: whether the data file that was read last stays open, for many small tensors.

    Raises:
      NotFoundError: there is no index of that name.
      DataLossError: it is damaged.
    """

    def __init__(self, prefix: str, keeps_open: bool = False) -> None:
        self.prefix = prefix
        self._keeps_open = keeps_open
        self._open: IO[bytes] | None = None
        path = index_file(prefix)
        try:
            with open(path, "rb") as file:
                data = file.read()
        except OSError as error:
            raise _unopened(error, prefix) from None
        try:
            tables.check_footer(data)
        except errors.DataLossError as error:
            raise _naming(error, path) from None
        try:
            rows = dict(tables.entries_of(data))
            header = self._parsed("BundleHeaderProto", rows.pop(b"", b""))
            self.entries = {name: self._parsed("BundleEntryProto", row) for name, row in rows.items()}
            if header.endianness or not 0 < header.num_shards < 100_000:
                raise errors.DataLossError(None, None, f"a header of {header.num_shards} data files")
        except errors.DataLossError as error:
            words = (
                f"Unable to read file ({path}). Perhaps the file is corrupt or was produced by a newer version of "
                f"TensorFlow with format changes (failed to seek to header entry): {error.message}"
            )
            raise errors.DataLossError(None, None, words) from None
        self.shards = header.num_shards

    def _parsed(self, kind: str, row: bytes) -> Any:
        from google.protobuf.message import DecodeError

        try:
            return message(kind).FromString(row)
        except DecodeError:
            raise errors.DataLossError(None, None, "an entry is no protocol buffer") from None

    @property
    def names(self) -> list[bytes]:
        """The names of the tensors in order, without the entries of slices."""
        return sorted(name for name in self.entries if not name.startswith(b"\x00"))

    def has(self, name: bytes) -> bool:
        """Whether there is a tensor of that name."""
        return name in self.entries

    def entry(self, name: bytes) -> Any:
        """The entry of a tensor.

        Raises:
          NotFoundError: there is none.
        """
        if name not in self.entries:
            text = name.decode(errors="replace")
            error = errors.NotFoundError(None, None, f"Key {text} not found in checkpoint")
            raise _with_nearest(error, text, self)
        return self.entries[name]

    def shape(self, name: bytes) -> tuple[int, ...]:
        """The shape of a tensor."""
        return _shape_of(self.entry(name))

    def dtype(self, name: bytes) -> DType:
        """The dtype of a tensor.

        Raises:
          DataLossError: the checkpoint gives it none that there is.
        """
        number = self.entry(name).dtype
        try:
            return as_dtype(number)
        except TypeError:
            raise self._damaged(name, f"its dtype is {number}") from None

    def tensor(self, name: bytes) -> np.ndarray:
        """The value of a tensor.

        Raises:
          DataLossError: its bytes are not those that were written.
        """
        entry = self.entry(name)
        if entry.slices:
            shape = _shape_of(entry)
            return self.part(name, tuple((0, n) for n in shape))
        return self._stored(name, entry)

    def part(self, name: bytes, extents: Extents) -> np.ndarray:
        """The part ``extents`` of a tensor, put together from the slices that were saved."""
        entry = self.entry(name)
        if not entry.slices:
            value = self._stored(name, entry)
            return np.array(value[tuple(slice(start, start + length) for start, length in extents)])
        try:
            saved = saved_slices(entry.slices, _shape_of(entry))
        except errors.DataLossError as error:
            raise self._damaged(name, error.message) from None
        keys = [(whole, slice_key(name, key)) for whole, key in saved]
        part = joined(extents, self.dtype(name), keys, lambda key: self._stored(key, self.entry(key)))
        if part is None:
            raise self._damaged(name, "its slices do not cover it")
        return part

    def check(self, name: bytes) -> None:
        """Read the bytes of a tensor, of which nothing is kept.

        Raises:
          DataLossError: they are not those that were written.
        """
        entry = self.entry(name)
        if not entry.slices:
            self._stored(name, entry, is_kept=False)
        for proto in entry.slices:
            key = slice_key(name, saved_slices([proto], _shape_of(entry))[0][1])
            self._stored(key, self.entry(key), is_kept=False)

    def _stored(self, name: bytes, entry: Any, is_kept: bool = True) -> np.ndarray:
        """The value whose bytes stand where ``entry`` says; nothing, but read and checked, if it is not kept."""
        dtype, shape = self.dtype(name), _shape_of(entry)
        if min(shape, default=0) < 0 or entry.shape.unknown_rank or not 0 <= entry.shard_id < self.shards:
            raise self._damaged(name, f"its shape is {shape_text(shape)}, its data file {entry.shard_id}")
        if not dtype.is_numpy_compatible and dtype not in _TEXTS:
            raise errors.UnimplementedError(None, None, f"a tensor of {dtype.name} cannot be read from a checkpoint")
        path = data_file(self.prefix, entry.shard_id, self.shards)
        try:
            with self._opened(path) as file:
                if not 0 <= entry.offset <= entry.offset + entry.size <= os.fstat(file.fileno()).st_size:
                    raise _naming(errors.OutOfRangeError(None, None, "Read less bytes than requested"), path)
                if file.tell() != entry.offset:  # what is buffered stays if it is the next
                    file.seek(entry.offset)
                count = 1
                for n in shape:
                    count *= n
                if dtype in _TEXTS:
                    try:
                        return self._strings(name, file, entry, count).reshape(shape)
                    except errors.DataLossError:
                        if dtype == dtypes.string:
                            raise
                        text = f"{name.decode(errors='replace')} is a variant that TensorFlow wrote"
                        raise errors.UnimplementedError(None, None, text) from None
                if count * dtype.np.itemsize != entry.size:
                    raise self._damaged(name, f"{entry.size} bytes cannot be of shape {shape_text(shape)}")
                value = np.empty(shape if is_kept else 0, dtype.np)
                crc = _fill(file, bytes_in_place(value)) if is_kept else _checksum(file, entry.size)
        except OSError as error:
            raise file_error(error, path) from None
        self._check(entry, crc, path)
        return value

    @contextmanager
    def _opened(self, path: str) -> Iterator[IO[bytes]]:
        if not self._keeps_open:
            with open(path, "rb") as file:
                yield file
            return
        if self._open is None or self._open.name != path:
            self.close()
            self._open = open(path, "rb")  # noqa: SIM115 (closed by ``close``)
        yield self._open

    def close(self) -> None:
        """Close the data file that stayed open."""
        if self._open is not None:
            self._open.close()
            self._open = None

    def __del__(self) -> None:
        self.close()

    def _strings(self, name: bytes, file: IO[bytes], entry: Any, count: int) -> np.ndarray:
        if count > entry.size:
            raise self._damaged(name, f"{entry.size} bytes cannot hold {count} strings")
        data = file.read(entry.size)
        lengths, i = [], 0
        for _ in range(count):
            length, i = read_varint(data, i)
            lengths.append(length)
        crc = extended(0, b"".join(struct.pack("<I" if n < 1 << 32 else "<Q", n) for n in lengths))
        stored = int.from_bytes(data[i : i + 4], "little")
        if stored != masked(crc):
            words = f"The length checksum does not match: expected {unmasked(stored)} but actual is {crc}"
            raise _naming(errors.DataLossError(None, None, words), file.name)
        self._check(entry, extended(crc, data[i:]), file.name)
        i += 4
        if i + sum(lengths) != len(data):
            raise self._damaged(name, "its strings are not as long as its entry")
        texts = np.empty(count, object)
        for k, length in enumerate(lengths):
            texts[k] = data[i : i + length]
            i += length
        return texts

    def _check(self, entry: Any, crc: int, path: str) -> None:
        if entry.crc32c != masked(crc):
            words = (
                f"Checksum does not match: stored {unmasked(entry.crc32c)} vs. calculated on the restored bytes {crc}"
            )
            raise _naming(errors.DataLossError(None, None, words), path)

    def _damaged(self, name: bytes, what: str) -> errors.OpError:
        words = f"The entry of {name.decode(errors='replace')} is damaged: {what}"
        return _naming(errors.DataLossError(None, None, words), index_file(self.prefix))


def saved_slices(protos: Iterable[Any], shape: Sequence[int]) -> list[tuple[Extents, Extents]]:
    """The slices that were saved of a tensor: their extents, and these as they name the slice.

    Raises:
      DataLossError: a slice is not inside of the tensor.
    """
    found = []
    for proto in protos:
        named = tuple((e.start, e.length if e.WhichOneof("has_length") else -1) for e in proto.extent)
        if len(named) != len(shape):
            raise errors.DataLossError(None, None, f"a slice of {len(named)} axes of a tensor of {len(shape)}")
        whole = tuple((0, n) if e[1] < 0 else e for e, n in zip(named, shape, strict=True))
        if any(start < 0 or start + length > n for (start, length), n in zip(whole, shape, strict=True)):
            words = f"a slice {_slice_text(whole)} of a tensor of shape {shape_text(tuple(shape))}"
            raise errors.DataLossError(None, None, words)
        found.append((whole, named))
    return found


def _slice_text(extents: Extents) -> str:
    return ":".join(f"{start},{length}" for start, length in extents)


def _check_disjoint(slices: Sequence[Extents]) -> None:
    """Raises ``InternalError`` if two of the slices overlap."""
    if len(slices) < 2:
        return
    starts, lengths = np.moveaxis(np.array(slices, np.int64).reshape(len(slices), len(slices[0]), 2), 2, 0)
    ends = starts + lengths
    for i in range(1, len(slices)):
        overlaps = ((starts[:i] < ends[i]) & (starts[i] < ends[:i])).all(axis=1)
        if overlaps.any():
            existing, new = _slice_text(slices[int(overlaps.argmax())]), _slice_text(slices[i])
            words = f"Overlapping slices: existing slice = {existing}, new slice = {new}"
            raise errors.InternalError(None, None, words)


def joined(
    wanted: Extents, dtype: DType, saved: Iterable[tuple[Extents, bytes]], load: Callable[[bytes], np.ndarray]
) -> np.ndarray | None:
    """The part ``wanted`` of a tensor from its ``saved`` slices; None if these do not cover it.

    Raises:
      InternalError: two slices overlap.
    """
    saved = list(saved)
    _check_disjoint([extents for extents, _ in saved])
    try:
        result = np.empty([length for _, length in wanted], dtype.np)
    except (MemoryError, ValueError):  # a damaged file may claim any shape
        return None
    missing = result.size
    for extents, key in saved:
        overlap = [_overlap(a, b) for a, b in zip(wanted, extents, strict=True)]
        if any(length <= 0 for _, length in overlap):
            continue
        target = tuple(slice(start - w, start - w + n) for (start, n), (w, _) in zip(overlap, wanted, strict=True))
        source = tuple(slice(start - e, start - e + n) for (start, n), (e, _) in zip(overlap, extents, strict=True))
        value = load(key)
        if value.shape != tuple(length for _, length in extents):
            return None
        result[target] = value[source]
        missing -= math.prod(n for _, n in overlap)
    return None if missing else result


def bytes_in_place(array: np.ndarray) -> np.ndarray:
    """The bytes of a contiguous array, to be written to."""
    return array.reshape(-1).view(np.uint8)


def _fill(file: IO[bytes], target: np.ndarray) -> int:
    """Read ``target`` full; the result is the checksum of what was read."""
    crc = 0
    for start in range(0, len(target), _CHUNK):
        piece = file.read(min(_CHUNK, len(target) - start))
        target[start : start + len(piece)] = np.frombuffer(piece, np.uint8)
        crc = extended(crc, piece)
    return crc


def _checksum(file: IO[bytes], size: int) -> int:
    """The checksum of the next ``size`` bytes."""
    crc = 0
    for start in range(0, size, _CHUNK):
        crc = extended(crc, file.read(min(_CHUNK, size - start)))
    return crc


def _overlap(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    start = max(a[0], b[0])
    return start, min(a[0] + a[1], b[0] + b[1]) - start


def _naming(error: errors.OpError, path: str) -> errors.OpError:
    """The error with the name of the file that it is about."""
    return type(error)(None, None, errors.explain(error.message, where=path))  # type: ignore[call-arg]


def _unopened(error: OSError, prefix: str) -> errors.OpError:
    if error.errno != errno.ENOENT:
        return file_error(error, index_file(prefix))
    words = f"Failed to find any matching files for {prefix}"
    folder = os.path.dirname(prefix)
    if folder and not os.path.isdir(folder):
        words = f"Failed to get matching files on {prefix}: Not found: {folder}; No such file or directory"
    return errors.NotFoundError(None, None, f"Unsuccessful TensorSliceReader constructor: {words}")


def _with_nearest(error: errors.OpError, name: str, reader: Reader) -> errors.OpError:
    near = errors.nearest(name, [n.decode(errors="replace") for n in reader.names])
    if near is None:
        return error
    why = f"the checkpoint has {near!r}, which is nearest"
    fix = f"tf.train.Saver({{{near!r}: variable, ...}}) restores it under the old name"
    text = errors.explain(error.message, why=why, where=index_file(reader.prefix), fix=fix)
    return errors.NotFoundError(None, None, text)


# -- merging -----------------------------------------------------------------------------------


def merge(prefixes: Sequence[str], prefix: str, delete_old_folders: bool = True) -> None:
    """Let the checkpoints ``prefixes`` be one: their data files become its own, their indices one index."""
    readers = [Reader(p) for p in prefixes]
    count = sum(reader.shards for reader in readers)
    entries: dict[bytes, Any] = {}
    moves: list[tuple[str, str]] = []
    for reader in readers:
        first = len(moves)
        for name, entry in reader.entries.items():
            entry.shard_id += first
            _join(entries, name, entry)
        for i in range(reader.shards):
            moves.append((data_file(reader.prefix, i, reader.shards), data_file(prefix, first + i, count)))
    folder = os.path.dirname(prefix)
    try:
        make_folder(folder)
        for old, new in moves:
            os.replace(old, new)
        replace_file(index_file(prefix), index_of(entries, count))
        sync_folder(folder)
        for source in prefixes:
            os.unlink(index_file(source))
        if delete_old_folders:
            for old_folder in {os.path.dirname(p) for p in prefixes} - {folder}:
                with suppress(OSError):  # others may have files there
                    os.rmdir(old_folder)
    except OSError as error:
        raise file_error(error, error.filename or prefix) from None


def _join(entries: dict[bytes, Any], name: bytes, entry: Any) -> None:
    there = entries.setdefault(name, entry)
    if there is entry:
        return
    if not (there.slices and entry.slices) or _shape_of(there) != _shape_of(entry) or there.dtype != entry.dtype:
        words = f"Trying to merge different tensors of the same name: {name.decode(errors='replace')}"
        raise errors.InvalidArgumentError(None, None, words)
    there.slices.extend(entry.slices)
