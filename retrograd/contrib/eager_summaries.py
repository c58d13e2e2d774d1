"""``tf.contrib.summary``: summaries that are written as they are computed, where ops run at once."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.stack import default_graph
from retrograd.io.event_files import FileWriter
from retrograd.ops import summaries
from retrograd.train.training_util import get_or_create_global_step


class _State(threading.local):
    """The writer of a thread, and whether it writes."""

    def __init__(self) -> None:
        self.writer: SummaryWriter | None = None
        self.records: Any = False


_state = _State()


class SummaryWriter:
    """Writes to an event file of its own; ``as_default`` makes it the writer of a block."""

    def __init__(self, logdir: str, max_queue: int, flush_millis: int, filename_suffix: str) -> None:
        self._file = FileWriter.__new__(FileWriter)
        self._file._begin(logdir, max(1, flush_millis // 1000), filename_suffix)

    def set_as_default(self) -> None:
        """Write here from now on."""
        _state.writer = self

    @contextlib.contextmanager
    def as_default(self) -> Iterator[SummaryWriter]:
        """Write here in the block, and bring it to the disk behind it."""
        outer, _state.writer = _state.writer, self
        try:
            yield self
        finally:
            _state.writer = outer
            self.flush()

    def init(self) -> None:
        """Nothing: the file is open."""

    def write(self, summary: bytes, step: int) -> None:
        """Write a ``Summary`` at a step."""
        self._file.add_summary(summary, step)

    def flush(self) -> None:
        """Bring to the disk what was written."""
        self._file.flush()

    def close(self) -> None:
        """Bring it to the disk and close the file."""
        self._file.close()


def create_file_writer(
    logdir: str | None, max_queue: int | None = None, flush_millis: int | None = None,
    filename_suffix: str | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """A writer to a new event file in ``logdir``; without a folder one that writes nothing.

    Raises:
      RuntimeError: a graph is being built.
    """
    if not default_graph().is_eager:
        error = RuntimeError("tf.contrib.summary writes as ops run; a graph is being built.")
        error.add_note("  Fix:   tf.summary.FileWriter(logdir), and tf.summary.scalar(...) fetched by sess.run")
        raise error
    if logdir is None:
        return contextlib.nullcontext()
    return SummaryWriter(
        logdir, 10 if max_queue is None else int(max_queue), 120000 if flush_millis is None else int(flush_millis),
        ".v2" if filename_suffix is None else filename_suffix,
    )  # fmt: skip


create_summary_file_writer = create_file_writer


@contextlib.contextmanager
def _recording(records: Any) -> Iterator[None]:
    outer, _state.records = _state.records, records
    try:
        yield
    finally:
        _state.records = outer


def always_record_summaries() -> Any:
    """Write all summaries of the block."""
    return _recording(True)


def never_record_summaries() -> Any:
    """Write no summary of the block."""
    return _recording(False)


def record_summaries_every_n_global_steps(n: int, global_step: Any = None) -> Any:
    """Write the summaries of the block at every ``n``-th step."""
    step = get_or_create_global_step() if global_step is None else global_step
    return _recording(lambda: int(as_tensor(step).numpy()) % n == 0)  # type: ignore[attr-defined]


def should_record_summaries() -> bool:
    """Whether summaries are written here."""
    return bool(_state.records() if callable(_state.records) else _state.records)


def _written(definition: Any, name: str, value: Any, step: Any, family: str | None, **attrs: Any) -> None:
    if _state.writer is None or not should_record_summaries():
        return
    with name_scope(f"{family}/{name}" if family else name) as scope:
        summary = apply(definition, scope[:-1], value, **attrs)
    number = as_tensor(get_or_create_global_step() if step is None else step)
    _state.writer.write(summary.numpy(), int(number))  # type: ignore[call-overload]


def scalar(name: str, tensor: Any, family: str | None = None, step: Any = None) -> None:
    """Write a number, if a writer records; ``step`` is the global step by default."""
    _written(summaries.SCALAR_SUMMARY, name, as_tensor(tensor), step, family)


def histogram(name: str, tensor: Any, family: str | None = None, step: Any = None) -> None:
    """Write how values are distributed."""
    _written(summaries.HISTOGRAM_SUMMARY, name, as_tensor(tensor), step, family)


def image(
    name: str, tensor: Any, bad_color: Any = None, max_images: int = 3, family: str | None = None, step: Any = None
) -> None:
    """Write the first ``max_images`` of a batch of images."""
    _written(summaries.IMAGE_SUMMARY, name, as_tensor(tensor), step, family, max_images=max_images)


def flush(writer: Any = None, name: str | None = None) -> None:
    """Bring to the disk what the writer, or that of the block, has written."""
    writer = _state.writer if writer is None else writer
    if writer is not None:
        writer.flush()


def initialize(graph: Any = None, session: Any = None) -> None:
    """Nothing: a writer's file is open."""


def all_summary_ops() -> None:
    """Nothing: there are no ops where they run at once."""
