"""Functions of ``tf.nn`` that are made of several ops."""

from __future__ import annotations

from typing import Any

import numpy as np
from case_table import between, distinct, normal
from function_table import SINGLE
from function_table import FunctionRow as Row

from retrograd import tf

N, V = tf.nn, tf.compat.v2
X = (normal(2, 3),)
FAR = (distinct(2, 3, gap=0.7),)
PAIR = (normal(2, 3), between(0.1, 0.9, 2, 3))
IMAGES = (normal(2, 5, 4, 2),)
ODDS = np.array([[0.2, 0.3, 0.5], [0.6, 0.4, 0.0]])
LABELS = np.array([2, 0])
ONES = [1, 1, 1, 1]


def sparse(weights: Any = None) -> Any:
    values = np.array([1, 0, 2], np.int64) if weights is None else weights
    return tf.SparseTensor(np.array([[0, 0], [0, 1], [1, 0]], np.int64), values, np.array([2, 2], np.int64))


def sampled() -> Any:
    return tf.constant([1, 3], tf.int64), tf.constant([[0.4], [0.3]], tf.float64), tf.constant([0.2, 0.5], tf.float64)


def statistics(x: Any, w: Any) -> Any:
    counts, sums, squares, shift = N.sufficient_statistics(x, [0, 1], np.float64(0.5))
    mean, variance = N.normalize_moments(counts, sums, squares, shift)
    return [mean, variance, *N.weighted_moments(x, [0], w)]


def normalized(x: Any, m: Any, v: Any, b: Any, g: Any) -> Any:
    return [
        N.batch_normalization(x, m, v, b, g, 0.1),
        N.batch_norm_with_global_normalization(x, m, v, b, g, 0.1, True),
    ]


def ctc(logits: Any) -> Any:
    labels = tf.SparseTensor(np.array([[0, 0], [0, 1], [1, 0]], np.int64), np.array([0, 1, 1], np.int32), [2, 2])
    dense = np.array([[1, 2], [2, 0]], np.int32)
    lengths, sizes = np.array([4, 4], np.int32), np.array([2, 1], np.int32)
    return [
        N.ctc_loss_v2(dense, logits, sizes, lengths, blank_index=0),
        N.ctc_loss_v2(dense, logits, sizes, lengths, unique=N.ctc_unique_labels(dense), blank_index=0),
        N.ctc_loss(labels, tf.nn.log_softmax(logits), np.array([4, 3], np.int32)),
        tf.keras.backend.ctc_batch_cost(
            dense - 1, tf.transpose(tf.nn.softmax(logits), [1, 0, 2]), np.array([[4], [3]]), np.array([[1], [1]])
        ),
    ]


def ctc_beyond(logits: Any) -> Any:
    """Steps beyond an example's length have a derivative of their own in TensorFlow."""
    dense, sizes = np.array([[1, 2], [2, 0]], np.int32), np.array([2, 1], np.int32)
    return [
        N.ctc_loss_v2(dense, logits, sizes, np.array(n, np.int32), blank_index=i)
        for n, i in (([4, 3], 0), ([3, 2], -1))
    ]


def rows_of(table: Any, table_2: Any) -> Any:
    return [
        N.embedding_lookup(table, [2, 0, 2]),
        N.embedding_lookup([table, table_2], [2, 0, 3], "div", max_norm=0.7),
        V.nn.embedding_lookup([table, table_2], [2, 0, 3], 0.7),
    ]


def sparse_rows(table: Any, weights: Any) -> Any:
    kinds = ("sum", "mean", "sqrtn")
    return [
        *[N.embedding_lookup_sparse(table, sparse(), sparse(weights), combiner=kind) for kind in kinds],
        V.nn.embedding_lookup_sparse(table, sparse(), None, "mean"),
        N.safe_embedding_lookup_sparse([table], sparse(), sparse(weights)),
        V.nn.safe_embedding_lookup_sparse([table], sparse(), None),
    ]


def drawn(x: Any) -> Any:
    return [N.dropout(x, 0.6, seed=3), N.dropout(x, rate=0.3, noise_shape=[2, 1]), V.nn.dropout(x, 0.5, seed=4)]


