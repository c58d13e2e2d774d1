"""``tf.contrib.learn``: older estimators on arrays, with TensorFlow's batches; monitors, experiments, models."""

from __future__ import annotations

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
