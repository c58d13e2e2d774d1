"""The same program in every tier (interpreter, Python over numbers, XLA), tried on graphs that nobody wrote."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_properties import LEAVES, functions, in_tensorflow, quick, summed

from retrograd import tf
from retrograd.run.straight import Straight

OPTIMIZERS: list[Callable[[], Any]] = [
    lambda: tf.train.GradientDescentOptimizer(0.01),
    lambda: tf.train.MomentumOptimizer(0.01, 0.9, use_nesterov=True),
    lambda: tf.train.AdamOptimizer(0.01),
    lambda: tf.train.RMSPropOptimizer(0.01, momentum=0.5),
]


def session(mode: str) -> Any:
    with mock.patch.dict(os.environ, RETROGRAD_JIT=mode):
        return tf.Session()


@settings(quick, max_examples=8, derandomize=True)  # a branch at a sum that is zero but for rounding may differ
@given(functions(), st.integers(0, len(OPTIMIZERS) - 1), st.booleans())
def test_training_is_the_same_in_the_interpreter_and_in_xla(recipe: Any, optimizer: int, by_handle: bool) -> None:
    with tf.Graph().as_default():
        noise = tf.random_uniform([3], seed=7, dtype=tf.float64)
        xs = [tf.Variable(leaf, use_resource=by_handle) for leaf in LEAVES]
        loss = tf.sin(summed(in_tensorflow(recipe, [xs[0] + 0.01 * noise, tf.convert_to_tensor(xs[1])])))
        step = OPTIMIZERS[optimizer]().minimize(loss)
        count = tf.Variable(0, trainable=False)
        counted = tf.assign_add(count, tf.cast(loss > 0.1234567, tf.int32) + 1)
        seen = []
        for mode in ("never", "always"):
            with session(mode) as sess:
                sess.run(tf.global_variables_initializer())
                runs = [sess.run([step, loss, noise, counted])[1:] for _ in range(4)]
                seen.append((sess.run(xs), runs))
    (xs_one, runs_one), (xs_two, runs_two) = seen
    for one, two in zip(xs_one, xs_two, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-6, atol=1e-8)
    for (loss_one, noise_one, count_one), (loss_two, noise_two, count_two) in zip(runs_one, runs_two, strict=True):
        np.testing.assert_allclose(loss_one, loss_two, rtol=1e-6, atol=1e-8)
        np.testing.assert_array_equal(noise_one, noise_two)
        assert count_one == count_two


# -- single numbers ----------------------------------------------------------------------------

ONE = [tf.negative, tf.square, lambda t: t**2, lambda t: t**3, tf.tanh, tf.exp, tf.log, tf.sqrt, tf.reduce_sum]
TWO = [tf.add, tf.subtract, tf.multiply, lambda a, b: a / b, tf.maximum, lambda a, b: tf.where(a > b, a, b), tf.pow]


@st.composite
def formulas(draw: Any) -> list[tuple[int, int, int]]:
    length = draw(st.integers(1, 5))
    return [
        (draw(st.integers(0, len(ONE) + len(TWO) - 1)), *(draw(st.integers(0, i + 3)) for _ in "ij"))
        for i in range(length)
    ]


def computed(recipe: Any, leaves: list[Any]) -> Any:
    values = list(leaves)
    for function, i, j in recipe:
        values.append(
            ONE[function](values[i]) if function < len(ONE) else TWO[function - len(ONE)](values[i], values[j])
        )
    return values[-1]


def tiers_of(sess: Any) -> set[type]:
    return {type(kind.compiled) for _, program in sess._prepared.values() for kind in program.kinds.values()}


@settings(quick, max_examples=30, derandomize=True)
@given(formulas(), st.sampled_from([tf.float32, tf.float64]), st.booleans())
def test_numbers_are_bit_for_bit_those_of_the_interpreter(recipe: Any, dtype: Any, by_handle: bool) -> None:
    """Infinities and NaNs too, and without a warning of NumPy's."""
    with tf.Graph().as_default():
        x = tf.placeholder(dtype)
        w, b = (tf.Variable(v, dtype=dtype, use_resource=by_handle) for v in (0.7, -0.2))
        y = computed(recipe, [x, tf.convert_to_tensor(w), tf.convert_to_tensor(b), tf.constant(3.0, dtype)])
        slopes = tf.gradients(y, [w, b], unconnected_gradients="zero")
        with tf.control_dependencies([y, *slopes]):
            updates = [v.assign_sub(0.1 * s) for v, s in zip((w, b), slopes, strict=True)]
        seen = []
        for mode in ("never", "auto"):
            with session(mode) as sess:
                sess.run(tf.global_variables_initializer())
                seen.append([sess.run([y, updates, slopes], {x: i - 2.5}) for i in range(6)])
    flat = [np.array(tf.contrib.framework.nest.flatten(s)) for s in seen]
    np.testing.assert_array_equal(*flat)


def line(by_handle: bool = False) -> tuple[Any, Any, Any, Any]:
    """A line fitted one example at a time: w, the placeholder, the training op, the loss."""
    x = tf.placeholder(tf.float32)
    w = tf.Variable(2.0, use_resource=by_handle)
    loss = tf.reduce_sum(tf.pow(3.0 * x - x * w, 2)) / 64
    return w, x, tf.train.GradientDescentOptimizer(0.1).minimize(loss), loss


