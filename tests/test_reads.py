"""What an op sees of a variable that the same run writes, as TensorFlow 1.15.5 computed it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from retrograd import tf

CASES: list[tuple[Callable[[Any], Any], Any]] = [
    (lambda g: g["product"], 11.0),
    (lambda g: g["identity"], 11.0),
    (lambda g: g["read"], 11.0),
    (lambda g: g["sum"], 13.0),
    (lambda g: [g["before"], g["product"]], [3.0, 11.0]),  # what waits for nothing sees the old value
    (lambda g: [g["assigned"], g["twice"]], [100.0, 105.0]),
    (lambda g: [g["before"], g["twice"]], [3.0, 105.0]),
]


@pytest.mark.smoke
@pytest.mark.parametrize("resource", [False, True])
@pytest.mark.parametrize(("fetch", "want"), CASES)
def test_what_waits_for_a_write_sees_it(fetch: Callable[[Any], Any], want: Any, resource: bool) -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        v, w = tf.Variable(1.0, use_resource=resource), tf.Variable(2.0, use_resource=resource)
        g = {"before": v * 3.0}
        with tf.control_dependencies([v.assign_add(10.0)]):
            g.update(product=v * 1.0, identity=tf.identity(v), read=v.read_value(), sum=v + w)
        with tf.control_dependencies([v.assign(100.0)]):
            g["assigned"] = v * 1.0
            with tf.control_dependencies([g["assigned"]]):
                again = v.assign_add(5.0)
            with tf.control_dependencies([again]):
                g["twice"] = v * 1.0
        sess.run(tf.global_variables_initializer())
        assert sess.run(fetch(g)) == want


def test_rows_are_changed_in_place_where_nobody_else_holds_the_array() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.Variable(np.zeros([4, 2], np.float32))
        add = tf.scatter_add(v, [1, 1], [[1.0, 2.0], [3.0, 4.0]])
        sess.run(tf.global_variables_initializer())
        sess.run(add.op)  # the first change leaves the initial value alone
        (cell,) = sess._store.cells.values()
        array = cell.value
        assert not array.flags.writeable
        sess.run(add.op)
        assert cell.value is not array  # somebody holds it
        assert array.tolist()[1] == [4.0, 6.0]
        place = id(cell.value)
        sess.run(add.op)
        assert id(cell.value) == place
        assert sess.run(v).tolist() == [[0, 0], [12, 18], [0, 0], [0, 0]]


@pytest.mark.smoke
def test_a_failed_run_gives_rows_back() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.Variable(np.zeros([3, 1], np.float32))
        first = tf.scatter_add(v, [0, 2], [[1.0], [2.0]])
        with tf.control_dependencies([first]):
            second = tf.scatter_mul(v, 2, [5.0])
        with tf.control_dependencies([second]):
            fails = tf.check_numerics(tf.constant(1.0) / tf.placeholder_with_default(0.0, []), "no")
        sess.run(tf.global_variables_initializer())
        sess.run(second.op)
        assert sess.run(v).tolist() == [[1], [0], [10]]
        with pytest.raises(tf.errors.InvalidArgumentError):
            sess.run(fails)
        assert sess.run(v).tolist() == [[1], [0], [10]]


def test_a_value_that_was_read_stays_when_rows_change() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.Variable(np.zeros([3, 1], np.float32))
        before = tf.reshape(v, [3])
        change = tf.scatter_add(v, [0], [[1.0]])
        sess.run(tf.global_variables_initializer())
        sess.run(change.op)
        old, _ = sess.run([before, change.op])
        assert old.tolist() == [1, 0, 0]
        assert sess.run(v).tolist() == [[2], [0], [0]]


def test_a_block_in_a_block_waits_for_what_the_outer_does_not() -> None:
    """As recorded from TensorFlow 1.15.5: n reads z, which waits already, and is no member of the inner block."""
    with tf.Graph().as_default() as graph:
        a = tf.constant(1.0, name="a")
        with tf.control_dependencies([a]):
            z = tf.zeros([2], name="z")
            with tf.control_dependencies([a]):
                n, m = tf.negative(z, name="n"), tf.constant(2.0, name="m")
                with tf.control_dependencies([a, m]):
                    tf.identity(n, name="i")
                    tf.constant(3.0, name="k")
    waits = {op.name: [other.name for other in op.control_inputs] for op in graph.get_operations()}
    assert waits == {"a": [], "z": ["a"], "n": [], "m": ["a"], "i": ["m"], "k": ["a", "m"]}
