"""Models that are read back: inside of each other, with metrics and losses of one name, before they have variables."""

from __future__ import annotations

import re
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
    model.compile(first.SGD(), "mse")
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
        with pytest.raises(AssertionError, match="Nothing to load"):
            K.Sequential().load_weights(str(tmp_path / "w"))


def _trained(optimizer: Any = None) -> Any:
    model = K.Sequential([k.Dense(1, input_shape=(4,), kernel_initializer="ones")])
    if optimizer is not None:
        model.compile(optimizer, "mse")
        model.train_on_batch(X, np.ones((2, 1)))
    return model


@pytest.mark.parametrize("at_once", [False, True])
def test_a_checkpoint_of_weights_has_the_slots_of_tf_train(tmp_path: Path, at_once: bool) -> None:
    with eager_mode() if at_once else nullcontext():
        model, path = _trained(tf.train.AdamOptimizer(0.1)), str(tmp_path / "w")
        model.save_weights(path)
        names = {name.partition("/.ATTRIBUTES")[0] for name, _ in tf.train.list_variables(path)}
        assert {"optimizer/global_step", "optimizer/optimizer/beta1_power"} < names
        assert "layer_with_weights-0/kernel/.OPTIMIZER_SLOT/optimizer/optimizer/m" in names
        expected = [model.train_on_batch(X, np.ones((2, 1))), *model.get_weights()]
        model.load_weights(path)
        np.testing.assert_allclose(model.train_on_batch(X, np.ones((2, 1))), expected[0], rtol=1e-6)
        again = _trained()  # compiled and trained when its weights are read
        again.load_weights(path)
        again.compile(tf.train.AdamOptimizer(0.1), "mse")
        assert again.train_on_batch(X, np.ones((2, 1))) == pytest.approx(expected[0], rel=1e-6)
        for given, wanted in zip(again.get_weights(), expected[1:], strict=True):
            np.testing.assert_allclose(given, wanted, rtol=1e-5)


@pytest.mark.parametrize("at_once", [False, True])
def test_an_exported_model_has_the_slots_of_tf_train(tmp_path: Path, at_once: bool) -> None:
    with eager_mode() if at_once else nullcontext():
        model = _trained(tf.train.RMSPropOptimizer(0.1))
        K.experimental.export_saved_model(model, str(tmp_path / "m"))
        again = K.experimental.load_from_saved_model(str(tmp_path / "m"))
        again.compile(tf.train.RMSPropOptimizer(0.1), "mse")
        for each in (model, again):
            each.train_on_batch(X, np.ones((2, 1)))
        for given, wanted in zip(again.get_weights(), model.get_weights(), strict=True):
            np.testing.assert_allclose(given, wanted, rtol=1e-6)


def test_a_model_of_a_graph_waits_while_ops_run_at_once(tmp_path: Path) -> None:
    with tf.Session() as session:
        model = Two()
        model.predict(X)
        model.save_weights(str(tmp_path / "w"))
        waiting = Two()
        waiting.load_weights(str(tmp_path / "w"))
        waiting(tf.constant(X))
        assert session is tf.get_default_session()
    with eager_mode():
        k.Dense(1)(tf.constant(X))


@pytest.mark.parametrize("name", ["w", "w.h5", "whole.h5", "saved"])
def test_nothing_is_written_over_unless_the_user_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    asked = []
    answers = iter(["what", "n", " Y "])

    def answer(text: str) -> str:
        asked.append(text)
        return next(answers)

    monkeypatch.setattr("builtins.input", answer)
    path = str(tmp_path / name)
    model, second = _trained(), _trained()
    second.set_weights([w + 1 for w in second.get_weights()])

    def write(model: Any, overwrite: bool) -> None:
        if name == "saved":
            model.save(path, overwrite, save_format="tf")
        else:
            (model.save if name == "whole.h5" else model.save_weights)(path, overwrite)

    def written() -> Any:
        if name != "saved":
            model = _trained()
            model.load_weights(path)
            return model.get_weights()
        return K.models.load_model(path, compile=False).get_weights()

    write(model, True)
    write(second, False)
    np.testing.assert_array_equal(written()[0], model.get_weights()[0])
    write(second, False)
    np.testing.assert_array_equal(written()[0], second.get_weights()[0])
    question = f"[WARNING] {path}{'.index' * (name == 'w')} already exists - overwrite? [y/n]"
    assert asked == [question, 'Enter "y" (overwrite) or "n" (cancel).', question]
    assert capsys.readouterr().out == "[TIP] Next time specify overwrite=True!\n"


