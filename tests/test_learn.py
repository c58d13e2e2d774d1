"""``tf.contrib.learn``: older estimators on arrays, with TensorFlow's batches; monitors, experiments, models."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.tf.contrib import learn

X = np.random.RandomState(0).rand(100, 3).astype("f")
Y = X @ np.float32([1, 2, 3])


@pytest.fixture(autouse=True)
def graph() -> Iterator[None]:
    with tf.Graph().as_default():
        yield
    tf.summary.FileWriterCache.clear()


def model(features: Any, labels: Any, mode: str, params: Any) -> Any:
    p = tf.squeeze(tf.layers.dense(features, 1, kernel_initializer=tf.zeros_initializer()), 1)
    loss = train = None
    if mode != learn.ModeKeys.INFER:
        loss = tf.losses.mean_squared_error(labels, p)
    if mode == learn.ModeKeys.TRAIN:
        train = tf.train.GradientDescentOptimizer(params["rate"]).minimize(loss, tf.train.get_global_step())
    return learn.ModelFnOps(mode=mode, predictions={"p": p}, loss=loss, train_op=train)


def estimator(folder: Path, **config: Any) -> Any:
    return learn.Estimator(model, str(folder), learn.RunConfig(tf_random_seed=1, **config), {"rate": 0.1})


def test_batches_are_shuffled_as_in_tensorflow(tmp_path: Path) -> None:
    e = estimator(tmp_path).fit(X, Y, steps=100, batch_size=10)
    metric = learn.MetricSpec(tf.contrib.metrics.streaming_mean_absolute_error, prediction_key="p")
    found = e.evaluate(X, Y, batch_size=50, metrics={"mae": metric})
    assert found["global_step"] == 100
    # what TensorFlow 1.15.5 gives
    np.testing.assert_allclose([found["loss"], found["mae"]], [0.05652578, 0.19442654], rtol=1e-5)
    np.testing.assert_allclose([r["p"] for r in e.predict(X[:3])], [3.6556346, 3.3084443, 4.654755], rtol=1e-5)


def test_like_scikit_learn(tmp_path: Path) -> None:
    e = learn.SKCompat(estimator(tmp_path)).fit(X, Y, steps=20)
    assert e.predict(X, batch_size=30)["p"].shape == (100,)
    assert e.score(X, Y)["loss"] > 0


def test_validation_stops_a_training(tmp_path: Path) -> None:
    monitor = learn.monitors.ValidationMonitor(
        X[:10], Y[:10] + 100, every_n_steps=5, early_stopping_rounds=10, early_stopping_metric_minimize=False,
        check_interval_secs=0,
    )  # fmt: skip
    e = estimator(tmp_path, save_checkpoints_steps=5).fit(X, Y, steps=100, monitors=[monitor])
    assert monitor.early_stopped
    assert monitor.best_step == 5
    assert e.get_variable_value("global_step") == 15


def test_an_experiment(tmp_path: Path) -> None:
    def make(config: Any, hparams: Any) -> Any:
        def input_fn() -> Any:
            return tf.constant(X), tf.constant(Y)

        return learn.Experiment(
            estimator(Path(config.model_dir)), input_fn, input_fn, train_steps=30, eval_steps=1, min_eval_frequency=10
        )

    metrics, exports = learn.learn_runner.run(make, run_config=learn.RunConfig(model_dir=str(tmp_path)))
    assert metrics["global_step"] == 30
    assert exports == []
    with pytest.raises(ValueError, match="non-existent task fly"):
        learn.learn_runner.run(make, run_config=learn.RunConfig(model_dir=str(tmp_path)), schedule="fly")


def test_arguments_are_checked(tmp_path: Path) -> None:
    e = estimator(tmp_path)
    with pytest.raises(ValueError, match="Either x or input_fn"):
        e.fit()
    with pytest.raises(ValueError, match="both input_fn and batch_size"):
        e.fit(input_fn=lambda: None, batch_size=3)
    with pytest.raises(ValueError, match="both steps and max_steps"):
        e.fit(X, Y, steps=1, max_steps=1)


def test_linear_regression() -> None:
    predictions, loss = learn.models.linear_regression(tf.constant(X), tf.constant(Y), init_mean=0.0, init_stddev=0.0)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert sess.run(predictions).shape == (100,)
        np.testing.assert_allclose(sess.run(loss), np.mean(Y**2), rtol=1e-5)
    assert [v.op.name for v in tf.trainable_variables()] == ["linear_regression/weights", "linear_regression/bias"]
    assert predictions.op.name == "linear_regression/mean_squared_error_regressor/Squeeze"


def test_logistic_regression() -> None:
    """As recorded, with the weight of classes that is given, and with one that the graph has by name."""
    x, y = tf.constant([[1.0, 2.0, 3.0], [0.1, 0.2, 0.3]]), tf.constant([[1.0, 0.0], [0.0, 1.0]])
    tf.constant([1.0, 2.0], name="class_weight")
    with tf.variable_scope("", initializer=tf.constant_initializer(0.25)):
        found, found_loss = learn.models.logistic_regression(x, y)
        with tf.variable_scope("a"):
            given, given_loss = learn.models.logistic_regression(x, y, class_weight=[3.0, 1.0])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        np.testing.assert_allclose(sess.run(found), [[0.1480472, 0.85195273], [0.40131232, 0.59868765]], rtol=1e-6)
        np.testing.assert_allclose(sess.run(given), [[0.97068775, 0.02931223], [0.6899745, 0.31002548]], rtol=1e-6)
        np.testing.assert_allclose(sess.run([found_loss, given_loss]), [1.2116197, 0.6004256], rtol=1e-6)
    assert found.op.name == "logistic_regression/softmax_classifier/Softmax"
    assert given_loss.op.name == "a/logistic_regression/softmax_classifier/softmax_cross_entropy_loss/value"
    assert [t.op.name for t in tf.get_collection("summaries")][3:5] == [
        "logistic_regression/logistic_regression.bias", "a/logistic_regression/a/logistic_regression.x",
    ]  # fmt: skip
    assert tf.get_collection("losses") == [found_loss, given_loss]


def test_logistic_regression_begins_at_zero() -> None:
    shares, _ = learn.models.logistic_regression_zero_init(tf.constant(X), tf.one_hot(np.arange(100) % 4, 4))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        np.testing.assert_array_equal(sess.run(shares), np.full((100, 4), 0.25, "f"))


def _two_examples() -> tuple[dict[str, Any], Any]:
    words = tf.SparseTensor([[0, 0], [1, 0]], ["en", "fr"], [2, 1])
    return {"age": tf.constant([[1.0], [2.0]]), "word": words}, tf.constant([[1], [0]])


def _exported(model: Any, folder: Path, **arguments: Any) -> tuple[Any, tuple[int, ...]]:
    """The default signature of a model's session bundle, and the shape of what the bundle answers for one example."""
    from retrograd.tf.contrib.session_bundle import manifest_pb2

    model.fit(input_fn=_two_examples, steps=2)
    path = os.fsdecode(model.export(str(folder), **arguments))
    assert sorted(os.listdir(path)) == ["checkpoint", "export.data-00000-of-00001", "export.index", "export.meta"]
    feature = tf.train.Feature
    age, word = feature(float_list={"value": [1.0]}), feature(bytes_list={"value": [b"en"]})
    example = tf.train.Example(features={"feature": {"age": age, "word": word}}).SerializeToString()
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.train.import_meta_graph(f"{path}/export.meta").restore(sess, f"{path}/export")
        sess.run(tf.get_collection("serving_init_op"))
        signatures = manifest_pb2.Signatures.FromString(tf.get_collection("serving_signatures")[0].value)
        said = signatures.default_signature
        classes, numbers = said.classification_signature, said.regression_signature
        output = classes.scores.tensor_name or numbers.output.tensor_name
        given = classes.input.tensor_name or numbers.input.tensor_name
        return {given: output}, sess.run(output, {given: [example]}).shape


