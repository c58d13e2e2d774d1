"""Layers, losses, metrics and recurrent networks against TensorFlow 1.15.5: ``golden/layers.json.gz``."""

import copy

import numpy as np
import pytest
from golden import layer_cases
from recorded_cases import check, golden

from retrograd import tf

GOLDEN = golden("layers")


@pytest.mark.parametrize("name", layer_cases.CASES)
def test_as_recorded(name):
    check(layer_cases, name, GOLDEN[name])


def test_turning_images_round_initializes_nothing():
    with tf.Graph().as_default() as graph:
        y = tf.layers.conv2d_transpose(tf.zeros([2, 3, 5, 6]), 4, 3, data_format="channels_first")
        assert y.shape.as_list() == [2, 4, 7, 8]
        assert not [op for op in graph.get_operations() if op.type == "IsVariableInitialized"]


def test_errors_of_a_layers_call_are_the_users_own():
    class Fails(tf.layers.Layer):
        def call(self, inputs):
            raise KeyError("mine")

    with tf.Graph().as_default(), pytest.raises(KeyError) as caught:
        Fails()(tf.zeros([2]))
    assert caught.value.args == ("mine",)


def test_configurations_hold_functions():
    def keep_all(state):
        return True

    cell = tf.nn.rnn_cell.GRUCell(3)
    config = tf.nn.rnn_cell.DropoutWrapper(cell, dropout_state_filter_visitor=keep_all).get_config()
    assert config["dropout_state_filter_visitor"] is keep_all


def test_layers_are_not_deprecated(caplog):
    with tf.Graph().as_default():
        tf.layers.dense(tf.zeros([2, 3]), 4)
        tf.nn.rnn_cell.GRUCell(3)
    assert not caplog.records


def test_lists_of_layers_are_followed():
    class Stack(tf.keras.layers.Layer):
        def __init__(self):
            super().__init__()
            self.parts = [tf.layers.Dense(2, kernel_regularizer=tf.nn.l2_loss, name="a")]

        def call(self, x):
            return self.parts[0](x)

    with tf.Graph().as_default():
        stack = Stack()
        stack.parts.append(tf.layers.Dense(1, name="b"))
        stack.parts[1](stack(tf.zeros([2, 3])))
        assert [v.name for v in stack.trainable_weights] == ["a/kernel:0", "a/bias:0", "b/kernel:0", "b/bias:0"]
        assert len(stack.losses) == 1


def test_a_copied_layer_keeps_its_variables():
    with tf.Graph().as_default():
        layer = tf.layers.Dense(2)
        layer(tf.zeros([2, 3]))
        other = copy.deepcopy(layer)
        assert other.kernel is layer.kernel
        assert other.variables == layer.variables
        assert other(tf.zeros([4, 3])).shape.as_list() == [4, 2]


def test_weights_as_arrays():
    with tf.Graph().as_default(), tf.Session().as_default():
        layer = tf.layers.Dense(2, name="d")
        layer(tf.zeros([2, 3]))
        values = [np.ones([3, 2], np.float32), np.zeros([2], np.float32)]
        layer.set_weights(values)
        assert all((a == b).all() for a, b in zip(layer.get_weights(), values, strict=True))
        with pytest.raises(ValueError, match="the layer was expecting 2 weights"):
            layer.set_weights(values[:1])
        with pytest.raises(ValueError, match="not compatible with provided weight shape"):
            layer.set_weights(values[::-1])


def test_training_is_handed_down():
    class Outer(tf.layers.Layer):
        def __init__(self):
            super().__init__()
            self.inner = tf.layers.Dropout(1 - 1e-6, seed=1)

        def call(self, x, training=False):
            return self.inner(x)

    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.ones([2, 3])
        kept, dropped = session.run([Outer()(x), Outer()(x, training=True)])
        assert (kept == 1).all()
        assert (dropped == 0).all()


def test_scores_become_a_curve():
    rng = np.random.RandomState(0)
    labels, scores = rng.rand(500) < 0.4, rng.rand(500)
    scores = np.where(labels, scores**0.5, scores)
    order = np.argsort(scores)
    ranks = np.empty(500)
    ranks[order] = np.arange(1, 501)
    positives, negatives = labels.sum(), (~labels).sum()
    exact = (ranks[labels].sum() - positives * (positives + 1) / 2) / (positives * negatives)
    with tf.Graph().as_default(), tf.Session() as session:
        value, update = tf.metrics.auc(labels, scores, num_thresholds=2000)
        session.run(tf.local_variables_initializer())
        session.run(update)
        assert session.run(value) == pytest.approx(exact, abs=2e-3)


def test_second_derivatives_through_time():
    rng = np.random.RandomState(0)
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(1)
        cells = [tf.nn.rnn_cell.LSTMCell(3), tf.nn.rnn_cell.GRUCell(2)]
        outputs, _ = tf.nn.dynamic_rnn(
            tf.nn.rnn_cell.MultiRNNCell(cells), tf.constant(rng.randn(3, 4, 5)), [4, 2, 1], dtype=tf.float64
        )
        weights = tf.trainable_variables()
        first = tf.gradients(tf.reduce_sum(outputs**2), weights)
        direction = [rng.randn(*w.shape.as_list()) for w in weights]
        along = tf.add_n([tf.reduce_sum(g * d) for g, d in zip(first, direction, strict=True)])
        second = tf.gradients(along, weights)
        session.run(tf.global_variables_initializer())
        start, found = session.run([weights, second])

        def gradients_at(step):
            return session.run(first, {w: v + step * d for w, v, d in zip(weights, start, direction, strict=True)})

        for near, far, got in zip(gradients_at(1e-5), gradients_at(-1e-5), found, strict=True):
            np.testing.assert_allclose(got, (near - far) / 2e-5, rtol=1e-5, atol=1e-7)