def test_an_old_optimizer_is_not_in_a_checkpoint_and_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(log, "warning", lambda text, *_: told.append(text))
    _trained(first.Adam()).save_weights(str(tmp_path / "w"))
    assert any(text.startswith("This model was compiled with a Keras optimizer (") for text in told)


def test_a_row_of_layers_without_a_shape_inside_a_model_is_read_back() -> None:
    inputs = K.Input((4,))
    model = K.Model(inputs, K.Sequential([k.Dense(3)])(inputs))
    again = K.Model.from_config(model.get_config())
    again.set_weights(model.get_weights())
    np.testing.assert_allclose(again.predict(X), model.predict(X), rtol=1e-6)


@pytest.mark.parametrize("name", ["RMSprop", "Adagrad", "Adadelta", "Adam", "Adamax", "Nadam"])
def test_a_model_with_a_first_optimizer_goes_on_where_it_was_saved(name: str, tmp_path: Path) -> None:
    model = K.Sequential([k.Dense(2, input_shape=(4,)), k.Dense(1)])
    model.compile(loss="mse", optimizer=getattr(first, name)())
    for _ in range(3):
        model.train_on_batch(X, np.zeros((2, 1)))
    model.save(str(tmp_path / "model.h5"))
    again = K.models.load_model(str(tmp_path / "model.h5"))
    for each in (model, again):
        each.train_on_batch(X, np.zeros((2, 1)))
    for a, b in zip(model.get_weights(), again.get_weights(), strict=True):
        np.testing.assert_allclose(a, b, atol=1e-7)


def test_weights_of_other_layers_are_refused(tmp_path: Path) -> None:
    def of(units: int, **options: Any) -> Any:
        first = K.layers.Dense(units, input_dim=3, name="first", **options)
        return K.Sequential([first, K.layers.Dense(2, name="last")])

    path = str(tmp_path / "weights.h5")
    of(5).save_weights(path)
    words = 'Layer #0 (named "first") expects 1 weight(s), but the saved weights have 2 element(s).'
    with pytest.raises(ValueError, match=re.escape(words)):
        of(5, use_bias=False).load_weights(path, by_name=True)
    words = (
        'Layer #0 (named "first" in the current model) was found to correspond to layer first in the save file. '
        "However the new layer first expects 1 weights, but the saved weights have 2 elements."
    )
    with pytest.raises(ValueError, match=re.escape(words)):
        of(5, use_bias=False).load_weights(path)
    words = r"weight <tf.Variable 'first.*/kernel:0' shape=\(3, 10\) dtype=float32> has shape \(3, 10\), but the saved"
    with pytest.raises(ValueError, match=words):
        of(10).load_weights(path, by_name=True)


class Weighted:
    """A loss of the user's own that is no ``tf.keras.losses.Loss``."""

    def __init__(self, factor: float) -> None:
        self.factor = factor

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        return self.factor * tf.keras.losses.mse(y_true, y_pred)

    def get_config(self) -> dict[str, float]:
        return {"factor": self.factor}


def test_a_loss_of_the_users_own_class_is_made_again_with_its_configuration(tmp_path: Path) -> None:
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones", input_shape=[2])])
    model.compile("sgd", Weighted(0.3))
    path = str(tmp_path / "model.h5")
    model.save(path)
    again = tf.keras.models.load_model(path, custom_objects={"Weighted": Weighted})
    assert again.loss.factor == 0.3
    np.testing.assert_allclose(np.mean(again.evaluate(np.ones([4, 2]), np.ones([4, 1]), verbose=0)), 0.3, rtol=1e-6)
