"""Models of Keras as estimators: their graphs, checkpoints and names beside what TensorFlow 1.15.5 showed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrograd import tf

K, k = tf.keras, tf.keras.layers
X = np.random.RandomState(0).randn(32, 3).astype("f")
Y = np.eye(2, dtype="f")[(X.sum(1) > 0).astype(int)]


@pytest.fixture(autouse=True)
def _new_graph() -> Iterator[None]:
    K.backend.clear_session()
    yield
    K.backend.clear_session()


def _model() -> Any:
    x = k.Input([3], name="a")
    model = K.Model(x, k.Dense(2, activation="softmax", name="out")(k.Dropout(0.2)(x)))
    model.compile("adam", "categorical_crossentropy", metrics=["accuracy"])
    return model


def _batches() -> Any:
    return tf.data.Dataset.from_tensor_slices(({"a": X}, Y)).repeat().batch(8)


def test_an_estimator_starts_from_the_models_weights_and_trains(tmp_path: Path) -> None:
    model = _model()
    before = model.get_weights()
    estimator = K.estimator.model_to_estimator(model, model_dir=str(tmp_path))
    assert (tmp_path / "keras" / "keras_model.ckpt.index").exists()
    estimator.train(_batches, steps=1)
    for value, name in zip(before, ["out/kernel", "out/bias"], strict=True):
        np.testing.assert_allclose(estimator.get_variable_value(name), value, atol=2e-3)  # one step of 0.001
    slots = [f"training/Adam/out/{v}/{m}" for v in ("bias", "kernel") for m in "mv"]
    settings = [f"training/Adam/{n}" for n in ("beta_1", "beta_2", "decay", "learning_rate")]
    assert estimator.get_variable_names() == sorted(["global_step", "out/bias", "out/kernel", *slots, *settings])
    assert estimator.evaluate(_batches, steps=2).keys() == {"acc", "loss", "global_step"}
    rows = list(estimator.predict(lambda: tf.data.Dataset.from_tensor_slices({"a": X}).batch(8)))
    assert len(rows) == 32
    assert rows[0]["out"].shape == (2,)


@pytest.mark.parametrize("mode", ["train", "eval", "infer"])
def test_graphs(mode: str, tmp_path: Path) -> None:
    estimator = K.estimator.model_to_estimator(_model(), model_dir=str(tmp_path))
    with tf.Graph().as_default() as graph:
        features, labels = tf.data.make_one_shot_iterator(_batches()).get_next()
        spec = estimator.model_fn(features, labels, mode, estimator.config)
        names = [op.name for op in graph.get_operations()]
    assert spec.predictions["out"].name == "out/Softmax:0"
    assert ("keras_learning_phase" in names) is False
    if mode == "infer":
        assert (spec.loss, spec.train_op, spec.eval_metric_ops) == (None, None, {})
        return
    assert names.index("global_step") < names.index("out/kernel")
    assert spec.loss.name == "loss/mul:0"
    value, update = spec.eval_metric_ops["acc"]
    assert (value.name, update.name) == ("Identity_1:0", "metrics/acc/AssignAddVariableOp_1")
    assert getattr(spec.train_op, "name", None) == ("training_1/group_deps" if mode == "train" else None)
    assert ("dropout/Identity" in names) is (mode == "eval")


def test_features_are_named_as_the_inputs(tmp_path: Path) -> None:
    estimator = K.estimator.model_to_estimator(_model(), model_dir=str(tmp_path))
    words = "The dictionary passed into features does not have the expected inputs keys defined in the keras model."
    with pytest.raises(KeyError, match=re.escape(words)):
        estimator.train(lambda: tf.data.Dataset.from_tensor_slices(({"b": X}, Y)).batch(8), steps=1)


def _own() -> Any:
    class Own(K.Model):
        def call(self, x: Any) -> Any:
            return x

    model = Own()
    model.compile("sgd", "mse")
    return model


def _uncompiled() -> Any:
    x = k.Input([3])
    return K.Model(x, k.Dense(1)(x))


@pytest.mark.parametrize(("arguments", "error", "words"), [
    (dict, ValueError, "Either `keras_model` or `keras_model_path` needs to be provided."),
    (lambda: {"keras_model": _model(), "keras_model_path": "x"}, ValueError, "but not both."),
    (lambda: {"keras_model": _uncompiled()}, ValueError, "The given keras model has not been compiled yet."),
    (lambda: {"keras_model": _own()}, NotImplementedError, "A model that is a class of its own cannot be copied"),
])  # fmt: skip
def test_what_is_no_estimator(arguments: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=re.escape(words)):
        K.estimator.model_to_estimator(**arguments())


def test_a_model_that_was_trained_goes_on_in_an_estimator(tmp_path: Path) -> None:
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, use_bias=False, kernel_initializer="ones", input_shape=[1])])
    model.compile(tf.keras.optimizers.SGD(0.25), "mse")
    model.train_on_batch(np.ones([1, 1]), np.zeros([1, 1]))
    estimator = tf.keras.estimator.model_to_estimator(model, model_dir=str(tmp_path))
    ones = {model.input_names[0]: np.ones([1, 1], "f")}
    estimator.train(lambda: tf.data.Dataset.from_tensors((ones, np.zeros([1, 1], "f"))), steps=1)
    assert estimator.get_variable_value("dense/kernel").item() == pytest.approx(0.25)  # halved twice


@pytest.mark.parametrize(
    ("optimizer", "sums", "loss"),
    [("sgd", [-1.531902, 0.017293], 0.343782), ("adam", [-1.602478, 0.062335], 0.508812)],
)
def test_an_estimator_starts_from_weights_of_its_seed(optimizer: str, sums: Any, loss: float, tmp_path: Path) -> None:
    """Recorded: six steps with dropout, of a model that no session of Keras has initialized."""
    tf.keras.backend.clear_session()
    tf.set_random_seed(3)
    layers = tf.keras.layers
    model = tf.keras.Sequential([layers.Dense(3, input_shape=(4,)), layers.Dropout(0.5), layers.Dense(1)])
    model.compile(optimizer, "mse")
    config = tf.estimator.RunConfig(tf_random_seed=3, model_dir=str(tmp_path))
    estimator = tf.keras.estimator.model_to_estimator(model, config=config)
    draw = np.random.RandomState(0)
    x, y = draw.rand(24, 4).astype("f"), draw.rand(24, 1).astype("f")

    def batches() -> Any:
        return tf.data.Dataset.from_tensor_slices(({model.input_names[0]: x}, y)).repeat().batch(8)

    estimator.train(batches, steps=6)
    found = [estimator.get_variable_value(name).sum() for name in ("dense/kernel", "dense_1/kernel")]
    np.testing.assert_allclose(found, sums, atol=3e-6)
    np.testing.assert_allclose(estimator.evaluate(batches, steps=2)["loss"], loss, atol=3e-6)
    tf.keras.backend.clear_session()
