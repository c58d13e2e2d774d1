"""Runs: what is executed, in which order, and what is kept."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from retrograd import tf


def test_an_op_that_only_has_to_be_run_is_run() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [None])
        with tf.control_dependencies([tf.check_numerics(x, "x")]):
            y = tf.identity(x * 2.0)
        for _ in range(6):  # the general plan, and the one specialised for the shapes
            assert sess.run(y, {x: [1.0]}).tolist() == [2.0]
        with pytest.raises(tf.errors.InvalidArgumentError, match="x : Tensor had NaN values"):
            sess.run(y, {x: [np.nan]})


def test_shapes_of_feeds_may_change_from_run_to_run() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [None, 2])
        w = tf.Variable([[1.0], [2.0]])
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w)))
        gradient = tf.gradients(loss, w)[0]
        sess.run(w.initializer)
        for n in (1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 2):
            fed = np.arange(2.0 * n).reshape(n, 2)
            want = 2 * fed.T @ (fed @ [[1.0], [2.0]]) / n
            np.testing.assert_allclose(sess.run(gradient, {x: fed}), want, rtol=1e-5)


def test_shape_that_depends_on_data_is_never_taken_for_constant() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [4])
        count = tf.shape(tf.boolean_mask(x, x > 0.0))[0]
        for fed, want in [([1, 1, 1, 1], 4), ([1, -1, 1, 1], 3), ([-1, -1, -1, 1], 1)] * 4:
            assert sess.run(count, {x: fed}) == want


def test_fetch_structures() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        a, b = tf.constant(1.0, name="a"), tf.constant([2.0, 3.0], name="b")
        got = sess.run({"x": a, "y": [b, (a, "b:0")], "z": a.op})
        assert got["x"] == 1.0
        assert got["y"][0].tolist() == [2.0, 3.0]
        assert isinstance(got["y"][1], tuple)
        assert got["z"] is None
        assert sess.run([]) == []
        assert isinstance(sess.run(a), np.float32)


def test_fetched_arrays_are_the_users_own() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.Variable([1.0, 2.0])
        c = tf.constant([1.0, 2.0])
        sess.run(v.initializer)
        for tensor in (v, c, tf.identity(c)):
            sess.run(tensor)[:] = 9.0
            assert sess.run(tensor).tolist() == [1.0, 2.0]


def test_make_callable() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [])
        double = sess.make_callable(x * 2.0, [x])
        assert double(3.0) == 6.0


def test_any_tensor_can_be_fed() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        c = tf.constant(1.0)
        y = tf.square(c + 1.0, name="y")
        assert sess.run([c, y], {c: 4.0}) == [4.0, 25.0]
        assert sess.run(y, {"add:0": 3.0}) == 9.0
        assert sess.run(y, {y: 7.0}) == 7.0


def test_threads_share_a_session() -> None:
    with tf.Graph().as_default() as graph:
        v = tf.Variable(0)
        step = v.assign_add(1)
        init = v.initializer
    with tf.Session(graph=graph) as sess:
        sess.run(init)
        threads = [threading.Thread(target=lambda: [sess.run(step) for _ in range(200)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sess.run(v) == 800


def test_two_sessions_have_their_own_variables() -> None:
    with tf.Graph().as_default() as graph:
        v = tf.Variable(1.0)
        with tf.Session(graph=graph) as one, tf.Session(graph=graph) as other:
            one.run(v.initializer)
            other.run(v.initializer)
            one.run(v.assign(5.0))
            assert (one.run(v), other.run(v)) == (5.0, 1.0)
