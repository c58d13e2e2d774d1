"""What ``fit`` and its like refuse, sizes of batches, and what models count."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.eager.context import eager_mode
from retrograd.graph import log

K, k = tf.keras, tf.keras.layers
X, Y = np.arange(64, dtype="f").reshape(64, 1), 2 * np.arange(64, dtype="f").reshape(64, 1)


@pytest.fixture(autouse=True)
def _new_graph() -> Iterator[None]:
    K.backend.clear_session()
    yield
    K.backend.clear_session()


class Sizes(K.callbacks.Callback):
    """The sizes of the batches, and the losses."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[Any] = []

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        self.seen.append((logs["size"], round(float(logs["loss"]), 1)))

    on_test_batch_end = on_batch_end


def _still(batch_size: int | None = None) -> Any:
    inputs = K.Input((1,), batch_size)
    model = K.Model(inputs, k.Dense(1, kernel_initializer="ones")(inputs))
    model.compile(K.optimizers.SGD(0.0), "mse")
    return model


def _two_outputs(**kwargs: Any) -> Any:
    inputs = K.Input((1,))
    model = K.Model(inputs, [k.Dense(1, name="a")(inputs), k.Dense(1, name="b")(inputs)])
    model.compile("sgd", **{"loss": "mse", **kwargs})
    return model


def test_inputs_say_the_size_of_batches() -> None:
    sizes = Sizes()
    _still(4).fit(X, Y, verbose=0, callbacks=[sizes])
    assert len(sizes.seen) == 16
    with pytest.raises(
        ValueError, match="value 4 is incompatible with the specified batch size of your Input Layer: 2"
    ):
        _still(2).predict(X, batch_size=4)
    first, second = K.Input((1,), 2), K.Input((1,), 3)
    with pytest.raises(ValueError, match=r"batch sizes of the Input Layers are incompatible. .*: \[2, 3\]"):
        K.Model([first, second], k.Lambda(lambda x: tf.concat(x, 0))([first, second]))


def test_predictions_are_as_many_as_examples() -> None:
    inputs = K.Input((4,))
    model = K.Model(inputs, k.Lambda(lambda x: tf.reshape(x, [-1, 2]))(inputs))
    message = r"Output shape = \(20, 2\), expected output shape = shape \(10, 2\)"
    with pytest.raises(ValueError, match=message):
        model.predict(np.ones((10, 4)), batch_size=10)


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ({"sample_weight": {"u": X}}, ValueError, r"Unknown entries in sample_weight dictionary: \['u'\]"),
        ({"class_weight": {0: 1.0}}, ValueError, r"class_weight dictionary: \[0\]. Only expected .*: \['a', 'b'\]"),
        ({"sample_weight": np.ones(64)}, TypeError, "multiple outputs, so `sample_weight` should be either a list"),
    ],
)
def test_weights_are_of_outputs(arguments: Any, kind: Any, message: str) -> None:
    with pytest.raises(kind, match=message):
        _two_outputs().fit(X, [Y, Y], verbose=0, **arguments)


def test_metrics_are_of_outputs(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="a list of lists as `metrics`, it should have one entry per model output"):
        _two_outputs(metrics=[["mse"]])
    said: list[str] = []
    monkeypatch.setattr(log, "warning", lambda text, *_: said.append(text))
    _two_outputs(loss={"a": "mse"})
    assert said == [
        "Output b missing from loss dictionary. We assume this was done on purpose. The fit and evaluate APIs will not "
        "be expecting any data to be passed to b."
    ]


