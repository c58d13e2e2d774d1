"""What layers of ``tf.keras`` show of their arguments, and that they take them as they show them."""

import inspect

import numpy as np
import pytest

import retrograd.tf as tf
from retrograd.eager.context import eager_mode
from retrograd.nn.layers.parameters import taking
from retrograd.tf.python.util import tf_inspect

layers = tf.keras.layers


@taking("units", activation=None, with_others=False)
class Fixed:
    def __init__(self, **kwargs):
        self.given = kwargs


@pytest.mark.parametrize(
    ("args", "kwargs", "message"),
    [
        ((), {}, "__init__() missing 1 required positional argument: 'units'"),
        ((1, 2, 3), {}, "__init__() takes from 2 to 3 positional arguments but 4 were given"),
        ((1,), {"units": 2}, "__init__() got multiple values for argument 'units'"),
        ((1,), {"unitz": 2}, "__init__() got an unexpected keyword argument 'unitz'"),
    ],
)
def test_calls_that_do_not_fit(args, kwargs, message):
    with pytest.raises(TypeError) as raised:
        Fixed(*args, **kwargs)
    assert str(raised.value) == message
    assert Fixed(3).given == {"units": 3, "activation": None}


def test_arguments_by_their_places():
    """``activity_regularizer`` stands between those of the cell."""
    places = [2, "relu", "sigmoid", False, "ones", "ones", "ones", False, "l1", "l2", "l1", "l2"]
    layer = layers.LSTM(*places)
    config = layer.get_config()
    assert (config["activation"], config["use_bias"], config["unit_forget_bias"]) == ("relu", False, False)
    assert layer.activity_regularizer.l2 == np.float32(0.01)
    assert layer.cell.bias_regularizer.l1 == np.float32(0.01)
    assert tf_inspect.getfullargspec(layers.LSTM.__init__).args[:4] == [
        "self",
        "units",
        "activation",
        "recurrent_activation",
    ]
    assert list(inspect.signature(layers.Conv2D).parameters)[:4] == ["filters", "kernel_size", "strides", "padding"]
    gru = layers.GRU(2, "tanh", "sigmoid", True, "ones", "ones", "zeros", None, None, None, None, None, None, None, 0.5)
    assert gru.cell.dropout == 0.5


def test_names_that_are_none():
    assert tf.keras.losses.MeanSquaredError(name=None).name is None
    assert tf.keras.metrics.MeanSquaredError(name=None).name == "mean_squared_error"


X = (np.arange(80).reshape(2, 4, 5, 2) / 10).astype("float32")
V = (np.arange(240).reshape(2, 3, 4, 5, 2) / 10).astype("float32")


@pytest.mark.parametrize(
    ("data", "arguments", "shape", "total", "placed"),
    [  # recorded from TensorFlow 1.15.5
        (X, {"strides": 2, "output_padding": 1}, (10, 12, 3), 8532.0, 5386.200019615206),
        (X, {"strides": 2, "output_padding": (1, 0), "padding": "same"}, (8, 9, 3), 6544.2, 4414.315272048581),
        (X, {"strides": (2, 3), "output_padding": (1, 2)}, (10, 17, 3), 8532.0, 5381.047058811893),
        (X, {"dilation_rate": 2}, (8, 9, 3), 8532.0, 5510.875072135538),
        (X, {"dilation_rate": 2, "padding": "same"}, (4, 5, 3), 4171.2, 2633.0600629806518),
        (X, {"dilation_rate": 2, "data_format": "channels_first"}, (3, 9, 6), 8532.0, 5348.999984052446),
        (V, {"strides": 2, "output_padding": 1}, (8, 10, 12, 3), 232308.0, 144039.599634207),
        (
            V,
            {"strides": 2, "output_padding": (1, 0, 1), "padding": "same"},
            (6, 7, 10, 3),
            153504.0,
            103635.91406710933,
        ),
        (V, {"dilation_rate": 2}, (5, 6, 7, 3), 232308.0, 150829.33054258904),
    ],
)
def test_transposed_convolutions(data, arguments, shape, total, placed):
    kind = layers.Conv2DTranspose if data.ndim == 4 else layers.Conv3DTranspose
    layer = kind(3, 3, kernel_initializer="ones", input_shape=data.shape[1:], **arguments)
    model = tf.keras.Sequential([layer])
    y = model.predict(data)
    assert model.output_shape == (None, *shape)
    assert y.shape == (2, *shape)
    np.testing.assert_allclose([y.sum(), (y * np.arange(y.size).reshape(y.shape)).mean()], [total, placed], rtol=1e-5)


