"""Models that are read back: inside of each other, with metrics and losses of one name, before they have variables."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from retrograd import tf
from retrograd.eager.context import eager_mode
from retrograd.graph import log
from retrograd.keras import hdf5
from retrograd.tf.python.keras import optimizers as first

K, k = tf.keras, tf.keras.layers
X = np.ones((2, 4), "f")


@pytest.fixture(autouse=True)
def _new_graph() -> Iterator[None]:
    K.backend.clear_session()
    yield
    K.backend.clear_session()


def test_a_model_inside_another_is_read_back(tmp_path: Path) -> None:
    inputs = K.Input((4,), name="a")
    inner = K.Model(inputs, k.Dense(3)(inputs), name="inner")
    left, right = K.Input((4,), name="b"), K.Input((4,), name="c")
    model = K.Model([left, right], k.add([inner(left), inner(right)]))
    calls = {layer["name"]: layer["inbound_nodes"] for layer in model.get_config()["layers"]}
    assert calls["add"] == [[["inner", 1, 0, {}], ["inner", 2, 0, {}]]]  # 0 is the model's own
    again = K.Model.from_config(model.get_config())
    again.set_weights(model.get_weights())
    np.testing.assert_allclose(again.predict([X, 2 * X]), model.predict([X, 2 * X]), rtol=1e-6)
    model.save(tmp_path / "m.h5")
    np.testing.assert_allclose(
        K.models.load_model(tmp_path / "m.h5").predict([X, X]), model.predict([X, X]), rtol=1e-6
    )  # fmt: skip
    assert inner.output is inner.outputs[0]


def test_metrics_and_losses_of_one_name(tmp_path: Path) -> None:
    model = K.Sequential([k.Dense(3, activation="softmax", input_shape=(4,))])
    model.compile("sgd", K.losses.CategoricalCrossentropy(), metrics=[K.metrics.CategoricalCrossentropy()])
    y = np.eye(3, dtype="f")[:2]
    expected = model.evaluate(X, y, verbose=0)
    model.save(tmp_path / "m.h5")
    again = K.models.load_model(tmp_path / "m.h5")
    assert isinstance(again.metrics[0], K.metrics.CategoricalCrossentropy)
    assert again.evaluate(X, y, verbose=0) == pytest.approx(expected)


def test_what_an_optimizer_had_and_another_does_not_take(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = K.Sequential([k.Dense(1, input_shape=(4,))])
    model.compile(first.RMSprop(), "mse")
    model.train_on_batch(X, X[:, :1])
    model.save(tmp_path / "m.h5")
    said: list[str] = []
    monkeypatch.setattr(log, "warning", lambda text, *_: said.append(text))
    again = K.models.load_model(tmp_path / "m.h5")
    assert said[-1].startswith("Error in loading the saved optimizer state.")
    np.testing.assert_array_equal(again.predict(X), model.predict(X))


def test_names_that_are_too_long_for_one_attribute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hdf5, "_LARGEST_ATTRIBUTE", 40)
    model = K.Sequential([k.Dense(4, input_shape=(4,), name=f"layer_of_number_{i}") for i in range(3)])
    model.save_weights(tmp_path / "w.h5")
    with h5py.File(tmp_path / "w.h5") as file:
        assert [name for name in file.attrs if name.startswith("layer_names")] == [
            "layer_names0", "layer_names1"
        ]  # fmt: skip
    before = model.predict(X)
    model.set_weights([np.zeros_like(w) for w in model.get_weights()])
    model.load_weights(tmp_path / "w.h5")
    np.testing.assert_array_equal(model.predict(X), before)
    monkeypatch.setattr(hdf5, "_LARGEST_ATTRIBUTE", 10)
    with pytest.raises(RuntimeError, match="cannot be saved to HDF5 file because they are larger than 10 bytes"):
        model.save_weights(tmp_path / "v.h5")


class Two(K.Model):
    """Two layers, which get their variables when the model is called."""

    def __init__(self) -> None:
        super().__init__()
        self.a, self.b = k.Dense(3), k.Dense(1)

    def call(self, x: Any) -> Any:
        return self.b(self.a(x))


@pytest.mark.parametrize("at_once", [False, True])
def test_weights_are_read_before_there_are_variables(tmp_path: Path, at_once: bool) -> None:
    with eager_mode() if at_once else nullcontext():
        model = Two()
        expected = model.predict(X)
        model.save_weights(str(tmp_path / "w"))
        again = Two()
        again.load_weights(str(tmp_path / "w"))
        np.testing.assert_allclose(again.predict(X), expected, rtol=1e-6)
        again.set_weights([np.zeros_like(w) for w in again.get_weights()])
        k.Dense(1)(tf.constant(X))  # other variables bring nothing back
        np.testing.assert_array_equal(again.predict(X), np.zeros((2, 1)))
        with pytest.raises(AssertionError, match="Nothing except the root object matched"):
            K.Sequential().load_weights(str(tmp_path / "w"))


def test_a_row_of_layers_without_a_shape_inside_a_model_is_read_back() -> None:
    inputs = K.Input((4,))
    model = K.Model(inputs, K.Sequential([k.Dense(3)])(inputs))
    again = K.Model.from_config(model.get_config())
    again.set_weights(model.get_weights())
    np.testing.assert_allclose(again.predict(X), model.predict(X), rtol=1e-6)
