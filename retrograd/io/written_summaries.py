"""Summaries that are written when they are computed: ``tf.contrib.summary``, and ``tf.summary`` of TensorFlow 2.

A writer is a resource, and writing an op: where ops run at once it writes as it is called, in a graph when a run
reaches it.  The writer, whether it records, and the step are the thread's.  What stands for TensorFlow 2's
functions where it has a name twice ends with ``_v2``.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from retrograd.graph import dtypes, log
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.modes import executing_eagerly
from retrograd.graph.scopes import add_to_collection, control_dependencies, device, name_scope
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.io.summary_writers import (
    CPU,
    SUMMARIES,
    chosen_step,
    is_recording,
    should_record_summaries,
    state,
)
from retrograd.nn.summaries import summary_scope as scope_of_summary
from retrograd.ops import arrays, constants, control
from retrograd.ops.conditions import smart_cond
from retrograd.ops.summary_writers import (
    IMPORT_EVENT,
    WRITE_AUDIO,
    WRITE_HISTOGRAM,
    WRITE_IMAGE,
    WRITE_RAW,
    WRITE_SCALAR,
    WRITE_TENSOR,
)

INVALID_SCOPE_CHARACTERS = re.compile(r"[^-_/.A-Za-z0-9]")


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
    step = state.step if step is None else step
    return as_tensor(step, dtypes.int64, name="step")


def _written_v2(step: Any, record: Callable[[Tensor], Any]) -> Any:
    writer = state.writer
    if writer is None:
        return constants.constant(False)
    if step is None and state.step is None:
        raise ValueError("No step set via 'step' argument or tf.summary.experimental.set_step()")

    def written() -> Any:
        with control_dependencies([record(writer._resource)]):
            return constants.constant(True)

    with device(CPU):
        return _collected(smart_cond(is_recording(True), written, _not_written, name="summary_cond"))


def _not_written() -> Any:
    return constants.constant(False)


def _collected(written: Any) -> Any:
    if not executing_eagerly():
        add_to_collection(SUMMARIES, written)
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
    if state.writer is None:
        return control.no_op()

    def written() -> Any:
        with (
            scope_of_summary(name, family, values=[tensor]) as (tag, scope),
            control_dependencies([function(tag, scope)]),
        ):
            return constants.constant(True)

    with device(CPU):
        return _collected(smart_cond(should_record_summaries(), written, _not_written, name=""))


def _on_default(definition: Any, step: Any, tensor: Any, tag: str, scope: str, *more: Any, **attrs: Any) -> Any:
    assert state.writer is not None
    step = chosen_step(step)
    return apply(definition, state.writer._resource, step, tag, arrays.identity(tensor), *more, name=scope, **attrs)


def generic(name: str, tensor: Any, metadata: Any = None, family: str | None = None, step: Any = None) -> Any:
    """Write a tensor, if a writer records; ``step`` is the global step by default."""

    def function(tag: str, scope: str) -> Any:
        assert state.writer is not None
        text = constants.constant(_serialized(metadata))
        number = chosen_step(step)
        return apply(
            WRITE_TENSOR, state.writer._resource, number, arrays.identity(tensor), tag, text, name=scope
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


def import_event(tensor: Any, name: str | None = None) -> Any:
    """Write the bytes of an ``Event`` proto as it is."""
    if state.writer is None:
        return control.no_op()
    return apply(IMPORT_EVENT, state.writer._resource, tensor, name=name)