def noise_contrasted(w: Any, b: Any, x: Any) -> Any:
    given = {"num_sampled": 2, "num_classes": 4, "sampled_values": sampled()}
    labels = tf.constant([[0], [2]], tf.int64)
    return [
        N.nce_loss(w, b, labels, x, **given),
        V.nn.nce_loss(w, b, labels, x, **given),
        N.sampled_softmax_loss(w, b, labels, x, **given),
        V.nn.sampled_softmax_loss(w, b, labels, x, **given),
    ]


def cross_entropies(x: Any) -> Any:
    return [
        N.softmax_cross_entropy_with_logits(labels=ODDS, logits=x),
        N.softmax_cross_entropy_with_logits_v2(labels=ODDS, logits=x),
        V.nn.softmax_cross_entropy_with_logits(ODDS.T, tf.transpose(x), axis=0),
        N.sparse_softmax_cross_entropy_with_logits(labels=LABELS, logits=x),
        V.nn.sparse_softmax_cross_entropy_with_logits(LABELS, x),
    ]


def logistic(x: Any, z: Any) -> Any:
    return [
        N.sigmoid_cross_entropy_with_logits(labels=z, logits=x),
        V.nn.sigmoid_cross_entropy_with_logits(z, x),
        N.weighted_cross_entropy_with_logits(z, x, 2.5),
        N.log_poisson_loss(z, x, compute_full_loss=True),
        N.log_poisson_loss(z, x),
    ]


def pools(x: Any) -> Any:
    two = [1, 2, 2, 1]
    return [
        N.avg_pool(x, two, two, "VALID"),
        N.avg_pool_v2(x, 2, 1, "SAME"),
        N.max_pool(x, two, two, "SAME"),
        N.max_pool_v2(x, 2, 2, "VALID"),
        N.max_pool2d(x, 2, 2, "VALID"),
        N.pool(x, [2, 2], "AVG", "VALID", dilation_rate=[1, 2]),
        N.max_pool_with_argmax(x, two, two, "VALID")[0],
    ]


def fractional(x: Any) -> Any:
    rows, columns = [1.0, 1.6, 1.7, 1.0], 3
    return [
        N.fractional_max_pool(x, rows, seed=columns, deterministic=True, seed2=5)[0],
        N.fractional_avg_pool(x, rows, seed=columns, deterministic=True, seed2=5)[0],
        V.nn.fractional_max_pool(x, rows, seed=columns)[0],
        V.nn.fractional_avg_pool(x, rows, seed=columns)[0],
    ]


def convolutions(x: Any, w: Any) -> Any:
    """``x`` [2, 5, 4, 2], ``w`` [2, 2, 2, 3]."""
    return [
        N.conv2d(x, w, ONES, "SAME"),
        N.convolution(x, w, "VALID", dilation_rate=[2, 1]),
        N.atrous_conv2d(x, w, 2, "SAME"),
        N.depthwise_conv2d(x, w, ONES, "SAME", rate=[2, 2]),
        N.depthwise_conv2d_native(x, w, ONES, "VALID"),
        N.with_space_to_batch(x, [2, 2], "SAME", lambda t, *_: N.conv2d(t, w, ONES, "VALID"), [2, 2]),
    ]


def transposed(y: Any, w: Any) -> Any:
    """``y`` [2, 3, 2, 3], ``w`` [2, 2, 2, 3]."""
    return [
        N.conv2d_transpose(y, w, [2, 6, 4, 2], [1, 2, 2, 1]),
        V.nn.conv2d_transpose(y, w, [2, 4, 3, 2], 1, "VALID"),
        N.conv_transpose(y, w, [2, 6, 4, 2], 2),
        N.atrous_conv2d_transpose(y, w, [2, 3, 2, 2], 2, "SAME"),
        N.conv2d_backprop_input([2, 4, 3, 2], w, y, ONES, "VALID"),
    ]


def filters(x: Any, y: Any) -> Any:
    """``x`` [2, 5, 4, 2], ``y`` [2, 4, 3, 2]."""
    return [
        N.conv2d_backprop_filter(x, [2, 2, 2, 2], y, ONES, "VALID"),
        N.depthwise_conv2d_backprop_filter(x, [2, 2, 2, 1], y, ONES, "VALID"),
        N.depthwise_conv2d_backprop_input([2, 5, 4, 2], x[0, :2, :2, :, None], y, ONES, "VALID"),
    ]


