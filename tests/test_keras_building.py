"""Models that are built by a shape or not yet built, layers taken away, and what models refuse."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.eager import context
from retrograd.eager.context import eager_mode

K, k = tf.keras, tf.keras.layers
X, Y = np.ones([4, 3], "f"), np.ones([4, 1], "f")
NOT_YET = "Weights for model {} have not yet been created. Weights are created when the Model is first called"


@pytest.fixture(autouse=True)
def _new_graph() -> Iterator[None]:
    K.backend.clear_session()
    yield
    K.backend.clear_session()


class Own(K.Model):
    """A class with a layer."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.d = k.Dense(1)

    def call(self, x: Any) -> Any:
        return self.d(x)


def test_models_are_built_by_a_shape() -> None:
    model = Own()
    assert model.weights == []
    model.build((None, 3))
    assert [w.name for w in model.weights] == ["dense/kernel:0", "dense/bias:0"]
    for wrong in (3, "ab"):
        with pytest.raises(ValueError, match="Specified input shape is not one of the valid types"):
            Own().build(wrong)


def test_rows_are_built_then_trained(tmp_path: Path) -> None:
    model = K.Sequential([k.Dense(3), k.Dense(1)])
    model.compile("sgd", "mse")
    with pytest.raises(ValueError, match=NOT_YET.format("sequential")):
        _ = model.weights
    model.build((None, 3))
    assert (model.inputs, model.outputs, len(model.weights)) == ([], [], 4)
    assert model.get_config()["build_input_shape"] == (None, 3)
    model.fit(X, Y, verbose=0)
    model.save(str(tmp_path / "row.h5"))
    again = K.models.load_model(str(tmp_path / "row.h5"))
    np.testing.assert_array_equal(again.predict(X), model.predict(X))


def test_layers_are_added_after_compile_and_taken_away() -> None:
    model = K.Sequential([k.Dense(3)])
    model.compile("sgd", "mse")
    model.add(k.Dense(1))
    model.compile("sgd", "mse")
    assert model.train_on_batch(X, Y) >= 0
    model = K.Sequential([k.Dense(2, input_shape=[3]), k.Dense(4)])
    model.pop()
    assert model.output_shape == (None, 2)
    model.pop()
    assert (model.inputs, model.outputs, model.layers) == (None, None, [])


def test_a_row_without_a_shape_loses_a_layer_after_it_was_trained() -> None:
    model = K.Sequential([k.Dense(3, activation="relu"), k.Dense(2)])
    model.compile("sgd", "mse")
    model.fit(X, np.ones([4, 2]), verbose=0)
    model.pop()
    model.add(k.Dense(1))
    model.compile("sgd", "mse")
    model.fit(X, Y, verbose=0)
    assert model.predict(X).shape == (4, 1)


def test_a_model_has_the_ends_of_its_first_call_on_tensors_of_a_graph() -> None:
    model, x = Own(), tf.placeholder(tf.float32, [None, 3])
    y = model(x)
    model(tf.ones([2, 3]))
    assert (model.inputs, model.outputs, model.input_names, model.output_names) == (
        [x], [y], ["input_1"], ["output_1"],
    )  # fmt: skip
    row = K.Sequential([k.Dense(2)])
    row(x)
    assert row.inputs == [x]
    with pytest.raises(ValueError, match="Input 0 of layer sequential is incompatible with the layer: expected axis"):
        row(tf.ones([2, 5]))
    with eager_mode():
        model = Own()
        model(tf.ones([2, 3]))
        assert model.inputs == []
        model(k.Input([3], name="named"))
        assert [x.name for x in model.inputs] == ["named:0"]


class Total(k.Layer):
    """Gives the variable to which it adds its inputs."""

    def build(self, shape: Any) -> None:
        self.total = self.add_weight("total", shape=[1, 1], initializer="zeros")

    def call(self, x: Any) -> Any:
        self.total.assign_add(x)
        return self.total


def test_a_layer_of_a_model_where_ops_run_at_once_may_give_a_variable() -> None:
    with eager_mode():
        x = k.Input([1])
        model = K.Model(x, Total()(x))
        assert model.predict(np.ones([1, 1])).tolist() == [[1.0]]
        assert model.predict(np.ones([1, 1])).tolist() == [[2.0]]


def test_a_session_is_cleared_within_a_block_of_eager_execution() -> None:
    with eager_mode():
        K.backend.clear_session()
    with tf.Graph().as_default(), pytest.raises(AssertionError, match="to clear nested graphs"):
        K.backend.clear_session()


def _unknown_metric() -> Any:
    x = k.Input(3)
    K.Model(x, k.Dense(1, name="a")(x)).compile("sgd", "mse", metrics={"foo": "mae"})


