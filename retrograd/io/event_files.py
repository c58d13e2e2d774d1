"""Event files: what TensorBoard shows."""

from __future__ import annotations

import itertools
import os
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, ClassVar

from retrograd.files.events_writer import EventsWriter
from retrograd.graph import log
from retrograd.graph.errors import OpError, taught
from retrograd.graph.graph import Graph
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.io.meta_graphs import create_meta_graph_def
from retrograd.io.plugin_assets import write_plugin_assets
from retrograd.io.session_events import SessionEventFile
from retrograd.io.tf_record import tf_record_iterator


class FileWriter:
    """Writes events to a new file in the folder ``logdir``, which is made if it is missing.

    Args:
      graph: a graph that TensorBoard shows.
      max_queue: how many events may wait; none do, each is written when it comes.
      flush_secs: how often, in seconds, what waits is brought to the disk.
      filename_suffix: what the file's name ends with.
      session: one whose ops write, to the file that its other writers of the folder have.

    Raises:
      TypeError: ``graph`` is no graph.
    """

    def __init__(
        self,
        logdir: str,
        graph: Any = None,
        max_queue: int = 10,
        flush_secs: int = 120,
        graph_def: Any = None,
        filename_suffix: str | None = None,
        session: Any = None,
    ) -> None:
        if default_graph().is_eager:
            error = RuntimeError(
                "tf.summary.FileWriter is not compatible with eager execution. Use tf.contrib.summary instead."
            )
            error.add_note("  Fix:   tf.contrib.summary.create_file_writer(logdir).as_default()")
            raise error
        self._begin(logdir, flush_secs, filename_suffix, session, max_queue)
        if graph is not None or graph_def is not None:
            self.add_graph(graph, graph_def=graph_def)
            proto = graph.as_graph_def(add_shapes=True) if isinstance(graph, Graph) else graph
            self.add_meta_graph(create_meta_graph_def(graph_def=graph_def or proto))  # collections: the default graph's

    def _begin(
        self, logdir: Any, flush_secs: int, filename_suffix: str | None, session: Any = None, max_queue: int = 10
    ) -> None:
        self._logdir = str(logdir)
        self._options = (flush_secs, filename_suffix or "")
        self._session, self._max_queue = session, max_queue
        self._of_session: SessionEventFile | None = None
        self._tags: set[str] = set()  # whose metadata was written
        self._runs: set[str] = set()
        self._writer: Any = None
        self._is_closed = False
        self._has_lost = False
        self._open()

    def _open(self) -> Any:
        if self._writer is None:
            self._writer = self._file()
        return self._writer

    def _file(self) -> Any:
        if self._session is None:
            return _EventFile(self._logdir or ".", *self._options)
        if self._of_session is None:
            self._of_session = SessionEventFile(self._session, self._logdir, self._max_queue, *self._options)
        else:
            self._of_session.open()
        return self._of_session

    def __enter__(self) -> FileWriter:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def get_logdir(self) -> str:
        """The folder."""
        return self._logdir

    def add_event(self, event: Any) -> None:
        """Write an ``Event`` proto."""
        if self._is_closed:
            warnings.warn(
                "Attempting to use a closed FileWriter. "
                "The operation will be a noop unless the FileWriter is explicitly reopened.", stacklevel=3,
            )  # fmt: skip
            return
        with self._noticing():
            self._open().add_event(event)

    @contextmanager
    def _noticing(self) -> Iterator[None]:
        """Let a full disk cost events, of which the log tells once, and not the training; a new file may do better."""
        try:
            yield
        except (OSError, OpError) as error:
            if not self._has_lost:
                why = error.message if isinstance(error, OpError) else error.strerror
                log.error("Events for %s are lost: %s", self._logdir, why)
            lost, self._has_lost, self._writer = self._writer, True, None
            if lost is not None:
                with suppress(OSError, OpError):
                    lost.close()

    def _add(self, global_step: Any, **content: Any) -> None:
        from tensorboard.compat.proto.event_pb2 import Event

        event = Event(wall_time=time.time(), **content)
        if global_step is not None:
            event.step = int(global_step)
        self.add_event(event)

    def add_summary(self, summary: Any, global_step: Any = None) -> None:
        """Write a ``Summary``, a proto or what a summary op gives, at a step."""
        from tensorboard.compat.proto.summary_pb2 import Summary

        if isinstance(summary, bytes):
            summary = Summary.FromString(summary)
        if isinstance(summary, Tensor):
            error = AttributeError("'Tensor' object has no attribute 'value'")
            raise taught(error, fix="writer.add_summary(sess.run(summary), step)")
        for value in summary.value:
            if value.HasField("metadata"):
                if value.tag in self._tags:
                    value.ClearField("metadata")  # the first one of a tag is enough
                self._tags.add(value.tag)
        self._add(global_step, summary=summary)

    def add_session_log(self, session_log: Any, global_step: Any = None) -> None:
        """Write a ``SessionLog``: a session started, wrote a checkpoint, or stopped."""
        self._add(global_step, session_log=session_log)

    def add_graph(self, graph: Any, global_step: Any = None, graph_def: Any = None) -> None:
        """Write a graph, or a ``GraphDef``.

        Raises:
          ValueError: neither is given, or both.
          TypeError: ``graph`` is no graph.
        """
        if graph is not None and graph_def is not None:
            raise ValueError("Please pass only graph, or graph_def (deprecated), but not both.")
        if isinstance(graph, Graph) or isinstance(graph_def, Graph):
            whole = graph if isinstance(graph, Graph) else graph_def
            proto = whole.as_graph_def(add_shapes=True)
            self._add(global_step, graph_def=proto.SerializeToString())
            write_plugin_assets(whole, self._logdir)
        elif graph_def is not None or hasattr(graph, "node"):
            proto = graph if graph_def is None else graph_def
            log.warning(
                "Passing a `GraphDef` to the SummaryWriter is deprecated. Pass a `Graph` object instead, "
                "such as `sess.graph`."
            )
            self._add(global_step, graph_def=proto.SerializeToString())
        elif graph is None:
            raise ValueError("Please pass either a graph or a graph_def.")
        else:
            raise TypeError("The passed graph must be an instance of `Graph` or the deprecated `GraphDef`")

    def add_meta_graph(self, meta_graph_def: Any, global_step: Any = None) -> None:
        """Write a ``MetaGraphDef``.

        Raises:
          TypeError: it is something else.
        """
        if not hasattr(meta_graph_def, "meta_info_def"):
            raise TypeError(f"meta_graph_def must be type MetaGraphDef, saw type: {type(meta_graph_def)}")
        self._add(global_step, meta_graph_def=meta_graph_def.SerializeToString())

    def add_run_metadata(self, run_metadata: Any, tag: str, global_step: Any = None) -> None:
        """Write a ``RunMetadata`` under a tag of its own.

        Raises:
          ValueError: the tag has one already.
        """
        from tensorboard.compat.proto.event_pb2 import TaggedRunMetadata

        if tag in self._runs:
            raise ValueError("The provided tag was already used for this event type")
        self._runs.add(tag)
        self._add(
            global_step, tagged_run_metadata=TaggedRunMetadata(tag=tag, run_metadata=run_metadata.SerializeToString())
        )

    def flush(self) -> None:
        """Bring to the disk what was written."""
        if self._writer is not None:
            with self._noticing():
                self._writer.flush()

    def close(self) -> None:
        """Bring it to the disk and close the file."""
        if self._writer is not None:
            with self._noticing():
                self._writer.close()
            self._writer = None
        self._is_closed = True

    def reopen(self) -> None:
        """Write on, to a new file."""
        self._is_closed = False


