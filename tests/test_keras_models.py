"""Whole programs of Keras: their graphs against TensorFlow 1.15.5, their files, and the sources of their batches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from golden import keras_graph_cases
from recorded_cases import golden

from retrograd import tf
from retrograd.keras.applications.nasnet import NASNet

GOLDEN = golden("keras_graphs")
K, k = tf.keras, tf.keras.layers
X = np.random.RandomState(0).randn(24, 4).astype("f")
Y = X.sum(1, keepdims=True)


@pytest.fixture(autouse=True)
def _new_graph() -> Any:
    K.backend.clear_session()
    yield
    K.backend.clear_session()


def _model(*more: Any) -> Any:
    model = K.Sequential([k.Dense(5, activation="tanh", input_shape=[4]), *more, k.Dense(1)])
    model.compile("adam", "mse", metrics=["mae"])
    return model


@pytest.mark.parametrize("name", keras_graph_cases.CASES)
def test_graphs_of_training_are_as_recorded(name: str) -> None:
    """Op by op: a second model of a program has TensorFlow's first weights, which follow from the number of ops."""
    exec(keras_graph_cases.PRELUDE + keras_graph_cases.CASES[name], {"tf": tf, "np": np})
    assert keras_graph_cases.nodes_of(tf.get_default_graph()) == GOLDEN[name]


def test_gradients_of_recurrent_layers_have_no_stacks() -> None:
    model = K.Sequential([k.LSTM(2, input_shape=[3, 4])])
    model.compile("sgd", "mse")
    model.train_on_batch(np.zeros([2, 3, 4]), np.zeros([2, 2]))
    kinds = {op.type for op in tf.get_default_graph().get_operations()}
    assert "LoopHistory" in kinds
    assert not kinds & {"StackV2", "StackPushV2"}


def test_ops_between_layers_read_variables_when_they_run() -> None:
    scale = tf.Variable(2.0)
    x = k.Input([3])
    model = K.Model(x, x * scale)
    K.backend.get_session().run(scale.initializer)
    model_of_same = K.Model(x, k.Activation("linear")(x * scale))
    scale.load(3.0, K.backend.get_session())
    assert model_of_same.predict(np.ones([1, 3])).tolist() == [[3, 3, 3]]
    assert model.predict(np.ones([1, 3])).tolist() == [[3, 3, 3]]


def test_a_model_comes_back_from_its_file(tmp_path: Path) -> None:
    model = _model(k.BatchNormalization())
    model.fit(X, Y, verbose=0)
    path = str(tmp_path / "model.h5")
    model.save(path)
    again = K.models.load_model(path)
    assert again.to_json() == model.to_json()
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    assert K.backend.get_value(again.optimizer.iterations) == 1
    ours, theirs = (m.fit(X, Y, shuffle=False, verbose=0).history["loss"] for m in (again, model))
    np.testing.assert_allclose(ours, theirs, rtol=1e-6)


@pytest.mark.parametrize("name", ["weights", "weights.h5"])
def test_weights_come_back(name: str, tmp_path: Path) -> None:
    model = _model()
    before = model.get_weights()
    model.save_weights(str(tmp_path / name))
    model.set_weights([0 * w for w in before])
    model.load_weights(str(tmp_path / name))
    for a, b in zip(before, model.get_weights(), strict=True):
        np.testing.assert_array_equal(a, b)
    if name == "weights":
        names = {n for n, _ in tf.train.list_variables(str(tmp_path / name))}
        assert "layer_with_weights-0/kernel/.ATTRIBUTES/VARIABLE_VALUE" in names


@pytest.mark.parametrize("of_model", [True, False])
def test_too_few_weights_are_shown(of_model: bool) -> None:
    model = _model()
    holder = model if of_model else model.layers[0]
    message = (
        f'You called `set_weights\\(weights\\)` on layer "{holder.name}" with a  weight list of length 1, but the '
        f"layer was expecting {4 if of_model else 2} weights. Provided weights: \\[1.0\\]..."
    )
    with pytest.raises(ValueError, match=message):
        holder.set_weights([1.0])


def test_batches_of_datasets_generators_and_arrays_train_alike() -> None:
    def generated() -> Any:
        while True:
            for i in range(0, 24, 8):
                yield X[i : i + 8], Y[i : i + 8]

    class Batches(K.utils.Sequence):
        def __len__(self) -> int:
            return 3

        def __getitem__(self, i: int) -> Any:
            return X[8 * i : 8 * i + 8], Y[8 * i : 8 * i + 8]

    model = _model()
    first = model.get_weights()
    histories = []
    dataset = tf.data.Dataset.from_tensor_slices((X, Y)).batch(8)
    sources: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
        ((X, Y), {"batch_size": 8}), ((dataset,), {}), ((dataset.repeat(),), {"steps_per_epoch": 3}),
        ((generated(),), {"steps_per_epoch": 3}), ((Batches(),), {}),
    ]  # fmt: skip
    for args, kwargs in sources:
        model.set_weights(first)
        model.compile("sgd", "mse")
        histories.append(model.fit(*args, epochs=2, shuffle=False, verbose=0, **kwargs).history["loss"])
    for history in histories[1:]:
        np.testing.assert_allclose(history, histories[0], rtol=1e-5)
    assert model.predict(dataset).shape == (24, 1)


def test_an_endless_dataset_needs_its_steps() -> None:
    with pytest.raises(ValueError, match="you must specify the `steps_per_epoch` argument"):
        _model().fit(tf.data.Dataset.from_tensor_slices((X, Y)).batch(8).repeat(), verbose=0)


