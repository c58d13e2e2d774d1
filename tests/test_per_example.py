"""The gradient of each example's loss: against a Jacobian, and their sum against the gradient."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_properties import built, programs, quick

import retrograd
from retrograd import tf
from retrograd.derivatives.mapping import _pieces

few = settings(quick, max_examples=12)  # each is compiled


def check(sess: Any, losses: Any, xs: list[Any], feeds: Any = None) -> None:
    """The rows are those of the Jacobian, and add up to the gradient."""
    rows = retrograd.per_example_gradients(losses, xs)
    whole = retrograd.jacobian(losses, xs)
    together = [None if g is None else tf.convert_to_tensor(g) for g in tf.gradients(losses, xs)]
    sess.run(tf.global_variables_initializer())
    for row, j, g, x in zip(rows, whole, together, xs, strict=True):
        assert (row is None) == (g is None)
        if row is not None:
            assert row.shape.is_compatible_with(losses.shape[:1].concatenate(x.shape))
            got, want, total = sess.run([row, j, g], feeds)
            np.testing.assert_allclose(got, want.reshape(got.shape), atol=1e-12)
            np.testing.assert_allclose(got.sum(0), total, atol=1e-12)


@few
@given(programs(), st.sampled_from([tf.reduce_sum, tf.reduce_max]))
def test_of_any_program(recipe: Any, reduce: Any) -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.constant(np.linspace(-1.0, 1.0, 6).reshape(2, 3))
        bias = tf.constant([0.3, -0.2, 0.5], tf.float64)
        y = built(recipe, [x, bias])
        if y.shape.ndims == 2:
            check(sess, reduce(y, 1), [x, bias])


def weights(*shape: int, seed: int = 0, **more: Any) -> Any:
    return tf.Variable(np.random.RandomState(seed).randn(*shape), **more)


def dense(x: Any) -> tuple[Any, list[Any]]:
    w, b, v = weights(6, 4), weights(4), weights(4, 3, use_resource=True)
    return tf.matmul(tf.tanh(tf.nn.bias_add(tf.matmul(x, w), b)), v) / tf.norm(v), [w, b, v]


def embedding(x: Any) -> tuple[Any, list[Any]]:
    table, v = weights(3, 2), weights(2, 3, use_resource=True)
    ids = tf.cast(x[:, :3] > 0, tf.int32)
    return tf.reduce_sum(tf.nn.embedding_lookup(tf.matmul(table, v), ids) ** 3, 1), [table, v]


def recurrent(x: Any) -> tuple[Any, list[Any]]:
    w, u, h = weights(2, 3), weights(3, 3), tf.zeros([tf.shape(x)[0], 3], tf.float64)
    for step in tf.unstack(tf.reshape(x, [-1, 3, 2]), axis=1):
        h = tf.tanh(tf.concat([tf.matmul(step, w)[:, :2], tf.matmul(h, u)[:, 2:]], 1) + tf.matmul(h, u))
    return h, [w, u]


def normalized_over_the_batch(x: Any) -> tuple[Any, list[Any]]:
    w = weights(6, 3)
    h = tf.matmul(x, w)
    mean, variance = tf.nn.moments(h, [0])
    return (h - mean) / tf.sqrt(variance + 0.1), [w]


def with_dropout(x: Any) -> tuple[Any, list[Any]]:
    w = weights(6, 3)
    return tf.nn.dropout(tf.matmul(x, w), rate=0.0) * tf.transpose(tf.transpose(x[:, None, :3, None]))[:, 0, :, 0], [w]


def convolutional(x: Any) -> tuple[Any, list[Any]]:
    w, b, v = weights(2, 2, 1, 3), weights(3), weights(9, 3)
    images = tf.pad(tf.reshape(x, [-1, 2, 3, 1]), [[0, 0], [1, 1], [1, 0], [0, 0]])
    h = tf.nn.relu(tf.nn.bias_add(tf.nn.conv2d(images, w, [1, 1, 1, 1], "SAME"), b))
    h = tf.nn.max_pool(h, [1, 2, 2, 1], [1, 2, 2, 1], "VALID")
    h = tf.concat([tf.reshape(h, [-1, 12])[:, :6], tf.tile(h[:, 0, 0], [1, 1])], 1)
    return tf.matmul(h, v), [w, b, v]


@pytest.mark.parametrize(
    "network", [dense, embedding, recurrent, convolutional, normalized_over_the_batch, with_dropout]
)
def test_of_networks(network: Any) -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x, labels = tf.placeholder(tf.float64, [None, 6]), tf.placeholder(tf.int32, [None])
        logits, variables = network(x)
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
        losses += 0.1 * tf.reduce_sum(variables[0] ** 2)
        check(sess, losses, [*variables, x], {x: np.random.RandomState(2).randn(4, 6), labels: [0, 2, 1, 0]})


def test_examples_are_told_apart_only_where_variables_are_read() -> None:
    """What is mapped over the examples reads one example each, and nothing of the whole batch."""
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [None, 8])
        h = x
        for _ in range(10):
            h = tf.nn.relu(
                tf.matmul(h, tf.Variable(np.eye(8, dtype=np.float32))) + tf.Variable(np.zeros(8, np.float32))
            )
        retrograd.per_example_gradients(tf.reduce_sum(h, 1), tf.trainable_variables())
        (op,) = [op for op in graph.get_operations() if op.type == "Vectorized"]
        piece = _pieces[op.attrs["token"]]
        assert all(row.shape.as_list()[0] == 1 for row in piece.rows)
        assert all(None not in t.shape.as_list() for t in piece.captured)
        assert len(piece.plan.ops) < 20 * 10


def test_they_can_be_clipped_one_by_one_and_applied() -> None:
    """The step of differentially private learning."""
    with tf.Graph().as_default(), tf.Session() as sess:
        w = tf.Variable([1.0, -1.0])
        losses = tf.reduce_sum(w * tf.constant([[3.0, 4.0], [0.3, 0.4]]), 1)
        (rows,) = retrograd.per_example_gradients(losses, [w])
        clipped = tf.map_fn(lambda g: tf.clip_by_norm(g, 1.0), rows)
        train = tf.train.GradientDescentOptimizer(1.0).apply_gradients([(tf.reduce_sum(clipped, 0), w)])
        sess.run(tf.global_variables_initializer())
        sess.run(train)
        np.testing.assert_allclose(sess.run(w), [1 - 0.9, -1 - 1.2], atol=1e-6)


def test_they_are_differentiable_again() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        w = tf.constant([0.5, -1.0], tf.float64)
        x = tf.constant([[1.0, 2.0], [3.0, -1.0]], tf.float64)
        losses = tf.reduce_sum(w * x, 1) ** 3
        (rows,) = retrograd.per_example_gradients(losses, w)
        variance = tf.reduce_sum(tf.nn.moments(rows, [0])[1])
        dw, dx = sess.run(tf.gradients(variance, [w, x]))

        def by_hand(w: Any, x: Any) -> Any:
            rows = 3 * np.sum(w * x, 1, keepdims=True) ** 2 * x
            return np.sum(rows.var(0))

        for got, at in ((dw, 0), (dx, 1)):
            point = [np.array([0.5, -1.0]), np.array([[1.0, 2.0], [3.0, -1.0]])]
            want = np.zeros_like(point[at])
            for i in np.ndindex(want.shape):
                sides = []
                for step in (1e-6, -1e-6):
                    moved = [p.copy() for p in point]
                    moved[at][i] += step
                    sides.append(by_hand(*moved))
                want[i] = (sides[0] - sides[1]) / 2e-6
            np.testing.assert_allclose(got, want, rtol=1e-6)


def test_a_rule_of_the_user_may_mix_the_examples() -> None:
    @tf.RegisterGradient("MeanOverTheBatch")
    def _mean(op: Any, dy: Any) -> Any:
        return dy - tf.reduce_mean(dy, 0, keepdims=True)

    with tf.Graph().as_default() as graph, tf.Session() as sess:
        w, x = weights(2, 2), tf.constant([[1.0, 2.0], [3.0, 4.0], [0.0, 1.0]], tf.float64)
        with graph.gradient_override_map({"Identity": "MeanOverTheBatch"}):
            y = tf.identity(tf.matmul(x, w))
        check(sess, tf.reduce_sum(y**2, 1), [w])


def test_losses_need_a_batch() -> None:
    x = tf.constant([1.0, 2.0])
    with pytest.raises(ValueError, match="one loss for each example") as caught:
        retrograd.per_example_gradients(tf.reduce_mean(x), [x])
    assert "before tf.reduce_mean" in caught.value.__notes__[0]


def test_without_a_way_there_is_none() -> None:
    assert retrograd.per_example_gradients(tf.constant([1.0]), [tf.constant([1.0])]) == [None]
