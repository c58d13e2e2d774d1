"""A plan as a pure function: the same numbers as a session's, and a clear word where there is none."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest

from retrograd import tf
from retrograd.ops.streams import Stream
from retrograd.run.lowering import Lowered, NotLowered
from retrograd.run.plan import Plan


@pytest.mark.parametrize("use_resource", [False, True])
def test_variables_are_arguments(use_resource: bool) -> None:
    with tf.Graph().as_default(), tf.Session() as sess, jax.enable_x64(True):
        x = tf.placeholder(tf.float64, [None, 2])
        w = tf.get_variable("w", initializer=np.arange(6.0).reshape(2, 3), use_resource=use_resource)
        y = tf.nn.softmax(tf.matmul(x, w))
        fetches = [y, tf.gradients(y[:, 0], w)[0], tf.shape(y)]
        lowered = Lowered(Plan(fetches, (), [x]))
        assert [op.name for op in lowered.variables] == ["w"]
        sess.run(tf.global_variables_initializer())
        for value in (sess.run(w), np.ones((2, 3))):
            feed = np.array([[0.1, 0.2], [0.3, -0.4], [0.0, 1.0]])
            got = jax.jit(lowered)([feed], [value])
            sess.run(w.assign(value))
            for mine, theirs in zip(got, sess.run(fetches, {x: feed}), strict=True):
                np.testing.assert_allclose(mine, theirs, atol=1e-15)


def test_random_ops_draw_from_the_streams_that_they_are_given() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        noise = tf.random_uniform([5], seed=3)
        y = 2.0 * noise
        lowered = Lowered(Plan([y], (), []))
        op = lowered.random[0]
        first = Stream.of(op.attrs["seed"], op.attrs["seed2"])

        def drawn(counter: Any) -> Any:
            stream = Stream(first.key, counter)
            return lowered([], streams=[stream])[0], stream.value

        with jax.enable_x64(True):
            one, counter = jax.jit(drawn)(first.value)
            two, _ = jax.jit(drawn)(counter)
        np.testing.assert_array_equal(one, sess.run(y))
        np.testing.assert_array_equal(two, sess.run(y))


def test_what_shapes_a_result_is_given_as_an_array() -> None:
    with tf.Graph().as_default():
        x, axis = tf.placeholder(tf.float32, [2, 3]), tf.placeholder(tf.int32, [])
        lowered = Lowered(Plan([tf.reduce_sum(x, axis)], (), [x, axis]))
        assert lowered.static == {axis}
        got = jax.jit(lambda v: lowered([v, np.int32(1)]))(np.ones((2, 3), np.float32))
        np.testing.assert_array_equal(got[0], [3, 3])
        with pytest.raises(NotLowered, match=r"the value of \S+ shapes its result, and follows from what is traced"):
            jax.jit(lambda v, a: lowered([v, a]))(np.ones((2, 3), np.float32), np.int32(1))


def test_what_cannot_be_lowered_says_so() -> None:
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [], name="x")
        sine = tf.py_func(np.sin, [x], tf.float32, name="sine")
        with pytest.raises(NotLowered, match=r"'sine' \(op type: PyFunc\) .*: it runs on the host") as caught:
            Lowered(Plan([sine], (), [x]))
        assert "Fix:   fetch it with sess.run(...)" in str(caught.value)
        with pytest.raises(NotLowered, match=r"'x' \(op type: Placeholder\) cannot be lowered: it is not fed"):
            Lowered(Plan([x + 1.0], (), []))
        lowered = Lowered(Plan([tf.unique(x[None])[0]], (), [x]))
        with pytest.raises(NotLowered, match=r"op type: Unique"):
            jax.jit(lowered)([np.float32(1)])
