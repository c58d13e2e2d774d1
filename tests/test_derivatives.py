"""Jacobians, products with Hessians: each against gradients taken one by one, and differentiated again."""

from __future__ import annotations

import doctest
import importlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_properties import built, programs, quick

import retrograd
from retrograd import tf

few = settings(quick, max_examples=12)  # each is compiled


@pytest.mark.parametrize("module", ["checkpoints", "examples", "hessians", "jacobians"])
def test_examples_run(module: str) -> None:
    assert doctest.testmod(importlib.import_module(f"retrograd.derivatives.{module}")).failed == 0


def row_by_row(sess: Any, y: Any, x: Any, feeds: Any = None) -> np.ndarray:
    """The Jacobian from one gradient for each element of ``y``."""
    count = int(np.prod(sess.run(tf.shape(y), feeds)))
    rows = [tf.gradients(tf.reshape(y, [-1])[i], x, unconnected_gradients="zero")[0] for i in range(count)]
    values = np.array(sess.run([tf.convert_to_tensor(r) for r in rows], feeds))
    return values.reshape(*sess.run(tf.shape(y), feeds), *values.shape[1:])


@few
@given(programs())
def test_rows_of_the_jacobian_are_gradients(recipe: Any) -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.constant(np.linspace(-1.0, 1.0, 6).reshape(2, 3))
        bias = tf.constant([0.3, -0.2, 0.5], tf.float64)
        y = built(recipe, [x, bias])
        for by in (x, bias):
            got = sess.run(retrograd.jacobian(y, by, unconnected_gradients="zero"))
            np.testing.assert_allclose(got, row_by_row(sess, y, by), atol=1e-12)


@few
@given(programs(), st.integers(0, 5))
def test_a_hessian_vector_product_is_a_jacobian_of_a_gradient(recipe: Any, seed: int) -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.constant(np.linspace(-1.0, 1.0, 6).reshape(2, 3))
        y = built(recipe, [x, tf.constant([0.3, -0.2, 0.5], tf.float64)])
        v = np.random.RandomState(seed).randn(2, 3)
        (product,) = retrograd.hessian_vector_product(y, [x], [tf.constant(v)])
        dx = tf.gradients(y, x, unconnected_gradients="zero")[0]
        hessian = sess.run(retrograd.jacobian(dx, x, unconnected_gradients="zero"))
        got = np.zeros_like(v) if product is None else sess.run(product)
        np.testing.assert_allclose(got, np.einsum("ijkl,kl->ij", hessian, v), atol=1e-9)


def network(features: Any, units: int, dtype: Any = tf.float64) -> tuple[Any, list[Any]]:
    """A layer of ``tanh`` with its two variables."""
    w = tf.Variable(np.random.RandomState(1).randn(features.shape[1].value, units), dtype=dtype)
    b = tf.Variable(np.linspace(-0.5, 0.5, units), dtype=dtype)
    return tf.tanh(tf.matmul(features, w) + b), [w, b]


def test_jacobian_sees_feeds_and_variables() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float64, [None, 2])
        y, variables = network(x, 3)
        jacobians = retrograd.jacobian(y, {"x": x, "variables": variables})
        assert jacobians["x"].shape.as_list() == [None, 3, None, 2]
        sess.run(tf.global_variables_initializer())
        for batch in (1, 4):
            feeds = {x: np.random.RandomState(batch).randn(batch, 2)}
            for got, by in zip([jacobians["x"], *jacobians["variables"]], [x, *variables], strict=True):
                np.testing.assert_allclose(sess.run(got, feeds), row_by_row(sess, y, by, feeds), atol=1e-12)
        sess.run(variables[0].assign(variables[0] * 2.0))
        np.testing.assert_allclose(sess.run(jacobians["x"], feeds), row_by_row(sess, y, x, feeds), atol=1e-12)


def test_jacobian_of_resource_variables_and_rows_of_a_table() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        table = tf.get_variable("table", initializer=np.random.RandomState(0).randn(4, 2), use_resource=True)
        y = tf.reduce_sum(tf.square(tf.gather(table, [3, 1, 3])), 1)
        j = retrograd.jacobian(y, table)
        sess.run(tf.global_variables_initializer())
        np.testing.assert_allclose(sess.run(j), row_by_row(sess, y, table))


