"""SavedModels of Keras models: TensorFlow's are read and go on training; ours are read by both."""

from __future__ import annotations

import gc
import gzip
import json
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from memory_taken import let_megabytes_be_large, most_memory
from recorded_files import unpacked

from retrograd import tf
from retrograd.eager.context import eager_mode
from retrograd.eager.graph import eager_graph
from retrograd.eager.lifted import graph_of_models
from retrograd.io.saved_model.loader import parse_saved_model
from retrograd.io.saved_model.structures import read_function_spec
from retrograd.tf.python.keras.saving.saved_model import load

GOLDEN = Path(__file__).parent / "golden"
RECORDED = json.loads(gzip.decompress((GOLDEN / "saved_keras.json.gz").read_bytes()))
REVIVED = json.loads(gzip.decompress((GOLDEN / "revived_keras.json.gz").read_bytes()))
X, Y = np.arange(8, dtype="f").reshape(4, 2), np.ones((4, 1), "f")


@pytest.fixture
def theirs(tmp_path: Path) -> str:
    """What TensorFlow wrote."""
    return unpacked(RECORDED["files"], tmp_path / "theirs")


def check(folder: str, again: str) -> None:
    model = tf.keras.models.load_model(folder)
    np.testing.assert_allclose(model.predict(X).ravel(), RECORDED["predicted"], rtol=1e-5)
    model.save(again, save_format="tf")
    model.train_on_batch(X, Y)
    np.testing.assert_allclose(model.predict(X).ravel(), RECORDED["after a step"], rtol=1e-5)


def test_models_go_on_where_they_stood(theirs: str, tmp_path: Path) -> None:
    again = str(tmp_path / "again")
    with tf.Graph().as_default(), tf.Session():
        check(theirs, again)
    with tf.Graph().as_default(), tf.Session():
        check(again, str(tmp_path / "once more"))
    with tf.Graph().as_default(), tf.Session() as session:
        signature = tf.saved_model.loader.load(session, ["serve"], again).signature_def["serving_default"]
        (info,) = signature.outputs.values()
        found = session.run(info.name, {signature.inputs["dense_input"].name: X})
        np.testing.assert_allclose(found.ravel(), RECORDED["predicted"], rtol=1e-5)


def test_models_go_on_where_they_stood_at_once(theirs: str, tmp_path: Path, eager: None) -> None:
    again = str(tmp_path / "again")
    check(theirs, again)
    check(again, str(tmp_path / "once more"))
    tf.saved_model.save(tf.keras.models.load_model(again), again)
    model: Any = tf.saved_model.load_v2(again)
    for found in (model(tf.constant(X), training=False), *model.signatures["serving_default"](tf.constant(X)).values()):
        np.testing.assert_allclose(found.numpy().ravel(), RECORDED["predicted"], rtol=1e-5)


