"""The quantiles of the features of boosted trees as ops: sketches of them, which a session keeps, and their buckets.

At run time a handle is the ``Quantiles``.  Source: TensorFlow 1.15.5, ``kernels/boosted_trees``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph.definition import REQUIRED, define, not_differentiable
from retrograd.ops import quantile_sketch as sketches
from retrograd.ops.boosted_tree_splits import host_op
from retrograd.ops.queues import resource_of


class Quantiles:
    """The sketch of each feature, and the boundaries of its buckets."""

    def __init__(self) -> None:
        self.is_created = False

    def create(self, epsilon: float, most: int, count: int) -> None:
        """Begin with nothing."""
        self.epsilon, self.most, self.is_created = epsilon, most, True
        self.boundaries = [np.zeros(0, np.float32) for _ in range(count)]
        self.clear()

    def clear(self) -> None:
        """Begin anew; the boundaries stay."""
        self.sketches = [sketches.Sketch(self.epsilon, self.most) for _ in self.boundaries]


# -- kernels -----------------------------------------------------------------------------------


def _quantiles(xp: Any, memory: Any, *, container: Any, shared_name: Any) -> Any:
    return resource_of(memory, container, shared_name, lambda _: Quantiles())


def _create_quantiles(
    xp: Any, memory: Any, quantiles: Any, epsilon: Any, num_streams: Any, *, max_elements: int
) -> list[Any]:
    if not quantiles.is_created:
        quantiles.create(float(epsilon), max_elements, int(num_streams))
    return []


def _make_summaries(xp: Any, memory: Any, values: Any, weights: Any, epsilon: Any) -> list[Any]:
    """The summary of each feature: rows of value, weight, least and greatest rank."""
    count = np.size(values[0])
    weights = np.broadcast_to(np.ravel(weights), [count]) if np.size(weights) == 1 else np.ravel(weights)
    result = []
    for feature in values:
        sketch = sketches.Sketch(float(epsilon), count + 1)
        sketch.add_numbers(np.ravel(feature), weights)
        result.append(np.array(sketch.finished(), np.float32).reshape(-1, 4))
    return result


def _add_summaries(xp: Any, memory: Any, quantiles: Any, summaries: Any) -> list[Any]:
    for sketch, rows in zip(quantiles.sketches, summaries, strict=True):
        sketch.add([sketches.Entry(*row) for row in np.asarray(rows).tolist()])
    return []


def _flush(xp: Any, memory: Any, quantiles: Any, num_buckets: Any, *, generate_quantiles: bool) -> list[Any]:
    """The sketches become boundaries."""
    count = int(num_buckets)
    for i, sketch in enumerate(quantiles.sketches):
        entries = sketch.finished()
        if generate_quantiles:
            found = sketches.quantiles_of(entries, count - 1)
        else:
            found = sketches.boundaries_of(entries, count)
        quantiles.boundaries[i] = np.array(found, np.float32)
    quantiles.clear()
    return []


def _flush_summaries(xp: Any, memory: Any, quantiles: Any, *, num_features: int) -> list[Any]:
    """The summary of each sketch, which begins anew."""
    found = [np.array(sketch.finished(), np.float32).reshape(-1, 4) for sketch in quantiles.sketches]
    quantiles.clear()
    return found


def _take_boundaries(xp: Any, memory: Any, quantiles: Any, boundaries: Any) -> list[Any]:
    quantiles.boundaries = [np.asarray(each, np.float32) for each in boundaries]
    return []


def _bucketize(xp: Any, values: Any, boundaries: Any) -> list[Any]:
    """The first bucket whose boundary is not below the value; the last one takes all that is above."""
    found = []
    for value, bounds in zip(values, boundaries, strict=True):
        bucket = np.minimum(np.searchsorted(bounds, np.ravel(value)), max(len(bounds) - 1, 0))
        found.append(bucket.astype(np.int32))
    return found


# -- the ops -----------------------------------------------------------------------------------

_PLACE = {"container": "", "shared_name": ""}
_STREAMS = "quantile_stream_resource_handle: resource"
_MADE = {"num_features": REQUIRED}


def _vectors(*inputs: Any) -> list[Any]:
    return [(None,) for _ in inputs[-1]]


QUANTILES = host_op(
    "BoostedTreesQuantileStreamResourceHandleOp", "", "resource: resource", _quantiles, lambda: (), _PLACE
)
IS_QUANTILES = host_op(
    "IsBoostedTreesQuantileStreamResourceInitialized", _STREAMS, "is_initialized: bool",
    lambda xp, memory, quantiles: np.bool_(quantiles.is_created), lambda _: (),
)  # fmt: skip
CREATE_QUANTILES = host_op(
    "BoostedTreesCreateQuantileStreamResource", f"{_STREAMS}, epsilon: float32, num_streams: int64", "",
    _create_quantiles, attrs={"max_elements": 1 << 40},
)  # fmt: skip
MAKE_SUMMARIES = host_op(
    "BoostedTreesMakeQuantileSummaries",
    "float_values: num_features*float32, example_weights: float32, epsilon: float32",
    "summaries: num_features*float32", _make_summaries, lambda values, *_: [(None, 4)] * len(values), _MADE,
)  # fmt: skip
ADD_SUMMARIES = host_op(
    "BoostedTreesQuantileStreamResourceAddSummaries", f"{_STREAMS}, summaries: num_features*float32", "",
    _add_summaries, attrs=_MADE,
)  # fmt: skip
FLUSH = host_op(
    "BoostedTreesQuantileStreamResourceFlush", f"{_STREAMS}, num_buckets: int64", "", _flush,
    attrs={"generate_quantiles": False},
)  # fmt: skip
FLUSH_SUMMARIES = host_op(
    "BoostedTreesFlushQuantileSummaries", _STREAMS, "summaries: num_features*float32", _flush_summaries,
    lambda _, *, num_features: [(None, 4)] * num_features, _MADE,
)  # fmt: skip
TAKE_BOUNDARIES = host_op(
    "BoostedTreesQuantileStreamResourceDeserialize", f"{_STREAMS}, bucket_boundaries: num_streams*float32", "",
    _take_boundaries, attrs={"num_streams": REQUIRED},
)  # fmt: skip
GET_BOUNDARIES = host_op(
    "BoostedTreesQuantileStreamResourceGetBucketBoundaries", _STREAMS, "bucket_boundaries: num_features*float32",
    lambda xp, memory, quantiles: list(quantiles.boundaries), lambda _, *, num_features: [(None,)] * num_features,
    _MADE,
)  # fmt: skip
BUCKETIZE = define(
    "BoostedTreesBucketize", "float_values: num_features*float32, bucket_boundaries: num_features*float32",
    "buckets: num_features*int32", attrs=_MADE, shape=_vectors, kernel=_bucketize, gradient=not_differentiable,
    effect=None,
)  # fmt: skip
