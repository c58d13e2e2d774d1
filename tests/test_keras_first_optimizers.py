"""The optimizers of ``tensorflow.python.keras.optimizers``, against losses recorded from TensorFlow 1.15.5."""

from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.tf.python.keras import backend, optimizers

X = np.random.RandomState(0).normal(size=(32, 4)).astype("f")
Y = np.random.RandomState(1).normal(size=(32, 2)).astype("f")

RECORDED = [
    ("SGD", {}, [0.84615, 0.84512, 0.84416]),
    ("SGD", {"momentum": 0.9, "nesterov": True, "clipnorm": 0.5}, [0.84621, 0.84386, 0.84313]),
    ("RMSprop", {}, [0.84491, 0.8436, 0.84275]),
    ("Adagrad", {}, [0.8467, 0.84235, 0.83971]),
    ("Adadelta", {}, [0.84438, 0.8438, 0.84317]),
    ("Adam", {}, [0.84466, 0.84346, 0.84274]),
    ("Nadam", {}, [0.84469, 0.8437, 0.84284]),
]


def _model(optimizer: Any) -> Any:
    initial = tf.keras.initializers.RandomNormal
    model = tf.keras.Sequential([
        tf.keras.layers.Dense(3, input_shape=(4,), kernel_initializer=initial(seed=1)),
        tf.keras.layers.Dense(2, kernel_initializer=initial(seed=2)),
    ])  # fmt: skip
    model.compile(optimizer, "mse")
    return model


@pytest.mark.parametrize(("name", "arguments", "losses"), RECORDED)
def test_losses_of_three_epochs(name: str, arguments: dict[str, Any], losses: list[float]) -> None:
    optimizer = getattr(optimizers, name)(**arguments)
    found = _model(optimizer).fit(X, Y, epochs=3, batch_size=8, shuffle=False, verbose=0).history["loss"]
    np.testing.assert_allclose(found, losses, rtol=2e-5)
    optimizer.set_weights(optimizer.get_weights())
    again = type(optimizer).from_config(optimizer.get_config())
    assert again.get_config() == optimizer.get_config()
    assert optimizers.deserialize(optimizers.serialize(optimizer)).get_config()["name"] == name


def test_the_rate_falls_with_the_steps_counted_from_one() -> None:
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(1,), kernel_initializer="ones")])
    model.compile(optimizers.SGD(lr=0.1, decay=1.0), "mse")
    moved = []
    for _ in range(3):
        before = model.get_weights()[0]
        model.train_on_batch(np.ones((2, 1)), -np.ones((2, 1)))
        moved.append((before - model.get_weights()[0]).item())
    np.testing.assert_allclose(moved, [0.2, 0.10666667, 0.06933333], rtol=1e-4)


def test_what_they_refuse() -> None:
    with pytest.raises(TypeError, match="Unexpected keyword argument passed to optimizer: foo"):
        optimizers.SGD(foo=1)
    with pytest.raises(ValueError, match=r"Expected clipnorm >= 0, received: -1\.0"):
        optimizers.Adam(clipnorm=-1.0)
    with pytest.raises(ValueError, match="has `None` for gradient"):
        optimizers.SGD().get_gradients(backend.variable(1.0), [backend.variable(2.0)])
    optimizer = optimizers.Adam()
    _model(optimizer).train_on_batch(X, Y)
    with pytest.raises(
        ValueError, match=r"weight list \(0\) does not match the number of weights of the optimizer \(13\)"
    ):
        optimizer.set_weights([])
    with pytest.raises(ValueError, match=r"shape \(4, 3\) not compatible with provided weight shape \(\)"):
        optimizer.set_weights([np.zeros(())] * 13)


def test_an_optimizer_of_tf_train_shows_no_weights() -> None:
    optimizer = optimizers.TFOptimizer(tf.train.AdamOptimizer(0.01))
    backend.track_tf_optimizer(optimizer)
    with pytest.raises(NotImplementedError):
        _ = optimizer.weights
    with pytest.raises(NotImplementedError):
        optimizer.from_config(None)
