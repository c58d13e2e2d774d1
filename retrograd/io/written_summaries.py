"""Summaries that are written when they are computed: ``tf.contrib.summary``, and ``tf.summary`` of TensorFlow 2.

A writer is a resource, and writing an op: where ops run at once it writes as it is called, in a graph when a run
reaches it.  The writer, whether it records, and the step are the thread's.  What stands for TensorFlow 2's
functions where it has a name twice ends with ``_v2``.
"""

from __future__ import annotations

import functools
import os
import re
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from retrograd.eager.tensor import EagerTensor
from retrograd.graph import dtypes, log
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.graph import Graph
from retrograd.graph.modes import executing_eagerly, init_scope
from retrograd.graph.scopes import add_to_collection, control_dependencies, device, get_collection, name_scope
from retrograd.graph.stack import default_graph, default_session
from retrograd.graph.tensor import Tensor
from retrograd.graph.uids import uid
from retrograd.nn.summaries import summary_scope as scope_of_summary
from retrograd.ops import arrays, comparison, constants, control
from retrograd.ops.conditions import smart_cond
from retrograd.ops.summary_writers import (
    CLOSE,
    CREATE,
    FLUSH,
    IMPORT_EVENT,
    WRITE_AUDIO,
    WRITE_GRAPH,
    WRITE_HISTOGRAM,
    WRITE_IMAGE,
    WRITE_RAW,
    WRITE_SCALAR,
    WRITE_TENSOR,
    WRITER,
)
from retrograd.train.training_util import get_or_create_global_step

_SUMMARIES, _WRITERS = "_SUMMARY_V2", "_SUMMARY_WRITER_V2"  # the collections of what writes, and of what opens files
_CPU = "cpu:0"
INVALID_SCOPE_CHARACTERS = re.compile(r"[^-_/.A-Za-z0-9]")


class _State(threading.local):
    """Where a thread writes, whether it does (None: nobody said), and the step that is meant where none is given."""

    def __init__(self) -> None:
        self.writer: ResourceSummaryWriter | None = None
        self.records: Any = None
        self.step: Any = None


_state = _State()


def forget_writer() -> None:
    """Write nowhere until a writer is made the default again; the tests of ``tf.test`` begin so."""
    _state.writer = None


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
        _state.writer = self

    @contextmanager
    def as_default(self) -> Iterator[ResourceSummaryWriter]:
        """Write here in the block, and bring it to the disk behind it."""
        self._check_open()
        outer, _state.writer = _state.writer, self
        try:
            yield self
            with device(_CPU):  # in a graph an op that nobody runs, as TensorFlow builds it
                self.flush()
        finally:
            _state.writer = outer

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
        with control_dependencies([self.flush()]), device(_CPU):
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
    with device(_CPU):
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
    with name_scope(name, "create_file_writer") as scope, device(_CPU), init_scope():
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
    with device(_CPU):
        return apply(FLUSH, resource, name=name)


def flush(writer: Any = None, name: str | None = None) -> Any:
    """Bring to the disk what a writer, by default that of the block, has written."""
    writer = _state.writer if writer is None else writer
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
    if _state.writer is None:
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
    return None if executing_eagerly() else get_collection(_SUMMARIES)


all_summary_ops = all_v2_summary_ops


def eval_dir(model_dir: str, name: str | None = None) -> str:
    """The folder of the events of an evaluation."""
    return os.path.join(model_dir, f"eval_{name}" if name else "eval")


# -- whether to write, and at which step -------------------------------------------------------


@contextmanager
def record_if(condition: Any) -> Iterator[None]:
    """Write the summaries of the block if ``condition`` holds: a boolean, a tensor, or a function that gives one."""
    outer, _state.records = _state.records, condition
    try:
        yield
    finally:
        _state.records = outer


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
        with device(_CPU):
            return comparison.equal(as_tensor(step) % n, 0)

    return record_if(is_due if executing_eagerly() else is_due())


def _recorded(default: bool) -> Any:
    condition = default if _state.records is None else _state.records
    return comparison.logical_and(True, condition() if callable(condition) else condition)


def should_record_summaries() -> Any:
    """Whether ``tf.contrib.summary`` writes here, as a tensor; it does not unless it is told to."""
    return _recorded(False)


def get_step() -> Any:
    """The step that is meant where none is given, or None."""
    return _state.step


