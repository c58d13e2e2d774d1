"""Branches, loops and functions: what steers or calls is an op like any other."""

from __future__ import annotations

from typing import Any

from case_table import Row, between, normal

from retrograd import tf
from retrograd.state.defun import Defun

X = (normal(3, 2),)


def chosen(x: Any) -> Any:
    """One branch is taken, and what it takes from outside."""
    return tf.cond(x[0, 0] < 100, lambda: tf.sin(x) * x[1, 1], lambda: tf.exp(x))


def repeated(x: Any) -> Any:
    """x <- sin(x) * y, three times."""
    y = x[1, 1]
    return tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, tf.sin(x) * y), (0, x))[1]


def as_often_as_it_takes(x: Any) -> Any:
    return tf.while_loop(lambda x: tf.reduce_sum(x) < 40, lambda x: x * x, [x])


def mapped(x: Any) -> Any:
    return tf.map_fn(lambda row: tf.cond(row[0] > 0, lambda: row * row, lambda: tf.tanh(row)), x)


@Defun(tf.float64, tf.float64)
def function(x: Any, y: Any) -> Any:
    return tf.sin(x) * y


def differentiated(x: Any) -> Any:
    return tf.gradients(function(x, x * x), x)


LOOP = ("Merge", "Switch", "NextIteration", "Exit")

ROWS = [
    Row("Switch", chosen, X, traced=False, also=("Merge",)),
    Row("Enter", repeated, X, traced=False, also=LOOP, shapes=False),
    Row("Enter", as_often_as_it_takes, (between(1.2, 1.5, 3, 2),), traced=False, also=LOOP, label="of open end"),
    Row("Enter", mapped, X, traced=False, also=LOOP, shapes=False, label="over rows"),
    Row("SymbolicGradient", differentiated, X, traced=False, shapes=False),
]
