"""Frozen batch normalization, fused or not; what layers show of how they compute."""

from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.eager.context import eager_mode
from retrograd.keras.layers.normalizing import BatchNormalizationV2
from retrograd.nn.layers.connections import conv_connected_inputs, conv_kernel_idxs, conv_kernel_mask
from retrograd.tf.python.keras import initializers as inner_initializers
from retrograd.tf.python.keras.layers import dense_attention, local, recurrent_v2

X = np.random.RandomState(0).uniform(size=(20, 3)).astype(np.float32)


def test_a_layer_frozen_after_it_was_called_uses_its_averages_once_the_model_is_compiled_again() -> None:
    with eager_mode():
        inputs = tf.keras.Input((3,))
        layer = BatchNormalizationV2()
        model = tf.keras.Model(inputs, layer(inputs))
        model.compile("rmsprop", "mse")
        model.fit(X, X, verbose=0)
        before = model.evaluate(X, X, verbose=0)
        trained = model.train_on_batch(X, X)
        assert trained != pytest.approx(before)  # it looks at the batch
        before = model.evaluate(X, X, verbose=0)
        layer.trainable = False
        model.compile("rmsprop", "mse")
        weights = layer.get_weights()
        assert model.train_on_batch(X, X) == pytest.approx(before)
        np.testing.assert_array_equal(weights, layer.get_weights())
        layer.trainable = True
        model.compile("rmsprop", "mse")
        assert model.train_on_batch(X, X) != pytest.approx(before)


def test_a_frozen_model_with_an_optimizer_of_tf_train_takes_steps_that_change_nothing() -> None:
    model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(3,))])
    model.trainable = False
    model.compile(tf.train.GradientDescentOptimizer(0.1), "mse")
    before = model.get_weights()
    model.train_on_batch(X, X[:, :2])
    np.testing.assert_array_equal(before[0], model.get_weights()[0])
    assert tf.keras.backend.get_value(model.optimizer.iterations) == 1


def test_batch_normalization_says_whether_it_is_fused() -> None:
    first = tf.keras.layers.BatchNormalization()
    assert first.fused is True
    first(tf.keras.Input((4, 4)))
    assert first.fused is False
    second = BatchNormalizationV2()
    assert second.fused is None
    second(tf.keras.Input((4, 4, 4)))
    assert second.fused is True
    assert BatchNormalizationV2(axis=2).fused is False
    with pytest.raises(ValueError, match=r"^Passing both fused=True and renorm=True is unsupported"):
        BatchNormalizationV2(fused=True, renorm=True)
    with pytest.raises(ValueError, match=r"^Passing fused=True is only supported when axis is 1 or 3"):
        BatchNormalizationV2(fused=True, axis=[1, 3])
    with pytest.raises(ValueError, match="only support 4D input tensors"):
        BatchNormalizationV2(fused=True)(tf.keras.Input((4, 4)))


