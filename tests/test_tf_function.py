"""``tf.function`` called in a graph, against TensorFlow 1.15.5: ``golden/traced.json``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from golden import traced_cases

from retrograd import tf
from retrograd.eager.context import eager_mode

RECORD = json.loads((Path(__file__).parent / "golden" / "traced.json").read_text())


@pytest.mark.parametrize("case", traced_cases.CASES, ids=lambda f: f.__name__)
def test_calls_are_nodes(case: Any) -> None:
    want = RECORD["cases"][case.__name__]
    got = json.loads(json.dumps(traced_cases.built_and_run(tf, case)))
    values = got.pop("values"), want.pop("values")
    assert got == want
    for mine, theirs in zip(*values, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-6)


@pytest.mark.parametrize("case", traced_cases.ERRORS, ids=lambda f: f.__name__)
def test_calls_that_are_errors(case: Any) -> None:
    assert traced_cases.message(tf, case) == RECORD["errors"][case.__name__]


@pytest.mark.parametrize("case", traced_cases.CONCRETE, ids=lambda f: f.__name__)
def test_what_is_known_of_a_function_for_arguments_of_one_kind(case: Any) -> None:
    with eager_mode():
        told = case(tf, tf.TensorSpec)
    assert json.loads(json.dumps(told)) == RECORD["concrete"][case.__name__]


def _in_a_loop(x: Any) -> Any:
    return tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.sin(y) * x), [0, tf.nn.dropout(x, rate=0.5)])[1]


def _in_a_branch(x: Any) -> Any:
    return tf.cond(tf.reduce_sum(x) > 2.0, lambda: tf.exp(x) * x, lambda: x) * x


def _from_an_array(x: Any) -> Any:
    cubes = tf.TensorArray(tf.float64, 3)
    rows = tf.TensorArray(tf.float64, 3).unstack(x)
    return tf.while_loop(lambda i, _: i < 3, lambda i, a: (i + 1, a.write(i, rows.read(i) ** 3)), [0, cubes])[1].stack()


def _by_sizes(x: Any) -> Any:
    return tf.reshape(tf.tile(tf.reshape(x, [1, -1]), [2, 1]), [tf.shape(x)[0], 2]) ** 2


_squared = tf.function(lambda x: x * tf.sin(x))


def _of_calls(x: Any) -> Any:
    return _squared(x) * _squared(2.0 * x)


def _of_calls_in_a_loop(x: Any) -> Any:
    return tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, _squared(y)), [0, x])[1]


@pytest.mark.parametrize("mode", ["never", "always"])
@pytest.mark.parametrize(
    "function",
    [_in_a_loop, _in_a_branch, _from_an_array, _by_sizes, _of_calls, _of_calls_in_a_loop],
    ids=lambda f: f.__name__,
)
def test_calls_have_the_derivatives_of_their_functions(function: Any, mode: str, monkeypatch: Any) -> None:
    """Those of the first two orders, of what is drawn too, in both tiers."""
    monkeypatch.setenv("RETROGRAD_JIT", mode)
    found = []
    for call in (function, tf.function(function)):
        with tf.Graph().as_default() as graph, tf.Session() as session:
            tf.set_random_seed(1)
            x = tf.constant([1.0, 2.0, 3.0], tf.float64)
            y = call(x)
            (dx,) = tf.gradients(y, x)
            fetches = [y, dx, *tf.gradients(tf.reduce_sum(dx * dx), x)]
            found.append([session.run(fetches) for _ in range(2)])
            calls = [op for op in graph.get_operations() if op.type.endswith("PartitionedCall")]
    assert len(calls) >= 4  # the call, its derivatives
    for plain, called in zip(*found, strict=True):
        for a, b in zip(plain, called, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-12)


def test_a_call_in_a_loop_has_a_derivative() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant([1.0, 2.0])
        ys = [
            tf.while_loop(lambda i, y: i < 3, lambda i, y, f=f: (i + 1, f(y)), [0, x])[1]  # type: ignore[misc]
            for f in (lambda y: tf.sin(y) * y, tf.function(lambda y: tf.sin(y) * y))
        ]
        one, other = session.run([tf.gradients(y, x)[0] for y in ys])
        np.testing.assert_allclose(one, other, rtol=1e-6)


def test_what_a_branch_does_is_built_where_it_is_called() -> None:
    """A derivative could not go on from it."""
    with tf.Graph().as_default() as graph, tf.Session() as session:
        v = tf.Variable(1.0, use_resource=True)

        @tf.function
        def step(x: Any) -> Any:
            if x > 0.0:
                v.assign_add(x)
            return v * x

        y = step(tf.constant(2.0))
        session.run(tf.global_variables_initializer())
        assert session.run(y) == 6.0
        assert not any("Call" in op.type for op in graph.get_operations())


def test_what_gives_no_tensor_gives_its_structure() -> None:
    with tf.Graph().as_default():
        assert tf.function(lambda x: (None, [None]))(tf.constant(1.0)) == (None, [None])


def test_the_phase_of_a_model_is_fed_from_outside() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        phase = tf.keras.backend.learning_phase()
        y = tf.function(lambda x: tf.keras.backend.in_train_phase(x, -x))(tf.constant(2.0))
        assert session.run([y]) == [-2.0]
        assert session.run([y], {phase: True}) == [2.0]


def test_a_called_step_trains() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        model = tf.keras.Sequential([tf.keras.layers.Dense(4, "tanh", input_shape=(2,)), tf.keras.layers.Dense(1)])
        x = tf.constant(np.linspace(-1.0, 1.0, 16).reshape(8, 2), tf.float32)
        predicted = tf.function(lambda x: model(x, training=True))(x)
        loss = tf.reduce_mean((predicted - tf.reduce_sum(x, 1, keepdims=True)) ** 2)
        step = tf.train.AdamOptimizer(0.05).minimize(loss)
        session.run(tf.global_variables_initializer())
        before = session.run(loss)
        for _ in range(40):
            session.run(step)
        assert session.run(loss) < before / 10.0


def test_a_variable_of_the_first_call_begins_with_what_a_run_is_fed() -> None:
    """Only arguments of the function cannot be had outside of it."""
    kept: list[Any] = []

    @tf.function
    def f() -> Any:
        if not kept:
            kept.append(tf.Variable(tf.placeholder(tf.float32, [])))
        return kept[0] + 1.0

    with tf.Graph().as_default(), tf.Session() as session:
        y = f()
        start = kept[0].initializer
        session.run(start, {start.inputs[1]: 2.0})
        assert session.run(y) == 3.0


@pytest.mark.parametrize("at_once", [False, True])
def test_a_function_writes_a_checkpoint_in_every_call(at_once: bool, tmp_path: Path) -> None:
    """As TensorFlow 1.15.5 does; the result is the path."""
    path = str(tmp_path / "folder" / "ckpt")

    @tf.function
    def write() -> Any:
        return saved.write(path)

    with eager_mode() if at_once else tf.Graph().as_default():
        saved = tf.train.Checkpoint(v=tf.Variable(1.0, use_resource=True))
        session = None if at_once else tf.Session()
        values = (lambda x: x.numpy()) if session is None else session.run
        if session is not None:
            session.run(saved.v.initializer)
        for value in (1.0, 3.0):
            set_to = saved.v.assign(value)
            if session is not None:
                session.run(set_to)
            assert values(write()) == path.encode()
            assert tf.train.load_variable(path, "v/.ATTRIBUTES/VARIABLE_VALUE") == value


def test_a_tape_watches_the_variables_that_the_first_call_makes() -> None:
    """As TensorFlow 1.15.5 does."""
    with tf.Graph().as_default(), tf.Session() as session:
        dense = tf.keras.layers.Dense(2, kernel_initializer="ones")
        with tf.GradientTape() as tape:
            y = tf.function(lambda x: dense(x))(tf.constant([[3.0]]))
        found = tape.gradient(y, dense.variables)
        session.run(tf.global_variables_initializer())
        np.testing.assert_array_equal(session.run(found[0]), [[3.0, 3.0]])
        np.testing.assert_array_equal(session.run(found[1]), [1.0, 1.0])
