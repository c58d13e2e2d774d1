"""Readers: ops that turn the names of files, taken from a queue, into records.

At run time a handle is the reader's ``ReaderState``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.files import file_system, lmdb, records
from retrograd.files.varints import read_varint, varint
from retrograd.graph import errors
from retrograd.graph.apply import apply, apply_named, apply_op
from retrograd.graph.definition import REQUIRED, Effect, OpDef, define, not_differentiable
from retrograd.graph.operation import Operation
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.graph.values import in_array
from retrograd.ops import shape_rules
from retrograd.ops.queue_classes import reference_of
from retrograd.ops.queues import resource_of, take_element
from retrograd.ops.whole_files import strings, texts

Record = tuple[bytes, bytes]  # its key and its value

# -- at run time -------------------------------------------------------------------------------


class ReaderState:
    """A reader between two runs: the file that it is in, and how far it has come."""

    def __init__(self, name: str, condition: Any) -> None:
        self.name = name
        self.condition = condition
        self.is_busy = False  # with the run of some thread
        self.work: bytes | None = None  # the name of the file that is being read
        self.completed = 0
        self.produced = 0
        self.waiting: deque[Record] = deque()  # records that were read too soon

    def begin(self, work: bytes) -> None:
        """Go to the start of a file."""

    def next(self) -> Record | None:
        """The next record of the file; None at its end."""
        raise NotImplementedError

    def end(self) -> None:
        """Leave the file."""

    def read(self, take_work: Callable[[], bytes]) -> Record:
        """The next record, of this file or of one of the following."""
        if self.waiting:
            return self.waiting.popleft()
        while True:
            record = self._in_file(take_work)
            if record is not None:
                return record

    def take_back(self, records: Sequence[Record]) -> None:
        """Let these be read again, before all others."""
        self.waiting.extendleft(reversed(records))

    def read_ahead(self, count: int, take_work: Callable[[], bytes]) -> tuple[list[Record], errors.OpError | None]:
        """At most ``count`` records, all but the first without a wait, and the error that stands behind them."""
        found = [self.read(take_work)]
        while len(found) < count and (self.waiting or self.work is not None):
            try:
                record = self.waiting.popleft() if self.waiting else self._in_file(take_work)
            except errors.OpError as error:
                return found, error
            if record is None:
                break
            found.append(record)
        return found, None

    def _in_file(self, take_work: Callable[[], bytes]) -> Record | None:
        if self.work is None:
            work = take_work()
            self.begin(work)
            self.work = work
        try:
            record = self.next()
        except errors.OpError:
            self._leave()
            raise
        if record is None:
            self._leave()
            self.completed += 1
        else:
            self.produced += 1
        return record

    def read_up_to(self, count: int, take_work: Callable[[], bytes]) -> list[Record]:
        """At most ``count`` records, all of one file."""
        found = [self.read(take_work)]
        while len(found) < count and self.work is not None:
            record = self._in_file(take_work)
            if record is None:
                break
            found.append(record)
        return found

    def _leave(self) -> None:
        self.work = None
        self.end()

    def reset(self) -> None:
        """Be as new."""
        self.waiting.clear()
        if self.work is not None:
            self._leave()
        self.completed = self.produced = 0

    def state(self) -> bytes:
        raise self._no_state("SerializeState")

    def restore(self, state: bytes) -> None:
        raise self._no_state("RestoreState")

    def _no_state(self, word: str) -> errors.OpError:
        return errors.UnimplementedError(None, None, f"Reader {word}")


class _Identity(ReaderState):
    """One record for each work: its name."""

    kind = "IdentityReader"
    last = b""

    def begin(self, work: bytes) -> None:
        self.left, self.last = [work], work

    def next(self) -> Record | None:
        return (self.left[0], self.left.pop()) if self.left else None

    def read(self, take_work: Callable[[], bytes]) -> Record:
        record = super().read(take_work)
        if self.work is not None:
            self._in_file(take_work)  # the work is done with its only record
        return record

    def state(self) -> bytes:
        """As a proto: how many works were begun, how many finished, how many records came, the last work."""
        counts = (self.completed, self.completed, self.produced)
        numbers = b"".join(bytes([i << 3]) + varint(n) for i, n in enumerate(counts, 1) if n)
        return numbers + (b"\x22" + varint(len(self.last)) + self.last if self.last else b"")

    def restore(self, state: bytes) -> None:
        try:
            numbers, last = _parsed_state(state)
        except errors.DataLossError:
            shown = "".join(chr(b) if 32 <= b < 127 else f"\\{b:03o}" for b in state)
            text = f"Could not parse state for {self.kind} '{self.name}': {shown}"
            raise errors.InvalidArgumentError(None, None, text) from None
        self.reset()
        self.completed, self.produced, self.last = numbers.get(2, 0), numbers.get(3, 0), last


class _Whole(_Identity):
    """One record for each file: all that is in it."""

    kind = "WholeFileReader"

    def next(self) -> Record | None:
        if not self.left:
            return None
        name = self.left.pop()
        return name, file_system.read(name)


def _parsed_state(state: bytes) -> tuple[dict[int, int], bytes]:
    """The numbers of a reader's state by their fields, and its last work.

    Raises:
      DataLossError: it is no such state.
    """
    numbers: dict[int, int] = {}
    last, at = b"", 0
    while at < len(state):
        key, at = read_varint(state, at)
        value, at = read_varint(state, at)
        if key == 0x22 and at + value <= len(state):
            last, at = state[at : at + value], at + value
        elif key in (0x08, 0x10, 0x18):
            numbers[key >> 3] = value
        else:
            raise errors.DataLossError(None, None, f"field {key} at {at}")
    return numbers, last


class _Lines(ReaderState):
    def __init__(self, name: str, condition: Any, skipped: int) -> None:
        super().__init__(name, condition)
        self.skipped = skipped

    def begin(self, work: bytes) -> None:
        self.bytes = records.Bytes(file_system.path_of(work))
        self.number = 0
        for _ in range(self.skipped):
            if self.bytes.line() is None:
                break
            self.number += 1

    def next(self) -> Record | None:
        line = self.bytes.line()
        if line is None:
            return None
        self.number += 1
        return self.work + b":%d" % self.number, line.removesuffix(b"\r")  # type: ignore[operator]

    def end(self) -> None:
        self.bytes.close()


class _Records(ReaderState):
    def __init__(self, name: str, condition: Any, compression: str) -> None:
        super().__init__(name, condition)
        self.compression = compression

    def begin(self, work: bytes) -> None:
        self.reader = records.Reader(file_system.path_of(work), self.compression)

    def next(self) -> Record | None:
        offset = self.reader._bytes.offset
        record = self.reader.read()
        return None if record is None else (self.work + b":%d" % offset, record)  # type: ignore[operator]

    def end(self) -> None:
        self.reader.close()


class _FixedLength(ReaderState):
    def __init__(
        self, name: str, condition: Any, header: int, size: int, footer: int, hop: int, compression: str
    ) -> None:
        super().__init__(name, condition)
        self.header, self.size, self.footer, self.hop = header, size, footer, hop or size
        self.compression = "ZLIB" if compression == "ZLIB" else compression

    def begin(self, work: bytes) -> None:
        self.bytes = records.Bytes(file_system.path_of(work), self.compression)
        self.window = self.bytes.read(self.header)
        if len(self.window) < self.header:
            raise errors.OutOfRangeError(None, None, "reached end of file")
        self.window = b""
        self.number = 0

    def next(self) -> Record | None:
        """A record ends at least a footer before the end of the file."""
        wanted = self.size + self.footer
        self.window += self.bytes.read(wanted - len(self.window))
        if len(self.window) < wanted:
            return None
        record = self.window[: self.size]
        if self.hop > len(self.window):
            self.bytes.skip(self.hop - len(self.window))
        self.window = self.window[self.hop :]
        self.number += 1
        return self.work + b":%d" % (self.number - 1), record  # type: ignore[operator]

    def end(self) -> None:
        self.bytes.close()


class _Pairs(ReaderState):
    def begin(self, work: bytes) -> None:
        self.database = lmdb.Database(work)
        self.left = self.database.pairs()

    def next(self) -> Record | None:
        return next(self.left, None)

    def end(self) -> None:
        self.database.close()


# -- making ------------------------------------------------------------------------------------

_PLACE = {"container": "", "shared_name": ""}


def _word(x: Any) -> str:
    return x.decode() if isinstance(x, bytes) else x


def _made(memory: Any, kind: type[ReaderState], container: Any, shared_name: Any, *settings: Any) -> Any:
    condition, name = memory.shared.condition, memory.op.name
    return resource_of(memory, container, shared_name, lambda _: kind(name, condition(), *settings))


def _both(name: str, attrs: dict[str, Any], kernel: Callable[..., Any]) -> OpDef:
    """The op that makes a reader, with a reference as its handle and with a resource; the latter."""
    common: dict[str, Any] = {"attrs": attrs, "kernel": kernel, "effect": Effect.HOST, "gradient": not_differentiable}
    define(name, "", "reader_handle: ref string", shape=lambda: (2,), **common)
    return define(f"{name}V2", "", "reader_handle: resource", shape=lambda: (), **common)


def _plain(kind: type[ReaderState]) -> Callable[..., Any]:
    def kernel(xp: Any, memory: Any, *, container: Any, shared_name: Any) -> Any:
        return _made(memory, kind, container, shared_name)

    return kernel


def _lines(xp: Any, memory: Any, *, skip_header_lines: int, container: Any, shared_name: Any) -> Any:
    return _made(memory, _Lines, container, shared_name, skip_header_lines)


def _tf_records(xp: Any, memory: Any, *, compression_type: Any, container: Any, shared_name: Any) -> Any:
    return _made(memory, _Records, container, shared_name, _word(compression_type))


def _fixed_length(
    xp: Any, memory: Any, *, header_bytes: int, record_bytes: int, footer_bytes: int, hop_bytes: int, container: Any,
    shared_name: Any, encoding: Any,
) -> Any:  # fmt: skip
    for name, value, least in (
        ("header_bytes", header_bytes, 0), ("record_bytes", record_bytes, 0), ("footer_bytes", footer_bytes, 0),
        ("hop_bytes", hop_bytes, 0),
    ):  # fmt: skip
        if value < least:
            raise errors.InvalidArgumentError(None, None, f"{name} must be >= 0 got {value}")
    return _made(
        memory, _FixedLength, container, shared_name, header_bytes, record_bytes, footer_bytes, hop_bytes,
        _word(encoding),
    )  # fmt: skip


WHOLE_FILE_READER = _both("WholeFileReader", _PLACE, _plain(_Whole))
IDENTITY_READER = _both("IdentityReader", _PLACE, _plain(_Identity))
TEXT_LINE_READER = _both("TextLineReader", {"skip_header_lines": 0, **_PLACE}, _lines)
TF_RECORD_READER = _both("TFRecordReader", {**_PLACE, "compression_type": ""}, _tf_records)
LMDB_READER = define(
    "LMDBReader", "", "reader_handle: ref string", attrs=_PLACE, shape=lambda: (2,), kernel=_plain(_Pairs),
    effect=Effect.HOST, gradient=not_differentiable,
)  # fmt: skip
_SIZES = {"header_bytes": 0, "record_bytes": REQUIRED, "footer_bytes": 0, "hop_bytes": 0, **_PLACE}
define(
    "FixedLengthRecordReader", "", "reader_handle: ref string", attrs=_SIZES, shape=lambda: (2,),
    kernel=lambda xp, memory, *, header_bytes, record_bytes, footer_bytes, hop_bytes, container, shared_name: (
        _fixed_length(
            xp, memory, header_bytes=header_bytes, record_bytes=record_bytes, footer_bytes=footer_bytes,
            hop_bytes=hop_bytes, container=container, shared_name=shared_name, encoding="",
        )
    ),
    effect=Effect.HOST, gradient=not_differentiable,
)  # fmt: skip
FIXED_LENGTH_RECORD_READER = define(
    "FixedLengthRecordReaderV2", "", "reader_handle: resource", attrs={**_SIZES, "encoding": ""}, shape=lambda: (),
    kernel=_fixed_length, effect=Effect.HOST, gradient=not_differentiable,
)  # fmt: skip

# -- reading -----------------------------------------------------------------------------------


class held:
    """A reader for the run of one thread; others wait for it."""

    def __init__(self, memory: Any, reader: ReaderState) -> None:
        self.memory = memory
        self.reader = reader

    def __enter__(self) -> ReaderState:
        while True:
            with self.reader.condition:
                if not self.reader.is_busy:
                    self.reader.is_busy = True
                    return self.reader
            self.memory.wait(self.reader.condition, lambda: not self.reader.is_busy, "Read operation was cancelled")

    def __exit__(self, *error: object) -> None:
        with self.reader.condition:
            self.reader.is_busy = False
            self.reader.condition.notify_all()


def _work_from(memory: Any, queue: Any) -> Callable[[], bytes]:
    def take() -> bytes:
        return texts(take_element(memory, queue)[0])[0]

    return take


def read_ahead(memory: Any, reader: ReaderState, queue: Any, count: int) -> tuple[list[Record], errors.OpError | None]:
    """What as many runs of ``ReaderRead`` give as need no other file, and the error of the one behind them."""
    return reader.read_ahead(count, _work_from(memory, queue))


def _read(xp: Any, memory: Any, reader: Any, queue: Any) -> list[Any]:
    with held(memory, reader):
        return [in_array(part) for part in reader.read(_work_from(memory, queue))]


def _read_up_to(xp: Any, memory: Any, reader: Any, queue: Any, count: Any) -> list[Any]:
    if int(count) <= 0:
        raise errors.InvalidArgumentError(None, None, f"num_records must be positive, got {int(count)}")
    with held(memory, reader):
        found = reader.read_up_to(int(count), _work_from(memory, queue))
    return [strings([key for key, _ in found]), strings([value for _, value in found])]


def _on_reader(
    name: str, inputs: str, outputs: str, kernel: Callable[..., Any], shape: Callable[..., Any]
) -> tuple[OpDef, OpDef]:
    common: dict[str, Any] = {
        "kernel": kernel, "shape": shape, "effect": Effect.HOST, "gradient": not_differentiable,
    }  # fmt: skip
    by_reference = inputs.replace("queue_handle: resource", "queue_handle: ref string")
    ref = define(name, f"reader_handle: ref string{by_reference}", outputs, **common)
    return ref, define(f"{name}V2", f"reader_handle: resource{inputs}", outputs, **common)


def _reset(xp: Any, memory: Any, reader: Any) -> list[Any]:
    with held(memory, reader):
        reader.reset()
    return []


def _restore(xp: Any, memory: Any, reader: Any, state: Any) -> list[Any]:
    with held(memory, reader):
        reader.restore(texts(state)[0])
    return []


def _no_shape(*inputs: Tensor) -> RawShape:
    return ()


def _restored(reader: Tensor, state: Tensor) -> list[RawShape]:
    shape_rules.with_rank(state, 0)
    return []


READER_READ = _on_reader(
    "ReaderRead", ", queue_handle: resource", "key: string, value: string", _read, lambda r, q: [(), ()]
)
READER_READ_UP_TO = _on_reader(
    "ReaderReadUpTo", ", queue_handle: resource, num_records: int64", "keys: string, values: string", _read_up_to,
    lambda r, q, n: [(None,), (None,)],
)  # fmt: skip
READER_NUM_RECORDS = _on_reader(
    "ReaderNumRecordsProduced", "", "records_produced: int64", lambda xp, memory, r: np.int64(r.produced), _no_shape
)
READER_NUM_UNITS = _on_reader(
    "ReaderNumWorkUnitsCompleted", "", "units_completed: int64", lambda xp, memory, r: np.int64(r.completed), _no_shape
)
READER_STATE = _on_reader(
    "ReaderSerializeState", "", "state: string", lambda xp, memory, r: in_array(r.state()), _no_shape
)
READER_RESTORE = _on_reader("ReaderRestoreState", ", state: string", "", _restore, _restored)
READER_RESET = _on_reader("ReaderReset", "", "", _reset, lambda r: [])


FAKE_QUEUE = define(
    "FakeQueue", "resource: resource", "handle: ref string", shape=lambda resource: (),
    kernel=lambda xp, memory, queue: queue, effect=Effect.HOST, gradient=not_differentiable,
)  # fmt: skip


class ReaderBase:
    """What readers of every kind can do."""

    def __init__(self, reader_ref: Tensor, supports_serialize: bool = False) -> None:
        self._reader_ref = reader_ref
        self._supports_serialize = supports_serialize

    @property
    def reader_ref(self) -> Tensor:
        """The handle."""
        return self._reader_ref

    @property
    def supports_serialize(self) -> bool:
        """Whether the state can be saved."""
        return self._supports_serialize

    def _op(self, both: tuple[OpDef, OpDef]) -> OpDef:
        return both[self._reader_ref.dtype.base_dtype == "resource"]

    def _handles(self, queue: Any) -> tuple[Tensor, Any]:
        """The reader and the queue, both of one kind."""
        handle = reference_of(queue)
        by_reference = self._reader_ref.dtype.base_dtype != "resource"
        if by_reference and getattr(handle, "dtype", None) == "resource":
            handle = apply(FAKE_QUEUE, handle)
        return self._reader_ref, handle

    def read(self, queue: Any, name: str | None = None) -> Any:
        """The key and the value of the next record; names of files come from ``queue`` as they are needed.

        A run raises ``OutOfRangeError`` when the queue is closed and empty.
        """
        return apply_named(self._op(READER_READ), *self._handles(queue), name=name)

    def read_up_to(self, queue: Any, num_records: Any, name: str | None = None) -> Any:
        """The keys and values of up to ``num_records`` records of one file."""
        return apply_named(self._op(READER_READ_UP_TO), *self._handles(queue), num_records, name=name)

    def num_records_produced(self, name: str | None = None) -> Tensor:
        """How many records were read."""
        return apply(self._op(READER_NUM_RECORDS), self._reader_ref, name=name)

    def num_work_units_completed(self, name: str | None = None) -> Tensor:
        """How many files were read to their end."""
        return apply(self._op(READER_NUM_UNITS), self._reader_ref, name=name)

    def serialize_state(self, name: str | None = None) -> Tensor:
        """The state as a string; not every reader can."""
        return apply(self._op(READER_STATE), self._reader_ref, name=name)

    def restore_state(self, state: Any, name: str | None = None) -> Operation:
        """An op that goes back to a state that ``serialize_state`` gave."""
        return apply_op(self._op(READER_RESTORE), self._reader_ref, state, name=name)

    def reset(self, name: str | None = None) -> Operation:
        """An op that leaves the reader as new."""
        return apply_op(self._op(READER_RESET), self._reader_ref, name=name)


class WholeFileReader(ReaderBase):
    """Gives whole files: the key is the name, the value what the file holds."""

    def __init__(self, name: str | None = None) -> None:
        super().__init__(apply(WHOLE_FILE_READER, name=name), supports_serialize=True)


class TextLineReader(ReaderBase):
    """Gives the lines of text files, without their ends.

    Args:
      skip_header_lines: how many lines to leave out at the start of each file.
    """

    def __init__(self, skip_header_lines: int | None = None, name: str | None = None) -> None:
        super().__init__(apply(TEXT_LINE_READER, skip_header_lines=skip_header_lines or 0, name=name))


class FixedLengthRecordReader(ReaderBase):
    """Gives records of ``record_bytes`` bytes, each ``hop_bytes`` (its length) behind the last.

    Args:
      encoding: ``"ZLIB"`` or ``"GZIP"`` if the files are compressed.
    """

    def __init__(
        self, record_bytes: int, header_bytes: int | None = None, footer_bytes: int | None = None,
        hop_bytes: int | None = None, name: str | None = None, encoding: str | None = None,
    ) -> None:  # fmt: skip
        ref = apply(
            FIXED_LENGTH_RECORD_READER, record_bytes=record_bytes, header_bytes=header_bytes or 0,
            footer_bytes=footer_bytes or 0, hop_bytes=hop_bytes or 0, encoding=encoding or "", name=name,
        )  # fmt: skip
        super().__init__(ref)


class TFRecordReader(ReaderBase):
    """Gives the records of record files.

    Args:
      options: a ``TFRecordOptions`` that tells how the files are compressed.
    """

    def __init__(self, name: str | None = None, options: Any = None) -> None:
        compression = "" if options is None else options.get_compression_type_string(options)
        super().__init__(apply(TF_RECORD_READER, name=name, compression_type=compression))


class IdentityReader(ReaderBase):
    """Gives what the queue holds, as key and as value."""

    def __init__(self, name: str | None = None) -> None:
        super().__init__(apply(IDENTITY_READER, name=name), supports_serialize=True)


class LMDBReader(ReaderBase):
    """Gives the keys and values of databases of LMDB, in the order of the keys."""

    def __init__(self, name: str | None = None, options: Any = None) -> None:
        super().__init__(apply(LMDB_READER, name=name))
