"""Numbers for event files, as ops."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph.apply import apply
from retrograd.graph.collections import GraphKeys
from retrograd.graph.definition import define, not_differentiable
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.scopes import add_to_collection, name_scope
from retrograd.graph.shapes import shape_text
from retrograd.graph.tensor import Tensor
from retrograd.ops import kinds


def _scalar_summary(xp: Any, tags: Any, values: Any) -> Any:
    from tensorboard.compat.proto.summary_pb2 import Summary

    if np.shape(tags) != np.shape(values):
        raise InvalidArgumentError(
            None, None,
            f"tags and values not the same shape: {shape_text(np.shape(tags))} != {shape_text(np.shape(values))}",
        )  # fmt: skip
    proto = Summary()
    for tag, value in zip(np.asarray(tags, object).ravel(), np.ravel(values), strict=True):
        proto.value.add(tag=tag.decode(errors="replace"), simple_value=float(value))
    result = np.empty((), object)
    result[()] = proto.SerializeToString()
    return result


SCALAR_SUMMARY = define(
    "ScalarSummary", "tags: string, values: T", "summary: string", types={"T": kinds.REAL},
    shape=lambda tags, values: (), kernel=_scalar_summary, gradient=not_differentiable,
)  # fmt: skip


def add_scalar_summary(name: str, value: Any) -> Tensor:
    """A summary of one number under ``name``, which goes with the others of the graph."""
    with name_scope(name) as scope:
        result: Tensor = apply(SCALAR_SUMMARY, scope.rstrip("/"), value, name=scope)
    add_to_collection(GraphKeys.SUMMARIES, result)
    return result