@pytest.mark.parametrize(("axis", "message"), [(3, "Invalid axis: 3"), ([-1, -1], r"Duplicate axis: \(2, 2\)")])
def test_layer_normalization_wants_axes_that_are_there(axis: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        tf.keras.layers.LayerNormalization(axis=axis).build((2, 2, 2))


def test_places_that_a_convolution_connects() -> None:
    """As recorded of TensorFlow 1.15.5."""
    assert conv_connected_inputs((4, 5), (2, 3), (1, 1), (2, 1), "same") == [range(1, 3), range(3)]
    assert conv_connected_inputs((4, 5), (2, 3), (1, 1), (2, 1), "valid") == [range(2, 4), range(1, 4)]
    mask = conv_kernel_mask((3,), 2, 1, "same")
    np.testing.assert_array_equal(mask, [[1, 1, 0], [0, 1, 1], [0, 0, 1]])
    assert conv_kernel_mask((0, 2), (1, 1), (1, 1), "valid").shape == (0, 2, 0, 2)
    pairs = list(conv_kernel_idxs((3, 2), (2, 1), (1, 2), "same", 2, 2, "channels_first"))
    assert pairs[:6] == [(0, 0), (3, 0), (0, 6), (3, 6), (1, 0), (4, 0)]
    pairs = list(conv_kernel_idxs((3, 2), (2, 1), (1, 2), "valid", 2, 2, "channels_last"))
    assert pairs[:6] == [(0, 0), (1, 0), (0, 1), (1, 1), (0, 4), (1, 4)]
    with pytest.raises(NotImplementedError, match="Padding type full not supported"):
        conv_kernel_mask((3,), 2, 1, "full")
    with pytest.raises(ValueError, match=r"must all match. Received: 2, 1, 1\."):
        conv_kernel_mask((3,), (2, 2), (1,), "same")


def test_parts_of_local_and_attention_layers_under_their_inner_names() -> None:
    layer = tf.keras.layers.LocallyConnected1D(1, 2, implementation=2)
    layer(tf.keras.Input((3, 1)))
    assert layer.kernel_mask.shape == (3, 1, 2, 1)
    assert layer.kernel_mask.dtype == bool
    assert local.make_2d(np.zeros((2, 3, 4)), 1).shape.as_list() == [2, 12]
    with tf.Session() as session:
        found = session.run(dense_attention._lower_triangular_mask([2, 3]))
    np.testing.assert_array_equal(found, [[True, False, False], [True, True, False]])


def test_a_recurrent_layer_knows_whether_cudnn_has_it() -> None:
    assert recurrent_v2.GRU(1).could_use_cudnn
    assert not recurrent_v2.GRU(1, reset_after=False).could_use_cudnn
    assert not recurrent_v2.LSTM(1, recurrent_dropout=0.1).could_use_cudnn


def test_short_names_of_initializers_are_those_of_keras_inside_too() -> None:
    assert inner_initializers.random_normal().stddev == 0.05
    assert inner_initializers.uniform().minval == -0.05
    assert inner_initializers.truncated_normal().stddev == 0.05


class _Inner(tf.keras.layers.Layer):
    def call(self, x: Any, training: Any = None) -> Any:
        return x * (1.0 if training else 0.0)


class _Outer(tf.keras.layers.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.inner = _Inner()

    def call(self, x: Any, training: Any = False) -> Any:
        return self.inner(x)


def test_a_phase_set_inside_of_a_traced_function_holds_for_the_calls_in_it() -> None:
    """The values that TensorFlow 1.15.5 gives, at once and traced."""
    with eager_mode():
        layer = _Outer()

        def step(x: Any) -> list[Any]:
            first = [layer(x, training=True), layer(x)]
            with tf.keras.backend.learning_phase_scope(1):
                return [*first, layer(x, training=False), layer(x)]

        for function in (step, tf.function(step)):
            assert [y.numpy().item() for y in function(tf.ones((1, 1)))] == [1.0, 0.0, 0.0, 1.0]


@pytest.mark.parametrize("name", ["maxnorm", "nonneg", "unitnorm", "RadialConstraint", "radial_constraint"])
def test_constraints_have_further_names(name: str) -> None:
    assert type(tf.keras.constraints.get(name)).__name__.lower() == name.replace("_", "").lower()


class _Listed(tf.keras.Model):
    """A network that puts a layer into ``_layers`` between two of its attributes, as TF-Agents' networks do."""

    def __init__(self) -> None:
        super().__init__()
        self.first = tf.keras.layers.Dense(2, name="first")
        self._layers.append(tf.keras.layers.Dense(3, name="listed"))
        self.last = tf.keras.layers.Dense(1, name="last")

    def call(self, x: Any) -> Any:
        for layer in self.layers:
            x = layer(x)
        return x


def test_layers_put_into_the_list_of_layers_belong_to_the_network() -> None:
    with tf.Graph().as_default():
        model = _Listed()
        assert [layer.name for layer in model.layers] == ["first", "listed", "last"]
        assert model(tf.zeros([1, 2])).shape == (1, 1)
        assert [v.shape for v in model.weights] == [(2, 2), (2,), (2, 3), (3,), (3, 1), (1,)]
        model._layers.remove(model.first)
        assert [layer.name for layer in model.layers] == ["listed", "last"]
        model._layers = []
        assert model.layers == model.weights == []
        model.added = tf.keras.layers.Dense(1, name="added")
        assert [layer.name for layer in model._layers] == ["added"]
        model._layers = None
        assert model._layers is None


def test_a_generator_of_windows_is_described_as_json() -> None:
    made = tf.keras.preprocessing.sequence.TimeseriesGenerator(np.arange(4).reshape(2, 2).tolist() * 3, range(6), 3)
    with pytest.raises(TypeError, match="not JSON Serializable"):
        made.get_config()
    made.targets = np.arange(6)
    assert made.get_config()["targets"] == "[0, 1, 2, 3, 4, 5]"
    assert made.get_config()["start_index"] == 3
    assert made.to_json().startswith('{"class_name": "TimeseriesGenerator", "config": {"data": "[[0, 1], [2, 3],')


def test_the_second_version_of_the_losses_says_how_they_are_reduced() -> None:
    assert tf.compat.v2.losses.Reduction.AUTO == "auto"
    assert tf.compat.v2.keras.losses.Loss is tf.keras.losses.Loss
    assert not hasattr(tf.keras.losses, "Reduction")
