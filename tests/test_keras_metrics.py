"""Metrics of Keras: those of a program, counts of the largest predictions, weights, ragged tensors.

The numbers are TensorFlow 1.15.5's.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.eager.context import eager_mode

K, M = tf.keras, tf.keras.metrics
ONE_RIGHT = [0, 0, 1, 1, 0], [0.1, 0.2, 0.9, 0.8, 0.3]


@pytest.fixture(autouse=True)
def _new_graph() -> Any:
    K.backend.clear_session()
    yield
    K.backend.clear_session()


def _value(metric: Any, *args: Any, **kwargs: Any) -> Any:
    result = metric(*args, **kwargs)
    with tf.Session() as sess:
        sess.run([v.initializer for v in metric.variables])
        return sess.run(result)


class Counting(M.Metric):
    """The sum of predictions and the number of batches, twice; ``how`` says what ``update_state`` gives back."""

    def __init__(self, how: str) -> None:
        super().__init__(name="counting")
        self.how = how
        self.total = self.add_weight("total", initializer="zeros")

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        self.total.assign_add(tf.reduce_sum(y_pred))
        last = self.total.assign_add(1.0)
        if self.how == "the variable":
            return last
        if self.how == "a branch":  # noqa: SIM102 (the inner one is of a tensor)
            if tf.reduce_sum(y_pred) > 0:
                self.total.assign_add(100.0)
        return None

    def result(self) -> Any:
        return self.total * 2.0


@pytest.mark.parametrize(("how", "want"), [("nothing", 18.0), ("the variable", 18.0), ("a branch", 218.0)])
def test_a_metric_of_a_program_is_updated_whatever_it_gives_back(how: str, want: float) -> None:
    model = K.Sequential([K.layers.Dense(1, kernel_initializer="ones", input_shape=[2])])
    model.compile(K.optimizers.SGD(0.0), "mse", metrics=[Counting(how)])
    x, y = np.ones([4, 2]), np.zeros([4, 1])
    assert model.evaluate(x, y, verbose=0) == [4.0, want]
    assert model.fit(x, y, epochs=2, verbose=0).history["counting"] == [want, want]


def test_the_largest_predictions_alone_are_counted() -> None:
    assert _value(M.Precision(top_k=3), *ONE_RIGHT) == pytest.approx(2 / 3)
    assert _value(M.Recall(top_k=1), *ONE_RIGHT) == pytest.approx(0.5)
    one_class = [[0, 0, 1, 1, 0]], [[0.1, 0.2, 0.9, 0.8, 0.3]]
    assert _value(M.Precision(top_k=3, class_id=4), *one_class) == 0.0
    assert _value(M.SparseTopKCategoricalAccuracy(k=2), [2, 1], [[0.1, 0.9, 0.8], [0.05, 0.95, 0.0]]) == 1.0


def test_weights_of_fewer_dimensions() -> None:
    values, weights = [[1.0, 2.0], [3.0, 4.0]], [1.5, 2.0]
    assert _value(M.Sum(), values, weights) == 18.5
    assert _value(M.Mean(), values, weights) == pytest.approx(2.642857)


def test_a_mean_of_tensors_begins_with_its_first_tensor() -> None:
    metric = M.MeanTensor()
    assert metric.total is None
    result = metric([1.0, 2.0])
    with K.backend.get_session().as_default():
        assert result.eval().tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match="must always have the same shape"):
        metric([1.0, 2.0, 3.0])


def test_metrics_are_made_again_of_their_configurations() -> None:
    auc = M.AUC(thresholds=[0.5, 0.2], curve="PR", summation_method="Majoring")
    assert auc.get_config()["thresholds"] == [0.2, 0.5]
    assert M.AUC.from_config(auc.get_config()).summation_method.value == "majoring"
    assert M.SensitivityAtSpecificity.from_config(M.SensitivityAtSpecificity(0.4).get_config()).specificity == 0.4
    assert M.SpecificityAtSensitivity.from_config(M.SpecificityAtSensitivity(0.3).get_config()).sensitivity == 0.3
    relative = M.MeanRelativeError.from_config(M.MeanRelativeError(normalizer=[1.0, 2.0]).get_config())
    assert _value(relative, [1.0, 2.0], [2.0, 2.0]) == 0.5


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: M.Precision(thresholds=[-1, 2, 0.5]), r"Invalid values: \[-1, 2\]"),
        (lambda: M.AUC(curve="x"), 'Invalid AUC curve value "x"'),
        (lambda: M.AUC(summation_method="y"), 'Invalid AUC summation method value "y"'),
        (lambda: M.AUC(num_thresholds=1), "`num_thresholds` must be > 1"),
    ],
)
def test_what_no_metric_takes(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


def test_ragged_targets_and_predictions_have_the_same_rows() -> None:
    true, said = tf.ragged.constant([[1.0, 2.0], [3.0]]), tf.ragged.constant([[1.0, 2.0], [4.0]])
    assert _value(M.Accuracy(), true, said) == pytest.approx(2 / 3)
    weights = tf.ragged.constant([[1.0, 0.0], [1.0]])
    assert _value(M.Accuracy(), true, said, sample_weight=weights) == 0.5
    with pytest.raises(TypeError, match="acceptable types"):
        M.Accuracy()(true, [[1.0, 2.0], [4.0, 0.0]])
    with pytest.raises(TypeError, match="Ragged mask is not allowed"):
        M.Accuracy()([1.0], [1.0], sample_weight=weights)
    with pytest.raises(tf.errors.InvalidArgumentError, match="identical ragged splits"):
        _value(M.Accuracy(), true, tf.ragged.constant([[1.0], [2.0, 4.0]]))


def test_metric_objects_of_several_outputs_count_for_themselves():
    """One list of metrics is for each output; weights of time steps, recorded from TensorFlow 1.15.5."""
    layers, metrics = tf.keras.layers, tf.keras.metrics
    a, b = tf.keras.Input((2, 1)), tf.keras.Input((2, 1))
    model = tf.keras.Model([a, b], [layers.Activation("linear")(a), layers.Activation("linear")(b)])
    mae = metrics.MeanAbsoluteError(name="mae")
    model.compile("sgd", "mae", weighted_metrics=[mae], sample_weight_mode="temporal")
    x = np.repeat(np.arange(3.0), 2).reshape(3, 2, 1)
    first = np.array([[0.5, 1], [2, 2.5], [3.5, 2.5]])[..., None]
    second = np.array([[0.5, 1.5], [2, 1.5], [3.5, 3]])[..., None]
    weights = np.array([[0.5, 2], [1, 3], [2, 0.5]])
    got = model.test_on_batch([x, x], [first, second], sample_weight=[weights, weights])
    np.testing.assert_allclose(got, [3.375, 1.83333, 1.54167, 1.22222, 1.02778], rtol=1e-5)


@pytest.mark.parametrize(
    ("mode", "arguments", "message"),
    [
        (None, {"class_weight": {1.0: 0.5}}, "`class_weight` not supported for 3+ dimensional targets."),
        ("temporal", {"class_weight": {1.0: 0.5}}, "`class_weight` not supported for 3+ dimensional targets."),
        (
            None,
            {"sample_weight": np.ones(2)},
            "Found a sample_weight array with shape (2,) for an input with shape (3, 2, 1). sample_weight cannot be "
            "broadcast.",
        ),
    ],
)
def test_weights_that_do_not_fit(mode, arguments, message):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2, 1))])
    model.compile("sgd", "mae", sample_weight_mode=mode)
    with pytest.raises(ValueError) as raised:  # noqa: PT011
        model.fit(np.ones((3, 2, 1)), np.ones((3, 2, 1)), verbose=0, **arguments)
    assert str(raised.value) == message


def test_metrics_among_attributes_come_first():
    """As in TensorFlow 1.15.5, whatever the order in which ``call`` adds them."""

    class Model(tf.keras.Model):
        def __init__(self) -> None:
            super().__init__()
            self.dense, self.mean = tf.keras.layers.Dense(2), tf.keras.metrics.Mean(name="of_object")

        def call(self, x: Any) -> Any:
            self.add_metric(tf.reduce_sum(x), name="of_tensor", aggregation="mean")
            self.add_metric(self.mean(x), name="of_object")
            return self.dense(x)

    model = Model()
    model.compile("sgd", "mse")
    x, y = np.ones((10, 1)), np.ones((10, 2))
    history = model.fit(x, y, batch_size=5, verbose=0).history
    assert (history["of_object"], history["of_tensor"]) == ([1.0], [5.0])
    assert model.metrics_names == ["loss", "of_object", "of_tensor"]


def test_metrics_that_are_refused():
    x = tf.keras.Input((1,))
    y = tf.keras.layers.Dense(1)(x)
    model = tf.keras.Model(x, y)
    with pytest.raises(ValueError, match=r"^We do not support adding an aggregated metric result tensor that is not"):
        model.add_metric(tf.reduce_sum(y), name="a")
    with pytest.raises(ValueError, match=r"^Using the result of calling a `Metric` object when calling `add_metric`"):
        model.add_metric(tf.keras.metrics.Mean()(y), name="a")
    with pytest.raises(TypeError, match=r"^Type of `metrics` argument not understood. Expected a list or dictionary"):
        model.compile("sgd", "mse", metrics=tf.keras.metrics.Mean())
    model.compile("sgd", "mse")
    with pytest.raises(ValueError, match=r"^`validation_steps` should not be specified if `validation_data` is None"):
        model.fit(np.ones((4, 1)), np.ones((4, 1)), validation_steps=2)


def test_integers_of_time_steps_and_frozen_updates():
    layers = tf.keras.layers
    model = tf.keras.Sequential([layers.Masking(0), layers.TimeDistributed(layers.Dense(1, kernel_initializer="one"))])
    model.compile("sgd", "mse")
    assert model.train_on_batch(np.array([[[1], [1]], [[0], [0]]]), np.ones((2, 2, 1))) == 0

    class Counting(layers.Layer):
        def build(self, shape: Any) -> None:
            self.counter = self.add_weight("counter", dtype="int32", shape=(), initializer="zeros", trainable=False)

        def call(self, x: Any) -> Any:
            self.add_update(lambda: self.counter.assign_add(1))
            return x

    with eager_mode():
        layer = Counting()
        layer(tf.ones([2]))
        layer.trainable = False
        layer(tf.ones([2]))
        assert layer.counter.numpy() == 1
