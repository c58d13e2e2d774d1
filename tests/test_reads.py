"""What an op sees of a variable that the same run writes, as TensorFlow 1.15.5 computed it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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
