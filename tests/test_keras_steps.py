"""``TimeDistributed`` against TensorFlow 1.15.5's numbers, and models of ops in functions."""

import numpy as np
import pytest

import retrograd.tf as tf
from retrograd.eager.graph import eager_graph
from retrograd.graph import stack

layers = tf.keras.layers
WORDS = np.array([[[1, 2, 0, 0], [3, 0, 0, 0], [0, 0, 0, 0]], [[1, 1, 1, 1], [2, 3, 4, 0], [4, 4, 0, 0]]], np.int32)


@pytest.fixture(autouse=True)
def fresh():
    tf.keras.backend.clear_session()
    yield
    tf.keras.backend.clear_session()


def recurrent(units, **kwargs):
    kernel, inner = tf.constant_initializer(0.3), tf.constant_initializer(0.2)
    return layers.SimpleRNN(units, kernel_initializer=kernel, recurrent_initializer=inner, **kwargs)


def embedding():
    values = tf.constant_initializer(np.linspace(-1, 1, 30).reshape(5, 6))
    return layers.Embedding(5, 6, mask_zero=True, embeddings_initializer=values)


@pytest.mark.parametrize(("batch", "wanted"), [(None, [0.24672, 0.50906]), (2, [-0.542, -0.46915])])
def test_padding_of_sentences_is_not_read(batch, wanted):
    """Where the size of batches is known TensorFlow, too, hands on no inner mask."""
    model = tf.keras.Sequential([
        layers.TimeDistributed(embedding(), batch_input_shape=(batch, None, 4)),
        layers.TimeDistributed(recurrent(3, return_sequences=True)), layers.TimeDistributed(recurrent(2)), recurrent(1),
    ])  # fmt: skip
    np.testing.assert_allclose(model.predict(WORDS, batch_size=2)[:, 0], wanted, rtol=1e-5)


def test_masks_come_from_the_layer_or_from_what_it_was_given():
    masked, dense = layers.TimeDistributed(layers.Masking()), layers.TimeDistributed(layers.Dense(5))
    x = tf.keras.Input((None, 4))
    dense(masked(x))
    first = masked.compute_mask(x)
    found = tf.keras.backend.function([x], [first, dense.compute_mask(dense.input, first)])([WORDS.astype(np.float32)])
    assert [f.tolist() for f in found] == [[[True, True, False], [True, True, True]]] * 2


def test_other_numbers_of_steps():
    layer = layers.TimeDistributed(layers.Dense(5))
    assert layer(tf.keras.Input((10, 13))).shape.as_list() == [None, 10, 5]
    assert layer(tf.keras.Input((1, 13))).shape.as_list() == [None, 1, 5]
    with pytest.raises(ValueError, match="is incompatible with layer"):
        layer(tf.keras.Input((1, 18)))
    with pytest.raises(ValueError, match="Please initialize `TimeDistributed` layer with a `Layer` instance"):
        layers.TimeDistributed(3)


def test_a_function_calls_a_model_of_ops():
    with stack.graphs.pushed(eager_graph()):
        x = tf.keras.Input((1,))
        model = tf.keras.Model(x, tf.nn.relu(tf.matmul(x, tf.constant(2.0, shape=(1, 1)))))

        @tf.function
        def slope(x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = model(x**2)
            return tape.gradient(y, x)

        assert slope(tf.constant([[10.0]])).numpy().tolist() == [[40.0]]


def test_names_that_lead_to_the_same_things():
    from retrograd.tf.python.keras import layers as inner
    from retrograd.tf.python.keras import saving
    from retrograd.tf.python.ops.losses import loss_reduction

    assert inner.PeepholeLSTMCell is tf.keras.experimental.PeepholeLSTMCell
    assert saving.model_from_json is tf.keras.models.model_from_json
    assert loss_reduction.ReductionV2.SUM_OVER_BATCH_SIZE == "sum_over_batch_size"