def _unknown_loss() -> Any:
    x = k.Input(3)
    K.Model(x, k.Dense(1, name="a")(x)).compile("sgd", {"foo": "mse"})


def _twice() -> Any:
    x = k.Input(3)
    return K.Model([x, x], k.Dense(1)(x))


def _argument() -> Any:
    x = k.Input(3)
    return K.Model(x, k.Dense(1)(x), foo=1)


def _uninitialized() -> Any:
    class Silent(K.Model):
        def __init__(self) -> None:
            self.d = k.Dense(1)

    return Silent()


def _named_inputs() -> Any:
    model = K.Sequential([k.Dense(1)])
    model.compile("sgd", "mse")
    return model.train_on_batch({"dense_input": X}, Y)


class Composed(k.Layer):
    """A layer that consists of others, which its ``__call__`` makes."""

    def __call__(self, x: Any) -> Any:  # type: ignore[override]
        return k.concatenate([k.Dense(3, name="inner")(x), x], name="both")


def test_a_row_holds_the_layers_that_another_consists_of() -> None:
    model = K.Sequential([k.Dense(4, input_shape=[5], name="first"), Composed(name="own"), k.Dense(1, name="last")])
    assert [layer.name for layer in model.layers] == ["first", "inner", "both", "last"]
    assert len(model.trainable_weights) == 6
    model.pop()
    assert model.output_shape == (None, 7)


@pytest.mark.parametrize(("attempt", "error", "words"), [
    (_unknown_metric, ValueError, "Unknown entries in metrics dictionary: ['foo']. Only expected"),
    (_unknown_loss, ValueError, "Unknown entries in loss dictionary: ['foo']. Only expected following keys: ['a']"),
    (_twice, ValueError, "The list of inputs passed to the model is redundant."),
    (_argument, TypeError, "Functional models may only specify `name` and `trainable` keyword arguments"),
    (_uninitialized, RuntimeError, "you forgot to call `super(YourClass, self).__init__()`"),
    (_named_inputs, ValueError, "Passing a dictionary input to a Sequential Model which doesn't have FeatureLayer"),
    (lambda: k.InputSpec(ndim=3, axes={4: 2}), ValueError, "Axis 4 is greater than the maximum allowed value: 2"),
    (lambda: k.InputSpec(axes={"a": 2}), TypeError, "The keys in axes must be integers."),
])  # fmt: skip
def test_models_refuse(attempt: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=re.escape(words)):
        attempt()


def test_metrics_of_version_2_are_called_as_in_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context, "_version_2", [True])
    x = k.Input(3)
    model = K.Model(x, k.Dense(1)(x))
    model.compile("sgd", "mse", metrics=["mae", "accuracy", K.metrics.MeanSquaredError()])
    assert model.metrics_names == ["loss", "mae", "accuracy", "mean_squared_error"]


class Looping(k.Layer):
    """A layer that goes through its examples in Python."""

    def call(self, x: Any) -> Any:
        return tf.stack([row * 2.0 for row in x])


def test_a_layer_that_needs_python_is_told_to_be_dynamic() -> None:
    with pytest.raises(TypeError, match="You are attempting to use Python control flow in a layer that was not decl"):
        Looping()(k.Input([3]))


def test_where_ops_run_at_once_the_phase_is_of_the_graph_of_models_and_functions_take_values() -> None:
    with eager_mode():
        assert K.backend.symbolic_learning_phase().name == "keras_learning_phase:0"
        x = K.backend.placeholder([2])
        assert K.backend.function([x], x + 1.0)([tf.constant([1.0, 2.0])]).tolist() == [2.0, 3.0]


class Branching(k.Layer):
    """A layer that does something in a branch."""

    def __init__(self, what: str) -> None:
        super().__init__()
        self.what, self.inner = what, k.Dense(3, activity_regularizer="l2")

    def call(self, x: Any) -> Any:
        return tf.cond(tf.reduce_sum(x) > 0.0, lambda: self._done(x), lambda: x)

    def _done(self, x: Any) -> Any:
        if self.what == "layer":
            return self.inner(x)
        if self.what == "add_loss":
            self.add_loss(tf.reduce_sum(x))
        else:
            self.add_metric(tf.reduce_sum(x), name="sum", aggregation="mean")
        return x * 1.0


@pytest.mark.parametrize(("what", "words"), [
    ("add_loss", "You are using the method `add_loss` in a control flow branch in your layer, e.g.:"),
    ("add_metric", "You are using the method `add_metric` in a control flow branch in your layer, e.g.:"),
    ("layer", "You are using a layer with `activity_regularizer` in a control flow branch, e.g.:"),
])  # fmt: skip
def test_nothing_is_added_in_a_branch_beside_eager_execution(what: str, words: str) -> None:
    with eager_mode(), pytest.raises(RuntimeError, match=re.escape(words)):
        Branching(what)(k.Input([3]))
