"""Writers of summaries in the graph: where they write, at which steps, and whether at all."""

from __future__ import annotations

import functools
import os
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from retrograd.eager.tensor import EagerTensor
from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.graph import Graph
from retrograd.graph.modes import executing_eagerly, init_scope
from retrograd.graph.scopes import add_to_collection, control_dependencies, device, get_collection, name_scope
from retrograd.graph.stack import default_session
from retrograd.graph.tensor import Tensor
from retrograd.graph.uids import uid
from retrograd.graph.values import in_array
from retrograd.ops import arrays, comparison, constants, control
from retrograd.ops.summary_writers import (
    CLOSE,
    CREATE,
    FLUSH,
    WRITE_GRAPH,
    WRITER,
)
from retrograd.train.training_util import get_or_create_global_step

SUMMARIES, _WRITERS = "_SUMMARY_V2", "_SUMMARY_WRITER_V2"  # the collections of what writes, and of what opens files
CPU = "cpu:0"


class _State(threading.local):
    """Where a thread writes, whether it does (None: nobody said), and the step that is meant where none is given."""

    def __init__(self) -> None:
        self.writer: ResourceSummaryWriter | None = None
        self.records: Any = None
        self.step: Any = None


state = _State()


def forget_writer() -> None:
    """Write nowhere until a writer is made the default again; the tests of ``tf.test`` begin so."""
    state.writer = None


# -- writers -----------------------------------------------------------------------------------


class SummaryWriter:
    """Where summaries are written; ``as_default`` makes it the place for a block."""


class ResourceSummaryWriter(SummaryWriter):
    """A writer to an event file of its own."""

    def __init__(
        self, shared_name: str | None, init_op_fn: Callable[[Tensor], Any], name: str | None = None, v2: bool = False
    ) -> None:
        own = str(uid()) if executing_eagerly() else ""
        self._resource = apply(WRITER, shared_name=shared_name or own, name=name)
        self._init_op_fn = init_op_fn
        self._init_op = init_op_fn(self._resource)
        self._v2 = v2
        self._closed = False
        if not executing_eagerly():
            add_to_collection(_WRITERS, self._init_op)
        elif not v2:  # another of the name begins a file of its own
            weakref.finalize(self, self._resource.value_now.end)

    def _check_open(self) -> None:
        if executing_eagerly() and self._v2 and self._closed:
            raise RuntimeError("SummaryWriter is already closed")

    def set_as_default(self) -> None:
        """Write here from now on."""
        self._check_open()
        state.writer = self

    @contextmanager
    def as_default(self) -> Iterator[ResourceSummaryWriter]:
        """Write here in the block, and bring it to the disk behind it."""
        self._check_open()
        outer, state.writer = state.writer, self
        try:
            yield self
            with device(CPU):  # in a graph an op that nobody runs, as TensorFlow builds it
                self.flush()
        finally:
            state.writer = outer

    def init(self) -> Any:
        """The op that begins the file; where ops run at once it has begun."""
        self._check_open()
        return self._init_op if self._v2 else self._init_op_fn(self._resource)

    def flush(self) -> Any:
        """Bring to the disk what was written."""
        if executing_eagerly() and self._v2 and self._closed:
            return None
        return _flushed(self._resource, None)

    def close(self) -> Any:
        """Bring it to the disk and close the file."""
        if executing_eagerly() and self._v2 and self._closed:
            return None
        with control_dependencies([self.flush()]), device(CPU):
            closed = apply(CLOSE, self._resource)
        self._closed = executing_eagerly()
        return closed


class NoopSummaryWriter(SummaryWriter):
    """A writer that writes nothing."""

    def set_as_default(self) -> None:
        """Nothing: what was the default stays it."""

    @contextmanager
    def as_default(self) -> Iterator[None]:
        """Nothing changes in the block."""
        yield

    def init(self) -> None:
        """Nothing."""

    flush = close = init


def create_noop_writer() -> NoopSummaryWriter:
    """A writer that writes nothing."""
    return NoopSummaryWriter()


def create_file_writer(
    logdir: str | None, max_queue: Any = None, flush_millis: Any = None, filename_suffix: Any = None,
    name: str | None = None,
) -> SummaryWriter:  # fmt: skip
    """A writer to an event file in ``logdir``; without a folder one that writes nothing.

    Writers of one name, which is by default that of the folder, share the file.

    Args:
      max_queue: how many events may wait, 10 by default.
      flush_millis: how long, 120 000 by default.
      filename_suffix: what the file's name ends with, ``.v2`` by default.
    """
    if logdir is None:
        return NoopSummaryWriter()
    logdir = str(logdir)
    with device(CPU):
        if max_queue is None:
            max_queue = constants.constant(10)
        if flush_millis is None:
            flush_millis = constants.constant(2 * 60 * 1000)
        if filename_suffix is None:
            filename_suffix = constants.constant(".v2")
        begin = functools.partial(_begun, logdir, max_queue, flush_millis, filename_suffix)
        return ResourceSummaryWriter(f"logdir:{logdir}" if name is None else name, begin)


create_summary_file_writer = create_file_writer


def _begun(logdir: Any, max_queue: Any, flush_millis: Any, filename_suffix: Any, writer: Tensor) -> Any:
    return apply(CREATE, writer, logdir, max_queue, flush_millis, filename_suffix)


