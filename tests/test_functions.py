"""Functions of a graph, against TensorFlow 1.15.5: ``golden/functions.json``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import jax
import numpy as np
import pytest

from retrograd import tf
from retrograd.ops import resources
from retrograd.run.lowering import Lowered
from retrograd.run.plan import Plan
from retrograd.run.store import Store
from retrograd.state.defun import Defun, _from_definition

GOLDEN = Path(__file__).parent / "golden"
sys.path.insert(0, str(GOLDEN))
import function_cases as recorded  # noqa: E402

RECORD = json.loads((GOLDEN / "functions.json").read_text())


@pytest.mark.parametrize("case", recorded.CASES, ids=lambda f: f.__name__)
def test_case(case) -> None:
    want = RECORD["cases"][case.__name__]
    got = json.loads(json.dumps(recorded.built_and_run(tf, Defun, case)))
    values = got.pop("values"), want.pop("values")
    assert got == want
    for mine, theirs in zip(*values, strict=True):
        if isinstance(theirs, list) and theirs and isinstance(theirs[0], str):
            assert mine == theirs
        else:
            np.testing.assert_allclose(mine, theirs, rtol=1e-6)


@pytest.mark.parametrize("case", recorded.ERRORS, ids=lambda f: f.__name__)
def test_error(case) -> None:
    assert recorded.error(tf, Defun, case) == RECORD["errors"][case.__name__]


def test_every_order_has_a_derivative() -> None:
    @Defun(tf.float64, tf.float64)
    def Product(x, y):
        return tf.sin(x) * y * y * y, tf.exp(x)

    with tf.Graph().as_default(), tf.Session() as sess:
        x, y = tf.constant(0.5, tf.float64), tf.constant(2.0, tf.float64)

        def third(f):
            p, q = f(x, y)
            (dx,) = tf.gradients(p + q, x)
            dxx, dxy = tf.gradients(dx, [x, y])
            return [dx, dxx, dxy, *tf.gradients(dxy, [x, y])]

        plain = third(lambda x, y: (tf.sin(x) * y * y * y, tf.exp(x)))
        np.testing.assert_allclose(sess.run(third(Product)), sess.run(plain))
        assert tf.get_default_graph().as_graph_def().library.function


def test_third_order_with_grad_func() -> None:
    """Behind a given derivative come the derivatives of that."""

    @Defun(tf.float32, tf.float32)
    def Grad(x, dy):
        return dy * x * x * x

    @Defun(tf.float32, grad_func=Grad)
    def F(x):
        return tf.identity(x)

    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.constant(2.0)
        (dx,) = tf.gradients(F(x), x)
        (d2x,) = tf.gradients(dx, x)
        assert sess.run([dx, d2x, *tf.gradients(d2x, x)]) == [8.0, 12.0, 12.0]


def test_writes_inside_are_taken_back_when_a_run_fails() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.get_variable("v", [], use_resource=True, initializer=tf.constant_initializer(1.0))

        @Defun(tf.resource, tf.float32)
        def Add(handle, x):
            with tf.control_dependencies([resources.assign_add_variable_op(handle, x)]):
                return tf.identity(x)

        added = Add(v.handle, 2.0)
        with tf.control_dependencies([added]):
            read = v.read_value()
            bad = tf.check_numerics(tf.log(-read), "log")
        sess.run(v.initializer)
        with pytest.raises(tf.errors.InvalidArgumentError):
            sess.run(bad)
        assert sess.run(v) == 1.0
        assert sess.run(read) == 3.0
        assert sess.run(v) == 3.0


def test_random_ops_of_each_call_have_a_stream() -> None:
    @Defun()
    def Draw():
        return tf.random_uniform([3], seed=5)

    with tf.Graph().as_default(), tf.Session() as sess:
        tf.set_random_seed(1)
        a, b = Draw(), Draw()
        first, second = sess.run([a, b]), sess.run([a, b])
        assert not np.array_equal(first[0], second[0])
        with tf.Session() as other:
            np.testing.assert_array_equal(other.run(a), first[0])


def test_random_ops_of_a_failed_run_go_back() -> None:
    @Defun(tf.float32)
    def Draw(x):
        return tf.check_numerics(x + tf.random_uniform([3], seed=5), "x")

    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [])
        y = Draw(x)
        with tf.Session() as sess, tf.Session() as other:
            first = sess.run(y, {x: 0.0})
            np.testing.assert_array_equal(other.run(y, {x: 0.0}), first)
            with pytest.raises(tf.errors.InvalidArgumentError):
                sess.run(y, {x: float("nan")})
            np.testing.assert_array_equal(sess.run(y, {x: 0.0}), other.run(y, {x: 0.0}))


def test_effects_happen_though_nothing_depends_on_them() -> None:
    seen = []

    @Defun(tf.float32)
    def Notes(x):
        tf.py_func(lambda v: seen.append(float(v)), [x], [])
        return x + 1.0

    with tf.Graph().as_default(), tf.Session() as sess:
        assert sess.run(Notes(3.0)) == 4.0
    assert seen == [3.0]


def test_functions_come_back_from_their_definitions() -> None:
    @Defun(tf.float32)
    def Inner(y):
        return tf.split(y, 2)[1] + 1.0

    @Defun(tf.float32)
    def Outer(x):
        return Inner(x) * x[:1]

    with tf.Graph().as_default():
        x = tf.constant([1.0, 2.0])
        want = [Outer(x), *tf.gradients(Outer(x), x)]
        library = tf.get_default_graph().as_graph_def().library
        with tf.Session() as sess:
            want = sess.run(want)
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        for definition in library.function:
            _from_definition(definition).add_to_graph(graph)
        x = tf.constant([1.0, 2.0])
        again = graph._get_function(Outer.name)
        got = sess.run([again(x), *tf.gradients(again(x), x)])
    for mine, theirs in zip(got, want, strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_names_stay_what_they_are_in_several_graphs() -> None:
    @Defun(tf.float32)
    def Twice(x):
        return x * 2.0

    for _ in range(2):
        with tf.Graph().as_default(), tf.Session() as sess:
            y = Twice(3.0)
            assert y.op.name == Twice.name
            assert sess.run([y, *tf.gradients(y, y.op.inputs[0])]) == [6.0, 2.0]


def test_branches_and_loops_inside_and_outside() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        w = tf.Variable(2.0)
        x = tf.constant(1)

        @Defun(tf.bool)
        def Either(pred):
            return tf.cond(pred, lambda: x, lambda: x + 1)

        @Defun(tf.float32)
        def Squared(v):
            product = tf.while_loop(lambda i, u: i < 3, lambda i, u: (i + 1, u * w), [0, v])[1]
            return tf.cond(product > 0.0, lambda: product * product, lambda: tf.sin(product))

        shapes = [tf.TensorShape([]), tf.TensorShape(None)]
        step = tf.while_loop(lambda i, u: i < 2, lambda i, u: (i + 1, Squared(u)), [0, 0.5], shape_invariants=shapes)[1]
        (dw,) = tf.gradients(step, w)
        sess.run(w.initializer)
        assert sess.run([Either(True), Either(False)]) == [1, 2]
        assert sess.run([step, dw]) == [0.5**4 * 2.0**18, 18 * 0.5**4 * 2.0**17]  # (v w^3)^2, twice: v^4 w^18
        assert Either.name == "Either_ia2zC1aXbk0"


def test_calls_are_part_of_what_a_plan_lowers_to() -> None:
    @Defun(tf.float64)
    def Weighted(x):
        v = tf.get_variable("v", [3], tf.float64, use_resource=True)
        return tf.sin(x) * v, tf.exp(x)

    with tf.Graph().as_default(), tf.Session() as sess, jax.enable_x64(True):
        x = tf.placeholder(tf.float64, [3])
        fetches = [*Weighted(x), *tf.gradients(Weighted(x), x)]
        lowered = Lowered(Plan(fetches, (), [x]))
        sess.run(tf.global_variables_initializer())
        feed = np.array([0.1, 0.2, 0.3])
        (v,) = tf.global_variables()
        got = jax.jit(lowered)([feed], [sess.run(v)])
        for mine, theirs in zip(got, sess.run(fetches, {x: feed}), strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=1e-14)


def test_random_numbers_in_a_function_lower_with_its_stream() -> None:
    @Defun()
    def Draw():
        return tf.random_uniform([3], seed=5)

    with tf.Graph().as_default(), tf.Session() as sess:
        drawn = Draw()
        lowered = Lowered(Plan([drawn], (), []))
        (stream,) = lowered.streams(Store())
        np.testing.assert_array_equal(lowered([], [], [stream])[0], sess.run(drawn))
        np.testing.assert_array_equal(lowered([], [], [stream])[0], sess.run(drawn))
