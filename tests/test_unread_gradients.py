"""Products that only a gradient's gate waits for are not computed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import retrograd.tf as tf
from retrograd.run.plan import Plan


@pytest.fixture(autouse=True)
def _graph() -> Iterator[None]:
    with tf.Graph().as_default():
        yield


def built() -> tuple[Any, Any, Any]:
    """A network of two layers: the images, the loss, and the step that gates each op's gradients."""
    x = tf.placeholder(tf.float32, [None, 4])
    w, v = tf.Variable(tf.ones([4, 3])), tf.Variable(tf.ones([3, 2]))
    loss = tf.reduce_sum(tf.matmul(tf.matmul(x, w), v))
    return x, loss, tf.train.GradientDescentOptimizer(0.1).minimize(loss)


def products(fetches: Any, targets: Any, *feeds: Any) -> set[str]:
    """The names of the gradients' products that a run computes."""
    return {op.name for op in Plan(fetches, targets, feeds).ops if op.type == "MatMul" and "gradients" in op.name}


ALL = {"gradients/MatMul_1_grad/MatMul", "gradients/MatMul_1_grad/MatMul_1", "gradients/MatMul_grad/MatMul_1"}


def test_the_images_have_no_gradient() -> None:
    x, _, step = built()
    assert products([], [step], x) == ALL


def test_what_is_asked_for_is_computed() -> None:
    x, _, step = built()
    op = tf.get_default_graph().get_operation_by_name("gradients/MatMul_grad/MatMul")
    assert products([op.outputs[0]], [step], x) == {*ALL, op.name}
    assert products([], [step, op], x) == {*ALL, op.name}
    again = tf.identity(op.outputs[0])
    assert products([again], [step], x) == {*ALL, op.name}


def test_products_of_the_program_itself_are_computed() -> None:
    x = tf.placeholder(tf.float32, [None, None])
    product = tf.matmul(x, tf.ones([3, 1]))
    with tf.control_dependencies([product]):
        after = tf.constant(1.0)
    with tf.Session() as session, np.testing.assert_raises(tf.errors.InvalidArgumentError):
        session.run(after, {x: np.ones((2, 4))})
