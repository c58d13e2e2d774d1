"""Weights in files of Keras 1, of Theano and of cuDNN's layers, and the functions that read and write such files."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from retrograd import tf
from retrograd.tf.python.keras.engine import saving
from retrograd.tf.python.keras.models import clone_and_build_model
from retrograd.tf.python.keras.saving import hdf5_format

GOLDEN = Path(__file__).parent / "golden"
sys.path.insert(0, str(GOLDEN))
import stored_weight_cases as recorded  # noqa: E402

K, k = tf.keras, tf.keras.layers
X = np.ones((4, 5, 3), "f")


@pytest.fixture(autouse=True)
def _new_graph() -> Iterator[None]:
    K.backend.clear_session()
    yield
    K.backend.clear_session()


def test_values_as_recorded() -> None:
    want = json.loads((GOLDEN / "stored_weights.json").read_text())
    assert recorded.outcomes(tf, hdf5_format.preprocess_weights_for_loading) == want


def test_an_lstm_reads_the_file_of_one_of_cudnn(tmp_path: Path) -> None:
    layers = [tf.compat.v1.keras.layers.CuDNNLSTM(6), k.LSTM(6, recurrent_activation="sigmoid")]
    models = [K.Sequential([K.Input((5, 3)), layer]) for layer in layers]
    models[0].save_weights(tmp_path / "w.h5")
    models[1].load_weights(tmp_path / "w.h5")
    np.testing.assert_allclose(models[0].predict(X), models[1].predict(X), rtol=1e-5, atol=1e-6)
    models[1].save_weights(tmp_path / "w.h5")
    models[0].load_weights(tmp_path / "w.h5")
    np.testing.assert_allclose(models[0].predict(X), models[1].predict(X), rtol=1e-5, atol=1e-6)


def test_layers_of_cudnn_have_its_variables(tmp_path: Path) -> None:
    old = tf.compat.v1.keras.layers
    layers = [old.CuDNNLSTM(2), old.CuDNNGRU(2, stateful=True)]
    for layer in layers:
        layer.build((4, 5, 3))
    assert [v.shape.as_list() for layer in layers for v in layer.weights] == [
        [3, 8], [2, 8], [16], [3, 6], [2, 6], [12]
    ]  # fmt: skip
    assert K.backend.get_value(layers[0].bias).tolist() == [0] * 10 + [1, 1] + [0] * 4
    saved = tf.train.Checkpoint(a=layers[0]).save(str(tmp_path / "c"), K.backend.get_session())
    assert [name.split("/.")[0] for name, _ in tf.train.list_variables(saved) if name.startswith("a")] == [
        "a/bias", "a/kernel", "a/recurrent_kernel"
    ]  # fmt: skip
    with pytest.raises(ValueError, match="Masking is not supported for CuDNN RNNs"):
        old.CuDNNLSTM(2)(k.Masking()(K.Input((5, 3))))
    with pytest.raises(TypeError, match="Keyword argument not understood:"):
        old.CuDNNGRU(2, dropout=0.1)


def test_a_gru_reads_the_file_of_one_of_cudnn(tmp_path: Path) -> None:
    layers = [tf.compat.v1.keras.layers.CuDNNGRU(6), k.GRU(6, recurrent_activation="sigmoid", reset_after=True)]
    models = [K.Sequential([K.Input((5, 3)), layer]) for layer in layers]
    models[0].set_weights([np.random.RandomState(i).randn(*w.shape) for i, w in enumerate(models[0].get_weights())])
    models[0].save_weights(tmp_path / "w.h5")
    models[1].load_weights(tmp_path / "w.h5")
    np.testing.assert_allclose(models[0].predict(X), models[1].predict(X), rtol=1e-5, atol=1e-6)


def test_models_inside_of_models(tmp_path: Path) -> None:
    def made() -> Any:
        x = inputs = K.Input((None, None, 3))
        for _ in range(2):
            x = K.Sequential([k.Conv2D(3, 1, input_shape=(None, None, 3)), k.BatchNormalization()])(x)
        inner, outer = K.Model(inputs, x), K.Input((None, None, 3))
        return K.Model(outer, inner(outer))

    models = [made() for _ in range(2)]
    x = np.random.RandomState(0).rand(2, 1, 1, 3)
    models[0].save_weights(tmp_path / "w.h5")
    models[1].load_weights(tmp_path / "w.h5")
    np.testing.assert_array_equal(models[0].predict(x), models[1].predict(x))


def test_groups_by_hand(tmp_path: Path) -> None:
    model = K.Sequential([k.Dense(2, input_shape=(3,), name="a"), k.Dense(1, name="b")])
    model.compile("adam", "mse")
    model.train_on_batch(X[:, 0], X[:, 0, :1])
    before = model.get_weights()
    with h5py.File(tmp_path / "w.h5", "w") as file:
        hdf5_format.save_weights_to_hdf5_group(file, model.layers)
        hdf5_format.save_optimizer_weights_to_hdf5_group(file, model.optimizer)
        assert hdf5_format.load_attributes_from_hdf5_group(file, "layer_names") == ["a", "b"]
        assert len(hdf5_format.load_optimizer_weights_from_hdf5_group(file)) == len(model.optimizer.weights)
        model.set_weights([w * 0 for w in before])
        saving.load_weights_from_hdf5_group_by_name(file, model.layers[1:])
        for got, want in zip(model.get_weights(), [before[0] * 0, before[1] * 0, *before[2:]], strict=True):
            np.testing.assert_array_equal(got, want)
        saving.load_weights_from_hdf5_group(file, model.layers)
    np.testing.assert_array_equal(model.get_weights()[0], before[0])


def test_copies_are_compiled() -> None:
    x = K.Input((3,))
    model = K.Model(x, k.Dense(1)(x))
    with pytest.raises(ValueError, match="compile_clone was set to True, but the original model has not been compiled"):
        clone_and_build_model(model)
    model.compile("sgd", "mse", metrics=["mae"])
    steps = K.backend.variable(7, tf.int64)
    copy = clone_and_build_model(model, optimizer_iterations=steps)
    copy.train_on_batch(X[:, 0], X[:, 0, :1])
    assert K.backend.get_value(steps) == 8
    assert copy.metrics_names == ["loss", "mean_absolute_error"]
    assert [v.name for v in copy.weights] == [v.name.replace("/", "_1/") for v in model.weights]


class Added(K.Model):
    """A model with a variable that no layer made."""

    def __init__(self) -> None:
        super().__init__()
        self.dense = k.Dense(1)
        self.shift = tf.Variable(1.0, use_resource=True)
        self.more = [tf.Variable(2.0, use_resource=True)]

    def call(self, x: Any) -> Any:
        return self.dense(x + self.shift + self.more[0])


def test_variables_of_attributes_get_values() -> None:
    model = Added()
    assert sorted(K.backend.batch_get_value([model.shift, model.more[0]])) == [1, 2]
    assert model(tf.ones([1, 1])).shape == (1, 1)
    assert [float(w.ravel()[0]) for w in model.get_weights()[1:]] == [0, 2, 1, 2]  # of the list twice, as in TensorFlow


def test_a_model_of_tensors_goes_on_with_them() -> None:
    model = Added()
    model.compile("sgd", "mse")
    model.fit(tf.ones([4, 2]), tf.ones([4, 1]), steps_per_epoch=2, verbose=0)
    assert np.isfinite(model.evaluate(steps=2, verbose=0))
    x = K.Input((2,))
    model = K.Model(x, k.Dense(1)(x))
    model.compile("sgd", "mse")
    with pytest.raises(ValueError, match="No data provided for"):
        model.evaluate(steps=2, verbose=0)


def test_data_as_they_are_fed() -> None:
    x = K.Input((3,))
    model = K.Model(x, k.Dense(1)(x))
    model.compile("sgd", "mse")
    inputs, targets, weights = model._standardize_user_data(X[:, 0], X[:, 0, :1])
    assert [a.shape for a in (*inputs, *targets)] == [(4, 3), (4, 1)]
    assert weights is None
    assert model._standardize_user_data(X[:, 0])[1:] == ([], None)
    *_, weights = model._standardize_user_data(X[:, 0], X[:, 0, :1], sample_weight=np.arange(4))
    assert [w.tolist() for w in weights] == [[0, 1, 2, 3]]