def test_compiled_models_come_back_from_one_file_at_once(tmp_path: Path, eager: None) -> None:
    """With the state of the optimizer, whose variables the function of a training step makes."""
    path = str(tmp_path / "model.h5")
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    model.compile("adam", "mse")
    model.train_on_batch(X, Y)
    model.save(path)
    again = tf.keras.models.load_model(path)
    for ours, theirs in zip(again.optimizer.get_weights(), model.optimizer.get_weights(), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert again.train_on_batch(X, Y) == model.train_on_batch(X, Y)
    np.testing.assert_array_equal(again.predict(X), model.predict(X))


def test_a_row_of_layers_that_was_built_on_named_features_is_saved(tmp_path: Path, eager: None) -> None:
    folder, features = str(tmp_path / "m"), {"b": tf.constant(X[:, 1:]), "a": tf.constant(X[:, :1])}
    columns = [tf.feature_column.numeric_column(name) for name in ("a", "b")]
    model = tf.keras.Sequential([tf.keras.layers.DenseFeatures(columns), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.train_on_batch(features, Y)
    predicted = model.predict(features, steps=1)
    tf.saved_model.save(model, folder)
    loaded: Any = tf.saved_model.load_v2(folder)
    (found,) = loaded.signatures["serving_default"](**features).values()
    np.testing.assert_allclose(found.numpy(), predicted, rtol=1e-6)
    np.testing.assert_allclose(loaded(features).numpy(), predicted, rtol=1e-6)


def objects_of_keras(folder: str) -> dict[str, Any]:
    """What a SavedModel says of the layers below its root, by their names in it."""
    (graph,) = parse_saved_model(folder).meta_graphs
    nodes = graph.object_graph_def.nodes
    root = {child.local_name: child.node_id for child in nodes[0].children}
    found = {}
    for name, number in {"root": 0, **root}.items():
        told = nodes[number].user_object
        if not told.identifier.startswith("_tf_keras"):
            continue
        functions = {}
        for child in nodes[number].children:
            function = nodes[child.node_id].function
            if nodes[child.node_id].HasField("function") and child.local_name != "_default_save_signature":
                spec, is_method, _ = read_function_spec(function.function_spec)
                functions[child.local_name] = (spec.args, list(spec.defaults or ()), is_method)
        keys = {key for key, value in json.loads(told.metadata).items() if value is not None}
        found[name] = (told.identifier, keys - {"input_spec"}, functions)
    return found


def test_layers_are_told_as_tensorflow_tells_them(theirs: str, tmp_path: Path) -> None:
    """Its ``load_model`` makes a Keras model of the names, descriptions and functions of layers."""
    with tf.Graph().as_default(), tf.Session():
        tf.keras.models.load_model(theirs).save(str(tmp_path / "ours"), save_format="tf")
    expected = objects_of_keras(theirs)
    for name, (identifier, keys, functions) in objects_of_keras(str(tmp_path / "ours")).items():
        assert (identifier, keys) == expected[name][:2]
        if name != "layer-0":  # the input
            assert functions == expected[name][2]
    assert set(expected) == set(objects_of_keras(str(tmp_path / "ours")))


@pytest.mark.parametrize("at_once", [False, True])
def test_a_row_of_layers_that_named_no_shape_comes_back_as_one(tmp_path: Path, at_once: bool) -> None:
    with eager_mode() if at_once else nullcontext():
        model = tf.keras.Sequential([tf.keras.layers.Dense(3), tf.keras.layers.Dense(2)])
        model.compile("sgd", "mse")
        model.fit(np.ones([4, 4]), np.ones([4, 2]), verbose=0)
        model.save(str(tmp_path), save_format="tf")
        again = tf.keras.models.load_model(str(tmp_path))
        assert type(again) is tf.keras.Sequential
        assert again.get_config()["build_input_shape"] == [None, 4]
        np.testing.assert_array_equal(again.predict(np.ones([1, 4])), model.predict(np.ones([1, 4])))
        assert again.train_on_batch(np.ones([4, 4]), np.ones([4, 2])) >= 0
        again.pop()
        again.compile("sgd", "mse")
        assert again.predict(np.ones([1, 4])).shape == (1, 3)


def test_saved_models_are_read_under_the_inner_name_too(theirs: str) -> None:
    model = load.load(theirs, compile=False)
    assert not model.optimizer
    np.testing.assert_allclose(model.predict(X).ravel(), RECORDED["predicted"], rtol=1e-5)
    assert load.load(theirs).optimizer


def test_initializers_give_a_loaded_model_its_saved_values(theirs: str) -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.keras.backend.set_session(sess)
        model = tf.keras.models.load_model(theirs)
        before = model.get_weights()
        model.set_weights([w + 1.0 for w in before])
        sess.run(tf.variables_initializer(model.variables))
        for ours, saved in zip(model.get_weights(), before, strict=True):
            np.testing.assert_array_equal(ours, saved)
    tf.keras.backend.clear_session()


def test_what_is_no_model_of_layers_says_what_to_use(tmp_path: Path, eager: None) -> None:
    tf.saved_model.save(tf.Module(), str(tmp_path / "m"))
    with pytest.raises(ValueError, match="does not say of which layers its model is made") as caught:
        tf.keras.models.load_model(str(tmp_path / "m"))
    assert "tf.saved_model.load_v2" in "".join(caught.value.__notes__)
    with pytest.raises(ValueError, match="cannot be saved because the input shapes have not been set"):
        tf.keras.Sequential([tf.keras.layers.Dense(1)]).save(str(tmp_path / "n"), save_format="tf")


def test_an_hdf5_file_is_replaced_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "model.h5"
    with tf.Graph().as_default(), tf.Session():
        model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
        model.save(str(path))
        content = path.read_bytes()

        def interrupted(*args: Any) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr("retrograd.keras.hdf5.save_weights_to_hdf5_group", interrupted)
            with pytest.raises(KeyboardInterrupt):
                model.save(str(path))
        assert path.read_bytes() == content
        assert [p.name for p in tmp_path.iterdir()] == ["model.h5"]
        path.write_bytes(content[:1000])
        with pytest.raises(OSError, match=f"{path} is damaged: .*truncated"):
            tf.keras.models.load_model(str(path))


def check_revived(folder: str, again: str) -> None:
    model = tf.keras.models.load_model(folder)
    assert type(model).__name__ == "Scaled"
    assert [type(layer).__name__ for layer in model.layers] == ["Dense", "BatchNormalization"]
    np.testing.assert_allclose(model.predict(X).ravel(), REVIVED["predicted"], rtol=1e-5)
    model.save(again, save_format="tf")
    model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    model.fit(X, Y, epochs=3, batch_size=4, shuffle=False, verbose=0)
    np.testing.assert_allclose(model.predict(X).ravel(), REVIVED["after three steps"], rtol=1e-4)


def test_models_of_unknown_classes_call_what_was_saved(tmp_path: Path) -> None:
    folders = [unpacked(REVIVED["files"], tmp_path / "theirs"), *(str(tmp_path / name) for name in "ab")]
    for folder, again in pairwise(folders):
        with tf.Graph().as_default(), tf.Session():
            check_revived(folder, again)


def test_models_of_unknown_classes_call_what_was_saved_at_once(tmp_path: Path, eager: None) -> None:
    check_revived(unpacked(REVIVED["files"], tmp_path / "theirs"), str(tmp_path / "again"))


def test_the_code_of_a_lambda_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The function that was saved is the same as a graph."""
    layers = [tf.keras.layers.Lambda(lambda x: x * 3.0, input_shape=(2,)), tf.keras.layers.Dense(1)]
    with tf.Graph().as_default(), tf.Session():
        model = tf.keras.Sequential(layers)
        model.save(str(tmp_path / "m"), save_format="tf")
        expected = model.predict(X)
    monkeypatch.setattr("marshal.loads", None)
    with tf.Graph().as_default(), tf.Session():
        np.testing.assert_allclose(tf.keras.models.load_model(str(tmp_path / "m")).predict(X), expected, rtol=1e-6)


@pytest.mark.parametrize("at_once", [False, True])
def test_weights_come_with_the_state_of_the_optimizer(tmp_path: Path, at_once: bool) -> None:
    """A model that has not been trained gets it with its first step."""
    path = str(tmp_path / "w")
    eager_graph().forget()
    graph_of_models.cache_clear()
    with eager_mode() if at_once else tf.Graph().as_default():
        models = []
        for _ in range(2):
            models.append(tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))]))
            models[-1].compile("adam", "mse")
        models[0].fit(X, Y, epochs=3, verbose=0)
        models[0].save_weights(path)
        models[1].load_weights(path)
        for model in models:
            model.fit(X, Y, verbose=0)
        np.testing.assert_array_equal(models[1].predict(X), models[0].predict(X))
        sizes = [np.shape(w) for w in models[1].optimizer.get_weights()]
        if at_once:  # the slots are there before the first step
            assert sizes == [(2, 1), (2, 1), (1,), (1,), ()]
        assert models[1].optimizer.get_weights()[sizes.index(())] == 4
    keys = tf.train.NewCheckpointReader(path).get_variable_to_shape_map()
    assert "layer_with_weights-0/kernel/.OPTIMIZER_SLOT/optimizer/m/.ATTRIBUTES/VARIABLE_VALUE" in keys
    assert "optimizer/iter/.ATTRIBUTES/VARIABLE_VALUE" in keys


def _loaded_with_little_memory(file: str) -> None:
    model = tf.keras.Sequential([tf.keras.layers.Dense(2048, use_bias=False, input_shape=(2048,))])
    before = np.array(model.get_weights()[0])
    model.save_weights(file)
    model.load_weights(file)  # what is imported is there
    model.set_weights([np.zeros_like(before)])
    assert most_memory(lambda: model.load_weights(file)) < 1.3 * before.nbytes
    np.testing.assert_array_equal(model.get_weights()[0], before)


@pytest.mark.parametrize("file", ["m", "m.h5"])
def test_loading_weights_over_values_needs_little_memory(file: str, tmp_path: Path, monkeypatch: Any) -> None:
    let_megabytes_be_large(monkeypatch)
    with tf.Graph().as_default(), tf.Session():
        _loaded_with_little_memory(str(tmp_path / file))


@pytest.mark.parametrize("file", ["m", "m.h5"])
def test_loading_weights_at_once_needs_little_memory(file: str, tmp_path: Path, monkeypatch: Any, eager: None) -> None:
    let_megabytes_be_large(monkeypatch)
    _loaded_with_little_memory(str(tmp_path / file))


def test_a_loaded_model_warns_of_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with eager_mode():
        model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
        model.compile("sgd", "mse")
        model.fit(X, Y, verbose=0)
        model.save(str(tmp_path / "m"), save_format="tf")
        caplog.clear()
        tf.keras.models.load_model(str(tmp_path / "m"))
        gc.collect()
        assert not [record for record in caplog.records if "Unresolved" in record.getMessage()]
