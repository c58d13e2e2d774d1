"""Callbacks that write files, models of subclasses, and ops between layers in files."""

import numpy as np
import pytest

import retrograd.tf as tf
from retrograd.eager.context import eager_mode

# what TensorFlow 1.15.5 wrote for two epochs of two batches: (step, tags)
WEIGHTS = [
    "dense/kernel_0", "dense/kernel_0_1/image/0", "dense/bias_0", "dense/bias_0_1/image/0", "dense/kernel_0_grad",
    "dense/bias_0_grad", "dense_out",
]  # fmt: skip
ENDS = ["epoch_loss", "epoch_mean_absolute_error", "epoch_val_loss", "epoch_val_mean_absolute_error"]
BATCHES = ["batch_loss", "batch_mean_absolute_error"]


@pytest.fixture(autouse=True)
def fresh():
    tf.keras.backend.clear_session()
    yield
    tf.keras.backend.clear_session()


def data(n=64):
    return np.linspace(0, 1, 4 * n).reshape(n, 4), np.linspace(1, 0, 2 * n).reshape(n, 2)


def model_of(*layers, **compiled):
    model = tf.keras.Sequential(list(layers) or [tf.keras.layers.Dense(2, input_shape=(4,))])
    model.compile("sgd", "mse", **compiled)
    return model


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(2)

    def call(self, x):
        return self.dense(x)


def test_histograms_of_tensorboard_are_as_recorded(tmp_path):
    x, y = data()
    callback = tf.keras.callbacks.TensorBoard(
        str(tmp_path), histogram_freq=1, write_grads=True, write_images=True, update_freq="batch"
    )
    model_of(metrics=["mae"]).fit(x, y, epochs=2, verbose=0, validation_data=(x, y), callbacks=[callback])
    (path,) = tmp_path.iterdir()
    events = list(tf.train.summary_iterator(str(path)))
    assert events[1].graph_def
    got = [(e.step, [v.tag for v in e.summary.value]) for e in events[3:]]
    want = []
    for epoch in (0, 1):
        steps = (2 * epoch, 2 * epoch + 1)
        want += [(step, [tag]) for step in steps for tag in BATCHES]
        want += [(step, WEIGHTS) for step in steps]
        want += [(64 * epoch + 64, [tag]) for tag in ENDS]
    assert got == want


def test_models_are_saved_after_so_many_examples(tmp_path):
    pytest.importorskip("h5py")
    x, y = data()
    callback = tf.keras.callbacks.ModelCheckpoint(str(tmp_path / "{epoch}-{batch}.h5"), save_freq=32)
    model_of().fit(x, y, epochs=2, verbose=0, callbacks=[callback])
    assert sorted(p.name for p in tmp_path.iterdir()) == ["1-0.h5", "1-1.h5", "2-0.h5", "2-1.h5"]
    with pytest.raises(ValueError, match="Unrecognized save_freq: x"):
        tf.keras.callbacks.ModelCheckpoint("x", save_freq="x")


def test_training_goes_on_from_the_newest_file(tmp_path):
    pytest.importorskip("h5py")
    x, y = data()
    first = model_of()
    first.save_weights(str(tmp_path / "w1.h5"))
    again = tf.keras.callbacks.ModelCheckpoint(
        str(tmp_path / "w{epoch}.h5"), save_weights_only=True, load_weights_on_restart=True
    )
    second = model_of()
    second.compile(tf.keras.optimizers.SGD(0.0), "mse")
    second.fit(x, y, verbose=0, callbacks=[again])
    np.testing.assert_array_equal(first.get_weights()[0], second.get_weights()[0])


def test_ops_between_layers_are_saved_and_cloned(tmp_path):
    pytest.importorskip("h5py")
    x = tf.keras.Input((4,))
    y = tf.concat([tf.nn.relu(tf.keras.layers.Dense(3)(x) * [1.0, 2.0, 3.0]), x], axis=1)
    model = tf.keras.Model(x, tf.split(y, [3, 4], axis=1))
    config = [layer["config"] for layer in model.get_config()["layers"]]
    assert [c["name"] for c in config[2:]] == ["mul", "Relu", "concat", "split"]
    assert config[4]["constants"] == {2: 1}
    model.save(str(tmp_path / "model.h5"))
    given = data(3)[0]
    want = model.predict(given)
    copy = tf.keras.models.clone_model(model)
    copy.set_weights(model.get_weights())
    names = [op.name for op in tf.get_default_graph().get_operations()]
    assert "tf_op_layer_concat/concat/axis" in names
    for other in (copy, tf.keras.models.load_model(str(tmp_path / "model.h5"))):
        for a, b in zip(want, other.predict(given), strict=True):
            np.testing.assert_array_equal(a, b)


