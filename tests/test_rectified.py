"""The gradient of a rectifier in front of max pooling, taken behind the pooling: the same numbers."""

import numpy as np
import pytest

from retrograd import tf
from retrograd.run.plan import Plan
from retrograd.run.rectified import Rectified

X = np.random.RandomState(0).randint(-9, 9, (2, 9, 9, 3)).astype(np.float32)  # many are equal, and many negative
X[0, 0:3, 0:3] = np.nan


def program(rectifier, size, stride, padding):
    x = tf.placeholder(tf.float32, X.shape)
    y = rectifier(x)
    pooled = tf.nn.max_pool(y, [1, size, size, 1], [1, stride, stride, 1], padding)
    weights = np.random.RandomState(1).randn(*pooled.shape.as_list()).astype(np.float32)
    (dx,) = tf.gradients(tf.reduce_sum(pooled * weights), x)
    return x, pooled, dx


def found(fetches, feeds=()):
    plan = Plan(fetches, [], feeds)
    return Rectified(plan.ops, plan.feeds, plan.fetches)


@pytest.mark.parametrize("tier", ["never", "always"])
@pytest.mark.parametrize("rectifier", [tf.nn.relu, tf.nn.relu6])
@pytest.mark.parametrize(("size", "stride", "padding"), [(2, 2, "SAME"), (3, 2, "VALID"), (3, 1, "SAME")])
def test_gradients_are_those_of_the_ops_in_turn(tier, rectifier, size, stride, padding, monkeypatch):
    monkeypatch.setenv("RETROGRAD_JIT", tier)
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        x, _, dx = program(rectifier, size, stride, padding)
        (pooling,) = [op for op in graph.get_operations() if op.type == "MaxPoolGrad"]
        assert found([dx], [x]).by_pooling == {pooling: dx.op}
        assert not found([dx, pooling.outputs[0]], [x]).by_pooling
        for values in (X, X - 3, X + 3):
            want, _ = sess.run([dx, pooling.outputs[0]], {x: values})
            np.testing.assert_array_equal(sess.run(dx, {x: values}), want)


def test_only_where_nobody_sees_the_difference():
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        x, pooled, dx = program(tf.nn.relu, 2, 2, "SAME")
        (between,) = [op.outputs[0] for op in graph.get_operations() if op.type == "MaxPoolGrad"]
        assert found([dx], [x]).by_pooling
        assert not found([dx], [x, pooled]).by_pooling
        assert not found([dx], [x, between]).by_pooling
        assert not found([dx, tf.reduce_sum(between)], [x]).by_pooling
        ones = np.ones(between.shape.as_list(), np.float32)
        np.testing.assert_array_equal(sess.run(dx, {x: X, between: ones}), X > 0)


def test_other_activations_stay_behind_the_pooling():
    with tf.Graph().as_default():
        for other in (tf.nn.elu, tf.nn.leaky_relu, lambda x: tf.nn.relu(tf.identity(x)) * 2):
            x, _, dx = program(other, 2, 2, "SAME")
            assert not found([dx], [x]).by_pooling


def test_second_derivatives():
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.constant(np.nan_to_num(X))
        pooled = tf.nn.max_pool(tf.nn.relu(x), [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
        (dx,) = tf.gradients(pooled**3, x)
        (d2x,) = tf.gradients(dx**2, x)
        step = 1e-2
        (far,) = tf.gradients(
            tf.nn.max_pool(tf.nn.relu(x + step * tf.sign(dx)), [1, 2, 2, 1], [1, 2, 2, 1], "SAME") ** 3, x
        )
        first, second, moved = sess.run([dx, d2x, far])
        np.testing.assert_allclose(2 * first * (moved - first) / step, second, rtol=0.1, atol=1e-3)
