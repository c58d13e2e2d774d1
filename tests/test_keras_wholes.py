"""Models of Keras as wholes: what training changes and leaves alone, what calls of layers do, how examples count in
training and in validation, what configurations hold.

The numbers are TensorFlow 1.15.5's.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.eager.context import eager_mode

K, k = tf.keras, tf.keras.layers
ONES = {"kernel_initializer": "ones"}


@pytest.fixture(autouse=True)
def _new_graph() -> Any:
    K.backend.clear_session()
    yield
    K.backend.clear_session()


def test_a_discriminator_is_trained_alone_and_frozen_in_front_of_a_generator() -> None:
    discriminator = K.Sequential([k.Dense(1, input_shape=[2], **ONES)])
    discriminator.compile(K.optimizers.SGD(0.1), "mse")
    discriminator.trainable = False
    generator = K.Sequential([k.Dense(2, input_shape=[2], **ONES)])
    z = K.Input([2])
    both = K.Model(z, discriminator(generator(z)))
    both.compile(K.optimizers.SGD(0.1), "mse")
    x, y = np.ones([2, 2]), np.zeros([2, 1])
    losses = [(discriminator.train_on_batch(x, y), both.train_on_batch(x, y)) for _ in range(2)]
    np.testing.assert_allclose(losses, [(4.0, 4.0), (0.64, 0.32080895)], rtol=1e-5)
    np.testing.assert_allclose(discriminator.get_weights()[0].ravel(), [0.44, 0.44], rtol=1e-5)
    np.testing.assert_allclose(generator.get_weights()[1], [-0.28984, -0.28984], rtol=1e-4)
    assert discriminator.trainable is False
    assert discriminator.trainable_weights == []


class Counting(k.Layer):
    """Counts its calls, in one of several ways."""

    def __init__(self, how: str) -> None:
        super().__init__()
        self.how = how

    def build(self, input_shape: Any) -> None:
        self.counter = self.add_weight("c", shape=(), initializer="zeros", trainable=False)
        self.built = True

    def call(self, x: Any) -> Any:
        if self.how == "as an update":
            self.add_update(lambda: self.counter.assign_add(1.0))
        elif self.how == "in a branch":
            tf.cond(tf.reduce_sum(x) > 0, lambda: self.counter.assign_add(1.0), lambda: self.counter.read_value())
        else:
            self.counter.assign_add(1.0)
        return x * self.counter if self.how == "and reads" else x * 1.0


class Around(k.Layer):
    """A layer in which another one is called."""

    def __init__(self, layer: Any) -> None:
        super().__init__()
        self.layer = layer

    def call(self, x: Any) -> Any:
        return self.layer(x)


@pytest.mark.parametrize("how", ["bare", "as an update", "in a branch", "and reads", "inside of another"])
def test_what_a_layer_of_a_program_does_is_done_where_ops_run_at_once(how: str) -> None:
    with eager_mode():
        layer = Counting(how)
        x = K.Input([3])
        model = K.Model(x, (Around(layer) if how.startswith("inside") else layer)(x))
        data = np.ones([4, 3], "f")
        assert model.predict(data, batch_size=2)[-1, 0] == (2.0 if how == "and reads" else 1.0)
        assert float(layer.counter.numpy()) == 2.0
        model.compile("sgd", "mse")
        model.evaluate(data, data, batch_size=2, verbose=0)
        assert float(layer.counter.numpy()) == 4.0
        layer(tf.ones([1, 3]))
        assert float(layer.counter.numpy()) == 5.0


def test_moving_averages_stay_in_predictions() -> None:
    """Layers of Keras see to their updates themselves, also inside of a layer of the program."""
    with eager_mode():
        x = K.Input([3])
        inner = k.BatchNormalization()
        model = K.Model(x, Around(inner)(x))
        model.compile("sgd", "mse")
        data = np.ones([4, 3], "f")
        model.predict(data)
        assert inner.moving_mean.numpy().tolist() == [0.0] * 3
        model.fit(data, data, verbose=0)
        np.testing.assert_allclose(inner.moving_mean.numpy(), [0.01] * 3, rtol=1e-5)


@pytest.mark.parametrize(
    ("mode", "val_loss"), [("graph", [1.10357, 1.14996]), ("eager", [1.63009, 1.48295])], ids=["graph", "eager"]
)
def test_classes_are_weighted_in_training_and_validation_by_itself(mode: str, val_loss: list[float]) -> None:
    """Where ops run at once TensorFlow weighs the classes of validation data, too."""
    random = np.random.RandomState(0)
    x, y = random.randn(40, 4).astype("f"), np.eye(3)[random.randint(0, 3, 40)]
    with eager_mode() if mode == "eager" else nullcontext():
        model = K.Sequential([k.Dense(3, activation="softmax", input_shape=[4], **ONES)])
        model.compile(K.optimizers.SGD(0.1), "categorical_crossentropy", weighted_metrics=["mae"])
        weights = {0: 1.0, 1: 5.0, 2: 0.5}
        more: Any = {"batch_size": 8, "epochs": 2, "verbose": 0, "shuffle": False, "class_weight": weights}
        history = model.fit(x, y, validation_data=(x, y), **more).history
        np.testing.assert_allclose(history["loss"], [2.09916, 1.66757], rtol=1e-4)
        np.testing.assert_allclose(history["val_loss"], val_loss, rtol=1e-4)
        history = model.fit(x, y, validation_split=0.2, **more).history
        np.testing.assert_allclose(history["loss"], [1.51053, 1.41863], rtol=1e-4)
        np.testing.assert_allclose(history["val_loss"], [1.64098, 1.71905], rtol=1e-4)


def test_added_losses_and_metrics_are_in_configurations_and_copies() -> None:
    x = K.Input([10])
    hidden = k.Dense(4, **ONES)(x)
    y = k.Dense(1, **ONES)(hidden)
    model = K.Model(x, y)
    model.add_loss(tf.reduce_mean(y))
    model.add_loss(tf.reduce_sum(hidden * hidden) * 0.01)
    model.add_metric(tf.reduce_mean(hidden), name="top", aggregation="mean")
    for made in (model, K.Model.from_config(model.get_config()), K.models.clone_model(model)):
        made.compile(K.optimizers.SGD(0.01), "mse")
        assert (len(made.layers), len(made.losses)) == (11, 2)
        history = made.fit(np.ones([4, 10]), np.ones([4, 1]), epochs=2, verbose=0).history
        np.testing.assert_allclose(history["loss"], [1577.0, 1227.19202], rtol=1e-6)
        np.testing.assert_allclose(history["top"], [10.0, 1.222], rtol=1e-5)


def test_tensors_among_the_arguments_of_a_call_are_in_the_configuration() -> None:
    class Added(k.Layer):
        def call(self, a: Any, b: Any, more: Any = None) -> Any:
            return a + b + more["c"]

    a, b = K.Input([3]), K.Input([3])
    model = K.Model([a, b], Added()(a, b, more={"c": b}))
    config = model.get_config()
    places = {"b": ["input_2", 0, 0], "more": {"c": ["input_2", 0, 0]}}
    assert config["layers"][-1]["inbound_nodes"] == [[["input_1", 0, 0, places]]]
    again = K.Model.from_config(config, custom_objects={"Added": Added})
    assert again.predict([np.ones([1, 3]), np.full([1, 3], 5.0)]).tolist() == [[11.0] * 3]


def test_layers_are_built_without_a_call() -> None:
    """A cell has the dtype of its layer, if that has one; a signature tells what is computed in."""
    for layer in (k.LSTM(3), k.ConvLSTM2D(2, 2), k.TimeDistributed(k.Dense(2)), k.Bidirectional(k.GRU(2))):
        layer.build((None, 5, 4, 4, 1) if isinstance(layer, k.ConvLSTM2D) else (None, 5, 4))
        assert {v.dtype.base_dtype for v in layer.weights} == {tf.float32}
    half = k.Dense(2, dtype=K.mixed_precision.experimental.Policy("mixed_float16"))
    assert half.compute_output_signature(tf.TensorSpec([1, 3], tf.float16)).dtype == tf.float16
    logits = tf.Variable([[1.0, 2.0]], use_resource=True)
    assert K.losses.sparse_categorical_crossentropy([1], logits, from_logits=True).shape.as_list() == [1]


def test_a_cell_of_the_program_keeps_its_masks_for_a_run_over_time() -> None:
    from retrograd.tf.python.keras.layers.recurrent import DropoutRNNCellMixin

    class Cell(DropoutRNNCellMixin, k.Layer):
        state_size = output_size = 4

        def __init__(self) -> None:
            super().__init__()
            self.dropout, self.recurrent_dropout = 0.5, 0.0

        def call(self, inputs: Any, states: Any, training: Any = None) -> Any:
            assert self.get_recurrent_dropout_mask_for_cell(states[0], training) is None
            (mask,) = self.get_dropout_mask_for_cell(inputs, training)
            return inputs * mask, states

    layer = k.RNN(Cell(), return_sequences=True, unroll=True)
    y = layer(tf.ones([2, 6, 4]), training=True)
    with tf.Session() as sess:
        first, second = sess.run(y), sess.run(y)
    assert (first == first[:, :1]).all()
    assert (first != second).any()


def test_batches_of_generators_are_tuples_of_at_most_three() -> None:
    model = K.Sequential([k.Dense(1, input_shape=[2])])
    model.compile("sgd", "mse")
    with pytest.raises(ValueError, match="tuple of 1 or 2 or 3 elements"):
        model.fit_generator(iter([(0, 0, 0, 0)]), steps_per_epoch=1, verbose=0)


def test_a_row_of_layers_that_learned_its_inputs_from_data_is_saved_and_goes_on(tmp_path: Any) -> None:
    model = K.Sequential([k.Dense(3, **ONES), k.Dense(2, **ONES)])
    model.compile("sgd", "mse")
    x, y = np.ones([8, 4], "f"), np.zeros([8, 2], "f")
    model.fit(x, y, verbose=0)
    assert model.get_config()["build_input_shape"] == (None, 4)
    model.save(str(tmp_path / "m.h5"))
    np.testing.assert_allclose(K.models.load_model(str(tmp_path / "m.h5")).predict(x), model.predict(x))
    model.add(k.Dense(1, **ONES))
    assert model.outputs
    model.compile("sgd", "mse")
    np.testing.assert_allclose(model.fit(x, y[:, :1], verbose=0).history["loss"], [72.182], rtol=1e-4)


class _Inner(k.Layer):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.dense = k.Dense(2, name="d")

    def build(self, shape: Any) -> None:
        self.w = self.add_weight("w", (2,))
        self.fixed = self.add_weight("fixed", (2,), trainable=False)

    def call(self, x: Any) -> Any:
        return self.dense(x) * self.w


class _Own(K.Model):
    def __init__(self) -> None:
        super().__init__()
        self.v = tf.Variable(1.0, name="v", use_resource=True)
        self.inner = _Inner(name="i")
        self.last = k.Dense(1, name="l")

    def build(self, shape: Any) -> None:
        self.added = self.add_weight("added", shape=(1,))
        self.built = True

    def call(self, x: Any) -> Any:
        return self.last(self.inner(x)) * self.v + self.added


def test_the_variables_of_a_model_stand_behind_those_of_its_layers() -> None:
    model = _Own()
    model.compile("sgd", "mse")
    model.fit(np.ones([2, 2]), np.ones([2, 1]), verbose=0)

    def names(variables: Any) -> list[str]:
        return [v.name.partition(":")[0].rpartition("/")[2] for v in variables]

    assert names(model.trainable_weights) == ["w", "kernel", "bias", "kernel", "bias", "v", "added"]
    assert names(model.weights) == ["w", "kernel", "bias", "fixed", "kernel", "bias", "v", "added"]
    model.inner.trainable = False
    assert names(model.non_trainable_weights) == ["w", "fixed", "kernel", "bias"]
    model.trainable = False
    assert names(model.non_trainable_weights) == ["v", "added", "w", "fixed", "kernel", "bias", "kernel", "bias"]


class _Asking(K.Model):
    def call(self, x: Any, y: Any, training: Any) -> Any:
        return x + y


@pytest.mark.parametrize("method", ["fit", "evaluate", "predict", "train_on_batch", "test_on_batch"])
def test_a_model_that_asks_for_more_than_inputs_is_not_trained(method: str) -> None:
    model = _Asking()
    model.compile("sgd", "mse")
    data = (np.ones([2, 1]),) if method == "predict" else (np.ones([2, 1]), np.ones([2, 1]))
    with pytest.raises(ValueError, match=rf"Models passed to `{method}` can only have .*found: \['y'\]\."):
        getattr(model, method)(*data)


def test_tables_in_models_where_ops_run_at_once() -> None:
    column = tf.feature_column.categorical_column_with_vocabulary_list("s", ["a", "b"])
    features = {"s": np.array(["a", "z", "b"])}
    with eager_mode():
        init = tf.lookup.KeyValueTensorInitializer(["x", "y"], [1.0, 2.0])
        table = tf.lookup.StaticHashTable(init, -1.0)
        words = k.Input([1], dtype=tf.string)
        model = K.Model(words, k.Lambda(table.lookup)(words))
        assert model.predict(np.array([["y"], ["q"]])).tolist() == [[2.0], [-1.0]]
        model = K.Sequential([k.DenseFeatures([tf.feature_column.indicator_column(column)]), k.Dense(1, **ONES)])
        model.compile(K.optimizers.SGD(0.0), "mse")
        pairs = tf.data.Dataset.from_tensor_slices((features, np.zeros(3, "f"))).batch(3)
        assert model.fit(pairs, verbose=0).history["loss"] == pytest.approx([2 / 3])
        assert tf.function(model)({"s": tf.constant(["b", "q"])}).numpy().tolist() == [[1.0], [0.0]]


def test_a_wide_and_deep_model_is_made_again_of_its_configuration() -> None:
    wide = K.experimental.LinearModel(units=2)
    deep = K.Sequential([k.Dense(2, input_dim=3)])
    config = K.experimental.WideDeepModel(wide, deep).get_config()
    assert K.experimental.WideDeepModel.from_config(config).linear_model.units == 2
