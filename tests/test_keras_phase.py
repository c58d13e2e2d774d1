"""Which ``training`` a call of a layer gets: what is given, the caller's, the phase that was set, or the fed phase."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.eager.context import eager_mode
from retrograd.eager.graph import eager_graph
from retrograd.eager.lifted import graph_of_models

K, k = tf.keras, tf.keras.layers
X = np.ones([2, 3], "f")


@pytest.fixture(autouse=True, params=["graph", "eager"])
def mode(request: pytest.FixtureRequest) -> Iterator[str]:
    """Run a test in a graph of its own, and where ops run at once."""
    K.backend.clear_session()
    eager_graph().notes.clear()
    graph_of_models.cache_clear()
    with eager_mode() if request.param == "eager" else nullcontext():
        yield request.param
    eager_graph().notes.clear()


class Falling(k.Layer):
    """Nothing in training, else the inputs; remembers what it was told."""

    told: Any = "nothing"

    def call(self, x: Any, training: Any = None) -> Any:
        self.told = training
        if training:
            return x * 0.0
        return x * 1.0


class Silent(K.Model):
    """A model that says nothing of training."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = Falling()

    def call(self, x: Any) -> Any:
        return self.inner(x)


def _models() -> list[Any]:
    x = k.Input([3])
    return [Silent(), K.Model(x, Falling()(x)), K.Sequential([Falling()])]


@pytest.mark.parametrize("which", [0, 1, 2], ids=["subclass", "functional", "sequential"])
def test_training_and_testing(which: int, mode: str) -> None:
    model = _models()[which]
    model.compile("sgd", "mse")
    expected = 1.0 if mode == "eager" or which == 2 else 0.0  # a graph of TensorFlow 1 says nothing by itself
    assert model.train_on_batch(X, X) == expected
    assert model.test_on_batch(X, X) == 0.0
    assert model.fit(X, X, verbose=0).history["loss"] == [expected]


@pytest.mark.parametrize("which", [0, 1, 2], ids=["subclass", "functional", "sequential"])
def test_calls(which: int, mode: str) -> None:
    model = _models()[which]
    inner = model.layers[-1]
    for given in (None, True, False):
        model(tf.constant(X), **({} if given is None else {"training": given}))
        assert inner.told is given
    K.backend.set_learning_phase(1)
    model(tf.constant(X))
    assert inner.told is (True if mode == "eager" else None)


def test_steps_op_by_op_need_eager_execution(mode: str) -> None:
    model = K.Sequential([k.Dense(1, input_shape=[3])])
    if mode == "eager":
        model.compile("sgd", "mse", run_eagerly=True)
        assert model.run_eagerly
        return
    with pytest.raises(ValueError, match="You can only set `run_eagerly=True`"):
        model.compile("sgd", "mse", run_eagerly=True)


def test_what_build_keeps_serves_models_and_calls():
    """Constants and variables that ``build`` makes in a model's graph have their values in a call by itself."""

    class Scaled(tf.keras.layers.Layer):
        def build(self, shape):
            self.two = tf.convert_to_tensor(2.0)
            self.six = tf.Variable(3.0 * self.two)
            self.unused = self.add_weight("unused", (1,))

        def call(self, inputs):
            return self.two * self.six * inputs

    with eager_mode():
        layer = Scaled()
        model = tf.keras.Sequential([layer])
        model.build((None, 1))
        assert layer(tf.constant([[3.0]])).numpy().tolist() == [[36.0]]
        assert model.predict(np.ones((2, 1))).tolist() == [[12.0], [12.0]]
        # a variable without a gradient is left as it is, as in TensorFlow where ops run at once
        before = layer.unused.numpy()
        model.compile(tf.keras.optimizers.SGD(1 / 512, clipnorm=1.0), "mse")
        model.train_on_batch(np.ones((2, 1)), np.zeros((2, 1)))
        assert layer.six.numpy() == 6.0 - 48 / 512
        assert layer.unused.numpy() == before


@pytest.mark.parametrize("eager", [False, True])
def test_hyperparameters_are_variables_from_the_first(eager):
    """Before any step, as in TensorFlow: so a program can set them."""
    K = tf.keras.backend
    with eager_mode() if eager else tf.Graph().as_default():
        optimizer = tf.keras.optimizers.SGD(0.1)
        model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,), kernel_initializer="ones")])
        model.compile(optimizer, "mse")
        assert optimizer.weights == []
        K.set_value(optimizer.lr, 0.5)
        assert K.get_value(optimizer.learning_rate) == 0.5
        model.train_on_batch(np.ones((1, 2)), np.zeros((1, 1)))
        assert model.get_weights()[1].tolist() == [-2.0]
        assert optimizer.get_config()["learning_rate"] == 0.5
        assert K.get_value(tf.keras.optimizers.Adam().beta_1) == np.float32(0.9)


def test_models_that_build_more_and_then_themselves():
    class Model(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.normal = tf.keras.layers.BatchNormalization()

        def build(self, shape):
            self.last = tf.keras.layers.Dense(1)
            super().build(shape)

        def call(self, inputs, training=None):
            return self.last(self.normal(inputs, training=training))

    with eager_mode():
        model = Model()
        model.compile("sgd", "mse")
        model.fit(np.ones((4, 3)), np.ones((4, 1)), verbose=0)
        assert len(model.weights) == 6
        assert model.normal.moving_mean.numpy().any()
