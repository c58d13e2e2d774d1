"""``tf.summary``: what is collected and written to event files.  Names and tags are TensorFlow 1.15's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from retrograd.graph import dtypes, log
from retrograd.graph.apply import apply
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import add_to_collections, get_collection, name_scope
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops.summaries import (
    AUDIO_SUMMARY,
    HISTOGRAM_SUMMARY,
    IMAGE_SUMMARY,
    MERGE_SUMMARY,
    SCALAR_SUMMARY,
    TENSOR_SUMMARY,
)

_NOT_IN_TAGS = re.compile(r"[^-/\w.]")


def clean_tag(name: str | None) -> str | None:
    """``name`` as a tag: other characters than ``-/\\w.`` become underscores, leading slashes go."""
    if name is None:
        return None
    cleaned = _NOT_IN_TAGS.sub("_", name).lstrip("/")
    if cleaned != name:
        log.info("Summary name %s is illegal; using %s instead.", name, cleaned)
    return cleaned


@contextmanager
def summary_scope(
    name: str | None, family: str | None = None, default_name: str | None = None, values: Any = None
) -> Iterator[tuple[str, str]]:
    """The tag and the name scope of a summary: the tag begins with ``family``, the scope is in one of its name."""
    name, family = clean_tag(name), clean_tag(family)
    base = name if family is None else f"{family}/{name}"
    with name_scope(base, default_name, values) as scope:
        tag = scope.rstrip("/")
        yield tag if family is None else f"{family}/{tag}", scope


def collect(val: Any, collections: Iterable[str] | None, default_collections: Iterable[str]) -> None:
    """``val`` joins the collections, or the default ones where none are given."""
    add_to_collections(default_collections if collections is None else collections, val)


def skip_summary() -> bool:
    """Whether another replica writes the summaries: there is none."""
    return False


def _collected(summary: Tensor, collections: Iterable[str] | None) -> Tensor:
    add_to_collections([GraphKeys.SUMMARIES] if collections is None else collections, summary)
    return summary


def scalar(name: str, tensor: Any, collections: Any = None, family: str | None = None) -> Tensor:
    """A summary of one number."""
    with summary_scope(name, family, values=[tensor]) as (tag, scope):
        return _collected(apply(SCALAR_SUMMARY, tag, tensor, name=scope), collections)


def histogram(name: str, values: Any, collections: Any = None, family: str | None = None) -> Tensor:
    """A summary of how the elements of ``values`` are distributed.  A run raises on NaN and infinity."""
    with summary_scope(name, family, default_name="HistogramSummary", values=[values]) as (tag, scope):
        return _collected(apply(HISTOGRAM_SUMMARY, tag, values, name=scope), collections)


def image(name: str, tensor: Any, max_outputs: int = 3, collections: Any = None, family: str | None = None) -> Tensor:
    """A summary of pictures, ``[batch, height, width, channels]`` with 1, 3 or 4 channels."""
    with summary_scope(name, family, values=[tensor]) as (tag, scope):
        return _collected(apply(IMAGE_SUMMARY, tag, tensor, max_images=max_outputs, name=scope), collections)


def audio(
    name: str, tensor: Any, sample_rate: Any, max_outputs: int = 3, collections: Any = None, family: str | None = None
) -> Tensor:
    """A summary of sounds in [-1, 1], ``[batch, frames]`` or ``[batch, frames, channels]``; the rate is in hertz."""
    with summary_scope(name, family=family, values=[tensor]) as (tag, scope):
        rate = as_tensor(sample_rate, dtypes.float32, name="sample_rate")
        made = apply(AUDIO_SUMMARY, tag, tensor, rate, max_outputs=max_outputs, name=scope)
        return _collected(made, collections)


def text(name: str, tensor: Any, collections: Any = None) -> Tensor:
    """A summary of strings, which TensorBoard shows as Markdown.

    Raises:
      ValueError: ``tensor`` has no strings.
    """
    tensor = as_tensor(tensor)
    if tensor.dtype != dtypes.string:
        raise ValueError(f"Expected tensor {tensor.name} to have dtype string, got {tensor.dtype}")
    return tensor_summary(name, tensor, summary_metadata=_metadata("text"), collections=collections)


def _metadata(plugin: str) -> Any:
    from tensorboard.compat.proto.summary_pb2 import SummaryMetadata

    return SummaryMetadata(plugin_data=SummaryMetadata.PluginData(plugin_name=plugin))


def tensor_summary(
    name: str,
    tensor: Any,
    summary_description: str | None = None,
    collections: Any = None,
    summary_metadata: Any = None,
    family: str | None = None,
    display_name: str | None = None,
) -> Tensor:
    """A summary of any tensor, with what a plugin of TensorBoard needs to show it."""
    from tensorboard.compat.proto.summary_pb2 import SummaryMetadata

    metadata = SummaryMetadata() if summary_metadata is None else summary_metadata
    if display_name is not None:
        metadata.display_name = display_name
    if summary_description is not None:
        metadata.summary_description = summary_description
    with summary_scope(name, family, values=[tensor]) as (tag, scope):
        made = apply(TENSOR_SUMMARY, tag, tensor, metadata.SerializeToString(), name=scope)
        return _collected(made, collections)


def _refuse_where_ops_run_at_once() -> None:
    if default_graph().is_eager:
        raise RuntimeError(
            "Merging tf.summary.* ops is not compatible with eager execution. Use tf.contrib.summary instead."
        )


def merge(inputs: Any, collections: Any = None, name: str | None = None) -> Tensor:
    """One summary with the values of all ``inputs``.

    Raises:
      RuntimeError: ops run at once.
    """
    _refuse_where_ops_run_at_once()
    with name_scope(name, "Merge", inputs):
        merged: Tensor = apply(MERGE_SUMMARY, list(inputs), name=name)
    add_to_collections(collections or (), merged)
    return merged


def merge_all(key: str = GraphKeys.SUMMARIES, scope: str | None = None, name: str | None = None) -> Tensor | None:
    """One summary with the values of all that the graph collects under ``key``; None if there are none.

    Raises:
      RuntimeError: ops run at once.
    """
    _refuse_where_ops_run_at_once()
    found = get_collection(key, scope=scope)
    return merge(found, name=name) if found else None


def get_summary_description(node_def: Any) -> Any:
    """The ``SummaryDescription`` that the node of a tensor summary holds.

    Raises:
      ValueError: the node is of another op type.
    """
    from google.protobuf import json_format
    from tensorboard.compat.proto.summary_pb2 import SummaryDescription

    if node_def.op != "TensorSummary":
        raise ValueError(f"Can't get_summary_description on {node_def.op}")
    description = SummaryDescription()
    json_format.Parse(node_def.attr["description"].s.decode(), description)
    return description
