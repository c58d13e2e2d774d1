"""Updates of small variables that are done as one: what they do, and that they are one."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any
from unittest import mock

import jax
import numpy as np
import pytest

from retrograd import tf
from retrograd.run.lowering import GivenValue, Lowered
from retrograd.run.plan import Plan

OPTIMIZERS: dict[str, Callable[[], Any]] = {
    "adam": lambda: tf.train.AdamOptimizer(0.1),
    "momentum": lambda: tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
    "rmsprop": lambda: tf.train.RMSPropOptimizer(0.1, centered=True),
    "adadelta": lambda: tf.train.AdadeltaOptimizer(0.5),
    "ftrl": lambda: tf.train.FtrlOptimizer(0.1, l1_regularization_strength=0.01),
    "keras": lambda: tf.keras.optimizers.Adam(0.1),
}


def variables(use_resource: bool = False) -> list[Any]:
    sizes = ([3], [2, 2], [], [2, 1, 3])
    return [
        tf.get_variable(f"v{i}", size, initializer=tf.ones_initializer(), use_resource=use_resource)
        for i, size in enumerate(sizes)
    ]


def loss_of(found: list[Any]) -> Any:
    return tf.add_n([tf.reduce_sum((i + 1) * tf.square(v - 0.3 * i)) for i, v in enumerate(found)])


def results(mode: str, build: Callable[[], Any]) -> list[Any]:
    with tf.Graph().as_default(), mock.patch.dict(os.environ, RETROGRAD_JIT=mode):
        fetches = build()
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            return [*(sess.run(fetches) for _ in range(4)), sess.run(tf.global_variables())]


def same(build: Callable[[], Any]) -> None:
    pairs = [tf.contrib.framework.nest.flatten(results(mode, build)) for mode in ("never", "always")]
    for a, b in zip(*pairs, strict=True):
        if a is not None:  # an operation
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


def primitives(fetch: Any) -> list[str]:
    """The names of what JAX traces for a run of ``fetch``."""
    lowered = Lowered(Plan([], [fetch], []))
    given = [np.ones([int(n) for n in op.outputs[0].shape], np.float32) for op in lowered.variables]

    def function(values: list[Any]) -> list[Any]:
        cells = [GivenValue(v) for v in values]
        lowered([], cells)
        return [cell.value for cell in cells]

    return [eqn.primitive.name for eqn in jax.make_jaxpr(function)(given).eqns]


@pytest.mark.parametrize("use_resource", [False, True])
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_one_step_of_all_is_a_step_of_each(name: str, use_resource: bool) -> None:
    def build() -> Any:
        found = variables(use_resource or name == "keras")
        loss = loss_of(found)
        if name == "keras":
            return [OPTIMIZERS[name]().get_updates(loss, found), loss]
        return [OPTIMIZERS[name]().minimize(loss), loss]

    same(build)


def test_many_variables_cost_one_step() -> None:
    with tf.Graph().as_default():
        train = tf.train.AdamOptimizer(0.1).minimize(loss_of(variables()))
        assert primitives(train).count("sqrt") == 2  # of the second moments, and of the correction


def test_rates_of_their_own_are_steps_of_their_own() -> None:
    def build() -> Any:
        found = variables()
        pairs = tf.train.GradientDescentOptimizer(0.1).compute_gradients(loss_of(found))
        slow, fast = (tf.train.MomentumOptimizer(rate, 0.9) for rate in (0.01, 0.1))
        return [slow.apply_gradients(pairs[:2]), fast.apply_gradients(pairs[2:])]

    same(build)


def test_who_reads_a_variable_behind_its_update_finds_it_done() -> None:
    def build() -> Any:
        found = variables(use_resource=True)
        train = tf.train.AdamOptimizer(0.1).minimize(loss_of(found))
        with tf.control_dependencies([train]):
            after = [v.read_value() for v in found]
        with tf.control_dependencies(after):
            again = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss_of(found))
        with tf.control_dependencies([again]):
            return [*after, found[0].read_value()]

    same(build)


def test_branches_and_loops_find_it_done() -> None:
    def build() -> Any:
        found = variables(use_resource=True)
        train = tf.train.AdamOptimizer(0.1).minimize(loss_of(found))
        with tf.control_dependencies([train]):
            chosen = tf.cond(found[0][0] > 0.5, lambda: found[1] * 2.0, lambda: found[1] + 1.0)
            body = lambda i, s: (i + 1, s + found[0].read_value())  # noqa: E731
            summed = tf.while_loop(lambda i, s: i < 3, body, [0, tf.zeros(3)])
        return [chosen, summed]

    same(build)


def test_updates_in_a_branch_take_place_there() -> None:
    def build() -> Any:
        found = variables()
        loss = loss_of(found)
        pairs = tf.train.GradientDescentOptimizer(0.1).compute_gradients(loss)
        optimizer = tf.train.AdamOptimizer(0.1)
        optimizer.apply_gradients(pairs)  # makes the slots
        step = tf.train.get_or_create_global_step()

        def update() -> Any:
            with tf.control_dependencies([optimizer.apply_gradients(pairs)]):
                return tf.constant(True)

        with tf.control_dependencies([loss]):
            done = tf.cond(tf.equal(step % 2, 0), update, lambda: tf.constant(False))
        with tf.control_dependencies([done]):
            return [done, tf.assign_add(step, 1)]

    same(build)


def test_a_gradient_of_another_shape_is_refused_as_ever() -> None:
    with tf.Graph().as_default(), mock.patch.dict(os.environ, RETROGRAD_JIT="always"):
        found = variables()[:2]
        fed = tf.placeholder(tf.float32, None)
        train = tf.train.GradientDescentOptimizer(0.1).apply_gradients([(fed, found[0]), (tf.ones([2, 2]), found[1])])
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            sess.run(train, {fed: np.ones(3)})
            with pytest.raises(tf.errors.InvalidArgumentError, match="do not have the same shape"):
                sess.run(train, {fed: np.ones(2)})
            np.testing.assert_allclose(sess.run(found[1]), 0.9)