def test_jacobian_is_differentiable_again_to_any_order() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float64, [1, 2])
        y, (w, b) = network(x, 3)
        penalty = tf.reduce_sum(tf.square(retrograd.jacobian(y, x)))  # of contractive autoencoders
        once = tf.gradients(penalty, [w, x])
        twice = tf.gradients(tf.reduce_sum(once[0] ** 2), [w, x])
        train = tf.train.GradientDescentOptimizer(0.01).minimize(penalty, var_list=[w])
        sess.run(tf.global_variables_initializer())
        feeds = {x: [[0.3, -0.4]]}
        got, at_w, at_b = sess.run([[penalty, *once, *twice], w, b], feeds)
        for mine, theirs in zip(got, penalties_by_jax(np.array(feeds[x]), at_w, at_b), strict=True):
            np.testing.assert_allclose(mine, theirs, atol=1e-12)
        sess.run(train, feeds)
        assert sess.run(penalty, feeds) < got[0]


def penalties_by_jax(x: Any, w: Any, b: Any) -> list[Any]:
    """The penalty above, its derivatives by w and x, and those of the squared norm of the first of these."""
    import jax
    import jax.numpy as jnp

    def penalty(w: Any, x: Any) -> Any:
        return jnp.sum(jax.jacobian(lambda x: jnp.tanh(x @ w + b))(x) ** 2)

    def steepness(w: Any, x: Any) -> Any:
        return jnp.sum(jax.grad(penalty)(w, x) ** 2)

    with jax.enable_x64(True):
        w, x = jnp.asarray(w), jnp.asarray(x)
        return [penalty(w, x), *jax.grad(penalty, (0, 1))(w, x), *jax.grad(steepness, (0, 1))(w, x)]


def test_jacobian_of_a_jacobian_is_the_hessian() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.constant([0.5, -1.0, 2.0], tf.float64)
        y = tf.reduce_prod(x) + x[0] ** 3
        hessian = sess.run(retrograd.jacobian(retrograd.jacobian(y, x), x))
    np.testing.assert_allclose(hessian, [[3, 2, -1], [2, 0, 0.5], [-1, 0.5, 0]], atol=1e-12)


def test_jacobian_of_a_host_function_runs_row_by_row() -> None:
    @tf.RegisterGradient("HalvedOnTheHost")
    def _halved(op: Any, dy: Any) -> Any:
        return tf.py_func(lambda g: g / 2, [dy], tf.float64)

    with tf.Graph().as_default() as graph, tf.Session() as sess:
        x = tf.constant([1.0, 2.0], tf.float64)
        with graph.gradient_override_map({"PyFunc": "HalvedOnTheHost"}):
            y = tf.py_func(np.square, [x], tf.float64)
        y.set_shape([2])
        np.testing.assert_array_equal(sess.run(retrograd.jacobian(y, x)), [[0.5, 0], [0, 0.5]])


def test_jacobian_of_what_does_not_depend() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x, y = tf.constant([1.0, 2.0]), tf.constant([3.0])
        assert retrograd.jacobian(y, x) is None
        assert sess.run(retrograd.jacobian(y, x, unconnected_gradients="zero")).tolist() == [[0, 0]]


def test_batch_jacobian_is_the_diagonal_of_the_jacobian() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float64, [None, 2])
        y, _ = network(x, 3)
        got, whole = retrograd.batch_jacobian(y, x), retrograd.jacobian(y, x)
        sess.run(tf.global_variables_initializer())
        got, whole = sess.run([got, whole], {x: np.random.RandomState(0).randn(5, 2)})
        np.testing.assert_allclose(got, np.stack([whole[i, :, i] for i in range(5)]), atol=1e-12)


def test_batch_jacobian_needs_a_batch() -> None:
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [3, 2])
        with pytest.raises(ValueError, match="same first dimension") as caught:
            retrograd.batch_jacobian(tf.reduce_sum(x), x)
        assert "retrograd.jacobian(ys, xs)" in caught.value.__notes__[0]


def test_hessian_vector_product_counts_its_vectors() -> None:
    x = tf.constant([1.0])
    with pytest.raises(ValueError, match=r"xs and v must have the same length\.") as caught:
        retrograd.hessian_vector_product(x**2, [x], [])
    assert "one v for each x" in caught.value.__notes__[0]


def test_hessians_are_jacobians_of_gradients() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float64, [None, 2])
        y, (w, _) = network(x, 3)
        both = [tf.hessians(y**2, [x, w]), [retrograd.jacobian(tf.gradients(y**2, v)[0], v) for v in (x, w)]]
        sess.run(tf.global_variables_initializer())
        for mine, theirs in zip(*sess.run(both, {x: np.random.RandomState(0).randn(3, 2)}), strict=True):
            np.testing.assert_allclose(mine, theirs, atol=1e-12)


def branching(x: Any) -> Any:
    return tf.cond(tf.reduce_sum(x) > 0, lambda: x**2, lambda: tf.sin(x)) * x[0]


def looping(x: Any) -> Any:
    return tf.while_loop(lambda i, _: i < 3, lambda i, h: (i + 1, tf.sin(h) * x), [0, x])[1]