def test_models_are_exported_as_session_bundles(tmp_path: Path) -> None:
    from retrograd.tf.contrib.learn.python.learn.utils import export

    layers, config = tf.contrib.layers, learn.RunConfig(tf_random_seed=1)
    age, word = layers.real_valued_column("age"), layers.sparse_column_with_hash_bucket("word", 10)
    embedded, examples = layers.embedding_column(word, dimension=2), "input_example_tensor:0"
    deep = learn.DNNClassifier([3], [age, embedded], config=config)
    want = {examples: "dnn/binary_logistic_head/predictions/probabilities:0"}
    assert _exported(deep, tmp_path / "deep") == (want, (1, 2))
    number = learn.LinearRegressor([age, word], config=config)
    want = {examples: "linear/regression_head/predictions/Identity:0"}
    assert _exported(number, tmp_path / "number", exports_to_keep=1) == (want, (1,))
    both = learn.DNNLinearCombinedClassifier(
        linear_feature_columns=[age, word], dnn_feature_columns=[embedded], dnn_hidden_units=[2], config=config
    )
    want = {examples: "binary_logistic_head/predictions/probabilities:0"}
    assert _exported(both, tmp_path / "both") == (want, (1, 2))
    line = learn.LinearClassifier([age, word], config=config)
    probability = _exported(line, tmp_path / "p", signature_fn=export.logistic_regression_signature_fn)
    assert probability == ({examples: "strided_slice:0"}, (1,))
    for input_fn, words in (
        (lambda: ({}, None), "Either features or examples must be defined."),
        (_two_examples, "examples cannot be None when using this signature fn."),
    ):
        with pytest.raises(ValueError, match=words):
            line.export(str(tmp_path), input_fn=input_fn, use_deprecated_input_fn=False)
    with pytest.raises(ValueError, match="Can't load save_path when it is None"):
        learn.LinearClassifier([age]).export(str(tmp_path / "none"))
    with pytest.raises(ValueError, match=r"Invalid metric for \('a', 'scores', 'b'\). It returned a tuple with"):
        number.evaluate(input_fn=_two_examples, steps=1, metrics={("a", "scores", "b"): tf.metrics.mean})


