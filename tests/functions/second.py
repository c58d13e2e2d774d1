"""Functions of ``tf.compat.v2`` whose arguments are other than the first version's."""

from __future__ import annotations

from typing import Any

import numpy as np
from case_table import between, distinct, normal
from function_table import SINGLE
from function_table import FunctionRow as Row

from retrograd import tf

V = tf.compat.v2
IMAGES = (normal(2, 5, 4, 2),)


def pools(x: Any) -> Any:
    """``x`` [2, 5, 4, 2]."""
    return [
        V.nn.avg_pool2d(x, 2, 1, "SAME"),
        V.nn.pool(x, [2, 2], "AVG", padding="VALID", dilations=[1, 2]),
        V.nn.pool(x, [2, 2], "MAX", [2, 1], "SAME"),
        V.nn.max_pool_with_argmax(x, 2, 2, "VALID")[0],
    ]


def convolutions(x: Any, w: Any) -> Any:
    """``x`` [2, 5, 4, 2], ``w`` [2, 2, 2, 3]."""
    return [
        V.nn.conv2d(x, w, [2, 1], "SAME"),
        V.nn.conv2d(x, w, 1, [[0, 0], [1, 0], [0, 1], [0, 0]]),
        V.nn.convolution(x, w, padding="VALID", dilations=[2, 1]),
        V.nn.depthwise_conv2d(x, w, [1, 1, 1, 1], "SAME", dilations=[2, 2]),
        V.nn.separable_conv2d(x, w[:, :, :, :1], w[:1, :1], [1, 1, 1, 1], "VALID"),
    ]


def lines_and_volumes(x: Any, w: Any, y: Any, v: Any) -> Any:
    """``x`` [2, 5, 2], ``w`` [2, 2, 3], ``y`` [1, 3, 3, 3, 2], ``v`` [2, 2, 2, 2, 2]."""
    return [
        V.nn.conv1d(x, w, 2, "SAME"),
        V.nn.conv3d(y, v, [1] * 5, "VALID"),
    ]


def morphology(x: Any, w: Any) -> Any:
    """``x`` [2, 5, 4, 2], ``w`` [2, 2, 2]."""
    return [
        V.nn.dilation2d(x, w, [1, 2, 1, 1], "SAME", "NHWC", [1, 1, 1, 1]),
        V.nn.erosion2d(x, w, [1, 1, 1, 1], "VALID", "NHWC", [1, 2, 1, 1]),
    ]


def blocks(x: Any) -> Any:
    """``x`` [4, 4, 2, 4]."""
    return [
        V.space_to_batch(x, [2, 1], [[0, 0], [1, 0]]),
        V.nn.space_to_batch(x, [2, 2], [[0, 0], [0, 0]]),
        V.batch_to_space(x, 2, [[1, 0], [0, 1]]),
        V.nn.space_to_depth(x, 2),
        V.nn.depth_to_space(x, 2),
    ]


def statistics(x: Any, w: Any) -> Any:
    _, sums, squares, _ = V.nn.sufficient_statistics(x, [0, 1], np.float64(0.5))
    return [sums, squares, *V.nn.weighted_moments(x, [0], w, keepdims=True)]


def normalized(x: Any, m: Any, v: Any, b: Any, g: Any) -> Any:
    return [V.nn.batch_norm_with_global_normalization(x, m, v, b, g, 0.1, scaled) for scaled in (True, False)]


def sparse(a: Any, b: Any) -> Any:
    """``a`` [3], ``b`` [2]: the values of matrices of 3 x 2."""
    one = tf.SparseTensor([[0, 0], [0, 1], [2, 1]], a, [3, 2])
    two = tf.SparseTensor([[0, 1], [1, 0]], b, [3, 2])
    return [
        V.sparse.add(one, two).values,
        V.sparse.add(one, tf.ones([3, 2], tf.float64)),
        V.sparse.reduce_sum(one, 1),
    ]


def segments(x: Any) -> Any:
    """``x`` [4, 3]."""
    rows, ids = [0, 2, 3], [0, 0, 1]
    return [
        V.sparse.segment_sum(x, rows, ids),
        V.sparse.segment_mean(x, rows, ids),
        V.sparse.segment_sqrt_n(x, rows, ids),
        V.sparse.segment_sum(x, rows, ids, 3),
        V.sparse.segment_mean(x, rows, ids, num_segments=3),
        V.sparse.segment_sqrt_n(x, rows, ids, num_segments=3),
    ]


ROWS = [
    Row("compat.v2.nn.avg_pool2d compat.v2.nn.pool compat.v2.nn.max_pool_with_argmax", pools, IMAGES, orders=1),
    Row(
        "compat.v2.nn.conv2d compat.v2.nn.convolution compat.v2.nn.depthwise_conv2d compat.v2.nn.separable_conv2d",
        convolutions,
        (*IMAGES, normal(2, 2, 2, 3)),
    ),
    Row(
        "compat.v2.nn.conv1d compat.v2.nn.conv3d",
        lambda *t: lines_and_volumes(*[tf.cast(x, tf.float32) for x in t]),
        (normal(2, 5, 2), normal(2, 2, 3), normal(1, 3, 3, 3, 2), normal(2, 2, 2, 2, 2)),
        **SINGLE,
    ),
    Row(
        "compat.v2.nn.dilation2d compat.v2.nn.erosion2d",
        morphology,
        (distinct(2, 5, 4, 2, gap=0.7), between(0.01, 0.1, 2, 2, 2)),
        orders=1,
    ),
    Row(
        "compat.v2.nn.space_to_batch compat.v2.batch_to_space compat.v2.nn.space_to_depth compat.v2.nn.depth_to_space",
        blocks,
        (normal(4, 4, 2, 4),),
    ),
    Row("compat.v2.nn.crelu", lambda x: V.nn.crelu(x, axis=0), (distinct(2, 3, gap=0.7),), orders=1),
    Row(
        "compat.v2.nn.sufficient_statistics compat.v2.nn.weighted_moments",
        statistics,
        (normal(2, 3), between(0.1, 0.9, 2, 3)),
    ),
    Row(
        "compat.v2.nn.batch_norm_with_global_normalization",
        normalized,
        (*IMAGES, normal(2), between(0.5, 2.0, 2), normal(2), normal(2)),
    ),
    Row(
        "compat.v2.nn.weighted_cross_entropy_with_logits",
        lambda z, x: V.nn.weighted_cross_entropy_with_logits(z, x, 2.5),
        (between(0.1, 0.9, 2, 3), normal(2, 3)),
    ),
    Row("compat.v2.sparse.add compat.v2.sparse.reduce_sum", sparse, (normal(3), normal(2)), orders=1),
    Row(
        "compat.v2.sparse.segment_sum compat.v2.sparse.segment_mean compat.v2.sparse.segment_sqrt_n",
        segments,
        (normal(4, 3),),
        orders=1,
    ),
]