def _p(*shape):
    return tf.placeholder(tf.float32, shape)


LESSONS = [
    (lambda: tf.layers.dense(_p(2, None), 3), "x.set_shape([None, n]) with the size n, or tf.reshape(x, [-1, n])"),
    (lambda: tf.layers.dense(tf.constant([[1, 2]]), 3), "tf.cast(x, tf.float32)"),
    (lambda: tf.layers.dense(tf.placeholder(tf.float32), 3), "x.set_shape([None, None]), with the sizes"),
    (lambda: tf.layers.conv2d(_p(2, 28, 28), 4, 3), "tf.expand_dims(x, -1) if the channels are missing"),
    (lambda: tf.layers.conv2d(_p(2, 28, 28, None), 4, 3), "x.set_shape(...) with the number of channels"),
    (lambda: tf.layers.Dense(3, kernel_initialiser=None), "did you mean 'kernel_initializer'?"),
    (lambda: tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(3), _p(2, 3, 4)), "(cell, inputs, dtype=tf.float32)"),
    (lambda: tf.nn.static_rnn(tf.nn.rnn_cell.GRUCell(3), _p(2, 3)), "tf.unstack(inputs, axis=1)"),
    (lambda: tf.losses.mean_squared_error(_p(2), _p(2, 1)), "tf.squeeze(predictions, [-1])"),
    (lambda: tf.losses.softmax_cross_entropy(_p(4), _p(4, 3)), "tf.one_hot(labels, ...)"),
    (lambda: tf.losses.mean_squared_error(_p(2, 3), _p(2, 3), _p(2)), "tf.reshape(weights, [-1, 1])"),
    (lambda: tf.losses.get_total_loss(), "tf.losses.add_loss(loss)"),
]


@pytest.mark.parametrize(("act", "fix"), LESSONS)
def test_errors_say_what_to_type(act, fix):
    with tf.Graph().as_default(), pytest.raises((TypeError, ValueError)) as caught:
        act()
    assert "  Fix:   " in caught.value.__notes__[-1]
    assert fix in caught.value.__notes__[-1]


@pytest.mark.parametrize("base", [
    tf.keras.layers.Layer, tf.keras.Model, tf.keras.Sequential, tf.layers.Layer, tf.nn.rnn_cell.RNNCell,
])  # fmt: skip
def test_plain_words_belong_to_subclasses(base):
    """A program's ``self._training = True`` hides nothing: our private names have two words, or are TensorFlow's."""
    tensorflows = {"_layers", "_metrics", "_updates", "_losses", "_name", "_dtype", "_trainable", "_scope"}
    words = {n for n in dir(base) if n[0] == "_" != n[1] and "_" not in n[1:]}
    assert words <= tensorflows


def test_a_layer_may_keep_what_it_likes_under_plain_words():
    class Scaled(tf.keras.layers.Layer):
        def __init__(self, training, initializer, **kwargs):
            super().__init__(**kwargs)
            self._training, self._initializer, self._run, self._function = training, initializer, 3, abs

        def build(self, input_shape):
            self.scale = self.add_weight("scale", [2], initializer=self._initializer)
            super().build(input_shape)

        def call(self, inputs, training=None):
            return inputs * self.scale * (2.0 if self._training else 1.0)

    model = tf.keras.Sequential([Scaled(True, "ones", input_shape=(2,))])
    model.compile("sgd", "mse")
    model.fit(np.ones([4, 2]), np.ones([4, 2]), verbose=0)
    np.testing.assert_allclose(model.predict(np.ones([1, 2])), [[1.96, 1.96]])


def test_a_depthwise_convolution_takes_the_arguments_of_a_convolution():
    layer = tf.keras.layers.DepthwiseConv2D(
        3, kernel_initializer="he_normal", kernel_regularizer=tf.keras.regularizers.l2(0.1), dilation_rate=2
    )
    layer(tf.zeros([1, 5, 5, 2]))
    assert layer.losses == []
    assert [w.shape.as_list() for w in layer.weights] == [[3, 3, 2, 1], [2]]
    config = layer.get_config()
    assert config["dilation_rate"] == (2, 2)
    assert not any(key.startswith(("kernel_i", "kernel_r")) for key in config)


def test_a_layer_built_while_a_function_is_built_trains_its_variables():
    class Scaled(tf.layers.Layer):
        def build(self, _):
            self.w = self.add_variable("w", (), tf.float32)
            self.built = True

        def call(self, inputs):
            return inputs

    outer, inner = tf.Graph(), tf.Graph()
    inner._building_function = True
    with outer.as_default(), inner.as_default():
        layer = Scaled()
        layer.apply(tf.placeholder(tf.float32, ()))
    assert layer.trainable_variables == [layer.w]
    assert layer.w.graph is outer


def test_the_mean_of_many_numbers_far_from_zero_is_right_to_the_last_digit():
    x = np.random.default_rng(3).normal(100, 0.1, (1, 100, 1000, 1)).astype(np.float32)
    with tf.Graph().as_default(), tf.Session() as session:
        mean = session.run(tf.reduce_mean(x, [1, 2, 3]))
    assert mean[0] == np.float32(x.astype(np.float64).mean())
