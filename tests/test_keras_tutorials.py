"""What programs in the style of tutorials showed: configurations, names, metrics, batches as in TensorFlow 1.15.5."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.eager.context import eager_mode

keras = tf.keras
layers = tf.keras.layers


@pytest.mark.parametrize(
    "make",
    [
        lambda: layers.SeparableConv2D(2, 3, depth_multiplier=2, pointwise_regularizer="l2"),
        lambda: layers.SeparableConv1D(2, 3, depthwise_initializer="ones"),
        lambda: layers.DepthwiseConv2D(3, depth_multiplier=2),
        lambda: layers.UpSampling2D(interpolation="bilinear"),
        lambda: layers.CuDNNLSTM(3), lambda: layers.CuDNNGRU(3), lambda: layers.ConvLSTM2D(2, 3),
        lambda: layers.LSTM(2, unit_forget_bias=False), lambda: layers.ReLU(3.0, 0.1),
    ],
)  # fmt: skip
def test_a_layer_is_made_again_of_its_configuration(make: Any) -> None:
    layer = make()
    config = layer.get_config()
    assert type(layer).from_config(config).get_config() == config


def test_what_a_configuration_says_and_in_which_order() -> None:
    gated = "units activation recurrent_activation use_bias kernel_initializer recurrent_initializer bias_initializer"
    rest = "kernel_regularizer recurrent_regularizer bias_regularizer kernel_constraint recurrent_constraint"
    last = "bias_constraint dropout recurrent_dropout implementation"
    assert list(layers.LSTMCell(3).get_config())[3:] == f"{gated} unit_forget_bias {rest} {last}".split()
    with_penalty = rest.replace("bias_regularizer", "bias_regularizer activity_regularizer")
    assert list(layers.GRU(3).get_config())[9:] == f"{gated} {with_penalty} {last} reset_after".split()
    assert list(layers.CuDNNLSTM(3).get_config())[3:8] == [
        "return_sequences", "return_state", "go_backwards", "stateful", "time_major"
    ]  # fmt: skip
    separable = layers.SeparableConv2D(2, 3, depth_multiplier=2).get_config()
    assert (separable["depth_multiplier"], separable["kernel_initializer"]["class_name"]) == (2, "GlorotUniform")
    assert list(layers.MaxPooling2D().get_config())[3:] == ["pool_size", "padding", "strides", "data_format"]
    assert layers.UpSampling2D().get_config()["interpolation"] == "nearest"


def test_an_upsampling_goes_on_between_pixels_in_a_copied_model() -> None:
    with tf.Graph().as_default():
        model = keras.Sequential([layers.UpSampling2D(2, interpolation="bilinear", input_shape=(2, 2, 1))])
        image = np.arange(4.0).reshape(1, 2, 2, 1)
        np.testing.assert_array_equal(keras.models.clone_model(model).predict(image), model.predict(image))


def test_a_layer_that_was_called_twice_shows_its_first_call() -> None:
    with tf.Graph().as_default():
        dense, first, second = layers.Dense(2), keras.Input((3,)), keras.Input((3,))
        y, _ = dense(first), dense(second)
        assert (dense.input is first, dense.output is y, dense.input_mask, dense.output_mask) == (
            True,
            True,
            None,
            None,
        )


def test_what_a_recurrent_layer_lacks_is_said_of_itself() -> None:
    with pytest.raises(AttributeError, match=r"^Layer rows is not connected, no input to return\.$"):
        _ = layers.LSTM(2, name="rows").input


def test_two_layers_may_add_metrics_of_one_name() -> None:
    class Told(layers.Layer):  # type: ignore[misc, name-defined]
        def call(self, x: Any) -> Any:
            self.add_metric(tf.reduce_mean(x), aggregation="mean", name="mean_x")
            return 2.0 * x

    with tf.Graph().as_default():
        model = keras.Sequential([Told(input_shape=(1,)), Told()])
        model.compile("sgd", "mse")
        assert model.evaluate(np.ones((2, 1)), np.zeros((2, 1)), verbose=0) == [16, 1, 2]
        assert model.metrics_names == ["loss", "mean_x", "mean_x"]


@pytest.mark.parametrize(("workers", "told"), [(0, 0), (1, 2)])
def test_a_sequence_hears_of_the_end_of_an_epoch_from_workers(workers: int, told: int) -> None:
    class Batches(keras.utils.Sequence):  # type: ignore[misc, name-defined]
        ends = 0

        def __len__(self) -> int:
            return 2

        def __getitem__(self, index: int) -> Any:
            return np.ones((1, 1)), np.ones((1, 1))

        def on_epoch_end(self) -> None:
            self.ends += 1

    with tf.Graph().as_default():
        model = keras.Sequential([layers.Dense(1, input_shape=(1,))])
        model.compile("sgd", "mse")
        batches = Batches()
        model.fit_generator(batches, epochs=2, workers=workers, verbose=0)
    assert batches.ends == told


def test_what_is_repeated_without_end_has_none() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        unknown = tf.data.Dataset.range(3).filter(lambda x: x > 1)
        assert session.run(tf.data.experimental.cardinality(unknown.repeat().batch(2))) == -1
        assert session.run(tf.data.experimental.cardinality(tf.data.experimental.Counter())) == -1
        model = keras.Sequential([layers.Dense(1, input_shape=(1,))])
        model.compile("sgd", "mse")
        pairs = unknown.map(lambda x: ([tf.cast(x, tf.float32)], [1.0])).repeat().batch(2)
        with pytest.raises(ValueError, match=r"^When passing an infinitely repeating dataset, you must specify"):
            model.fit(pairs)


def test_a_batch_is_predicted_in_tensors_where_ops_run_at_once() -> None:
    with eager_mode():
        model = keras.Sequential([layers.Dense(1, kernel_initializer="ones", input_shape=(2,))])
        assert model.predict_on_batch(np.ones((1, 2), "f")).numpy().tolist() == [[2]]
    with tf.Graph().as_default():
        model = keras.Sequential([layers.Dense(1, kernel_initializer="ones", input_shape=(2,))])
        assert isinstance(model.predict_on_batch(np.ones((1, 2), "f")), np.ndarray)


def test_a_function_without_its_inputs_names_the_placeholder() -> None:
    with tf.Graph().as_default():
        x = keras.Input((2,), name="given")
        with pytest.raises(tf.errors.InvalidArgumentError, match="feed a value for placeholder tensor 'given'"):
            keras.backend.function([x], [x * 2.0])([])


def test_the_configuration_of_an_op_holds_a_plain_dict() -> None:
    with tf.Graph().as_default():
        x = keras.Input((2,))
        model = keras.Model(x, x + 1.0)
        assert type(model.get_config()["layers"][-1]["config"]["constants"]) is dict


def test_a_mobile_net_is_named_after_its_images() -> None:
    with tf.Graph().as_default():
        net = keras.applications.MobileNet(input_shape=(32, 32, 3), alpha=0.25, include_top=False, weights=None)
    assert net.name == "mobilenet_0.25_32"


def test_only_training_and_batches_of_tests_make_the_phase() -> None:
    """Else the layers that are made later would be drawn from other seeds than TensorFlow's."""
    x = np.ones((4, 3), "f")
    with tf.Graph().as_default() as graph:

        def has_phase() -> bool:
            return any(op.name == "keras_learning_phase" for op in graph.get_operations())

        model = keras.Sequential([layers.Dense(2, input_shape=(3,))])
        model.predict(x)
        model.predict_on_batch(x)
        model.compile("sgd", "mse")
        model.evaluate(x, x[:, :2], verbose=0)
        assert not has_phase()
        model.test_on_batch(x, x[:, :2])
        assert has_phase()
    with tf.Graph().as_default() as graph:
        model = keras.Sequential([layers.Dense(2, input_shape=(3,)), layers.Dropout(0.5)])
        ones = np.ones((1, 3), "f")
        np.testing.assert_array_equal(model.predict(ones), model.predict(ones))