def test_transposed_convolutions_that_do_not_fit():
    with pytest.raises(ValueError, match=r"^Stride \(2, 2\) must be greater than output padding \(2, 2\)$"):
        layers.Conv2DTranspose(3, 3, strides=2, output_padding=2)
    with pytest.raises(AssertionError, match=r"one rate for both dimensions|dilation_rate \(2, 1\)"):
        tf.keras.Sequential([layers.Conv2DTranspose(3, 3, dilation_rate=(2, 1), input_shape=(4, 5, 2))])


def test_dilated_transposed_convolution_of_the_backend():
    K = tf.keras.backend
    x, w = tf.constant(X), tf.ones([3, 3, 3, 2])
    last = K.conv2d_transpose(x, w, (2, 8, 9, 3), dilation_rate=(2, 2))
    first = K.conv2d_transpose(
        tf.transpose(x, (0, 3, 1, 2)), w, (2, 3, 8, 9), data_format="channels_first", dilation_rate=(2, 2)
    )
    last, first = K.get_session().run([last, first])
    assert last.sum() == pytest.approx(8532.0)
    np.testing.assert_array_equal(first, last.transpose(0, 3, 1, 2))


def test_classes_of_sequences_without_a_last_dimension():
    model = tf.keras.Sequential([layers.Embedding(9, 3, input_length=5), layers.Dense(9, activation="softmax")])
    model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])
    x, y = np.arange(40).reshape(8, 5) % 9, np.arange(40).reshape(8, 5) % 7
    assert model.evaluate(x, y, verbose=0) == model.evaluate(x, y[..., None], verbose=0)


def test_states_forgotten_where_ops_run_at_once():
    with eager_mode():
        layer = layers.LSTM(2, stateful=True)
        model = tf.keras.Sequential([layers.Embedding(4, 3, input_length=5, batch_input_shape=(2, 5)), layer])
        x = np.ones((2, 5))
        first, second = model.predict(x), model.predict(x)
        assert (first != second).any()
        for forget in (layer.reset_states, model.reset_states):
            forget()
            assert not layer.states[0].numpy().any()
            np.testing.assert_array_equal(model.predict(x), first)


def test_second_initializers_draw_the_same_again():
    """As TensorFlow's do, given a seed: also under the names of the inner module."""
    from retrograd.tf.python.keras import initializers

    with eager_mode():
        normal = initializers.RandomNormalV2(seed=3)
        np.testing.assert_array_equal(normal((2, 2)).numpy(), normal((2, 2)).numpy())
        assert round(float(normal((2, 2))[0, 1]), 4) == 0.0838


def test_a_table_of_images_has_weights(tmp_path):
    pandas, image = pytest.importorskip("pandas"), pytest.importorskip("PIL.Image")
    for i in range(3):
        image.new("RGB", (4, 4), (i, 0, 0)).save(tmp_path / f"{i}.png")
    table = pandas.DataFrame({"filename": ["0.png", "1.png", "2.png"], "class": ["a", "b", "a"], "w": [1.0, 2.0, 3.0]})
    maker = tf.keras.preprocessing.image.ImageDataGenerator()
    x, y, w = next(maker.flow_from_dataframe(table, str(tmp_path), "filename", "class", "w", (4, 4), shuffle=False))
    assert (x.shape, y.tolist(), w.tolist()) == ((3, 4, 4, 3), [[1, 0], [0, 1], [1, 0]], [1, 2, 3])


def test_rows_of_a_jacobian_that_nothing_leads_to():
    with eager_mode():
        x = tf.constant([[1.0, 2.0]])
        for kind, expected in (("none", None), ("zero", [[[0.0, 0.0]] * 3])):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.ones([1, 3])
            found = tape.batch_jacobian(y, x, kind)
            assert (found if found is None else found.numpy().tolist()) == expected