def lines(x: Any, w: Any, y: Any) -> Any:
    """``x`` [2, 5, 2], ``w`` [2, 2, 3], ``y`` [2, 4, 3]."""
    return [
        N.conv1d(x, w, 1, "SAME"),
        N.conv1d_transpose(y, w, [2, 8, 2], 2),
        N.avg_pool1d(x, 2, 1, "VALID"),
        N.max_pool1d(x, 2, 1, "VALID"),
    ]


def volumes(x: Any, w: Any, y: Any) -> Any:
    """``x`` [1, 3, 3, 3, 2], ``w`` [2, 2, 2, 2, 2], ``y`` [1, 2, 2, 2, 2]."""
    five = [1, 1, 1, 1, 1]
    return [
        N.conv3d(x, w, five, "VALID"),
        N.conv3d_transpose(y, w, [1, 3, 3, 3, 2], five, "VALID"),
        V.nn.conv3d_transpose(y, w, [1, 3, 3, 3, 2], 1, "VALID"),
        N.conv3d_backprop_filter(x, [2, 2, 2, 2, 2], y, five, "VALID"),
        N.avg_pool3d(x, 2, 1, "VALID"),
        N.max_pool3d(x, 2, 1, "VALID"),
    ]


ROWS = [
    Row(
        "nn.moments compat.v2.nn.moments",
        lambda x: [*N.moments(x, [0]), *N.moments(x, [1], keep_dims=True), *V.nn.moments(x, [0, 1])],
        X,
        traced=True,
        orders=1,
    ),
    Row("nn.sufficient_statistics nn.normalize_moments nn.weighted_moments", statistics, PAIR),
    Row(
        "nn.batch_normalization nn.batch_norm_with_global_normalization",
        normalized,
        (*IMAGES, normal(2), between(0.5, 2, 2), normal(2, seed=1), normal(2, seed=2)),
    ),
    Row(
        "nn.fused_batch_norm",
        lambda x, g, b: N.fused_batch_norm(x, g, b)[0],
        (np.float32(normal(2, 2, 3, 2)), np.float32(normal(2)), np.float32(normal(2, seed=1))),
        **SINGLE,
    ),
    Row(
        "nn.l2_normalize compat.v2.nn.l2_normalize",
        lambda x: [N.l2_normalize(x, 1), V.nn.l2_normalize(x, 0)],
        X,
        traced=True,
    ),
    Row(
        "nn.l2_normalize",
        lambda x: N.l2_normalize(x, 1, epsilon=1e-3),
        (np.array([[0.0, 0.0], [3.0, 4.0]]),),
        orders=1,
        label="at zero",
    ),
    Row(
        "nn.log_softmax nn.softmax compat.v2.nn.softmax compat.v2.nn.log_softmax",
        lambda x: [N.softmax(x, 0), N.log_softmax(x, 0), V.nn.softmax(x), V.nn.log_softmax(x)],
        X,
    ),
    Row(
        "nn.softmax_cross_entropy_with_logits nn.softmax_cross_entropy_with_logits_v2 "
        "compat.v2.nn.softmax_cross_entropy_with_logits nn.sparse_softmax_cross_entropy_with_logits "
        "compat.v2.nn.sparse_softmax_cross_entropy_with_logits",
        cross_entropies,
        X,
    ),
    Row(
        "nn.softmax_cross_entropy_with_logits_v2",
        lambda x, z: N.softmax_cross_entropy_with_logits_v2(labels=N.softmax(z), logits=x),
        PAIR,
        orders=1,
        label="of labels",
    ),
    Row(
        "nn.sigmoid_cross_entropy_with_logits compat.v2.nn.sigmoid_cross_entropy_with_logits "
        "nn.weighted_cross_entropy_with_logits nn.log_poisson_loss",
        logistic,
        PAIR,
    ),
    Row(
        "nn.sigmoid_cross_entropy_with_logits",
        lambda x: N.sigmoid_cross_entropy_with_logits(labels=ODDS[0], logits=x),
        (np.array([-800.0, 30.0, 800.0]),),
        orders=1,
        label="far out",
    ),
    Row(
        "nn.crelu nn.swish nn.relu_layer nn.xw_plus_b",
        lambda x, w, b: [N.crelu(x), N.swish(x), N.relu_layer(x, w, b), N.xw_plus_b(x, w, b)],
        (*FAR, distinct(3, 2), normal(2)),
    ),
    Row("nn.lrn", lambda x: N.lrn(tf.cast(x, tf.float32), 1, 0.7, 0.3), IMAGES, **SINGLE),
    Row("nn.dropout compat.v2.nn.dropout", drawn, X, draws=True),
    Row("nn.embedding_lookup compat.v2.nn.embedding_lookup", rows_of, (normal(3, 2), normal(3, 2, seed=1))),
    Row(
        "nn.embedding_lookup_sparse compat.v2.nn.embedding_lookup_sparse nn.safe_embedding_lookup_sparse "
        "compat.v2.nn.safe_embedding_lookup_sparse",
        sparse_rows,
        (normal(3, 2), between(0.5, 2, 3)),
    ),
    Row(
        "nn.nce_loss compat.v2.nn.nce_loss nn.sampled_softmax_loss compat.v2.nn.sampled_softmax_loss",
        noise_contrasted,
        (normal(4, 3), normal(4), normal(2, 3, seed=1)),
    ),
    Row(
        "nn.ctc_loss_v2 nn.ctc_loss keras.backend.ctc_batch_cost",
        lambda x: ctc(tf.cast(x, tf.float32)),
        (normal(4, 2, 3),),
        **SINGLE,
    ),
    Row(
        "nn.ctc_loss_v2",
        lambda x: ctc_beyond(tf.cast(x, tf.float32)),
        (normal(4, 2, 3),),
        stepped=False,
        label="beyond",
        **SINGLE,
    ),
    Row(
        "nn.max_pool nn.avg_pool nn.avg_pool_v2 nn.max_pool_v2 nn.max_pool2d nn.pool nn.max_pool_with_argmax",
        pools,
        (distinct(2, 5, 4, 2),),
    ),
    Row(
        "nn.fractional_max_pool nn.fractional_avg_pool compat.v2.nn.fractional_max_pool "
        "compat.v2.nn.fractional_avg_pool",
        fractional,
        (distinct(2, 5, 4, 2),),
    ),
    Row(
        "nn.conv2d nn.convolution nn.atrous_conv2d nn.depthwise_conv2d nn.depthwise_conv2d_native "
        "nn.with_space_to_batch",
        convolutions,
        (*IMAGES, normal(2, 2, 2, 3)),
    ),
    Row(
        "nn.separable_conv2d",
        lambda x, d, p: [N.separable_conv2d(x, d, p, ONES, "SAME"), N.separable_conv2d(x, d, p, ONES, "VALID", [2, 2])],
        (*IMAGES, normal(2, 2, 2, 1), normal(1, 1, 2, 2)),
    ),
    Row(
        "nn.conv2d_transpose compat.v2.nn.conv2d_transpose nn.conv_transpose nn.atrous_conv2d_transpose "
        "nn.conv2d_backprop_input",
        transposed,
        (normal(2, 3, 2, 3), normal(2, 2, 2, 3)),
    ),
    Row("nn.conv2d_backprop_filter nn.depthwise_conv2d_backprop_filter", filters, (*IMAGES, normal(2, 4, 3, 2))),
    Row(
        "nn.conv1d nn.conv1d_transpose nn.avg_pool1d nn.max_pool1d",
        lines,
        (distinct(2, 5, 2), normal(2, 2, 3), normal(2, 4, 3)),
    ),
    Row(
        "nn.conv3d nn.conv3d_transpose nn.conv3d_backprop_filter nn.avg_pool3d nn.max_pool3d",
        lambda *t: volumes(*[tf.cast(x, tf.float32) for x in t]),
        (distinct(1, 3, 3, 3, 2, gap=0.3), normal(2, 2, 2, 2, 2), normal(1, 2, 2, 2, 2)),
        **SINGLE,
    ),
    Row(
        "nn.compute_average_loss nn.scale_regularization_loss",
        lambda x: [N.compute_average_loss(x, global_batch_size=4), N.scale_regularization_loss(x)],
        X,
    ),
]
