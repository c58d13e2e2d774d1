"""``tf.contrib.boosted_trees``: quantiles of features over batches, and the buckets between them.

At run time a handle is the ``Stream``.  Summaries come as messages.  Source: TensorFlow 1.15.5,
``contrib/boosted_trees``: signatures, messages, which end of a bucket belongs to it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.files import gradient_tree_messages as messages
from retrograd.graph import dtypes, errors
from retrograd.graph.definition import REQUIRED, Effect, define, not_differentiable
from retrograd.ops import quantile_sketch as sketches
from retrograd.ops.boosted_tree_splits import host_op
from retrograd.ops.gradient_trees import Stamped, as_bytes_tensor, handle_op, parsed, there_op

# -- at run time -------------------------------------------------------------------------------


class Stream(Stamped):
    """The sketch of a feature, and the boundaries of its buckets once there are some."""

    def create(self, stamp: Any, epsilon: float, most: int, count: int, exact: bool) -> None:
        """Nothing yet."""
        self.epsilon, self.most, self.count, self.exact = epsilon, most, count, exact
        self.is_ready, self.boundaries = False, np.zeros(0, np.float32)
        self.begin(stamp)

    def begin(self, stamp: Any) -> None:
        """Begin anew; the boundaries stay."""
        self.stamp, self.sketch = int(stamp), sketches.Sketch(self.epsilon, self.most)


def _as_proto(summary: sketches.Summary, proto: Any) -> Any:
    for value, weight, low, high in summary:
        proto.entries.add(value=value, weight=weight, min_rank=low, max_rank=high)
    return proto


def _from_proto(proto: Any) -> sketches.Summary:
    return [sketches.Entry(each.value, each.weight, each.min_rank, each.max_rank) for each in proto.entries]


def _boundaries(summary: sketches.Summary, count: int) -> Any:
    return np.array(sketches.boundaries_of(summary, count), np.float32)


# -- kernels -----------------------------------------------------------------------------------


def _create(
    xp: Any, memory: Any, stream: Stream, stamp: Any, *, epsilon: float, num_quantiles: int, max_elements: int,
    generate_quantiles: bool,
) -> list[Any]:  # fmt: skip
    if epsilon <= 0:
        raise errors.InvalidArgumentError(None, None, "An epsilon value of zero is not allowed.")
    if stream.stamp is None:
        stream.create(stamp, float(np.float32(epsilon)), max_elements, num_quantiles, generate_quantiles)
    return []


def _add(xp: Any, memory: Any, handles: Any, stamp: Any, summaries: Any) -> list[Any]:
    """What comes with an old stamp is dropped."""
    for stream, serialized in zip(handles, summaries, strict=True):
        if stream.stamp == int(stamp):
            complaint = "Unable to parse quantile summary."
            stream.sketch.add(_from_proto(parsed("QuantileSummaryState", serialized, complaint)))
    return []


def _buckets(xp: Any, memory: Any, handles: Any, stamp: Any) -> list[Any]:
    """Of each stream whether it has boundaries for this stamp, and these."""
    are_ready = [stream.stamp == int(stamp) and stream.is_ready for stream in handles]
    none = np.zeros(0, np.float32)
    found = [stream.boundaries if is_ready else none for stream, is_ready in zip(handles, are_ready, strict=True)]
    return [*map(np.bool_, are_ready), *found]


def _flush(xp: Any, memory: Any, stream: Stream, stamp: Any, next_stamp: Any) -> list[Any]:
    stream.check(stamp)
    entries = stream.sketch.finished()
    if stream.exact:
        stream.boundaries = np.array(sketches.quantiles_of(entries, stream.count), np.float32)
    else:
        stream.boundaries = _boundaries(entries, stream.count)
    stream.is_ready = True
    stream.begin(next_stamp)
    return []


def _flush_summary(xp: Any, memory: Any, stream: Stream, stamp: Any, next_stamp: Any) -> Any:
    stream.check(stamp)
    found = _as_proto(stream.sketch.finished(), messages.message("QuantileSummaryState")())
    stream.begin(next_stamp)
    return as_bytes_tensor(found)


def _serialize(xp: Any, memory: Any, stream: Stream) -> list[Any]:
    state = messages.message("QuantileStreamState")()
    for level in [*stream.sketch.levels, []]:
        _as_proto(level, state.summaries.add())
    boundaries = stream.boundaries if stream.is_ready else np.zeros(0, np.float32)
    return [np.int64(stream.stamp), as_bytes_tensor(state), np.bool_(stream.is_ready), boundaries]


def _deserialize(
    xp: Any, memory: Any, stream: Stream, stamp: Any, state: Any, are_ready: Any, buckets: Any
) -> list[Any]:  # fmt: skip
    found = parsed("QuantileStreamState", state, "Unabnle to parse quantile stream state.")
    stream.begin(np.asarray(stamp).item())
    stream.sketch.levels = [_from_proto(summary) for summary in found.summaries][:-1]
    stream.boundaries, stream.is_ready = np.asarray(buckets, np.float32), bool(np.asarray(are_ready).item())
    return []


def _sketches(
    dense: Any, indices: Any, values: Any, weights: Any, epsilons: list[float], more: int
) -> list[sketches.Summary]:
    """The summary of each feature of a batch; an example weighs the same in all."""
    weights = np.ravel(weights)
    columns = [(np.ravel(x)[: len(weights)], weights) for x in dense]
    columns += [(np.ravel(x), weights[at[:, 0]]) for at, x in zip(indices, values, strict=True)]
    found = []
    for (numbers, mine), epsilon in zip(columns, epsilons, strict=True):
        sketch = sketches.Sketch(epsilon, len(weights) + more)
        sketch.add_numbers(numbers, mine)
        found.append(sketch.finished())
    return found


def _make(
    xp: Any, memory: Any, dense: Any, indices: Any, values: Any, shapes: Any, weights: Any, *, epsilon: float
) -> list[Any]:
    if not len(dense) and not len(values):
        raise errors.InvalidArgumentError(None, None, "Please provide at least sparse or dense features.")
    if any(shape[0] != np.size(weights) for shape in shapes):
        raise errors.InvalidArgumentError(None, None, "Sparse column shape doesn't match the batch size.")
    found = _sketches(dense, indices, values, weights, [float(np.float32(epsilon))] * (len(dense) + len(values)), 1)
    return [as_bytes_tensor(_as_proto(each, messages.message("QuantileSummaryState")())) for each in found]


def _made_buckets(
    xp: Any, memory: Any, dense: Any, indices: Any, values: Any, shapes: Any, weights: Any, *, dense_config: Any,
    sparse_config: Any,
) -> list[Any]:  # fmt: skip
    """The boundaries of a batch alone."""
    for name, configs, columns in (("dense", dense_config, dense), ("sparse", sparse_config, values)):
        if len(configs) != len(columns):
            raise errors.InvalidArgumentError(None, None, f"Mismatch in number of {name} quantile configs.")
    configs = [
        parsed("QuantileConfig", each.encode("latin-1") if isinstance(each, str) else each,
               "Malformed QuantileConfig passed in.")
        for each in (*dense_config, *sparse_config)
    ]  # fmt: skip
    found = _sketches(dense, indices, values, weights, [config.eps for config in configs], 0)
    return [_boundaries(each, config.num_quantiles) for each, config in zip(found, configs, strict=True)]


def _quantized(values: Any, boundaries: Any, dimensions: Any) -> Any:
    """The bucket whose boundary is the first that is not below the value, or the last one; and the dimension."""
    if len(values) and not len(boundaries):
        raise errors.InternalError(None, None, "Got empty buckets for feature")
    bucket = np.minimum(np.searchsorted(boundaries, np.ravel(values)[: len(values)]), max(len(boundaries) - 1, 0))
    return np.stack(np.broadcast_arrays(bucket, dimensions), axis=1).astype(np.int32)


def _quantiles(
    xp: Any, memory: Any, dense: Any, sparse: Any, dense_buckets: Any, sparse_buckets: Any, indices: Any
) -> list[Any]:
    for name, buckets in (("Dense", dense_buckets), ("Sparse", sparse_buckets)):
        if len(buckets) and buckets[0].ndim != 1:
            raise errors.InvalidArgumentError(None, None, f"{name} buckets should be flat vectors")
    found = [_quantized(x, bounds, 0) for x, bounds in zip(dense, dense_buckets, strict=True)]
    columns = zip(sparse, sparse_buckets, indices, strict=True)
    return found + [_quantized(x, bounds, at[:, 1]) for x, bounds, at in columns]


def _bucketize(xp: Any, memory: Any, x: Any, boundaries: Any) -> Any:
    """How many boundaries are not above each number."""
    boundaries = boundaries.astype(x.dtype)
    if (np.diff(boundaries) < 0).any():
        raise errors.InvalidArgumentError(None, None, "Expected sorted boundaries")
    return np.searchsorted(boundaries, x, side="right").astype(np.int32)


# -- the ops -----------------------------------------------------------------------------------

_HANDLE, _HANDLES = "quantile_accumulator_handle", "quantile_accumulator_handles: num_resource_handles*resource"
_STAMPED = f"{_HANDLE}: resource, stamp_token: int64"
_STATE = "stream_state: string, are_buckets_ready: bool, buckets: float32"
_FLUSHED = f"{_STAMPED}, next_stamp_token: int64"
_FEATURES = (
    "dense_float_features: num_dense_features*float32, sparse_float_feature_indices: num_sparse_features*int64, "
    "sparse_float_feature_values: num_sparse_features*float32, "
    "sparse_float_feature_shapes: num_sparse_features*int64, example_weights: float32"
)
_COUNTS = {"num_dense_features": REQUIRED, "num_sparse_features": REQUIRED}


def _each(shape: Any) -> Any:
    """The shape rule of one output of this shape for each feature."""
    return lambda dense, indices, *_: [shape] * (len(dense) + len(indices))


def _pairs(dense: Any, sparse: Any, *_: Any) -> list[Any]:
    return [(x.dims[0] if x.dims else None, 2) for x in (*dense, *sparse)]


STREAM = handle_op("QuantileStreamResourceHandleOp", Stream)
IS_STREAM = there_op("QuantileAccumulatorIsInitialized", _HANDLE)
CREATE = host_op(
    "CreateQuantileAccumulator", _STAMPED, "", _create,
    attrs={
        "container": "", "shared_name": "", "max_elements": 1 << 40, "epsilon": REQUIRED, "num_quantiles": REQUIRED,
        "generate_quantiles": False,
    },
)  # fmt: skip
ADD = host_op(
    "QuantileAccumulatorAddSummaries",
    f"{_HANDLES}, stamp_token: int64, summaries: num_resource_handles*string", "", _add,
)  # fmt: skip
BUCKETS = host_op(
    "QuantileAccumulatorGetBuckets", f"{_HANDLES}, stamp_token: int64",
    "are_buckets_ready: num_resource_handles*bool, buckets: num_resource_handles*float32", _buckets,
    lambda handles, _: [()] * len(handles) + [(None,)] * len(handles),
)  # fmt: skip
FLUSH = host_op("QuantileAccumulatorFlush", _FLUSHED, "", _flush)
FLUSH_SUMMARY = host_op("QuantileAccumulatorFlushSummary", _FLUSHED, "output: string", _flush_summary, lambda *_: None)
SERIALIZE = host_op(
    "QuantileAccumulatorSerialize", f"{_HANDLE}: resource", f"stamp_token: int64, {_STATE}", _serialize,
    lambda _: [None] * 4,
)  # fmt: skip
DESERIALIZE = host_op("QuantileAccumulatorDeserialize", f"{_STAMPED}, {_STATE}", "", _deserialize)
SUMMARIES = host_op(
    "MakeQuantileSummaries", _FEATURES,
    "dense_summaries: num_dense_features*string, sparse_summaries: num_sparse_features*string", _make, _each(()),
    {**_COUNTS, "epsilon": REQUIRED},
)  # fmt: skip
MADE_BUCKETS = host_op(
    "QuantileBuckets", _FEATURES,
    "dense_buckets: num_dense_features*float32, sparse_buckets: num_sparse_features*float32", _made_buckets,
    _each(None), {**_COUNTS, "dense_config": REQUIRED, "sparse_config": REQUIRED},
)  # fmt: skip
QUANTILES = host_op(
    "Quantiles",
    "dense_values: num_dense_features*float32, sparse_values: num_sparse_features*float32, "
    "dense_buckets: num_dense_features*float32, sparse_buckets: num_sparse_features*float32, "
    "sparse_indices: num_sparse_features*int64",
    "dense_quantiles: num_dense_features*int32, sparse_quantiles: num_sparse_features*int32", _quantiles, _pairs,
    _COUNTS,
)  # fmt: skip
BUCKETIZE = define(
    "BucketizeWithInputBoundaries", "input: T, boundaries: float32", "output: int32",
    types={"T": [dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64]}, shape=lambda x, _: x.dims,
    kernel=_bucketize, gradient=not_differentiable, effect=Effect.HOST,
)  # fmt: skip