def test_image_generators_flip_and_scale() -> None:
    images = np.arange(2 * 4 * 4 * 1, dtype="f").reshape(2, 4, 4, 1)
    maker = K.preprocessing.image.ImageDataGenerator(rescale=0.5, preprocessing_function=lambda x: x[:, ::-1])
    batch, labels = next(maker.flow(images, [0, 1], batch_size=2, shuffle=False))
    np.testing.assert_array_equal(batch, images[:, :, ::-1] / 2)
    assert labels.tolist() == [0, 1]


def test_applications_have_the_published_sizes() -> None:
    model = K.applications.MobileNetV2(weights=None, include_top=False, input_shape=(32, 32, 3), pooling="avg")
    assert model.count_params() == 2257984
    assert model.output_shape == (None, 1280)
    model = K.applications.DenseNet121(weights=None, include_top=False, input_shape=(32, 32, 3), pooling="max")
    assert model.layers[-1].name == "max_pool"


def test_estimators_of_scikit_learn() -> None:
    def built() -> Any:
        model = K.Sequential([k.Dense(2, activation="softmax", input_shape=[4])])
        model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
        return model

    classifier = K.wrappers.scikit_learn.KerasClassifier(built, epochs=1, verbose=0)
    classifier.fit(X, Y[:, 0] > 0)
    assert classifier.predict(X).dtype == bool
    assert 0 <= classifier.score(X, Y[:, 0] > 0) <= 1
    with pytest.raises(ValueError, match="foo is not a legal parameter"):
        K.wrappers.scikit_learn.KerasRegressor(built, foo=1)


@pytest.mark.parametrize("known", [False, True], ids=["without inputs", "with inputs"])
def test_a_layer_may_be_in_a_row_twice(known: bool) -> None:
    """As in TensorFlow 1.15.5: without known inputs it is called once, and layers may share a name."""
    layers, given = tf.keras.layers, {"input_shape": (4,)} if known else {}
    with tf.Graph().as_default():
        shared = layers.Dense(4, name="d")
        model = tf.keras.Sequential([layers.Dense(4, name="a", **given), shared, layers.Dense(4, name="b"), shared])
        assert [layer.name for layer in model.layers] == ["a", "d", "b"]
        assert model(tf.ones((1, 4))).name == ("sequential/d_1/BiasAdd:0" if known else "sequential/b/BiasAdd:0")
        namesakes = [layers.Dense(4, name="a", **given), layers.Dense(4, name="a")]
        if known:
            with pytest.raises(ValueError, match='The name "a" is used 2 times in the model'):
                tf.keras.Sequential(namesakes)
        else:
            assert len(tf.keras.Sequential(namesakes).layers) == 2


@pytest.mark.parametrize("name", ["InceptionResNetV2", "NASNet"])
def test_networks_are_built_as_recorded(name: str) -> None:
    """Node by node, and layer by layer; the smallest NASNet that there is."""
    want = golden("keras_networks")[name]
    K.backend.set_learning_phase(1)
    if name == "NASNet":
        model = NASNet((32, 32, 3), 96, 1, 8, False)
    else:
        model = K.applications.InceptionResNetV2(weights=None, include_top=False, input_shape=(75, 75, 3))
    assert keras_graph_cases.nodes_of(tf.get_default_graph()) == want["nodes"]
    assert [[x.name, type(x).__name__, x.count_params()] for x in model.layers] == want["layers"]
    assert model.name == want["name"]


def test_no_two_networks_are_one() -> None:
    built = [getattr(tf.keras.applications, n) for n in vars(tf.keras.applications) if n[0].isupper()]
    assert len({f.__name__ for f in built}) == len(built)
    with pytest.raises(ValueError, match="must be a multiple of 24"):
        NASNet((32, 32, 3), 95)


def test_an_optimizer_of_a_program_may_have_gradients_of_its_own():
    class Fixed(tf.keras.optimizers.SGD):
        def _compute_gradients(self, loss, var_list, grad_loss=None):
            return [(tf.ones([]) * loss["by"], v) for v in var_list]

    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.Variable(1.0, use_resource=True)
        step = Fixed(0.5).minimize({"by": 2.0}, [x])
        session.run(tf.global_variables_initializer())
        session.run(step)
        assert session.run(x) == 0.0


def test_what_programs_feed_to_the_tensors_of_a_model():
    with tf.Graph().as_default():
        a, b = k.Input(3, name="a"), k.Input(tensor=tf.zeros([2, 4]), name="b")
        model = K.Model([a, b], [k.Dense(1, name="x")(a), k.Dense(1, name="y")(b)])
        assert (model._feed_inputs, model._feed_input_names) == ([a], ["a"])
        assert model._feed_input_shapes == [(None, 3)]
        model.compile("sgd", {"x": "mse"})
        assert [t.op.name for t in model._feed_targets] == ["x_target"]
        assert (model._feed_output_names, model._feed_sample_weights, len(model._feed_loss_fns)) == (["x"], [], 1)


class _Inside(K.Model):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__()
        self.dense = k.Dense(2)

    def call(self, x: Any) -> Any:
        return self.dense(x)


def test_a_subclass_gets_inputs_before_data() -> None:
    of_array, of_tensor, x = _Inside(), _Inside(), tf.zeros([4, 5])
    of_array._set_inputs(np.zeros([4, 5], np.float32))
    of_tensor._set_inputs(x)
    assert of_tensor.inputs[0] is x
    assert of_tensor.outputs[0].shape.as_list() == [4, 2]
    assert of_array.outputs[0].shape.as_list() == [None, 2]
    assert of_array.input_names == ["input_1"]
    assert of_array.built
    with pytest.raises(ValueError, match=r"Model inputs are already set\."):
        of_array._set_inputs(x)
    of_array.compile("sgd", "mse")
    of_array.fit(np.ones([4, 5]), np.ones([4, 2]), verbose=0)