def test_metrics_given_to_compile_are_no_weights_of_a_subclass():
    x, y = data()
    model = Net()
    model.compile("sgd", "mse", metrics=[tf.keras.metrics.MeanAbsoluteError()])
    assert (model.inputs, model.outputs, model.metrics_names) == ([], [], ["loss"])
    model.fit(x, y, verbose=0)
    assert [v.name for v in model.weights] == ["net/dense/kernel:0", "net/dense/bias:0"]
    assert model.predict(x).shape == (64, 2)


def test_a_subclass_gets_its_inputs_from_a_generator():
    x, y = data(8)
    model = Net()
    model.compile("sgd", "mse")
    batches = iter([(x, y)] * 5)
    model.fit_generator(batches, steps_per_epoch=2, epochs=2, verbose=0)
    assert len(list(batches)) == 1


def test_targets_of_another_shape():
    x, y = data(3)
    model = model_of()
    with pytest.raises(ValueError, match=r"A target array with shape \(3, 1\) was passed for an output"):
        model.train_on_batch(x, y[:, :1])
    broadcast = tf.data.Dataset.from_tensors((x.astype("f"), y[:, :1].astype("f")))
    assert model.fit(broadcast, verbose=0).history["loss"]
    model.compile("sgd", "mae")
    assert model.train_on_batch(x, y[:, :1])
    model.compile("sgd", "categorical_crossentropy")
    with pytest.raises(ValueError, match="You are passing a target array of shape"):
        model.train_on_batch(x, y[:, :1])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"y": 1}, r"You passed a dataset or dataset iterator \("),
        ({"sample_weight": 1}, "`sample_weight` argument is not supported when input `x` is a dataset"),
        ({"batch_size": 1}, "The `batch_size` argument must not be specified for the given input type"),
        ({"validation_split": 0.5}, "`validation_split` argument is not supported when input `x` is a dataset"),
    ],
)
def test_datasets_hold_all_that_training_needs(given, message):
    with pytest.raises(ValueError, match=message):
        model_of().fit(tf.data.Dataset.from_tensors(data(3)), steps_per_epoch=1, verbose=0, **given)


def test_embeddings_and_profiles_are_not_written(tmp_path):
    with pytest.raises(NotImplementedError, match="embeddings_freq"):
        tf.keras.callbacks.TensorBoard(str(tmp_path), embeddings_freq=1)
    x, y = data()
    model_of().fit(x, y, epochs=2, verbose=0, callbacks=[tf.keras.callbacks.TensorBoard(str(tmp_path))])
    assert len(list(tmp_path.iterdir())) == 1


def test_values_that_are_not_there(caplog):
    """As TensorFlow 1.15.5 says it."""
    kinds = tf.keras.callbacks
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    model.compile("sgd", "mse")
    waiting = kinds.ReduceLROnPlateau("nope", cooldown=2)
    chosen = [kinds.EarlyStopping("nope"), waiting, kinds.ModelCheckpoint("nowhere", "nope", save_best_only=True)]
    tf.get_logger().propagate = True
    try:
        model.fit(np.ones((4, 2)), np.ones((4, 1)), verbose=0, callbacks=chosen)
    finally:
        tf.get_logger().propagate = False
    assert [r.getMessage() for r in caplog.records] == [
        "Early stopping conditioned on metric `nope` which is not available. Available metrics are: loss",
        "Reduce LR on plateau conditioned on metric `nope` which is not available. Available metrics are: loss,lr",
        "Can save best model only with nope available, skipping.",
    ]
    assert kinds.EarlyStopping("a").get_monitor_value({"a": 2}) == 2
    assert not waiting.in_cooldown()
    waiting.cooldown_counter = 1
    assert waiting.in_cooldown()


@pytest.mark.parametrize(
    ("frequency", "steps"),
    [("epoch", [(0, "epoch_"), (1, "epoch_")]), (3, [(1, "batch_"), (4, "epoch_"), (3, "batch_"), (8, "epoch_")])],
)
def test_tensorboard_where_ops_run_at_once(tmp_path, frequency, steps):
    """The steps and numbers are TensorFlow 1.15.5's."""
    with eager_mode():
        layer = tf.keras.layers.Dense(1, use_bias=False, kernel_initializer="ones", input_shape=[1])
        model = tf.keras.Sequential([layer])
        model.compile("sgd", "mse")
        callback = tf.keras.callbacks.TensorBoard(str(tmp_path), histogram_freq=1, update_freq=frequency)
        assert callback.histogram_freq == 0
        model.fit(np.ones([4, 1]), np.zeros([4, 1]), batch_size=2, epochs=2, verbose=0, callbacks=[callback])
    (path,) = tmp_path.glob("events*.v2")
    first, graph, *rest = tf.train.summary_iterator(str(path))
    assert first.file_version
    assert graph.graph_def
    found = [(event.step, value) for event in rest for value in event.summary.value]
    assert [(step, value.tag) for step, value in found] == [(step, prefix + "loss") for step, prefix in steps]
    want = {"epoch": [0.9802, 0.90411], 3: [0.9604, 0.9802, 0.88584, 0.90411]}[frequency]
    assert [value.simple_value for _, value in found] == pytest.approx(want, abs=1e-5)
