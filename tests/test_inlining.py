"""``tf.function`` in a graph, and models by subclassing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
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


def test_a_private_function_is_called() -> None:
    @tf.function
    def _half(x: Any) -> Any:
        return x / 2

    assert _half(tf.constant(3.0)).name == "PartitionedCall:0"


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


@pytest.fixture
def eagerly() -> Iterator[None]:
    with eager_mode():
        yield


def test_a_function_of_a_signature_is_traced_once_with_its_shapes(eagerly: None) -> None:
    shapes = []

    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.float32)])
    def size(x: Any) -> Any:
        shapes.append(x.shape.as_list())
        return tf.shape(x)

    assert [size(np.ones(s)).numpy().tolist() for s in ((2, 3), (1, 1))] == [[2, 3], [1, 1]]
    assert shapes == [[None, None]]


def test_a_function_that_gives_nothing_is_traced_and_its_effects_happen(eagerly: None) -> None:
    v, calls = tf.Variable(1.0), []

    @tf.function
    def grow() -> None:
        calls.append(0)
        v.assign_add(1.0)

    assert [grow(), grow(), v.numpy()] == [None, None, 3.0]
    assert calls == [0]


def test_ragged_arguments_of_one_kind_are_traced_once(eagerly: None) -> None:
    calls = []

    @tf.function
    def same(x: Any) -> Any:
        calls.append(0)
        return x

    given = [tf.ragged.constant([[1, 2], [i]]) for i in range(3)]
    assert [same(x).to_list() for x in given] == [x.to_list() for x in given]
    assert len(calls) == 1


@pytest.mark.parametrize("is_taped", [False, True])
def test_arguments_are_not_to_be_changed(eagerly: None, is_taped: bool) -> None:
    @tf.function
    def longer(rows: list[Any]) -> Any:
        rows.append(tf.constant(1.0))
        return rows[0]

    scope = tf.GradientTape() if is_taped else tf.init_scope()
    with scope, pytest.raises(ValueError, match="Function to be traced should not modify structure of input arguments"):
        longer([tf.constant(0.0)])


def test_variables_are_made_by_the_first_call_alone(eagerly: None) -> None:
    @tf.function
    def grown(x: float) -> Any:
        return tf.Variable(1.0) + x

    grown(1.0)
    with pytest.raises(ValueError, match="function tried to create variables on non-first call"):
        grown(1.0)
    made: list[Any] = []

    @tf.function
    def later(makes: bool) -> None:
        if makes:
            made.append(tf.Variable(1.0))

    later(False)
    with pytest.raises(ValueError, match="Creating variables on a non-first call to a function decorated"):
        later(True)


def test_each_instance_makes_its_variables(eagerly: None) -> None:
    class Scale:
        factor: Any = None

        @tf.function
        def __call__(self, x: Any) -> Any:
            if self.factor is None:
                self.factor = tf.Variable(2.0)
            return self.factor * x

    one, other = Scale(), Scale()
    assert [one(1.0).numpy(), one(2.0).numpy(), other(3.0).numpy()] == [2.0, 4.0, 6.0]
    assert one.__call__ == one.__call__ != other.__call__


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda f: f([[1.0]], 3), TypeError, r"only pass arguments covered by it. Received 2 argument\(s\)."),
        (lambda f: f([[1.0]], training=True), TypeError, "only pass arguments covered by it. Received argument trai"),
        (lambda f: f(b=1), TypeError, "Function got an unexpected keyword argument b"),
        (lambda f: f(), ValueError, "Structure of Python function inputs does not match input_signature:\n  inputs: "),
        (lambda f: f([1.0]), ValueError, "Python inputs incompatible with input_signature:\n  inputs: \\(\n    \\[1.0"),
        (lambda f: f.get_concrete_function()(2.0), ValueError, "the 0-th input \\(2.0\\) was not a Tensor"),
    ],
)
def test_calls_that_do_not_fit_the_signature(eagerly: None, call: Any, error: type[Exception], message: str) -> None:
    def signed(a: Any, training: bool = True) -> Any:
        return a

    with pytest.raises(error, match=message):
        call(tf.function(signed, input_signature=[tf.TensorSpec([None, None], tf.float32)]))


@pytest.mark.parametrize("signature", [{"a": tf.TensorSpec([], tf.float32)}, [(2, 3)]])
def test_what_is_no_signature(signature: Any) -> None:
    with pytest.raises(TypeError, match="nput_signature"):
        tf.function(lambda a: a, input_signature=signature)


def test_default_arguments_fill_a_signature(eagerly: None) -> None:
    signature = [tf.TensorSpec([], tf.float32), tf.TensorSpec([], tf.bool)]
    signed = tf.function(lambda a, plus=True: a if plus else -a, input_signature=signature)
    assert [signed(1.0).numpy(), signed(1.0, plus=False).numpy()] == [1.0, -1.0]


def test_results_are_tensors_under_a_tape_too(eagerly: None) -> None:
    v = tf.Variable(2.0)
    with tf.GradientTape():
        results = tf.function(lambda x: [1, None, "a", x, v])(3.0)
    assert [None if x is None else x.numpy() for x in results] == [1, None, b"a", 3.0, 2.0]


def test_a_tensor_of_a_graph_is_no_argument_where_ops_run_at_once(eagerly: None) -> None:
    with tf.Graph().as_default():
        x = tf.constant(1.0)
    with pytest.raises(TypeError, match="An op outside of the function building code is being passed"):
        tf.function(lambda x: x)(x)


@pytest.mark.parametrize("mode", [eager_mode, nullcontext])
def test_variables_made_in_a_call_have_names_of_their_own(mode: Any) -> None:
    made: list[Any] = []

    @tf.function
    def inner(x: Any) -> Any:
        with tf.name_scope("scope"):
            if not made:
                made.append(tf.Variable(2.0, name="v", use_resource=True))
        return x * made[0]

    with mode(), tf.name_scope("outer"):
        tf.function(lambda x: inner(x) + 1.0)(tf.constant(1.0))
        assert made[0].name == "scope/v:0"