def test_a_machine_of_support_vectors_is_exported_with_all_that_it_predicts(tmp_path: Path) -> None:
    from retrograd.tf.contrib.session_bundle import manifest_pb2

    def examples() -> tuple[dict[str, Any], Any]:
        return {"id": tf.constant(["1", "2"]), "a": tf.constant([[0.0], [1.0]])}, tf.constant([[1], [0]])

    svm = learn.SVM("id", [tf.contrib.layers.real_valued_column("a")])
    svm.fit(input_fn=examples, steps=1)
    path = os.fsdecode(svm.export(str(tmp_path)))
    with tf.Graph().as_default():
        tf.train.import_meta_graph(f"{path}/export.meta")
        signatures = manifest_pb2.Signatures.FromString(tf.get_collection("serving_signatures")[0].value)
    said = signatures.default_signature.generic_signature.map
    assert {key: said[key].tensor_name for key in said} == {
        "inputs": "input_example_tensor:0",
        "classes": "binary_svm_head/predictions/classes:0",
        "logits": "linear/linear/BiasAdd:0",
    }


def test_the_inner_modules_have_the_names_too() -> None:
    from retrograd.tf.contrib.learn.python import learn as inner
    from retrograd.tf.contrib.learn.python.learn.utils.input_fn_utils import InputFnOps

    assert inner.RunConfig is learn.RunConfig
    assert inner.DNNClassifier is learn.DNNClassifier
    assert InputFnOps is learn.InputFnOps