@pytest.mark.parametrize("by_handle", [False, True])
def test_a_line_is_fitted_in_python(by_handle: bool) -> None:
    w, x, step, loss = line(by_handle)
    with session("auto") as sess:
        sess.run(tf.global_variables_initializer())
        for i in range(200):
            sess.run([step, loss], {x: i % 10})
        assert Straight in tiers_of(sess)
        assert abs(sess.run(w) - 3) < 1e-3
        assert type(sess.run(w)) is np.float32


def test_another_shape_another_tier() -> None:
    _, x, step, loss = line()
    with session("auto") as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(5):
            sess.run(step, {x: 1.0})
        for _ in range(5):
            sess.run(step, {x: [1.0, 2.0]})
        assert sess.run(loss, {x: [[0.0]]}) == 0
        kinds = [k for _, p in sess._prepared.values() if step in p.plan.targets for k in p.kinds.values()]
        assert [type(k.compiled) for k in kinds] == [Straight, type(None)]


def test_what_a_run_in_python_cannot_do_the_interpreter_says() -> None:
    w, x, step, loss = line()
    v = tf.Variable(1.0)
    checked = tf.assign(v, tf.check_numerics(loss / v, "too far")).op
    with session("auto") as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(4):
            sess.run([step, checked], {x: 1.0})
        before = sess.run([w, v])
        with pytest.raises(tf.errors.InvalidArgumentError, match="too far"):
            sess.run([step, checked], {x: np.inf})
        assert sess.run([w, v]) == before
        sess.run([step, checked], {x: 1.0})


def test_a_plan_of_numbers_meets_variables_that_live_elsewhere() -> None:
    """A computation has taken the variable over meanwhile; a run in Python reads and writes it all the same."""
    w, x, step, _ = line()
    big = tf.Variable(tf.ones([64, 64]))
    other = big.assign(tf.tanh(tf.matmul(big, big)) * w)
    with session("auto") as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(5):
            sess.run(step, {x: 1.0})
        for _ in range(200):
            sess.run(other.op)
        before = sess.run(w)
        for _ in range(3):
            sess.run(step, {x: 1.0})
            sess.run(other.op)
        np.testing.assert_allclose(sess.run(w), before + (3 - before) * (1 - (1 - 0.2 / 64) ** 3), rtol=1e-5)


def test_a_row_goes_through_large_matrices_in_python() -> None:
    """The result is the user's own, and the variables are those of now."""
    x = tf.placeholder(tf.float32, [None, 300])
    w, b = tf.Variable(tf.random_normal([300, 500], seed=1)), tf.Variable(tf.zeros([500]))
    y = tf.nn.relu(tf.matmul(x, w) + b)
    same, shifted = tf.identity(x), b.assign_add(tf.ones([500]))
    row = np.random.RandomState(0).randn(1, 300).astype(np.float32)
    seen = []
    for mode in ("never", "auto"):
        with session(mode) as sess:
            with pytest.raises(tf.errors.FailedPreconditionError):
                sess.run(y, {x: row})
            sess.run(tf.global_variables_initializer())
            results = [sess.run([y, same], {x: row}) for _ in range(4)]
            assert mode == "never" or Straight in tiers_of(sess)
            results[-1][0][:] = results[-1][1][:] = -1
            sess.run(shifted)
            seen.append([*results[:3], sess.run([y, same], {x: row})])
    for one, two in zip(*seen, strict=True):
        np.testing.assert_array_equal(one[0], two[0])
        np.testing.assert_array_equal(one[1], row)
        np.testing.assert_array_equal(two[1], row)


# -- vectors of the processor ------------------------------------------------------------------

ELEMENTWISE = [
    tf.sin, tf.cos, tf.tan, tf.asin, tf.acos, tf.sinh, tf.cosh, tf.tanh, tf.asinh, tf.atanh, tf.exp, tf.expm1, tf.log,
    tf.log1p, tf.sqrt, tf.rsqrt, tf.square, tf.reciprocal, tf.sigmoid, tf.erf, tf.erfc, tf.lgamma, tf.digamma, tf.floor,
    tf.ceil, tf.round, tf.sign, tf.nn.softplus, tf.nn.softsign, tf.nn.elu, tf.nn.selu, tf.math.bessel_i0e,
    tf.math.bessel_i1e, lambda x: tf.pow(x, x), lambda x: tf.floormod(x, 0.3), lambda x: tf.cast(x, tf.float16),
]  # fmt: skip
ARCTANGENTS = [
    tf.atan,
    lambda x: tf.atan2(x, 1.0 - x),
    lambda x: tf.atan2(x, tf.ones_like(x)),
    lambda x: tf.angle(tf.complex(1.0 - x, x)),
]


@pytest.mark.parametrize("functions", [ELEMENTWISE, ARCTANGENTS], ids=["most", "arctangents"])
def test_as_many_numbers_as_fill_the_widest_vectors(functions: list[Callable[[Any], Any]]) -> None:
    """What XLA does to several numbers at once is what it does to one."""
    with tf.Graph().as_default():
        xs = [tf.placeholder(dtype, [83]) for dtype in (tf.float32, tf.float64)]
        ys = [f(x) for x in xs for f in functions]
        feeds = {x: np.linspace(0.05, 0.95, 83) for x in xs}
        seen = []
        for mode in ("never", "always"):
            with session(mode) as sess:
                seen.append(sess.run(ys, feeds))
    for y, one, two in zip(ys, *seen, strict=True):
        rounding = {2: 1e-2, 4: 2e-5, 8: 1e-10}[one.dtype.itemsize]
        np.testing.assert_allclose(two, one, rtol=rounding, atol=rounding, err_msg=y.name)
