"""``tf.custom_gradient`` and the other ways to say what a gradient is, against ``golden/custom_gradients.json``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from golden import custom_gradient_cases as recorded

from retrograd import tf
from retrograd.eager.context import eager_mode
from retrograd.grad import registry

GOLDEN = json.loads((Path(__file__).parent / "golden" / "custom_gradients.json").read_text())


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test registers is forgotten after it."""
    monkeypatch.setattr(registry, "REGISTERED", dict(registry.REGISTERED))


@pytest.mark.parametrize("case", recorded.CASES, ids=lambda f: f.__name__)
def test_case(case) -> None:
    built, values = recorded.built_and_run(tf, case)
    want = GOLDEN["cases"][case.__name__]
    assert built == want["nodes"]
    for mine, theirs in zip(values, want["values"], strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-6)


@pytest.mark.parametrize("case", recorded.ERRORS, ids=lambda f: f.__name__)
def test_error(case) -> None:
    assert recorded.message(tf, case) == GOLDEN["errors"][case.__name__]


def test_gradient_number_counts_tensors() -> None:
    assert recorded.gradient_number(tf) == GOLDEN["gradient number"]


def test_errors_say_what_to_type() -> None:
    with tf.Graph().as_default():
        v = tf.get_variable("v", [], use_resource=True)
        with pytest.raises(TypeError) as caught:
            tf.custom_gradient(lambda x: (x * v, lambda dy: dy))(1.0)
    assert "reads v:0" in caught.value.__notes__[0]
    assert "def grad(dy, variables=None)" in caught.value.__notes__[0]


def test_a_layer_computed_again_wants_a_scope_of_its_own() -> None:
    layer = tf.contrib.layers.recompute_grad(lambda z: tf.layers.dense(z, 2))
    with tf.Graph().as_default():
        x = tf.ones([2, 4])
        with tf.variable_scope("all", use_resource=True):
            ys = [layer(x), layer(x)]
        with pytest.raises(ValueError, match="called twice in the same enclosing scope") as caught:
            tf.gradients(ys, x)
    why = "the second computation reads all/dense/kernel:0, all/dense/bias:0, the first did not"
    assert why in caught.value.__notes__[0]
    assert 'with tf.variable_scope(None, default_name="layer"):' in caught.value.__notes__[0]
    with tf.Graph().as_default(), tf.variable_scope("all", use_resource=True):
        ys, x = [], tf.ones([2, 4])
        for _ in range(2):
            with tf.variable_scope(None, default_name="layer"):
                ys.append(layer(x))
        assert None not in tf.gradients(ys, [x, *tf.trainable_variables()])


def test_recompute_grad_uses_the_same_variables() -> None:
    def layer(x):
        w = tf.get_variable("w", [2], initializer=tf.constant_initializer([3.0, 4.0]))
        return tf.square(x * w)

    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.constant([1.0, 2.0])
        with tf.variable_scope("a", use_resource=True):
            y = tf.recompute_grad(layer)(x)
        (w,) = tf.trainable_variables()
        dx, dw = tf.gradients(y, [x, w])
        (d2x,) = tf.gradients(dx, x)
        sess.run(tf.global_variables_initializer())
        values = sess.run([y, dx, dw, d2x])
        np.testing.assert_allclose(values, [[9.0, 64.0], [18.0, 64.0], [6.0, 32.0], [18.0, 32.0]])


def test_recompute_grad_needs_no_variables() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.constant([1.0, 2.0])
        y = tf.recompute_grad(tf.exp)(x)
        (dx,) = tf.gradients(y, x)
        recomputed = [op for op in tf.get_default_graph().get_operations() if op.type == "Exp"]
        assert len(recomputed) == 2
        assert sess.run(dx) == pytest.approx(np.exp([1.0, 2.0]))


def _by_hand(x):
    @tf.custom_gradient
    def softplus(x):
        e = tf.exp(x)
        return tf.log(1.0 + e), lambda dy: dy * (1.0 - 1.0 / (1.0 + e))

    return softplus(x)


