"""Writers of event files that a session keeps, and the ops that write summaries to them when they run."""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.files.events_writer import EventsWriter
from retrograd.graph import dtypes
from retrograd.graph.definition import Effect, OpDef, define, not_differentiable
from retrograd.graph.errors import DataLossError, InvalidArgumentError, NotFoundError
from retrograd.graph.protos import tensor_proto
from retrograd.ops import kinds, summaries
from retrograd.ops.queues import resource_of
from retrograd.ops.whole_files import texts


class EventQueue:
    """Events on their way to a file: they are written when more than ``max_queue`` wait, or one for too long."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._waiting: list[Any] = []
        self._file: EventsWriter | None = None
        self._most = 0
        self._seconds = 0.0
        self._since = 0.0

    def open(self, logdir: str, max_queue: int, flush_millis: int, suffix: str) -> None:
        """Begin a file in the folder ``logdir``; one that was begun goes on."""
        with self._lock:
            if self._file is not None:
                return
            os.makedirs(logdir, exist_ok=True)
            self._file = EventsWriter(os.path.join(logdir, "events"))
            self._file.InitWithSuffix(suffix)
            self._most, self._seconds, self._since = max_queue, flush_millis / 1000, time.monotonic()
            self._end = weakref.finalize(self, _finish, self._waiting, self._file)

    def write(self, event: Any) -> None:
        """Let an event wait, or bring all that wait to the file."""
        with self._lock:
            file = self._opened()
            self._waiting.append(event)
            if len(self._waiting) > self._most or time.monotonic() - self._since > self._seconds:
                self._bring_to(file)

    def flush(self) -> None:
        """Bring to the file what waits."""
        with self._lock:
            self._bring_to(self._opened())

    def close(self) -> None:
        """The same, and close the file."""
        with self._lock:
            self._opened()
        self.end()

    def end(self) -> None:
        """Close the file, if there is one."""
        with self._lock:
            if self._file is not None:
                self._file = None
                self._end()

    def _opened(self) -> EventsWriter:
        if self._file is None:
            kind = "N10tensorflow22SummaryWriterInterfaceE"
            raise NotFoundError(None, None, f"Resource localhost/{self._name}/{kind} does not exist.")
        return self._file

    def _bring_to(self, file: EventsWriter) -> None:
        _bring(self._waiting, file)
        self._since = time.monotonic()


def _bring(events: list[Any], file: EventsWriter) -> None:
    for event in events:
        file.WriteEvent(event)
    events.clear()
    file.Flush()


def _finish(events: list[Any], file: EventsWriter) -> None:
    _bring(events, file)
    file.Close()


# -- kernels -----------------------------------------------------------------------------------


def _writer(xp: Any, memory: Any, *, shared_name: Any, container: Any) -> EventQueue:
    queue: EventQueue = resource_of(memory, container, shared_name, EventQueue)
    return queue


def _text(value: Any) -> str:
    return texts(value)[0].decode(errors="replace")


def _create(
    xp: Any, memory: Any, writer: EventQueue, logdir: Any, max_queue: Any, flush_millis: Any, filename_suffix: Any
) -> list[Any]:
    writer.open(_text(logdir), int(max_queue), int(flush_millis), _text(filename_suffix))
    return []


def _flush(xp: Any, memory: Any, writer: EventQueue) -> list[Any]:
    writer.flush()
    return []


def _close(xp: Any, memory: Any, writer: EventQueue) -> list[Any]:
    writer.close()
    return []


def _parsed(kind: Any, text: bytes, what: str) -> Any:
    from google.protobuf.message import DecodeError

    try:
        return kind.FromString(text)
    except DecodeError:
        raise DataLossError(None, None, f"Bad {what}") from None


def _event(writer: EventQueue, step: Any, **content: Any) -> list[Any]:
    from tensorboard.compat.proto.event_pb2 import Event

    writer.write(Event(wall_time=time.time(), step=int(step), **content))
    return []


def _tensor(
    xp: Any, memory: Any, writer: EventQueue, step: Any, tensor: Any, tag: Any, summary_metadata: Any
) -> list[Any]:
    from tensorboard.compat.proto.summary_pb2 import Summary, SummaryMetadata

    summary = Summary()
    value = summary.value.add(tag=_text(tag), tensor=tensor_proto(np.asarray(tensor)))
    metadata = texts(summary_metadata)[0]
    if metadata:
        value.metadata.CopyFrom(_parsed(SummaryMetadata, metadata, "tf.SummaryMetadata binary proto tensor string"))
    return _event(writer, step, summary=summary)


def _raw(xp: Any, memory: Any, writer: EventQueue, step: Any, tensor: Any) -> list[Any]:
    from tensorboard.compat.proto.summary_pb2 import Summary

    summary = Summary()
    for i, text in enumerate(texts(tensor)):
        what = f"tf.compat.v1.Summary binary proto tensor string at index {i}"
        summary.MergeFrom(_parsed(Summary, text, what))
    return _event(writer, step, summary=summary)


def _graph(xp: Any, memory: Any, writer: EventQueue, step: Any, tensor: Any) -> list[Any]:
    from tensorboard.compat.proto.graph_pb2 import GraphDef

    text = texts(tensor)[0]
    _parsed(GraphDef, text, "tf.GraphDef binary proto tensor string")
    return _event(writer, step, graph_def=text)


def _import(xp: Any, memory: Any, writer: EventQueue, event: Any) -> list[Any]:
    from tensorboard.compat.proto.event_pb2 import Event

    writer.write(_parsed(Event, texts(event)[0], "tf.Event binary proto tensor string"))
    return []


def _scalar(xp: Any, memory: Any, writer: EventQueue, step: Any, tag: Any, value: Any) -> list[Any]:
    """Of several numbers the first is written, as in TensorFlow."""
    if not np.size(value):
        raise InvalidArgumentError(None, None, "A scalar summary needs a number: {node}")
    return _made(summaries.SCALAR_SUMMARY, memory, writer, step, tag, np.ravel(value)[0])


def _histogram(xp: Any, memory: Any, writer: EventQueue, step: Any, tag: Any, values: Any) -> list[Any]:
    return _made(summaries.HISTOGRAM_SUMMARY, memory, writer, step, tag, values)


def _image(
    xp: Any, memory: Any, writer: EventQueue, step: Any, tag: Any, tensor: Any, bad_color: Any, *, max_images: int
) -> list[Any]:
    attrs = {"max_images": max_images, "bad_color": bad_color}
    return _made(summaries.IMAGE_SUMMARY, memory, writer, step, tag, tensor, **attrs)


def _audio(
    xp: Any, memory: Any, writer: EventQueue, step: Any, tag: Any, tensor: Any, sample_rate: Any, *, max_outputs: int
) -> list[Any]:
    return _made(summaries.AUDIO_SUMMARY, memory, writer, step, tag, tensor, sample_rate, max_outputs=max_outputs)


def _made(definition: OpDef, memory: Any, writer: EventQueue, step: Any, *inputs: Any, **attrs: Any) -> list[Any]:
    """Write what another summary op makes."""
    from tensorboard.compat.proto.summary_pb2 import Summary

    assert definition.kernel is not None
    return _event(writer, step, summary=Summary.FromString(definition.kernel(np, memory, *inputs, **attrs)[()]))


# -- ops ---------------------------------------------------------------------------------------

WRITER = define(
    "SummaryWriter", "", "writer: resource", attrs={"shared_name": "", "container": ""}, shape=lambda: (),
    kernel=_writer, effect=Effect.HOST, gradient=not_differentiable,
)  # fmt: skip


def _on_writer(name: str, inputs: str, kernel: Callable[..., Any], **more: Any) -> OpDef:
    """An op that acts on a writer and gives nothing."""
    return define(
        name, f"writer: resource{inputs}", "", shape=lambda *inputs: [], kernel=kernel, effect=Effect.HOST,
        gradient=not_differentiable, **more,
    )  # fmt: skip


CREATE = _on_writer(
    "CreateSummaryFileWriter", ", logdir: string, max_queue: int32, flush_millis: int32, filename_suffix: string",
    _create,
)  # fmt: skip
FLUSH = _on_writer("FlushSummaryWriter", "", _flush)
CLOSE = _on_writer("CloseSummaryWriter", "", _close)
WRITE_TENSOR = _on_writer(
    "WriteSummary", ", step: int64, tensor: T, tag: string, summary_metadata: string", _tensor
)  # fmt: skip
WRITE_RAW = _on_writer("WriteRawProtoSummary", ", step: int64, tensor: string", _raw)
WRITE_GRAPH = _on_writer("WriteGraphSummary", ", step: int64, tensor: string", _graph)
WRITE_SCALAR = _on_writer(
    "WriteScalarSummary", ", step: int64, tag: string, value: T", _scalar, types={"T": kinds.REAL}
)
WRITE_HISTOGRAM = _on_writer(
    "WriteHistogramSummary", ", step: int64, tag: string, values: T", _histogram, attrs={"T": dtypes.float32},
    types={"T": kinds.REAL},
)  # fmt: skip
WRITE_IMAGE = _on_writer(
    "WriteImageSummary", ", step: int64, tag: string, tensor: T, bad_color: uint8", _image,
    attrs={"max_images": 3, "T": dtypes.float32}, types={"T": (dtypes.uint8, dtypes.float32, dtypes.float16)},
)  # fmt: skip
WRITE_AUDIO = _on_writer(
    "WriteAudioSummary", ", step: int64, tag: string, tensor: float32, sample_rate: float32", _audio,
    attrs={"max_outputs": 3},
)  # fmt: skip
IMPORT_EVENT = _on_writer("ImportEvent", ", event: string", _import)
