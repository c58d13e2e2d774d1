"""Recurrent layers over cells of programs, with parts, constants and states; models that data tell their inputs."""

from collections import namedtuple

import numpy as np
import pytest

import retrograd.tf as tf
from retrograd.eager.context import eager_mode

K, layers = tf.keras.backend, tf.keras.layers
Pair = namedtuple("Pair", "a b")


class Adding:
    """No layer: adds its inputs up."""

    def __init__(self, units):
        self.state_size = units

    def call(self, inputs, states):
        return inputs + states[0], [inputs + states[0]]


class Scaled(layers.Layer):
    """Scales its state by a constant."""

    def __init__(self, units, **kwargs):
        self.state_size = units
        super().__init__(**kwargs)

    def call(self, inputs, states, constants):
        made = inputs + states[0] * constants[0]
        return made, [made]

    def get_config(self):
        return {**super().get_config(), "units": self.state_size}


class Parts(layers.Layer):
    """Takes a vector and a matrix, and adds up each of them."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.state_size = Pair(2, tf.TensorShape([2, 3]))
        self.output_size = (2, tf.TensorShape([2, 3]))

    def build(self, shapes):
        assert [s.as_list() for s in shapes] == [[None, 2], [None, 2, 3]]

    def call(self, inputs, states):
        made = [x + s for x, s in zip(inputs, states, strict=True)]
        return made, Pair(*made)


X = np.arange(12.0).reshape(2, 3, 2).astype("float32")


def test_cells_that_are_no_layers():
    x = tf.keras.Input((3, 2))
    one, rows = layers.RNN(Adding(2)), layers.RNN([Adding(2), Adding(2)], return_state=True)
    model = tf.keras.Model(x, [one(x), *rows(x)])
    last, *of_rows = model.predict(X)
    np.testing.assert_array_equal(last, X.sum(1))
    np.testing.assert_array_equal(of_rows[0], X.cumsum(1).sum(1))


def test_constants_of_cells():
    x, s, c = tf.keras.Input((3, 2)), tf.keras.Input((2,)), tf.keras.Input((2,))
    layer = layers.RNN(Scaled(2))
    model = tf.keras.Model([x, s, c], layer(x, initial_state=s, constants=c))
    ones, twos = np.ones((2, 2)), np.full((2, 2), 2.0)
    expected = model.predict([X, ones, twos])
    np.testing.assert_array_equal(expected, X[:, 2] + 2 * (X[:, 1] + 2 * (X[:, 0] + 2)))
    with tf.keras.utils.CustomObjectScope({"Scaled": Scaled}):
        again = layers.RNN.from_config(layer.get_config())
    model = tf.keras.Model([x, s, c], again([x, s, c]))
    np.testing.assert_array_equal(model.predict([X, ones, twos]), expected)
    rows = layers.RNN([Adding(2), Scaled(2)])
    assert tf.keras.Model([x, c], rows(x, constants=c)).predict([X, twos]).shape == (2, 2)


@pytest.mark.parametrize("unroll", [False, True])
def test_inputs_of_several_parts(unroll):
    v, m = tf.keras.Input((3, 2)), tf.keras.Input((3, 2, 3))
    layer = layers.RNN(Parts(), return_sequences=True, return_state=True, unroll=unroll)
    outputs = layer(Pair(v, m))
    assert [y.shape.as_list() for y in outputs] == [[None, 3, 2], [None, 3, 2, 3], [None, 2], [None, 2, 3]]
    assert layer.compute_output_shape((tf.TensorShape([4, 3, 2]), tf.TensorShape([4, 3, 2, 3])))[1].as_list() == [
        4,
        3,
        2,
        3,
    ]
    matrices = np.random.RandomState(0).rand(2, 3, 2, 3).astype("float32")
    got = tf.keras.Model([v, m], outputs).predict([X, matrices])
    np.testing.assert_allclose(got[0], X.cumsum(1))
    np.testing.assert_allclose(got[3], matrices.sum(1), rtol=1e-6)


@pytest.mark.parametrize(
    ("states", "specs"),
    [([5, 5], "InputSpec(shape=(None, 5), ndim=2), InputSpec(shape=(None, 5), ndim=2)"), ([4], None)],
)
def test_states_of_other_sizes(states, specs):
    specs = specs or "InputSpec(shape=(None, 4), ndim=2)"
    x, given = tf.keras.Input((None, 3)), [tf.keras.Input((n,)) for n in states]
    with pytest.raises(ValueError, match=r"^An `initial_state` was passed") as raised:
        layers.LSTM(4)(x, initial_state=given)
    assert str(raised.value) == (
        "An `initial_state` was passed that is not compatible with `cell.state_size`. Received `state_spec`="
        f"ListWrapper([{specs}]); however `cell.state_size` is [4, 4]"
    )


def test_kept_states_are_no_weights():
    layer = layers.LSTM(4, stateful=True)
    with pytest.raises(ValueError, match=r"^If a RNN is stateful, it needs to know its batch size\."):
        layer.reset_states()
    model = tf.keras.Sequential([layers.Masking(batch_input_shape=(2, 3, 3)), layer])
    assert [v.name.split("/")[1] for v in model.weights] == ["kernel:0", "recurrent_kernel:0", "bias:0"]
    with pytest.raises(ValueError, match=r"^State 0 is incompatible with layer lstm\w*: expected shape=\(2, <tf\.Var"):
        layer.reset_states([np.ones((2, 5))] * 2)


def test_masks_and_layers_of_calls():
    layer = layers.Embedding(4, 3, mask_zero=True)
    model = tf.keras.Sequential([layer, layers.Dense(2)])
    model.build((None, 5))
    y = layer(tf.keras.Input((5,)))
    assert layer.get_output_mask_at(1) is y._keras_mask
    assert layer.get_input_mask_at(1) is None
    assert set(model.submodules) >= set(model.layers)


@pytest.mark.parametrize("eager", [False, True])
def test_datasets_tell_the_shapes_of_inputs(eager):
    """Also those of one number for each example, which is a column."""

    def row(x, y):
        return tf.data.Dataset.from_tensor_slices((x, y)).repeat(4).batch(4)

    def trained():
        model = tf.keras.Sequential([layers.Dense(4, activation="relu"), layers.Dense(2, activation="softmax")])
        model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])
        assert len(model.fit(row(np.ones((8, 3), "f"), np.zeros(8)), steps_per_epoch=3, verbose=0).history["loss"]) == 1
        assert model.predict(row(np.ones((8, 3), "f"), np.zeros(8)), steps=2).shape == (8, 2)
        assert len(model.weights) == 4
        columns = layers.DenseFeatures([tf.feature_column.numeric_column("a")])
        model = tf.keras.Sequential([columns, layers.Dense(2, activation="softmax")])
        model.compile("sgd", "sparse_categorical_crossentropy")
        model.fit(row({"a": np.ones(8, "f")}, np.zeros(8)), steps_per_epoch=2, verbose=0)
        assert model.predict({"a": np.ones((3, 1))}).shape == (3, 2)

    if eager:
        with eager_mode():
            trained()
    else:
        trained()


def my_initializer(shape, dtype=None):
    return tf.ones(shape, dtype=dtype)


def my_regularizer(w):
    return tf.reduce_sum(tf.abs(w))


def test_functions_of_programs_in_configurations():
    x = tf.keras.Input((3,))
    layer = layers.Dense(1, kernel_initializer=my_initializer, kernel_regularizer=my_regularizer)
    model = tf.keras.Model(x, layer(x))
    named = {"my_initializer": my_initializer, "my_regularizer": my_regularizer}
    made = tf.keras.Model.from_config(model.get_config(), custom_objects=named).layers[1]
    assert (made.kernel_initializer, made.kernel_regularizer) == (my_initializer, my_regularizer)


def test_configurations_of_models_of_features_and_of_schedules():
    columns = [tf.feature_column.numeric_column(key) for key in "ab"]
    x = {key: tf.keras.Input((1,), name=key) for key in "ab"}
    model = tf.keras.Model(x, layers.Dense(1)(layers.DenseFeatures(columns)(x)))
    config = model.get_config()
    assert config["input_layers"] == {"a": ["a", 0, 0], "b": ["b", 0, 0]}
    assert config["layers"][2]["inbound_nodes"] == [{"a": ["a", 0, 0, {}], "b": ["b", 0, 0, {}]}]
    again = tf.keras.models.model_from_json(model.to_json())
    again.set_weights(model.get_weights())
    data = {"a": np.ones((2, 1)), "b": np.zeros((2, 1))}
    np.testing.assert_array_equal(again.predict(data), model.predict(data))
    old = {"class_name": "BatchNormalizationV1", "config": layers.BatchNormalization().get_config()}
    assert isinstance(layers.deserialize(old), layers.BatchNormalization)
    schedules = tf.keras.optimizers.schedules
    for schedule in (tf.keras.experimental.CosineDecay(0.1, 10), tf.keras.experimental.LinearCosineDecay(0.1, 10)):
        assert schedules.deserialize(schedules.serialize(schedule)).get_config() == schedule.get_config()