class _EventFile:
    """A new file of events in a folder; what is written reaches the disk with a write ``flush_secs`` after the last."""

    _numbers: ClassVar[Iterator[int]] = itertools.count()

    def __init__(self, logdir: str, flush_secs: float, suffix: str) -> None:
        os.makedirs(logdir, exist_ok=True)
        self._events = EventsWriter(os.path.join(logdir, "events"))
        self._events.InitWithSuffix(f".{os.getpid()}.{next(self._numbers)}{suffix}")
        self._flush_secs = flush_secs
        self.flush()

    def add_event(self, event: Any) -> None:
        self._events.WriteEvent(event)
        if time.monotonic() >= self._due:
            self.flush()

    def flush(self) -> None:
        self._events.Flush()
        self._due = time.monotonic() + self._flush_secs

    def close(self) -> None:
        self._events.Close()


class FileWriterCache:
    """One writer for each folder."""

    _kind: ClassVar[Any] = FileWriter  # what writes
    _cache: ClassVar[dict[str, FileWriter]] = {}
    _lock: ClassVar[threading.RLock] = threading.RLock()

    @staticmethod
    def get(logdir: str) -> FileWriter:
        """The writer of the folder ``logdir``."""
        with FileWriterCache._lock:
            if logdir not in FileWriterCache._cache:
                FileWriterCache._cache[logdir] = FileWriterCache._kind(logdir, graph=default_graph())
            return FileWriterCache._cache[logdir]

    @staticmethod
    def clear() -> None:
        """Close the writers."""
        with FileWriterCache._lock:
            for writer in FileWriterCache._cache.values():
                writer.close()
            FileWriterCache._cache.clear()


def summary_iterator(path: str) -> Iterator[Any]:
    """The ``Event`` protos of an event file.

    Raises:
      DataLossError: a record of the file is damaged.
    """
    from tensorboard.compat.proto.event_pb2 import Event

    for record in tf_record_iterator(path):
        yield Event.FromString(record)