class Counting(K.Model):
    """A metric among the attributes, and one that is added."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.dense, self.sum = k.Dense(1), K.metrics.Sum(name="sum")
        self.added = name

    def call(self, x: Any) -> Any:
        self.add_metric(tf.reduce_sum(x), name=self.added, aggregation="mean")
        return self.dense(x)


def test_metrics_among_attributes_are_the_models() -> None:
    with eager_mode():
        model = Counting("other")
        assert [m.name for m in model.metrics] == ["sum"]
        model.compile("sgd", "mse")
        assert set(model.fit(X, Y, verbose=0).history) == {"loss", "sum", "other"}
        model.sum(3.0)
        model.evaluate(X, Y, verbose=0)
        assert model.sum.result().numpy() == 0.0
        same = Counting("sum")
        same.compile("sgd", "mse")
        with pytest.raises(ValueError, match='We found 2 metrics with the name: "sum"'):
            same.fit(X, Y, verbose=0)


def test_a_compiled_model_inside_another_lends_it_no_metrics() -> None:
    inner = _still()
    inner.compile("sgd", "mse", metrics=[K.metrics.Accuracy("inner")])
    inputs = K.Input((1,))
    outer = K.Model(inputs, inner(inputs))
    outer.compile("sgd", "mse", metrics=[K.metrics.Accuracy("outer")])
    assert [m.name for m in outer.metrics] == ["outer"]
    assert set(outer.fit(X, Y, verbose=0).history) == {"loss", "outer"}


def test_steps_of_arrays_where_ops_run_at_once() -> None:
    """Sizes and losses as TensorFlow 1.15.5 has them with ``enable_eager_execution``."""
    with eager_mode():
        sizes = Sizes()
        history = _still().fit(X, Y, shuffle=False, steps_per_epoch=4, verbose=0, callbacks=[sizes]).history
        assert sizes.seen == [(16, 77.5), (16, 573.5), (16, 1581.5), (16, 3101.5)]
        assert history["loss"] == pytest.approx([1333.5])
        more = {"steps_per_epoch": 4, "batch_size": 8, "epochs": 2, "shuffle": False}
        assert _still().fit(X, Y, verbose=0, **more).history["loss"] == pytest.approx([325.5, 2341.5])
        split = {"steps_per_epoch": 4, "validation_split": 0.5, "shuffle": False}
        found = _still().fit(X, Y, verbose=0, **split).history
        assert (found["loss"], found["val_loss"]) == (pytest.approx([325.5]), pytest.approx([2341.5]))
        assert _still().predict(X, steps=4).shape == (64, 1)
        with pytest.raises(ValueError, match="The number of samples 64 is not divisible by steps 5"):
            _still().evaluate(X, Y, steps=5)
        with pytest.raises(ValueError, match="less than samples required for specified batch_size 8 and steps 20"):
            _still().fit(X, Y, steps_per_epoch=20, batch_size=8)
    assert _still().predict(X, steps=4).shape == (256, 1)  # all of the arrays, four times


class Ticking(k.Layer):
    """Counts its calls by an update."""

    def build(self, input_shape: Any) -> None:
        self.ticks = self.add_weight("ticks", (), "int32", "zeros", trainable=False)
        super().build(input_shape)

    def call(self, x: Any) -> Any:
        self.add_update(lambda: self.ticks.assign_add(1))
        return tf.identity(x)


def test_updates_of_a_frozen_layer_do_not_run_in_eager_models() -> None:
    with eager_mode():
        layer = Ticking()
        model = K.Sequential([layer, k.Dense(1, input_shape=(1,))])
        counts = []
        for trainable in (True, False, True):
            layer.trainable = trainable
            model.compile("sgd", "mse")
            model.fit(X[:10], Y[:10], batch_size=2, verbose=0)
            counts.append(int(layer.ticks.numpy()))
        assert counts == [5, 5, 10]


def test_inputs_that_are_more_than_a_model_takes_are_left_aside() -> None:
    """Recorded: whatever they are; fewer inputs, and more targets, are refused."""
    x, y = np.arange(24, dtype=np.float32).reshape(6, 4) / 24, np.ones((6, 1), np.float32)
    with tf.Graph().as_default(), tf.Session():
        a, b = tf.keras.Input((4,)), tf.keras.Input((4,))
        layer = tf.keras.layers.Dense(1, kernel_initializer="ones")
        one, two = tf.keras.Model(a, layer(a)), tf.keras.Model([a, b], layer(tf.keras.layers.add([a, b])))
        for model in (one, two):
            model.compile("sgd", "mse")
        alone = one.predict(x)
        for more in ([x, 2 * x], (x, x[:3]), [x, np.array(["a"] * 6)]):
            np.testing.assert_array_equal(one.predict(more), alone)
        np.testing.assert_array_equal(two.predict([x, x, 2 * x]), 2 * alone)
        wanted = one.evaluate(x[:3], y[:3], verbose=0)
        history = one.fit([x, x], y, validation_split=0.5, batch_size=3, verbose=0).history
        assert history["loss"] == [wanted]
        for call in (lambda: two.predict([x]), lambda: two.predict(x), lambda: one.fit(x, [y, y], verbose=0)):
            with pytest.raises(ValueError, match=r"^Error when checking model .*list of \d arrays: \[array\(\["):
                call()


def test_numbers_in_a_list_are_one_input() -> None:
    with tf.Graph().as_default(), tf.Session():
        model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(1,), kernel_initializer="ones")])
        model.compile("sgd", "mse")
        for numbers in ([1.0], [1.0, 2.0], (1, 2)):
            assert model.predict(numbers).ravel().tolist() == list(numbers)
        assert model.evaluate([1.0], [3.0], verbose=0) == 4.0


def test_constraints_of_a_configuration_are_instances() -> None:
    for name in ("NonNeg", "MaxNorm", "RadialConstraint"):
        constraint = K.constraints.get({"class_name": name, "config": {}})
        assert type(constraint) is getattr(K.constraints, name)
    layer = k.Dense.from_config(k.Dense(1, kernel_constraint="non_neg").get_config())
    assert isinstance(layer.kernel_constraint, K.constraints.NonNeg)


def test_inputs_that_no_output_reads_keep_their_place() -> None:
    a, b = K.Input((3,), name="a"), K.Input((2,), name="b")
    model = K.Model([b, a], k.Dense(2, name="dense")(a))
    for made in (model, K.Model.from_config(model.get_config())):
        assert [layer.name for layer in made.layers] == ["a", "b", "dense"]


def test_models_of_dicts_tell_their_shapes() -> None:
    x, y = K.Input((1,)), K.Input((1,))
    model = K.Model({"x": x, "y": y}, {"sum": k.Add()([x, y]), "product": k.Multiply()([x, y])})
    shapes = model.compute_output_shape({"y": (None, 1), "x": (None, 1)})
    assert {name: shape.as_list() for name, shape in shapes.items()} == {"sum": [None, 1], "product": [None, 1]}


def test_what_models_and_backends_refuse() -> None:
    class Unmade(K.Model):  # type: ignore[misc]
        def __init__(self) -> None:
            self.all = [k.Dense(1)]

    with pytest.raises(RuntimeError, match=r"^It looks like you are subclassing `Model` and you forgot to call"):
        Unmade()
    image, volume = K.backend.zeros((1, 4, 4, 2)), K.backend.zeros((1, 2, 2, 2, 3))
    with pytest.raises(ValueError, match=r"^`strides` must be a tuple of 2 integers"):
        K.backend.separable_conv2d(image, K.backend.zeros((2, 2, 2, 1)), K.backend.zeros((1, 1, 2, 3)), (2, 2, 2))
    with pytest.raises(ValueError, match=r"^Invalid data_format: other"):
        K.backend.resize_volumes(volume, 2, 2, 2, "other")
    model = K.Sequential([k.Dense(1, input_shape=(2,))])
    with pytest.raises(ValueError, match=r"^Output of generator should be a tuple of 1 or 2 or 3 elements"):
        model.predict_generator(((0, 0, 0, 0) for _ in range(2)), steps=1, workers=0)


def test_variables_are_data() -> None:
    model = K.Sequential([k.Dense(1, input_shape=(2,), kernel_initializer="ones")])
    model.compile("sgd", "mse")
    x, y = K.backend.ones((4, 2)), K.backend.zeros((4, 1))
    assert model.fit(x, y, epochs=2, steps_per_epoch=1, verbose=0).history["loss"][0] == 4.0
    assert model.predict(x, steps=2).shape == (8, 1)
    later = K.Sequential([k.Dense(3)])
    later.compile("sgd", "mse")
    assert later.predict(x, steps=1).shape == (4, 3)
