"""Summaries whose tags are given, apart from their names: ``tf.contrib.deprecated``."""

from __future__ import annotations

from typing import Any

from retrograd.graph.apply import apply
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import add_to_collections, get_collection, name_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops.summaries import AUDIO_SUMMARY, HISTOGRAM_SUMMARY, IMAGE_SUMMARY, MERGE_SUMMARY, SCALAR_SUMMARY


def _collected(summary: Tensor, collections: Any) -> Tensor:
    add_to_collections([GraphKeys.SUMMARIES] if collections is None else list(collections), summary)
    return summary


def scalar_summary(tags: Any, values: Any, collections: Any = None, name: str | None = None) -> Tensor:
    """A summary of numbers, each with its tag."""
    with name_scope(name, "ScalarSummary", [tags, values]) as scope:
        return _collected(apply(SCALAR_SUMMARY, tags, values, name=scope), collections)


def histogram_summary(tag: Any, values: Any, collections: Any = None, name: str | None = None) -> Tensor:
    """A summary of how numbers are distributed."""
    with name_scope(name, "HistogramSummary", [tag, values]) as scope:
        return _collected(apply(HISTOGRAM_SUMMARY, tag, values, name=scope), collections)


def image_summary(
    tag: Any, tensor: Any, max_images: int = 3, collections: Any = None, name: str | None = None
) -> Tensor:
    """A summary of the first images of a batch."""
    with name_scope(name, "ImageSummary", [tag, tensor]) as scope:
        return _collected(apply(IMAGE_SUMMARY, tag, tensor, max_images=max_images, name=scope), collections)


def audio_summary(
    tag: Any, tensor: Any, sample_rate: Any, max_outputs: int = 3, collections: Any = None, name: str | None = None
) -> Tensor:
    """A summary of the first sounds of a batch."""
    with name_scope(name, "AudioSummary", [tag, tensor]) as scope:
        rate = as_tensor(sample_rate, dtype="float32", name="sample_rate")
        return _collected(apply(AUDIO_SUMMARY, tag, tensor, rate, max_outputs=max_outputs, name=scope), collections)


def merge_summary(inputs: Any, collections: Any = None, name: str | None = None) -> Tensor:
    """Summaries as one."""
    with name_scope(name, "MergeSummary", inputs):
        return _collected(apply(MERGE_SUMMARY, inputs, name=name), collections or [])


def merge_all_summaries(key: str = GraphKeys.SUMMARIES) -> Tensor | None:
    """All summaries of a collection as one; None if there are none."""
    found = get_collection(key)
    return merge_summary(found) if found else None
