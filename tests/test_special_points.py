"""Ties, zeros, infinities, nan and empty inputs: what TensorFlow 1.15.5 answered."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from retrograd import tf

inf, nan = np.inf, np.nan
HUGE = float(np.finfo(np.float32).max)

# An expression of x and y (float32), their values, its value, and the gradient of its sum for each of them.
POINTS: list[tuple[str, list[Any], Any, list[Any]]] = [
    # ties
    ("tf.reduce_max(x)", [[2.0, 5.0, 5.0, 1.0]], 5.0, [[0.0, 0.5, 0.5, 0.0]]),
    ("tf.reduce_min(x, 1)", [[[3.0, 3.0], [1.0, 2.0]]], [3.0, 1.0], [[[0.5, 0.5], [1.0, 0.0]]]),
    ("tf.maximum(x, y)", [[1.0, 2.0], [1.0, 3.0]], [1.0, 3.0], [[1.0, 0.0], [0.0, 1.0]]),
    ("tf.minimum(x, y)", [[1.0, 2.0], [1.0, 3.0]], [1.0, 2.0], [[1.0, 1.0], [0.0, 0.0]]),
    ("tf.nn.top_k(x, 2).values", [[1.0, 3.0, 3.0, 3.0]], [3.0, 3.0], [[0.0, 1.0, 1.0, 0.0]]),
    ("tf.nn.top_k(x, 2).indices", [[1.0, 3.0, 3.0, 3.0]], [1, 2], [None]),
    ("tf.argmax(x)", [[1.0, 3.0, 3.0]], 1, [None]),
    ("tf.segment_max(x, [0, 0, 0])", [[4.0, 4.0, 1.0]], [4.0], [[0.5, 0.5, 0.0]]),
    ("tf.unsorted_segment_min(x, [0, 0, 2], 3)", [[4.0, 4.0, 1.0]], [4.0, HUGE, 1.0], [[0.5, 0.5, 1.0]]),
    ("tf.raw_ops.NthElement(x, 1)", [[4.0, 4.0, 1.0]], 4.0, [[0.5, 0.5, 0.0]]),
    ("tf.round(x)", [[0.5, 1.5, -2.5, 2.4]], [0.0, 2.0, -2.0, 2.0], [None]),
    ("tf.clip_by_value(x, 0., 1.)", [[0.0, 1.0, 2.0, -1.0]], [0.0, 1.0, 1.0, 0.0], [[1.0, 1.0, 0.0, 0.0]]),
    # kinks
    ("tf.abs(x)", [[0.0, -0.0, -2.0]], [0.0, 0.0, 2.0], [[0.0, 0.0, -1.0]]),
    ("tf.sign(x)", [[0.0, -3.0, nan]], [0.0, -1.0, 0.0], [[0.0, 0.0, 0.0]]),
    ("tf.nn.relu(x)", [[0.0, -1.0, nan, inf]], [0.0, 0.0, nan, inf], [[0.0, 0.0, 0.0, 1.0]]),
    ("tf.nn.relu6(x)", [[0.0, 6.0, 7.0, nan]], [0.0, 6.0, 6.0, nan], [[0.0, 0.0, 0.0, 0.0]]),
    ("tf.nn.elu(x)", [[0.0, -inf, inf]], [0.0, -1.0, inf], [[1.0, 0.0, 1.0]]),
    ("tf.nn.selu(x)", [[0.0, -inf, 1.0]], [0.0, -1.758099, 1.050701], [[1.050701, 0.0, 1.050701]]),
    ("tf.nn.leaky_relu(x, 0.5)", [[0.0, -inf, nan]], [0.0, -inf, nan], [[0.5, 0.5, 0.5]]),
    ("tf.nn.softplus(x)", [[1000.0, -1000.0, 0.0, inf]], [1000.0, 0.0, 0.6931472, inf], [[1.0, 0.0, 0.5, 1.0]]),
    ("tf.nn.softsign(x)", [[0.0, inf, -3.0]], [0.0, nan, -0.75], [[1.0, 0.0, 0.0625]]),
    # zeros, infinities and nan
    ("tf.sqrt(x)", [[0.0, inf, -1.0]], [0.0, inf, nan], [[inf, 0.0, nan]]),
    ("tf.where(x > 0., tf.sqrt(x), x)", [[0.0, 4.0]], [0.0, 2.0], [[1.0, 0.25]]),
    ("tf.rsqrt(x)", [[0.0, inf]], [inf, 0.0], [[-inf, -0.0]]),
    ("tf.reciprocal(x)", [[0.0, -0.0, inf]], [inf, -inf, 0.0], [[-inf, -inf, -0.0]]),
    ("tf.log(x)", [[0.0, -1.0, inf]], [-inf, nan, inf], [[inf, -1.0, 0.0]]),
    ("tf.log1p(x)", [[-1.0, inf]], [-inf, inf], [[inf, 0.0]]),
    ("tf.exp(x)", [[1000.0, -1000.0, nan]], [inf, 0.0, nan], [[inf, 0.0, nan]]),
    (
        "tf.pow(x, y)",
        [[0.0, 0.0, 0.0, -2.0, -8.0], [0.0, 2.0, -1.0, 3.0, 0.5]],
        [1.0, 0.0, inf, -8.0, nan],
        [[nan, 0.0, -inf, 12.0, nan], [0.0, 0.0, nan, -0.0, nan]],
    ),
    ("tf.div(x, y)", [[1.0, 0.0, -1.0], [0.0, 0.0, inf]], [inf, nan, -0.0], [[inf, inf, 0.0], [-inf, nan, 0.0]]),
    ("tf.div_no_nan(x, y)", [[1.0, 0.0, 3.0], [0.0, 0.0, inf]], [0.0, 0.0, 0.0], [[0.0, 0.0, 0.0], [0.0, 0.0, -0.0]]),
    ("tf.math.xlogy(x, y)", [[0.0, 0.0, 2.0], [0.0, -1.0, 0.0]], [0.0, 0.0, -inf], [[0.0, 0.0, -inf], [0.0, 0.0, inf]]),
    ("tf.math.xdivy(x, y)", [[0.0, 0.0, 2.0], [0.0, nan, 0.0]], [0.0, 0.0, inf], [[0.0, 0.0, inf], [0.0, 0.0, -inf]]),
    (
        "tf.floormod(x, y)",
        [[5.0, -5.0, 5.0, -5.0], [3.0, 3.0, -3.0, inf]],
        [2.0, 1.0, -1.0, inf],
        [[1.0, 1.0, 1.0, 1.0], [-1.0, 2.0, 2.0, 0.0]],
    ),
    ("tf.sigmoid(x)", [[inf, -inf, -1000.0, nan]], [1.0, 0.0, 0.0, nan], [[0.0, 0.0, 0.0, nan]]),
    ("tf.tanh(x)", [[inf, -inf, 30.0]], [1.0, -1.0, 1.0], [[0.0, 0.0, 0.0]]),
    (
        "tf.atan2(x, y)",
        [[0.0, 0.0, -0.0, 1.0], [0.0, -1.0, -1.0, 0.0]],
        [0.0, 3.141593, -3.141593, 1.570796],
        [[nan, -1.0, -1.0, 0.0], [nan, -0.0, 0.0, -1.0]],
    ),
    ("tf.asin(x)", [[1.0, -1.0, 2.0]], [1.570796, -1.570796, nan], [[inf, inf, nan]]),
    ("tf.acosh(x)", [[1.0, 0.5, inf]], [0.0, nan, inf], [[inf, nan, 0.0]]),
    ("tf.lgamma(x)", [[0.0, -1.0, inf, 1.0]], [inf, inf, inf, 0.0], [[inf, inf, inf, -0.5772159]]),
    ("tf.digamma(x)", [[0.0, -1.0, 1.0]], [inf, inf, -0.5772159], [[inf, inf, 1.644934]]),
    ("tf.erf(x)", [[inf, -inf, 0.0]], [1.0, -1.0, 0.0], [[0.0, 0.0, 1.128379]]),
    ("tf.igamma(x, y)", [[1.0, 1.0, 0.0], [0.0, inf, 1.0]], [0.0, 1.0, nan], [[0.0, -0.0, nan], [nan, nan, 0.0]]),
    ("tf.norm(x)", [[0.0, 0.0]], 0.0, [[nan, nan]]),
    ("tf.nn.l2_normalize(x)", [[0.0, 0.0]], [0.0, 0.0], [[1000000.0, 1000000.0]]),
    ("tf.reduce_prod(x)", [[0.0, 3.0, 4.0]], 0.0, [[12.0, 0.0, 0.0]]),
    ("tf.reduce_prod(x)", [[0.0, 3.0, 0.0]], 0.0, [[0.0, 0.0, 0.0]]),
    ("tf.cumprod(x)", [[2.0, 0.0, 4.0]], [2.0, 0.0, 0.0], [[1.0, nan, 0.0]]),
    ("tf.unsorted_segment_prod(x, [0, 0, 1], 2)", [[0.0, 3.0, 4.0]], [0.0, 4.0], [[3.0, 0.0, 1.0]]),
    ("tf.reduce_logsumexp(x)", [[-inf, -inf]], -inf, [[nan, nan]]),
    ("tf.reduce_logsumexp(x)", [[inf, 1.0]], inf, [[nan, 0.0]]),
    (
        "tf.nn.softmax(x)",
        [[[inf, 1.0], [-inf, 0.0], [1000.0, 999.0]]],
        [[nan, nan], [0.0, 1.0], [0.7310586, 0.2689414]],
        [[[nan, nan], [0.0, 0.0], [0.0, 0.0]]],
    ),
    (
        "tf.nn.log_softmax(x)",
        [[[-inf, 0.0], [1000.0, 999.0]]],
        [[-inf, 0.0], [-0.3132617, -1.313262]],
        [[[1.0, -1.0], [-0.4621172, 0.4621171]]],
    ),
    (
        "tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=x)",
        [[1000.0, -1000.0, 0.0], [1.0, 1.0, 0.0]],
        [0.0, 1000.0, 0.6931472],
        [[0.0, -1.0, 0.5], [-1000.0, 1000.0, -0.0]],
    ),
    ("tf.is_finite(x)", [[inf, nan, 1.0]], [False, False, True], [None]),
    ("tf.reduce_max(x)", [[nan, 1.0]], 1.0, [[0.0, 1.0]]),
    ("tf.reduce_max(x)", [[1.0, nan]], 1.0, [[1.0, 0.0]]),
    ("tf.maximum(x, y)", [[nan, 1.0], [1.0, nan]], [nan, 1.0], [[0.0, 0.0], [1.0, 1.0]]),
    ("tf.cast(x, tf.int32)", [[2.9, -2.9, 0.5]], [2, -2, 0], [None]),
    ("tf.argmax(x)", [[1.0, nan, 3.0]], 2, [None]),
    ("tf.argmax(x)", [[nan, nan]], 0, [None]),
    ("tf.argmax(x, 1)", [[[nan, 1.0], [2.0, nan]]], [1, 0], [None]),
    ("tf.argmin(x)", [[nan, -inf]], 1, [None]),
    ("tf.argmin(x)", [[nan, inf]], 0, [None]),
    ("tf.reduce_max(x, 0)", [[[nan, 1.0], [nan, nan]]], [-inf, 1.0], [[[nan, 1.0], [nan, 0.0]]]),
    ("tf.reduce_min(x, 1)", [[[nan], [2.0]]], [nan, 2.0], [[[nan], [1.0]]]),
    # nothing
    ("tf.reduce_sum(x)", [[]], 0.0, [[]]),
    ("tf.reduce_mean(x)", [[]], nan, [[]]),
    ("tf.reduce_prod(x)", [[]], 1.0, [[]]),
    ("tf.reduce_max(x)", [[]], -inf, [[]]),
    ("tf.reduce_min(x)", [[]], inf, [[]]),
    ("tf.reduce_all(x > 0.)", [[]], True, [None]),
    ("tf.reduce_logsumexp(x)", [[]], -inf, [[]]),
    ("tf.reduce_max(tf.cast(x, tf.int32))", [[]], -2147483648, [None]),
    ("tf.nn.l2_loss(x)", [[]], 0.0, [[]]),
    ("tf.cumsum(x)", [[]], [], [[]]),
    ("tf.matmul(tf.reshape(x, [2, 0]), tf.reshape(y, [0, 3]))", [[], []], [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], [[], []]),
    ("tf.matrix_determinant(tf.reshape(x, [0, 0]))", [[]], 1.0, [[]]),
    ("tf.concat([x, y], 0)", [[], [1.0]], [1.0], [[], [1.0]]),
    ("tf.stack([x, x])", [[]], [[], []], [[]]),
    ("tf.segment_sum(x, tf.zeros([0], tf.int32))", [[]], [], [[]]),
    ("tf.unsorted_segment_max(x, tf.zeros([0], tf.int32), 2)", [[]], [-HUGE, -HUGE], [[]]),
    ("tf.unsorted_segment_mean(x, tf.zeros([0], tf.int32), 2)", [[]], [0.0, 0.0], [[]]),
    ("tf.gather(x, tf.zeros([0], tf.int32))", [[1.0, 2.0]], [], [[0.0, 0.0]]),
    ("tf.boolean_mask(x, x > 5.)", [[1.0, 2.0]], [], [[0.0, 0.0]]),
    ("tf.shape(tf.nn.softmax(tf.reshape(x, [0, 3])))", [[]], [0, 3], [None]),
    ("tf.nn.top_k(x, 0).values", [[1.0, 2.0]], [], [[0.0, 0.0]]),
    ("tf.shape(tf.where(x > 0.))", [[-1.0]], [0, 1], [None]),
    ("tf.reverse(x, [0])", [[]], [], [[]]),
    ("tf.tile(x, [0])", [[1.0, 2.0]], [], [[0.0, 0.0]]),
    ("tf.reduce_sum(x, [])", [[1.0, 2.0]], [1.0, 2.0], [[1.0, 1.0]]),
    ("tf.reduce_join(tf.as_string(x), 0)", [[]], b"", [None]),
]


@pytest.mark.smoke
@pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices")
@pytest.mark.parametrize(("expression", "inputs", "value", "slopes"), POINTS, ids=[f"{p[0]} of {p[1]}" for p in POINTS])
def test_as_recorded(expression: str, inputs: list[Any], value: Any, slopes: list[Any]) -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        xs = [tf.constant(x, tf.float32) for x in inputs]
        y = eval(expression, {"tf": tf, **dict(zip("xy", xs, strict=False))})
        _check(sess.run(y), value)
        if y.dtype.is_floating:
            for dx, slope in zip(tf.gradients(y, xs), slopes, strict=True):
                assert (dx is None) == (slope is None)
                if dx is not None:
                    _check(sess.run(tf.convert_to_tensor(dx)), slope)


def _check(got: Any, want: Any) -> None:
    got, want = np.asarray(got), np.asarray(want)
    assert got.shape == want.shape
    if got.dtype.kind == "f":
        np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-7)
    else:
        assert got.tolist() == want.tolist()


def test_softplus_rounds_as_in_tensorflow() -> None:
    """Recorded: log(exp(x) + 1) in float32, whose sum loses most of exp(x); beyond the precision exp(x) and x alone."""
    with tf.Session() as session:
        y = session.run(tf.nn.softplus(tf.constant([-13.9, -13.95, -10.0, 13.9, 13.95])))
    np.testing.assert_allclose(
        y, [9.536738616588991e-07, 8.741622536945215e-07, 4.541770613286644e-05, 13.9, 13.95], 1e-6
    )
