"""``tf.GradientTape`` in graphs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.eager.context import eager_mode


@pytest.fixture(autouse=True)
def sess() -> Any:
    with tf.Graph().as_default(), tf.Session() as sess:
        yield sess


def test_watched_tensors_and_variables(sess: Any) -> None:
    x = tf.constant([3.0, 4.0])
    v = tf.get_variable("v", [], use_resource=True, initializer=tf.constant_initializer(5.0))
    r = tf.get_variable("r", [], use_resource=False, initializer=tf.constant_initializer(2.0))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x * v + r * x
    assert tape.watched_variables() == (v, r)
    found = tape.gradient(y, {"x": x, "variables": [v, r]}, output_gradients=tf.constant([1.0, 2.0]))
    sess.run(tf.global_variables_initializer())
    values = sess.run(found)
    assert values["x"].tolist() == [32.0, 84.0]
    assert values["variables"] == [41.0, 11.0]


def test_only_what_is_recorded_counts(sess: Any) -> None:
    x = tf.constant(3.0)
    before = x * x
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = before * x
        with tape.stop_recording():
            unseen = x * x
        z = unseen * x
    assert sess.run([tape.gradient(y, x), tape.gradient(z, x)]) == [9.0, 9.0]
    assert tape.gradient(unseen, x) is None
    assert tape.gradient(x * 2.0, x) is None


def test_what_is_not_watched_has_no_gradient(sess: Any) -> None:
    x, z = tf.constant(3.0), tf.constant(2.0)
    v = tf.get_variable("v", [], use_resource=True)
    with tf.GradientTape(persistent=True, watch_accessed_variables=False) as tape:
        tape.watch(x)
        y = x * z * v
    assert tape.gradient(y, [z, v]) == [None, None]
    assert sess.run(tape.gradient(y, z, unconnected_gradients="zero")) == 0.0
    assert tape.watched_variables() == ()


def test_intermediate_results(sess: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        z = tf.sin(y)
    assert sess.run(tape.gradient(z, y)) == pytest.approx(np.cos(9.0))
    assert sess.run(tape.gradient(z, [x, y])) == pytest.approx([6 * np.cos(9.0), np.cos(9.0)])


def test_tapes_in_tapes(sess: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x**3
        dy = inner.gradient(y, x)
    assert sess.run([dy, outer.gradient(dy, x)]) == [27.0, 18.0]


def test_a_tape_that_is_not_persistent_is_read_once() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    tape.gradient(y, x)
    with pytest.raises(RuntimeError, match="can only be called once on non-persistent tapes") as caught:
        tape.gradient(y, x)
    assert "persistent=True" in caught.value.__notes__[0]


def test_reset_and_misuse(sess: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        tape.reset()
        tape.watch(x)
        z = y + x
        with pytest.raises(ValueError, match="Tape is already recording"):
            tape.__enter__()
    assert sess.run(tape.gradient(z, x)) == 1.0
    with pytest.raises(RuntimeError, match="not recording"), tape.stop_recording():
        pass
    with pytest.raises(ValueError, match="Passed in object of type"):
        tape.watch(3.0)


def test_custom_gradients_and_recomputation(sess: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.variable_scope("scope", use_resource=True):
        w = tf.get_variable("w", [2], initializer=tf.constant_initializer(3.0))
        with tf.GradientTape(persistent=True) as tape:
            tape.watch([x, w])
            y = tf.recompute_grad(lambda x: tf.square(x * w))(x)
            z = tf.square(x * w)
    sess.run(w.initializer)
    for source in (x, w):
        np.testing.assert_array_equal(*sess.run([tape.gradient(y, source), tape.gradient(z, source)]))


def test_jacobians(sess: Any) -> None:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
    whole, rows = sess.run([tape.jacobian(y, x), tape.batch_jacobian(y, x)])
    assert whole.shape == (2, 2, 2, 2)
    assert rows.tolist() == [[[2.0, 0.0], [0.0, 4.0]], [[6.0, 0.0], [0.0, 8.0]]]


def test_nothing_flows_through_what_was_built_before(sess: Any) -> None:
    x = tf.constant(10.0)
    same = tf.identity(x)
    with tf.GradientTape() as tape:
        tape.watch([x, same])
        y = 2.0 * x + 3.0 * same
    assert sess.run(tape.gradient(y, [x, same])) == [2.0, 3.0]


def test_an_argument_that_is_passed_twice_is_two_arguments() -> None:
    with eager_mode():
        x = tf.constant(3.0)
        dx, dy = tf.contrib.eager.gradients_function(lambda x, y: x * y * y)(x, x)
        assert (dx.numpy(), dy.numpy()) == (9.0, 18.0)


def test_rows_of_jacobians_have_columns() -> None:
    with eager_mode():
        x = tf.ones([2, 3])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        with pytest.raises(ValueError, match="must have rank at least 2"):
            tape.batch_jacobian(y, x[:, 0])
        with pytest.raises(RuntimeError, match="persistent=True to compute the batch_jacobian"):
            tape.batch_jacobian(y, x, experimental_use_pfor=False)


def test_what_entered_a_loop_before_the_block_is_watched() -> None:
    v = tf.Variable(3.0, use_resource=True)

    def body(x: Any) -> Any:
        before = v + 1.0
        with tf.GradientTape() as tape:
            y = v * v * x
        return x + tape.gradient(y, v) + 0.0 * before

    end = tf.while_loop(lambda x: x < 5.0, body, [1.0])
    with tf.Session() as sess:
        sess.run(v.initializer)
        assert sess.run(end) == 7.0


def test_what_entered_a_branch_before_the_block_is_watched() -> None:
    x = tf.constant(3.0)

    def branch() -> Any:
        before = x + 1.0
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        return tape.gradient(y, x) + 0.0 * before

    with tf.Session() as sess:
        assert sess.run(tf.cond(x > 2.0, branch, lambda: 0.0)) == 6.0


def test_a_function_built_beside_its_graph_differentiates_by_the_variables_that_it_captures() -> None:
    v = tf.Variable(3.0, use_resource=True)

    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            y = v * v * x
        assert tape.watched_variables() == (v,)
        return tape.gradient(y, v)

    with tf.Session() as sess:
        sess.run(v.initializer)
        assert sess.run(slope.get_concrete_function()(tf.constant(2.0))) == 12.0