def _plain(x):
    return tf.log(1.0 + tf.exp(x))


PLACES = {
    "branch": lambda f, x: tf.cond(x[0] > 0.0, lambda: f(x), lambda: x),
    "loop": lambda f, x: tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, f(v) * x), [0, x])[1],
    "map": lambda f, x: tf.map_fn(f, x),
    "scan": lambda f, x: tf.scan(lambda a, b: f(a + b), x),
    "branch in a loop": lambda f, x: tf.while_loop(
        lambda i, v: i < 2, lambda i, v: (i + 1, tf.cond(i > 0, lambda: f(v), lambda: v * x)), [0, x]
    )[1],
}


@pytest.mark.parametrize("place", PLACES)
def test_branches_and_loops(place: str) -> None:
    """The gradient reads tensors of the iteration, and has a gradient itself."""
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.constant([0.5, 0.2], tf.float64)
        got, want = [], []
        for f, values in ((_by_hand, got), (_plain, want)):
            values += [PLACES[place](f, x)]
            values += tf.gradients(values[-1], x)
            values += tf.gradients(values[-1], x)
        np.testing.assert_allclose(sess.run(got), sess.run(want), rtol=1e-12)


def test_python_functions_in_loops() -> None:
    @tf.RegisterGradient("CubeInLoop")
    def _cube(op, dy):
        return dy * 3.0 * op.inputs[0] ** 2

    def cubed(x):
        with tf.get_default_graph().gradient_override_map({"PyFunc": "CubeInLoop"}):
            y = tf.py_func(lambda v: v**3, [x], tf.float64)
        y.set_shape(x.shape)
        return y

    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.constant(1.1, tf.float64)
        y = tf.while_loop(lambda i, v: i < 2, lambda i, v: (i + 1, cubed(v)), [0, x])[1]
        (dx,) = tf.gradients(y, x)
        (d2x,) = tf.gradients(dx, x)
        np.testing.assert_allclose(sess.run([y, dx, d2x]), [1.1**9, 9 * 1.1**8, 72 * 1.1**7])


def test_recompute_grad_where_ops_run_at_once() -> None:
    """The function runs again for its gradient, by its arguments and by the variables that it reads."""
    calls = []
    with eager_mode():
        w, x = tf.Variable(3.0), tf.constant(2.0)

        def square(x: Any) -> Any:
            calls.append(0)
            return w * x * x

        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.recompute_grad(square)(x)
            assert len(calls) == 1
            dx, dw = tape.gradient(y, [x, w])
        assert [dx.numpy(), dw.numpy(), outer.gradient(dx, x).numpy()] == [12.0, 4.0, 6.0]
        assert len(calls) == 2


def test_the_decorator_of_graphs_and_the_names_of_tapes() -> None:
    from retrograd.tf.python.eager import tape
    from retrograd.tf.python.ops.custom_gradient import _graph_mode_decorator

    weight = tf.get_variable("w", [2], initializer=tf.ones_initializer(), use_resource=True)

    def weighted(x):
        with tape.stop_recording():
            y = tf.identity(x * weight)
        return y, lambda dy, variables: ([dy * 3.0], [dy * 5.0 for _ in variables])

    x = tf.constant([1.0, 2.0])
    dx, dw = tf.gradients(_graph_mode_decorator(weighted, x), [x, weight])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert [v.tolist() for v in session.run([dx, dw])] == [[3, 3], [5, 5]]
    with pytest.raises(ValueError, match="keywords arguments only when eager"):
        _graph_mode_decorator(weighted, x=x)


def test_an_operation_is_recorded_with_the_gradient_that_it_is_given() -> None:
    from retrograd.tf.python.eager import tape

    with eager_mode(), tf.GradientTape() as recorded_here:
        x = tf.constant([1.0, 2.0])
        recorded_here.watch(x)
        with tape.stop_recording():
            y = x * 2.0
        tape.record_operation("Doubled", [y], [x], lambda dy: [dy * 7.0])
        assert recorded_here.gradient(y, x).numpy().tolist() == [7, 7]
