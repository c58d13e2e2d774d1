"""Summaries of activations, variables and collections, as ``tf.contrib.layers`` and ``slim`` name them."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable
from typing import Any

from retrograd.graph import dtypes, scopes
from retrograd.graph.collections import GraphKeys
from retrograd.nn import summaries as summary
from retrograd.nn.activations import zero_fraction
from retrograd.ops import casts, comparison, printing, reductions

# -- tf.contrib.layers ---------------------------------------------------------------------------


def summarize_activation(op: Any) -> Any:
    """How an activation is distributed, and of rectified ones which part is 0 (and of ``Relu6`` 6)."""
    kind, name = op.op.type, op.op.name
    if kind in ("Relu", "Softplus", "Relu6"):
        _scalar(_part_of(comparison.less, op.op.inputs[0], 0.0), f"{name}/zeros")
    if kind == "Relu6":
        _scalar(_part_of(comparison.greater, op.op.inputs[0], 6.0), f"{name}/sixes")
    return summary.histogram(f"{name}/activation", op)


def _part_of(compare: Callable[..., Any], values: Any, limit: float) -> Any:
    return reductions.reduce_mean(casts.to_float(compare(values, casts.cast(limit, values.dtype))))


def _scalar(tensor: Any, tag: str | None) -> Any:
    tensor.shape.assert_has_rank(0)
    return summary.scalar(tag or f"{tensor.op.name}_summary", tensor)


def summarize_tensor(tensor: Any, tag: str | None = None) -> Any:
    """A number as a scalar, other tensors as a histogram; None of strings and truth values."""
    if tensor.dtype.is_compatible_with(dtypes.string) or tensor.dtype.base_dtype == dtypes.bool:
        return None
    if tensor.shape.ndims == 0:
        return _scalar(tensor, tag)
    return summary.histogram(tag or f"{tensor.op.name}_summary", tensor)


def summarize_tensors(tensors: Iterable[Any], summarizer: Callable[[Any], Any] = summarize_tensor) -> list[Any]:
    """The summaries of several tensors."""
    return [summarizer(tensor) for tensor in tensors]


def summarize_collection(
    collection: str, name_filter: str | None = None, summarizer: Callable[[Any], Any] = summarize_tensor
) -> list[Any]:
    """The summaries of those of a collection whose names begin as the pattern says."""
    listed = scopes.get_collection(collection)
    return summarize_tensors([t for t in listed if name_filter is None or re.match(name_filter, t.op.name)], summarizer)


summarize_variables = functools.partial(summarize_collection, GraphKeys.GLOBAL_VARIABLES)
summarize_weights = functools.partial(summarize_collection, GraphKeys.WEIGHTS)
summarize_biases = functools.partial(summarize_collection, GraphKeys.BIASES)


def summarize_activations(
    name_filter: str | None = None, summarizer: Callable[[Any], Any] = summarize_activation
) -> list[Any]:
    """The summaries of ``GraphKeys.ACTIVATIONS``."""
    return summarize_collection(GraphKeys.ACTIVATIONS, name_filter, summarizer)


# -- slim.summaries ------------------------------------------------------------------------------


def _named(tensor: Any, name: str | None, prefix: str | None, postfix: str | None = None) -> str:
    return "/".join(part for part in (prefix, name or tensor.op.name, postfix) if part)


def _told(make: Callable[..., Any], tensor: Any, name: str, told: bool) -> Any:
    """A summary, which with ``told`` also prints the tensor when it runs."""
    made = make(name=name, tensor=tensor, collections=[] if told else None)
    if told:
        made = printing.Print(made, [tensor], name)
        scopes.add_to_collection(GraphKeys.SUMMARIES, made)
    return made


def add_histogram_summary(tensor: Any, name: str | None = None, prefix: str | None = None) -> Any:
    """A histogram under the tensor's name or another."""
    return summary.histogram(_named(tensor, name, prefix), tensor)


def add_image_summary(
    tensor: Any, name: str | None = None, prefix: str | None = None, print_summary: bool = False
) -> Any:
    """Pictures under the tensor's name or another."""
    return _told(summary.image, tensor, _named(tensor, name, prefix), print_summary)


def add_scalar_summary(
    tensor: Any, name: str | None = None, prefix: str | None = None, print_summary: bool = False
) -> Any:
    """A number under the tensor's name or another."""
    return _told(summary.scalar, tensor, _named(tensor, name, prefix), print_summary)


def add_zero_fraction_summary(
    tensor: Any, name: str | None = None, prefix: str | None = None, print_summary: bool = False
) -> Any:
    """Which part of a tensor is 0."""
    name = _named(tensor, name, prefix, "Fraction_of_Zero_Values")
    return add_scalar_summary(zero_fraction(tensor), name, print_summary=print_summary)


def add_histogram_summaries(tensors: Iterable[Any], prefix: str | None = None) -> list[Any]:
    """A histogram of each."""
    return [add_histogram_summary(t, prefix=prefix) for t in tensors]


def add_image_summaries(tensors: Iterable[Any], prefix: str | None = None) -> list[Any]:
    """Pictures of each."""
    return [add_image_summary(t, prefix=prefix) for t in tensors]


def add_scalar_summaries(tensors: Iterable[Any], prefix: str | None = None, print_summary: bool = False) -> list[Any]:
    """A number of each."""
    return [add_scalar_summary(t, prefix=prefix, print_summary=print_summary) for t in tensors]


def add_zero_fraction_summaries(tensors: Iterable[Any], prefix: str | None = None) -> list[Any]:
    """Which part of each is 0."""
    return [add_zero_fraction_summary(t, prefix=prefix) for t in tensors]