def set_step(step: Any) -> None:
    """Let this step be meant where none is given."""
    _state.step = step


def _chosen(step: Any) -> Any:
    if step is None:
        return get_or_create_global_step()
    return step if isinstance(step, Tensor) else as_tensor(step, dtypes.int64)


# -- TensorFlow 2 ------------------------------------------------------------------------------


@contextmanager
def summary_scope(name: str | None, default_name: str = "summary", values: Any = None) -> Iterator[tuple[str, str]]:
    """The tag and the name scope of a summary: the tag is the name in the scope around, whatever its characters."""
    name = name or default_name
    around = default_graph().get_name_scope()
    tag = f"{around}/{name}" if around else name
    with name_scope(INVALID_SCOPE_CHARACTERS.sub("", name) or None, default_name, values) as scope:
        yield tag, scope


def write(tag: Any, tensor: Any, step: Any = None, metadata: Any = None, name: str | None = None) -> Any:
    """Write a tensor; the result says whether it was written.

    Args:
      tensor: what to write, or a function that gives it, which is called only if it is written.
      metadata: a ``SummaryMetadata``, or its bytes.

    Raises:
      ValueError: no step is known.
    """
    with name_scope(name or "write_summary") as scope:
        text = _serialized(metadata)

        def record(writer: Tensor) -> Any:
            value = tensor() if callable(tensor) else arrays.identity(tensor)
            return apply(WRITE_TENSOR, writer, _known_step(step), value, tag, text, name=scope)

        return _written_v2(step, record)


def write_raw_pb(tensor: Any, step: Any = None, name: str | None = None) -> Any:
    """Write the bytes of ``Summary`` protos; the result says whether they were written.

    Raises:
      ValueError: no step is known.
    """
    with name_scope(name or "write_raw_pb") as scope:

        def record(writer: Tensor) -> Any:
            value = arrays.identity(tensor)
            return apply(WRITE_RAW, writer, _known_step(step), value, name=scope)

        return _written_v2(step, record)


def _known_step(step: Any) -> Any:
    step = _state.step if step is None else step
    return as_tensor(step, dtypes.int64, name="step")


def _written_v2(step: Any, record: Callable[[Tensor], Any]) -> Any:
    writer = _state.writer
    if writer is None:
        return constants.constant(False)
    if step is None and _state.step is None:
        raise ValueError("No step set via 'step' argument or tf.summary.experimental.set_step()")

    def written() -> Any:
        with control_dependencies([record(writer._resource)]):
            return constants.constant(True)

    with device(_CPU):
        return _collected(smart_cond(_recorded(True), written, _not_written, name="summary_cond"))


def _not_written() -> Any:
    return constants.constant(False)


def _collected(written: Any) -> Any:
    if not executing_eagerly():
        add_to_collection(_SUMMARIES, written)
    return written


def _serialized(metadata: Any) -> Any:
    """The bytes of a ``SummaryMetadata``; bytes and tensors are what they are."""
    if metadata is None:
        return b""
    return metadata.SerializeToString() if hasattr(metadata, "SerializeToString") else metadata


def _of_plugin(name: str, plugin: str, scope: str, text: bytes | str, step: Any) -> Any:
    from tensorboard.compat.proto.summary_pb2 import SummaryMetadata

    metadata = SummaryMetadata()
    metadata.plugin_data.plugin_name, metadata.plugin_data.content = plugin, b"1"
    with summary_scope(name, scope, [step]) as (tag, _):
        return write(tag, constants.constant(text, dtypes.string), step=step, metadata=metadata)


def run_metadata(name: str, data: Any, step: Any = None) -> Any:
    """Write a ``RunMetadata``."""
    return _of_plugin(name, "graph_run_metadata", "graph_run_metadata_summary", data.SerializeToString(), step)


def run_metadata_graphs(name: str, data: Any, step: Any = None) -> Any:
    """Write the graphs of a ``RunMetadata``."""
    graphs = type(data)(function_graphs=data.function_graphs, partition_graphs=data.partition_graphs)
    return _of_plugin(
        name, "graph_run_metadata_graph", "graph_run_metadata_graph_summary", graphs.SerializeToString(), step
    )


def keras_model(name: str, data: Any, step: Any = None) -> Any:
    """Write how a model of Keras is made up; False, with a warning, if it cannot be said in JSON."""
    try:
        text = data.to_json()
    except Exception as error:
        log.warning("Model failed to serialize as JSON. Ignoring... %s", error)
        return False
    return _of_plugin(name, "graph_keras_model", "graph_keras_model", text, step)