def scanning(x: Any) -> Any:
    return tf.map_fn(lambda v: tf.sin(v) * x[1], x)


@pytest.mark.parametrize("function", [branching, looping, scanning])
@pytest.mark.parametrize("start", [1.0, -1.0])
def test_jacobian_through_control_flow(function: Any, start: float) -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float64, [2])
        y = function(x)
        feeds = {x: [start, 0.5]}
        j = retrograd.jacobian(y, x)
        np.testing.assert_allclose(sess.run(j, feeds), row_by_row(sess, y, x, feeds), atol=1e-12)
        once = tf.gradients(tf.reduce_sum(j**2), x)[0]
        want = tf.gradients([tf.reduce_sum(tf.gradients(y[i], x)[0] ** 2) for i in range(2)], x)[0]
        np.testing.assert_allclose(*sess.run([once, want], feeds), atol=1e-12)


@pytest.mark.parametrize("training", [True, False])
def test_jacobian_of_what_draws_in_a_branch(training: bool) -> None:
    """The random numbers are those of the forward pass."""
    with tf.Graph().as_default(), tf.Session() as sess:
        x, is_training = tf.constant(np.linspace(1.0, 2.0, 8)), tf.placeholder(tf.bool, [])
        y = tf.cond(is_training, lambda: tf.nn.dropout(x * x, rate=0.5), lambda: x * x)
        j = retrograd.jacobian(y, x)
        dx = tf.gradients(tf.reduce_sum(j), x)[0]
        value, slopes, curvatures = sess.run([y, j, dx], {is_training: training})
        kept = 2.0 * (value != 0) if training else np.ones(8)
        np.testing.assert_allclose(slopes, np.diag(2 * np.linspace(1.0, 2.0, 8) * kept))
        np.testing.assert_allclose(curvatures, 2 * kept)


def test_a_loops_result_can_be_a_constant() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.constant(0.7)
        y = looping(x)
        dx, value = sess.run([tf.gradients(y * x, x, stop_gradients=[y])[0], y])
        assert dx == value


def test_a_constant_is_differentiated_again() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.constant([1.0, 2.0])
        j = retrograd.jacobian(x * x, x)
        np.testing.assert_array_equal(sess.run(tf.gradients(j, x)[0]), [2, 2])


def test_jacobian_of_a_loop_in_a_branch() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float64, [2])
        y = tf.cond(x[0] > 0, lambda: looping(x), lambda: branching(x))
        j = retrograd.jacobian(y, x)
        once = tf.gradients(tf.reduce_sum(j**2), x)[0]
        for start in (1.0, -1.0):
            feeds = {x: [start, 0.5]}
            np.testing.assert_allclose(sess.run(j, feeds), row_by_row(sess, y, x, feeds), atol=1e-12)
            h = 1e-6
            sides = [sess.run(tf.reduce_sum(j**2), {x: [start + s, 0.5]}) for s in (h, -h)]
            np.testing.assert_allclose(sess.run(once, feeds)[0], (sides[0] - sides[1]) / (2 * h), rtol=1e-6)


def test_jacobian_inside_of_a_loop_is_differentiable_again() -> None:
    def turned(h: Any) -> Any:
        return (np.cos(h) * h + np.sin(h)) * h

    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.constant([0.3, 0.4], tf.float64)

        def body(i: Any, h: Any) -> Any:
            return i + 1, tf.linalg.matvec(retrograd.jacobian(tf.sin(h) * h, h), h)

        result = tf.while_loop(lambda i, _: i < 3, body, [0, x])[1]
        value, dx = sess.run([result, tf.gradients(result, x)[0]])
        start, h = np.array([0.3, 0.4]), 1e-6
        np.testing.assert_allclose(value, turned(turned(turned(start))))
        sides = [turned(turned(turned(start + s))) for s in (h, -h)]
        np.testing.assert_allclose(dx, (sides[0] - sides[1]) / (2 * h), rtol=1e-6)


def test_jacobian_by_what_is_outside_of_its_branch_is_not_differentiated_again() -> None:
    """It is computed; a second derivative is refused, not done wrongly."""
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.constant([0.3, 0.4], tf.float64)
        y = tf.cond(x[0] > 0, lambda: retrograd.jacobian(x * x, x), lambda: tf.zeros([2, 2], tf.float64))
        np.testing.assert_allclose(sess.run(y), [[0.6, 0], [0, 0.8]])
        with pytest.raises(LookupError, match="inside of a branch or a loop") as caught:
            tf.gradients(y, x)
        assert "outside of tf.while_loop and tf.cond" in "".join(caught.value.__notes__)
