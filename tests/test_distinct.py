"""Optimizers add up the gradients of rows that are named more than once: the same under XLA as interpreted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from test_tiers import session

from retrograd import tf
from retrograd.run.compiled import Compiled

OPTIMIZERS: dict[str, Callable[[], Any]] = {
    "Adam": lambda: tf.train.AdamOptimizer(0.1),
    "Momentum": lambda: tf.train.MomentumOptimizer(0.1, 0.9),
    "Adagrad": lambda: tf.train.AdagradOptimizer(0.1),
    "RMSProp": lambda: tf.train.RMSPropOptimizer(0.1, momentum=0.5),
    "Ftrl": lambda: tf.train.FtrlOptimizer(0.1),
    "Adadelta": lambda: tf.train.AdadeltaOptimizer(0.5),
    "LazyAdam": lambda: tf.contrib.opt.LazyAdamOptimizer(0.1),
    "Keras": lambda: tf.keras.optimizers.Adam(0.1),
}


def trained(optimizer: Any, by_handle: bool, mode: str, rows: int = 7) -> tuple[list[Any], set[type]]:
    """The variables after some steps on rows of which some come twice, and what computed the steps."""
    with tf.Graph().as_default(), session(mode) as sess:
        table = tf.Variable(np.linspace(-1, 1, 3 * rows).reshape(rows, 3), use_resource=by_handle)
        ids = tf.placeholder(tf.int32, [None])
        found = tf.nn.embedding_lookup(table, ids)
        loss = tf.reduce_sum(tf.tanh(found) ** 2 * tf.constant([1.0, 2.0, 3.0], tf.float64))
        step = optimizer().apply_gradients([(tf.gradients(loss, table)[0], table)])
        sess.run(tf.global_variables_initializer())
        for fed in ([1, 5, 1, 0], [2, 2, 2, 2], [6, 5, 4, 3], [0, 6, 0, 6]):
            sess.run(step, {ids: fed})
        programs = [program for _, program in sess._prepared.values() if step in program.plan.targets]
        tiers = {type(kind.compiled) for program in programs for kind in program.kinds.values()}
        return sess.run(tf.global_variables()), tiers


@pytest.mark.parametrize("by_handle", [False, True])
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_rows_are_added_up_under_xla(name: str, by_handle: bool) -> None:
    interpreted, _ = trained(OPTIMIZERS[name], by_handle, "never")
    computed, tiers = trained(OPTIMIZERS[name], by_handle, "always")
    assert tiers == {Compiled}
    for one, two in zip(interpreted, computed, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-6, atol=1e-9)


def test_of_many_rows_few_are_touched() -> None:
    """So many that where a row comes first is found by sorting."""
    interpreted, _ = trained(OPTIMIZERS["Momentum"], False, "never", rows=100_000)
    computed, _ = trained(OPTIMIZERS["Momentum"], False, "always", rows=100_000)
    np.testing.assert_allclose(interpreted[0], computed[0], rtol=1e-6)


def test_a_row_that_is_not_there_changes_nothing() -> None:
    table = tf.Variable(tf.ones([4, 2]))
    ids = tf.placeholder(tf.int32, [None])
    slices = tf.IndexedSlices(tf.ones([3, 2]), ids, tf.constant([4, 2]))
    step = tf.train.AdamOptimizer(0.1).apply_gradients([(slices, table)])
    with session("always") as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(step, {ids: [0, 3, 0]})
        before = sess.run(tf.global_variables())
        for wrong in ([0, 4, 4], [-1, 0, -1]):
            with pytest.raises(tf.errors.InvalidArgumentError, match=r"is not in \[0, 4\)"):
                sess.run(step, {ids: wrong})
        for one, two in zip(before, sess.run(tf.global_variables()), strict=True):
            np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("ask", [lambda u, s: tf.size(u.y), lambda u, s: tf.reduce_sum(s, 0), lambda u, s: u.idx])
def test_where_somebody_asks_how_many_the_interpreter_answers(ask: Callable[[Any, Any], Any]) -> None:
    table = tf.Variable(tf.ones([5, 2]))
    ids = tf.placeholder(tf.int32, [None])
    unique = tf.unique(ids)
    sums = tf.math.unsorted_segment_sum(tf.ones([3, 2]), unique.idx, tf.shape(unique.y)[0])
    change = tf.scatter_update(table, unique.y, sums)
    with session("always") as sess:
        sess.run(table.initializer)
        answer, rows = sess.run([ask(unique, sums), change], {ids: [3, 1, 3]})
        expected = {(): 2, (2,): [3, 3], (3,): [0, 1, 0]}[np.shape(answer)]
        np.testing.assert_array_equal(answer, expected)
        np.testing.assert_array_equal(rows[:, 0], [1, 1, 1, 2, 1])
