"""Reductions and scans."""

from __future__ import annotations

import numpy as np
from case_table import Row, between, distinct, normal

from retrograd import tf
from retrograd.tf import raw_ops

X = (normal(2, 3, 2),)
TRUTHS = (np.array([[True, False], [True, True]]),)
WHOLE = (np.array([[3, 1, 2], [4, 1, -5]], np.int32),)

ROWS = [
    Row("Sum", lambda x: tf.reduce_sum(x, 1), X),
    Row("Sum", tf.reduce_sum, X, label="of all"),
    Row("Sum", lambda x: tf.reduce_sum(x, [0, -1], keepdims=True), X, label="with axes kept"),
    Row("Sum", lambda x: tf.reduce_sum(x, 1), WHOLE, orders=0, label="of integers"),
    Row("Mean", lambda x: tf.reduce_mean(x, [0, 2]), X),
    Row("Mean", lambda x: tf.reduce_mean(x, 0), WHOLE, orders=0, label="of integers"),
    Row("Prod", lambda x: tf.reduce_prod(x, [0, 1]), (between(0.5, 2, 2, 3, 2),)),
    Row("Max", lambda x: tf.reduce_max(x, 1), (distinct(2, 3, 2),)),
    Row("Min", lambda x: tf.reduce_min(x, [0, 2], keepdims=True), (distinct(2, 3, 2),)),
    Row("EuclideanNorm", lambda x: tf.math.reduce_euclidean_norm(x, 1), X, orders=0),
    Row("All", lambda x: tf.reduce_all(x, 1), TRUTHS, orders=0),
    Row("Any", tf.reduce_any, TRUTHS, orders=0),
    Row("Exp", lambda x: tf.reduce_logsumexp(x, -1), X, label="in reduce_logsumexp"),
    Row("Cumsum", lambda x: tf.cumsum(x, 1), X),
    Row("Cumsum", lambda x: tf.cumsum(x, -1, exclusive=True, reverse=True), X, label="reverse"),
    Row("CumulativeLogsumexp", lambda x: tf.math.cumulative_logsumexp(x, 1), X),
    Row("CumulativeLogsumexp", lambda x: raw_ops.CumulativeLogsumexp(x, 0, False, True), X, label="reverse"),
    Row("Cumprod", lambda x: tf.cumprod(x, 1), (between(0.5, 2, 2, 3),)),
    Row("Cumprod", lambda x: raw_ops.Cumprod(x, 1, True, True), (between(0.5, 2, 2, 3),), label="reverse"),
]
