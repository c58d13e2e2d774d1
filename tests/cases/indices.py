"""Ops that take or put elements at indices, segments, sorting, counting and sets."""

from __future__ import annotations

import numpy as np
from case_table import Row, distinct, normal

from retrograd import tf
from retrograd.ops import inplace
from retrograd.tf import raw_ops

X = (normal(4, 3),)
ROWS_OF = (normal(4, 3), np.array([3, 0, 3]))
PLACES = np.array([[0, 2], [3, 1], [0, 2]])
APART = np.array([[3], [1]])
UPDATES = (normal(4, 3), normal(2, 3, seed=1))
SORTED = np.array([0, 0, 2, 2])
MIXED = np.array([2, 0, -1, 2])
AT = np.array([3, 0, 0], np.int32)
IDS = np.array([0, 0, 1], np.int32)
REPEATS = np.array([3, 1, 3, 7, 1], np.int32)
EDGES = np.array([[1, 3, 3, 7]], np.int32)
PAIRS = np.array([[1, 2], [3, 4], [1, 2]])
WORDS = np.array([b"b", b"a", b"b"], object)

ROWS = [
    # taking
    Row("GatherV2", tf.gather, ROWS_OF),
    Row("GatherV2", lambda x: tf.gather(x, [[2, 0]], axis=1), X, label="of columns"),
    Row("GatherV2", lambda x: tf.gather(x, [[2, 0]] * 4, batch_dims=1), X, label="in batches"),
    Row("Gather", raw_ops.Gather, ROWS_OF),
    Row("GatherNd", tf.gather_nd, (normal(4, 3), PLACES)),
    Row("GatherNd", lambda x: tf.gather_nd(x, [[1], [1]]), X, label="of rows"),
    Row("OneHot", lambda i: tf.one_hot(i, 4, on_value=2.5), (np.array([[3, 0], [-1, 2]]),), orders=0),
    # putting
    Row("ScatterNd", lambda y: tf.scatter_nd(PLACES, y, [4, 3]), (normal(3),)),
    Row("TensorScatterUpdate", lambda x, y: tf.tensor_scatter_update(x, APART, y), UPDATES),
    Row("TensorScatterAdd", lambda x, y: tf.tensor_scatter_add(x, APART, y), UPDATES),
    Row("TensorScatterSub", lambda x, y: tf.tensor_scatter_sub(x, APART, y), UPDATES),
    Row("InplaceUpdate", lambda x, v: inplace.alias_inplace_update(x, [3, -3], v), UPDATES),
    Row("InplaceAdd", lambda x, v: inplace.alias_inplace_add(x, [3, 3], v), UPDATES),
    Row("InplaceSub", lambda x, v: inplace.alias_inplace_sub(x, [0, 5], v), UPDATES),
    Row("DeepCopy", raw_ops.DeepCopy, X),
    Row("Empty", lambda: inplace.empty([2, 3], tf.float64), (), orders=0),
    Row("ScatterNdNonAliasingAdd", lambda x, y: raw_ops.ScatterNdNonAliasingAdd(x, APART, y), UPDATES),
    Row("DynamicPartition", lambda x: tf.dynamic_partition(x, [1, 0, 1, 1], 3), X, traced=False),
    Row("DynamicStitch", lambda x, y: tf.dynamic_stitch([[0, 5], [1, 3, 2, 4]], [y, x]), UPDATES),
    Row("ParallelDynamicStitch", lambda x, y: raw_ops.ParallelDynamicStitch([[0, 5], [1, 3, 2, 4]], [y, x]), UPDATES),
    # segments
    Row("SegmentSum", lambda x: tf.segment_sum(x, SORTED), X),
    Row("SegmentMean", lambda x: tf.segment_mean(x, SORTED), X),
    Row("SegmentMax", lambda x: tf.segment_max(x, SORTED), (distinct(4, 3),)),
    Row("SegmentMin", lambda x: tf.segment_min(x, SORTED), (distinct(4, 3),)),
    Row("SegmentProd", lambda x: tf.segment_prod(x, SORTED), X),
    Row("UnsortedSegmentSum", lambda x: tf.unsorted_segment_sum(x, MIXED, 4), X),
    Row("UnsortedSegmentMax", lambda x: tf.unsorted_segment_max(x, [1, 0, -1, 1], 2), (distinct(4, 3),)),
    Row("UnsortedSegmentMin", lambda x: tf.unsorted_segment_min(x, [1, 0, -1, 1], 2), (distinct(4, 3),)),
    Row("UnsortedSegmentProd", lambda x: tf.unsorted_segment_prod(x, MIXED, 4), X),
    Row("SparseSegmentSum", lambda x: tf.sparse_segment_sum(x, AT, IDS), X),
    Row("SparseSegmentMean", lambda x: tf.sparse_segment_mean(x, AT, IDS), X),
    Row("SparseSegmentSqrtN", lambda x: tf.sparse_segment_sqrt_n(x, AT, IDS), X),
    Row("SparseSegmentSumWithNumSegments", lambda x: tf.sparse_segment_sum(x, AT, IDS, num_segments=4), X),
    Row("SparseSegmentMeanWithNumSegments", lambda x: tf.sparse_segment_mean(x, AT, IDS, num_segments=2), X),
    Row("SparseSegmentSqrtNWithNumSegments", lambda x: tf.sparse_segment_sqrt_n(x, AT, IDS, num_segments=2), X),
    Row("SparseSegmentMeanGrad", lambda dy: raw_ops.SparseSegmentMeanGrad(dy, AT, IDS, 4), (normal(2, 3),)),
    Row("SparseSegmentSqrtNGrad", lambda dy: raw_ops.SparseSegmentSqrtNGrad(dy, AT, IDS, 4), (normal(2, 3),)),
    # order
    Row("ArgMax", lambda x: tf.argmax(x, 1), (distinct(2, 3),), orders=0),
    Row("ArgMin", lambda x: tf.argmin(x, -1, output_type=tf.int32), (REPEATS,), orders=0),
    Row("TopKV2", lambda x: tf.nn.top_k(x, 2), (distinct(2, 4),)),
    Row("NthElement", lambda x: raw_ops.NthElement(x, 1), (distinct(2, 4),)),
    Row("LowerBound", lambda x: tf.searchsorted(EDGES, x[None]), (REPEATS,), orders=0, traced=False),
    Row("UpperBound", lambda x: tf.searchsorted(EDGES, x[None], side="right"), (REPEATS,), orders=0, traced=False),
    Row("UnravelIndex", lambda i: tf.unravel_index(i, [4, 3]), (np.array([11, 2, 5]),), orders=0),
    # counting and sets
    Row("Unique", tf.unique, (REPEATS,), orders=0, traced=False),
    Row("Unique", tf.unique, (WORDS,), orders=0, traced=False, label="of text"),
    Row("Unique", tf.unique, (distinct(5),), traced=False, label="of numbers"),
    Row("UniqueWithCounts", tf.unique_with_counts, (distinct(5),), traced=False, label="of numbers"),
    Row("UniqueV2", lambda x: raw_ops.UniqueV2(x, [1]), (distinct(2, 3),), traced=False, label="of columns"),
    Row(
        "UniqueWithCountsV2",
        lambda x: raw_ops.UniqueWithCountsV2(x, [-1]),
        (distinct(2, 3),),
        traced=False,
        label="of columns",
    ),
    Row("UniqueWithCounts", tf.unique_with_counts, (REPEATS,), orders=0, traced=False),
    Row("UniqueV2", lambda x: raw_ops.UniqueV2(x, [0]), (PAIRS,), orders=0, traced=False),
    Row("UniqueWithCountsV2", lambda x: raw_ops.UniqueWithCountsV2(x, [0]), (PAIRS,), orders=0, traced=False),
    Row("ListDiff", lambda x: tf.setdiff1d(x, np.int32([1, 2])), (REPEATS,), orders=0, traced=False),
    Row("ListDiff", tf.setdiff1d, (distinct(5), distinct(2) + 9), traced=False, label="of numbers"),
    Row("Bincount", lambda w: raw_ops.Bincount(REPEATS[:3], 6, w), (normal(3),), label="of weights"),
    Row("Bincount", lambda i: raw_ops.Bincount(i, 6, np.float64([1, 2, 3, 4, 5])), (REPEATS,), orders=0),
    Row("HistogramFixedWidth", lambda x: tf.histogram_fixed_width(x, np.float64([-1, 1]), 4), X, orders=0),
]