def create_file_writer_v2(
    logdir: Any, max_queue: Any = None, flush_millis: Any = None, filename_suffix: Any = None, name: str | None = None
) -> ResourceSummaryWriter:
    """The same, with a file of its own.

    Raises:
      ValueError: there is no folder, or ops run at once and an argument is a tensor of a graph.
    """
    if logdir is None:
        raise ValueError("logdir cannot be None")
    with name_scope(name, "create_file_writer") as scope, device(CPU), init_scope():
        if executing_eagerly():
            _check_values(
                logdir=logdir, max_queue=max_queue, flush_millis=flush_millis, filename_suffix=filename_suffix
            )
        logdir = as_tensor(logdir, dtypes.string)
        max_queue = constants.constant(10) if max_queue is None else max_queue
        flush_millis = constants.constant(2 * 60 * 1000) if flush_millis is None else flush_millis
        filename_suffix = constants.constant(".v2") if filename_suffix is None else filename_suffix
        own = constants.constant(f".{os.getpid()}.{uid()}")
        begin = functools.partial(_begun, logdir, max_queue, flush_millis, own + filename_suffix)
        return ResourceSummaryWriter("" if executing_eagerly() else scope.rstrip("/"), begin, name=name, v2=True)


def _check_values(**arguments: Any) -> None:
    for name, value in arguments.items():
        if isinstance(value, Tensor) and not isinstance(value, EagerTensor):
            raise ValueError(f'Invalid graph Tensor argument "{name}={value}" to eager create_file_writer() op')


def _flushed(resource: Any, name: str | None) -> Any:
    with device(CPU):
        return apply(FLUSH, resource, name=name)


def flush(writer: Any = None, name: str | None = None) -> Any:
    """Bring to the disk what a writer, by default that of the block, has written."""
    writer = state.writer if writer is None else writer
    if writer is None:
        return control.no_op()
    if isinstance(writer, NoopSummaryWriter):
        return writer.flush()
    return _flushed(writer._resource if isinstance(writer, ResourceSummaryWriter) else writer, name)


def initialize(graph: Any = None, session: Any = None) -> None:
    """Begin the files of all writers of the graph, and write a graph; where ops run at once nothing is left to do.

    Raises:
      RuntimeError: no writer is the default one.
      ValueError: there is no session.
    """
    if executing_eagerly():
        return
    if state.writer is None:
        raise RuntimeError("No default tf.contrib.summary.SummaryWriter found")
    session = default_session() if session is None else session
    if session is None:
        raise ValueError("session must be passed if no default session exists")
    session.run(summary_writer_initializer_op())
    if graph is not None:
        text = constants.placeholder(dtypes.string)
        session.run(graph_(text, 0), {text: _graph_text(graph)})


def summary_writer_initializer_op() -> list[Any]:
    """The ops that begin the files of the graph's writers.

    Raises:
      RuntimeError: ops run at once.
    """
    if executing_eagerly():
        raise RuntimeError("tf.contrib.summary.summary_writer_initializer_op is only supported in graph mode.")
    return get_collection(_WRITERS)


def all_v2_summary_ops() -> list[Any] | None:
    """What writes in this graph; None where ops run at once."""
    return None if executing_eagerly() else get_collection(SUMMARIES)


all_summary_ops = all_v2_summary_ops


def eval_dir(model_dir: str, name: str | None = None) -> str:
    """The folder of the events of an evaluation."""
    return os.path.join(model_dir, f"eval_{name}" if name else "eval")


# -- whether to write, and at which step -------------------------------------------------------


@contextmanager
def record_if(condition: Any) -> Iterator[None]:
    """Write the summaries of the block if ``condition`` holds: a boolean, a tensor, or a function that gives one."""
    outer, state.records = state.records, condition
    try:
        yield
    finally:
        state.records = outer


def always_record_summaries() -> Any:
    """Write all summaries of the block."""
    return record_if(True)


def never_record_summaries() -> Any:
    """Write no summary of the block."""
    return record_if(False)


def record_summaries_every_n_global_steps(n: int, global_step: Any = None) -> Any:
    """Write the summaries of the block at every ``n``-th step."""
    step = get_or_create_global_step() if global_step is None else global_step

    def is_due() -> Tensor:
        with device(CPU):
            return comparison.equal(as_tensor(step) % n, 0)

    return record_if(is_due if executing_eagerly() else is_due())


def is_recording(default: bool) -> Any:
    condition = default if state.records is None else state.records
    return comparison.logical_and(True, condition() if callable(condition) else condition)


def should_record_summaries() -> Any:
    """Whether ``tf.contrib.summary`` writes here, as a tensor; it does not unless it is told to."""
    return is_recording(False)


def get_step() -> Any:
    """The step that is meant where none is given, or None."""
    return state.step


def set_step(step: Any) -> None:
    """Let this step be meant where none is given."""
    state.step = step


def chosen_step(step: Any) -> Any:
    if step is None:
        return get_or_create_global_step()
    return step if isinstance(step, Tensor) else as_tensor(step, dtypes.int64)


def graph_(param: Any, step: Any = None, name: str | None = None) -> Any:
    """Write a graph: a ``Graph`` or ``GraphDef`` where ops run at once, a tensor of its bytes anywhere.

    Raises:
      TypeError: it is something else.
    """
    if not executing_eagerly() and not isinstance(param, Tensor):
        raise TypeError(f"graph() needs a tf.Tensor (e.g. tf.placeholder) in graph mode, but was: {type(param)}")
    if state.writer is None:
        return control.no_op()
    with device(CPU):
        is_graph = isinstance(param, Graph) or hasattr(param, "node")
        text = as_tensor(_graph_text(param), dtypes.string) if is_graph else arrays.identity(param)
        return apply(WRITE_GRAPH, state.writer._resource, chosen_step(step), text, name=name)


def _graph_text(graph: Any) -> np.ndarray:
    proto = graph.as_graph_def(add_shapes=True) if isinstance(graph, Graph) else graph
    return in_array(proto.SerializeToString())
