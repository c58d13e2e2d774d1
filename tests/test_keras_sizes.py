"""Models without declared inputs on data of several sizes.

The numbers are TensorFlow 1.15.5's, in graphs and where ops run at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.eager.context import eager_mode

K, k = tf.keras, tf.keras.layers


@pytest.fixture(autouse=True)
def _new_graph() -> Iterator[None]:
    K.backend.clear_session()
    yield
    K.backend.clear_session()


class Products(K.Model):
    """Goes through the products of two sequences, with a penalty and statistics of its own."""

    def __init__(self) -> None:
        super().__init__()
        ones = {"kernel_initializer": "ones"}
        self.steps = k.SimpleRNN(2, recurrent_initializer="zeros", activity_regularizer="l2", **ones)
        self.scaled, self.last = k.BatchNormalization(), k.Dense(1, **ones)

    def call(self, x: Any) -> Any:
        return self.last(self.scaled(self.steps(x["a"] * x["b"])))


def _data(steps: int, examples: int = 2) -> tuple[dict[str, Any], Any]:
    rng = np.random.RandomState(steps)
    parts = [rng.rand(examples, n, 1).astype("f") for n in (steps, steps)]
    return dict(zip("ab", parts, strict=True)), rng.rand(examples, 1).astype("f")


def _close(got: Any, want: Any) -> None:
    np.testing.assert_allclose(got, want, atol=1e-4)


@pytest.mark.parametrize("at_once", [False, True])
def test_a_model_is_trained_evaluated_and_asked_on_sequences_of_several_lengths(at_once: bool) -> None:
    with eager_mode() if at_once else nullcontext():
        model = Products()
        model.compile(K.optimizers.SGD(0.1), "mse", metrics=["mae"])
        batches = (_data(steps) for steps in (5, 7, 6, 5))
        history = model.fit_generator(
            batches, steps_per_epoch=4, verbose=0, validation_data=_data(9), shuffle=False
        ).history
        _close([history[name][0] for name in sorted(history)], [1.1813, 0.8772, 0.1257, 0.3074])
        _close(model.evaluate(*_data(4, 3), verbose=0), [0.0935, 0.2827])
        _close(model.predict(_data(3, 4)[0]).ravel(), [0.4782, 0.5923, 0.4012, 0.4253])
        _close(model.train_on_batch(*_data(8)), [0.0365, 0.1775])
        _close(model.get_weights()[0].ravel(), [0.9811, 0.9811])
        assert model.inputs[0].shape.as_list() == [None, None, 1]


def test_a_row_takes_images_of_another_size_and_refuses_other_channels() -> None:
    model = K.Sequential([k.Conv2D(2, 3, kernel_initializer="ones"), k.GlobalAveragePooling2D()])
    np.testing.assert_array_equal(model.predict(np.ones([1, 4, 4, 1])), [[9.0, 9.0]])
    np.testing.assert_array_equal(model.predict(np.ones([1, 7, 9, 1])), [[9.0, 9.0]])
    with pytest.raises(ValueError, match="expected input_1 to have 4 dimensions, but got array with shape"):
        model.predict(np.ones([1, 4, 4]))
    row = K.Sequential([k.Dense(1)])
    row.predict(np.ones([2, 3]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="Matrix size-incompatible"):
        row.predict(np.ones([2, 5]))
    assert row.predict(np.ones([2, 3])).shape == (2, 1)
