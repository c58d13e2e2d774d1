"""``tf.estimator``: nodes, log lines, files, events and results of trainings, held to recordings; hooks; inputs."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from golden import estimator_cases
from recorded_cases import golden, near, nodes_of

from retrograd import tf

X = np.linspace(0, 1, 60, dtype=np.float32).reshape(20, 3)
Y = X @ np.float32([[1], [2], [3]])


@pytest.fixture(autouse=True)
def graph() -> Iterator[None]:
    with tf.Graph().as_default():
        yield
    tf.summary.FileWriterCache.clear()


@pytest.fixture(scope="module")
def got(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # deprecations, as in TensorFlow
        found = estimator_cases.outcome(tf, np, str(tmp_path_factory.mktemp("estimator")), nodes_of)
    tf.summary.FileWriterCache.clear()
    return json.loads(json.dumps(found))


WANT = golden("estimator")


@pytest.mark.parametrize("what", ["lines", "files", "events", "errors", "configs", "exports", "variables"])
def test_as_recorded(got: Any, what: str) -> None:
    if isinstance(WANT[what], list):
        for mine, theirs in zip(got[what], WANT[what], strict=True):
            assert mine == theirs
    assert got[what] == WANT[what]


@pytest.mark.parametrize("mode", ["train", "eval", "infer"])
def test_graphs_as_recorded(got: Any, mode: str) -> None:
    mine = {node["name"]: node for node in got["graphs"][mode]}
    theirs = {node["name"]: node for node in WANT["graphs"][mode]}
    assert mine.keys() == theirs.keys()
    for name, node in theirs.items():
        ours = mine[name]
        for key in [k for k, v in node["attrs"].items() if v == []]:  # lists of shapes are not recorded
            ours["attrs"][key] = []
        if node["attrs"].get("dtype") == "float32" and "value" in node["attrs"]:  # NumPy's products differ by processor
            assert near(ours["attrs"].pop("value"), node["attrs"].pop("value"))
        if not name.endswith("save/StringJoin/inputs_1"):  # a random folder
            assert ours == node


@pytest.mark.parametrize("what", ["metrics", "predictions", "last", "kernel", "warm"])
def test_numbers_as_recorded(got: Any, what: str) -> None:
    mine, theirs = got[what], WANT[what]
    if isinstance(theirs, dict):
        assert mine.keys() == theirs.keys()
        mine, theirs = [mine[k] for k in theirs], list(theirs.values())
    np.testing.assert_allclose(np.hstack(mine), np.hstack(theirs), rtol=2e-5)


def model(features: Any, labels: Any, mode: str) -> Any:
    x = features["x"] if isinstance(features, dict) else features
    p = tf.layers.dense(x, 1, name="d")
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions=p)
    loss = tf.losses.mean_squared_error(labels, p)
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def data() -> Any:
    return tf.data.Dataset.from_tensor_slices((X, Y)).batch(5)


def endless() -> Any:
    return data().repeat()


def test_training_ends_with_the_input_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    e = tf.estimator.Estimator(model, str(tmp_path))
    assert e.train(data) is e
    assert e.get_variable_value("global_step") == 4
    e.train(data)
    assert e.get_variable_value("global_step") == 8
    assert e.evaluate(data)["global_step"] == 8


def test_predictions_without_a_checkpoint_are_of_first_values(tmp_path: Path) -> None:
    e = tf.estimator.Estimator(model, str(tmp_path))
    found = list(e.predict(lambda: tf.data.Dataset.from_tensor_slices(X).batch(8), yield_single_examples=False))
    assert [len(batch) for batch in found] == [8, 8, 4]


def test_evaluation_in_memory(tmp_path: Path) -> None:
    config = tf.estimator.RunConfig(save_checkpoints_secs=None, tf_random_seed=1)
    e = tf.estimator.Estimator(model, str(tmp_path), config)
    e.train(endless, steps=6, hooks=[tf.estimator.experimental.InMemoryEvaluatorHook(e, data, every_n_iter=3)])
    found = [row for row in estimator_cases.events(tf, e.eval_dir()) if row[1] == "summary"]
    assert [step for step, _, _ in found] == [0, 3, 6, 6]
    assert e.latest_checkpoint() is None


def test_stops_when_a_metric_no_longer_decreases(tmp_path: Path) -> None:
    e = tf.estimator.Estimator(model, str(tmp_path), tf.estimator.RunConfig(save_checkpoints_steps=5))
    writer = tf.summary.FileWriter(e.eval_dir())
    for step, loss in ((0, 2.0), (10, 1.0), (20, 1.5)):
        writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="loss", simple_value=loss)]), step)
    writer.close()
    hook = tf.estimator.experimental.stop_if_no_decrease_hook(e, "loss", 10, run_every_secs=None, run_every_steps=4)
    e.train(endless, steps=50, hooks=[hook])
    assert e.get_variable_value("global_step") == 1
    assert "signal_early_stopping/STOP" in e.get_variable_names()


def test_listeners_of_checkpoints(tmp_path: Path) -> None:
    seen: list[Any] = []

    class Listener(tf.train.CheckpointSaverListener):  # type: ignore[misc]
        def before_save(self, session: Any, global_step_value: int) -> None:
            seen.append(("before", global_step_value))

        def after_save(self, session: Any, global_step_value: int) -> bool:
            seen.append(("after", global_step_value))
            return bool(global_step_value == 4)

        def end(self, session: Any, global_step_value: int) -> None:
            seen.append(("end", global_step_value))

    e = tf.estimator.Estimator(model, str(tmp_path), tf.estimator.RunConfig(save_checkpoints_steps=2))
    e.train(endless, steps=50, saving_listeners=[Listener()])
    assert seen == [(when, n) for n in (0, 2, 4) for when in ("before", "after")] + [("end", 4)]


def test_frames_of_pandas(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame, target = pandas.DataFrame(X, columns=list("abc")), pandas.Series(Y[:, 0])
    features, labels = tf.estimator.inputs.pandas_input_fn(frame, target, batch_size=15, shuffle=False)()
    with tf.train.MonitoredSession() as sess:
        first, second = sess.run([features, labels]), sess.run([features, labels])
    np.testing.assert_array_equal(np.stack([first[0][c] for c in "abc"], 1), X[:15])
    np.testing.assert_array_equal(np.concatenate([first[1], second[1]]), Y[:, 0])


def test_a_vocabulary_moves_its_rows(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("a\nb\nc\n")
    new.write_text("c\nd\na\n")
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.get_variable("e", initializer=np.float32([[1, 2], [3, 4], [5, 6]]))
        sess.run(v.initializer)
        path = tf.train.Saver().save(sess, str(tmp_path / "ckpt"))
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.get_variable("e", [4, 2])
        vocabulary = tf.train.VocabInfo(str(new), 3, 1, str(old), backup_initializer=tf.ones_initializer())
        tf.train.warm_start(path, var_name_to_vocab_info={"e": vocabulary})
        sess.run(v.initializer)
        np.testing.assert_array_equal(sess.run(v), [[5, 6], [1, 1], [1, 2], [1, 1]])


def test_strategies_of_one_replica_train_the_same(tmp_path: Path) -> None:
    def data() -> Any:
        x = np.linspace(-1, 1, 24).reshape(12, 2).astype("f")
        return tf.data.Dataset.from_tensor_slices(({"x": x}, x[:, :1])).batch(4)

    def linear(features: Any, labels: Any, mode: str) -> Any:
        y = tf.layers.dense(features["x"], 1, kernel_initializer=tf.ones_initializer())
        loss = tf.losses.mean_squared_error(labels, y)
        step = tf.train.AdamOptimizer(0.1).minimize(loss, tf.train.get_global_step())
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=step)

    found = []
    for i, strategy in enumerate([None, tf.distribute.MirroredStrategy(), tf.distribute.OneDeviceStrategy("/cpu:0")]):
        config = tf.estimator.RunConfig(str(tmp_path / str(i)), train_distribute=strategy, eval_distribute=strategy)
        estimator = tf.estimator.Estimator(linear, config=config)
        estimator.train(data)
        found.append((estimator.evaluate(data), sorted(estimator.get_variable_names())))
    assert found[0] == found[1] == found[2]


def test_strategies_of_several_devices_are_refused() -> None:
    with pytest.raises(ValueError, match="MirroredStrategy over 2 devices") as caught:
        tf.distribute.MirroredStrategy(["/gpu:0", "/gpu:1"])
    assert "a batch 2 times as large" in "".join(caught.value.__notes__)
    with pytest.raises(TypeError, match=r"RunConfig takes a tf.distribute.Strategy") as caught:
        tf.estimator.RunConfig(train_distribute=object())
    assert "or leave it out" in "".join(caught.value.__notes__)


def test_keras_metrics(tmp_path: Path) -> None:
    def with_metric(features: Any, labels: Any, mode: str) -> Any:
        spec = model(features, labels, mode)
        metric = tf.keras.metrics.MeanAbsoluteError()
        metric.update_state(labels, tf.zeros_like(labels))
        return spec._replace(eval_metric_ops={"k": metric})

    e = tf.estimator.Estimator(with_metric, str(tmp_path))
    np.testing.assert_allclose(e.evaluate(data)["k"], Y.mean(), rtol=1e-6)


def test_event_files_are_read_in_tests(tmp_path: Path) -> None:
    e = tf.estimator.Estimator(model, str(tmp_path))
    found = e.evaluate(data)
    testing = tf.contrib.testing
    assert testing.simple_values_from_events(testing.latest_events(e.eval_dir()), ["loss"]) == {"loss": found["loss"]}
    assert [s.step for s in testing.latest_summaries(e.eval_dir())] == [0]