# -- tf.contrib.summary ------------------------------------------------------------------------


def summary_writer_function(
    name: str, tensor: Any, function: Callable[[str, str], Any], family: str | None = None
) -> Any:
    """Let ``function(tag, scope)`` write a summary, if it is recorded; the result says whether it was."""
    if _state.writer is None:
        return control.no_op()

    def written() -> Any:
        with (
            scope_of_summary(name, family, values=[tensor]) as (tag, scope),
            control_dependencies([function(tag, scope)]),
        ):
            return constants.constant(True)

    with device(_CPU):
        return _collected(smart_cond(should_record_summaries(), written, _not_written, name=""))


def _on_default(definition: Any, step: Any, tensor: Any, tag: str, scope: str, *more: Any, **attrs: Any) -> Any:
    assert _state.writer is not None
    step = _chosen(step)
    return apply(definition, _state.writer._resource, step, tag, arrays.identity(tensor), *more, name=scope, **attrs)


def generic(name: str, tensor: Any, metadata: Any = None, family: str | None = None, step: Any = None) -> Any:
    """Write a tensor, if a writer records; ``step`` is the global step by default."""

    def function(tag: str, scope: str) -> Any:
        assert _state.writer is not None
        text = constants.constant(_serialized(metadata))
        number = _chosen(step)
        return apply(
            WRITE_TENSOR, _state.writer._resource, number, arrays.identity(tensor), tag, text, name=scope
        )  # fmt: skip

    return summary_writer_function(name, tensor, function, family)


def scalar(name: str, tensor: Any, family: str | None = None, step: Any = None) -> Any:
    """Write a number."""
    return summary_writer_function(name, tensor, functools.partial(_on_default, WRITE_SCALAR, step, tensor), family)


def histogram(name: str, tensor: Any, family: str | None = None, step: Any = None) -> Any:
    """Write how values are distributed."""
    return summary_writer_function(name, tensor, functools.partial(_on_default, WRITE_HISTOGRAM, step, tensor), family)


def image(
    name: str, tensor: Any, bad_color: Any = None, max_images: int = 3, family: str | None = None, step: Any = None
) -> Any:
    """Write the first ``max_images`` of a batch of images."""

    def function(tag: str, scope: str) -> Any:
        color = constants.constant([255, 0, 0, 255], dtypes.uint8) if bad_color is None else bad_color
        return _on_default(WRITE_IMAGE, step, tensor, tag, scope, color, max_images=max_images)

    return summary_writer_function(name, tensor, function, family)


def audio(
    name: str, tensor: Any, sample_rate: Any, max_outputs: int, family: str | None = None, step: Any = None
) -> Any:
    """Write the first ``max_outputs`` of a batch of sounds."""

    def function(tag: str, scope: str) -> Any:
        return _on_default(WRITE_AUDIO, step, tensor, tag, scope, sample_rate, max_outputs=max_outputs)

    return summary_writer_function(name, tensor, function, family)


def graph_(param: Any, step: Any = None, name: str | None = None) -> Any:
    """Write a graph: a ``Graph`` or ``GraphDef`` where ops run at once, a tensor of its bytes anywhere.

    Raises:
      TypeError: it is something else.
    """
    if not executing_eagerly() and not isinstance(param, Tensor):
        raise TypeError(f"graph() needs a tf.Tensor (e.g. tf.placeholder) in graph mode, but was: {type(param)}")
    if _state.writer is None:
        return control.no_op()
    with device(_CPU):
        is_graph = isinstance(param, Graph) or hasattr(param, "node")
        text = as_tensor(_graph_text(param), dtypes.string) if is_graph else arrays.identity(param)
        return apply(WRITE_GRAPH, _state.writer._resource, _chosen(step), text, name=name)


def _graph_text(graph: Any) -> np.ndarray:
    proto = graph.as_graph_def(add_shapes=True) if isinstance(graph, Graph) else graph
    text = np.empty((), object)
    text[()] = proto.SerializeToString()
    return text


def import_event(tensor: Any, name: str | None = None) -> Any:
    """Write the bytes of an ``Event`` proto as it is."""
    if _state.writer is None:
        return control.no_op()
    return apply(IMPORT_EVENT, _state.writer._resource, tensor, name=name)
