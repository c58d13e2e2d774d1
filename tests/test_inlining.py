"""``tf.function`` in a graph, and models by subclassing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.eager.context import eager_mode


@pytest.fixture(autouse=True)
def graph() -> Iterator[None]:
    """Each test builds a graph of its own."""
    with tf.Graph().as_default():
        yield


def test_effects_come_in_the_order_of_the_lines() -> None:
    v = tf.Variable(1.0, use_resource=True)

    @tf.function
    def twice(x: Any) -> Any:
        v.assign_add(x)
        between = v * 2
        v.assign_add(x)
        return between, {"last": v.read_value()}

    results = twice(tf.constant(3.0))
    with tf.Session() as sess:
        sess.run(v.initializer)
        assert sess.run(results) == (8.0, {"last": 7.0})
        assert sess.run(v) == 7.0


def test_a_function_that_gives_nothing_is_an_op() -> None:
    v = tf.Variable(1.0, use_resource=True)

    @tf.function
    def grow() -> None:
        v.assign_add(1.0)

    op = grow()
    with tf.Session() as sess:
        sess.run(v.initializer)
        sess.run(op)
        assert sess.run(v) == 2.0


def test_signatures_are_checked() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
    def total(x: Any) -> Any:
        return tf.reduce_sum(x)

    with tf.Session() as sess:
        assert sess.run(total(np.ones((3, 2)))) == 6.0
    with pytest.raises(ValueError, match="Python inputs incompatible with input_signature"):
        total(np.ones(3))


def test_a_method_is_a_function_too() -> None:
    class Doubler:
        factor = 2.0

        @tf.function
        def run(self, x: Any) -> Any:
            return x * self.factor

    x = tf.constant(3.0)
    y = Doubler().run(x)
    with tf.Session() as sess:
        assert sess.run([y, tf.gradients(y, x)[0]]) == [6.0, 2.0]


def test_a_model_is_its_layers() -> None:
    class Perceptron(tf.keras.Model):
        def __init__(self) -> None:
            super().__init__()
            self.hidden = tf.layers.Dense(4, name="hidden")
            self.out = tf.layers.Dense(1, name="out")

        def call(self, x: Any) -> Any:
            return self.out(self.hidden(x))

    model = Perceptron()
    y = model(tf.ones([3, 2]))
    assert y.shape.as_list() == [3, 1]
    assert len(model.trainable_weights) == 4
    assert model.get_layer("hidden") is model.layers[0]
    with pytest.raises(ValueError, match="No such layer: hiden"):
        model.get_layer("hiden")
    with pytest.raises(ValueError, match=r"Input tensors to a Model must come from `tf.keras.Input`"):
        tf.keras.Model(inputs=y, outputs=y)


def test_a_private_function_has_a_scope() -> None:
    @tf.function
    def _half(x: Any) -> Any:
        return x / 2

    assert _half(tf.constant(3.0)).name.startswith("half_call/")


def test_a_variable_that_begins_with_a_tensor_is_made_once() -> None:
    """Where ops run at once: the first call gives it its value, and later ones read what it is by then."""
    kept: list[Any] = []

    @tf.function
    def shifted(x: Any) -> Any:
        if not kept:
            kept.append(tf.Variable(x * 2.0))
        return x + kept[0]

    with eager_mode():
        assert [float(shifted(tf.constant(x))) for x in (1.0, 5.0)] == [3.0, 7.0]
        kept[0].assign(1.0)
        assert [float(shifted(tf.constant(x))) for x in (1.0, 5.0)] == [2.0, 6.0]
