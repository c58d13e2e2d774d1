"""How ``tf.contrib.learn`` says where a run is and what it measures: values and messages of TensorFlow 1.15.5."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.tf.contrib import learn
from retrograd.tf.contrib.learn import learn_runner
from retrograd.tf.contrib.learn.python.learn.estimators import _sklearn as sklearn
from retrograd.tf.contrib.learn.python.learn.utils import gc

CLUSTER = {"ps": ["h1:1", "h2:2"], "worker": ["h3:3", "h4:4"], "master": ["h5:5"]}


def _config(monkeypatch: pytest.MonkeyPatch, said: Any, **arguments: Any) -> Any:
    monkeypatch.setenv("TF_CONFIG", json.dumps(said))
    return learn.RunConfig(**arguments)


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ({}, ("", 0, None, 0, 0, True)),
        ({"cluster": CLUSTER}, ("", 0, None, 2, 3, True)),
        ({"cluster": CLUSTER, "task": {"index": 1}}, ("", 1, None, 2, 3, False)),
        ({"cluster": CLUSTER, "task": {"type": "worker"}}, ("grpc://h3:3", 0, "worker", 2, 3, True)),
        ({"cluster": CLUSTER, "task": {"type": "worker", "index": 1}}, ("grpc://h4:4", 1, "worker", 2, 3, False)),
        ({"cluster": CLUSTER, "task": {"type": "master"}}, ("grpc://h5:5", 0, "master", 2, 3, False)),
        (
            {"cluster": CLUSTER, "task": {"type": "master"}, "environment": "cloud"},
            ("grpc://h5:5", 0, "master", 2, 3, True),
        ),
        ({"cluster": {"worker": ["a:1"]}, "task": {"type": "worker"}}, ("", 0, "worker", 0, 1, True)),
        ({"task": {"type": "ps", "index": 3}}, ("", 3, "ps", 0, 0, False)),
    ],
)
def test_the_task_of_a_cluster(monkeypatch: pytest.MonkeyPatch, said: Any, wanted: Any) -> None:
    c = _config(monkeypatch, said)
    assert (c.master, c.task_id, c.task_type, c.num_ps_replicas, c.num_worker_replicas, c.is_chief) == wanted


@pytest.mark.parametrize(
    ("task", "message"),
    [
        ({"type": "x"}, "^x is not a valid task_type in the cluster_spec:"),
        ({"type": "worker", "index": 7}, "^7 is not a valid task_id for task_type worker in the cluster_spec:"),
    ],
)
def test_a_task_that_the_cluster_lacks(monkeypatch: pytest.MonkeyPatch, task: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _config(monkeypatch, {"cluster": CLUSTER, "task": task})


def test_steps_and_seconds_of_checkpoints() -> None:
    def saved(**arguments: Any) -> tuple[Any, Any]:
        c: Any = learn.RunConfig(**arguments)
        return c.save_checkpoints_steps, c.save_checkpoints_secs

    assert saved() == (None, 600)
    assert saved(save_checkpoints_steps=3) == (3, None)
    assert saved(save_checkpoints_steps=3, save_checkpoints_secs=4) == (3, 4)


def test_what_tells_configurations_apart() -> None:
    first, second = learn.RunConfig(tf_random_seed=1), learn.RunConfig(tf_random_seed=2)
    assert first.uid() == second.uid()
    assert first.uid(whitelist=[]) != second.uid(whitelist=[])
    assert first.uid() != first.replace(model_dir="/tmp/x").uid()
    assert first.uid().startswith("_cluster_spec=OrderedDict(), _device_fn=None, _environment='local', ")


class _Experiment(learn.Experiment):
    default = None

    def __init__(self, config: Any) -> None:
        self.config = config

        class Estimator(learn.Evaluable, learn.Trainable):
            model_dir = "/tmp"

            def fit(self, *arguments: Any, **named: Any) -> Any:
                raise NotImplementedError

            def evaluate(self, *arguments: Any, **named: Any) -> Any:
                raise NotImplementedError

        estimator = Estimator()
        estimator.config = config
        super().__init__(estimator, None, None)

    def train(self, delay_secs: Any = None) -> str:
        return "train"

    def train_and_evaluate(self) -> Any:
        return "train_and_evaluate"


def _by_folder(config: Any) -> Any:
    return lambda output_dir: _Experiment(config)


def _by_config(config: Any = None) -> Any:
    return lambda run_config, hparams: _Experiment(config or run_config)


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ({}, "train_and_evaluate"),
        ({"cluster": CLUSTER, "task": {"type": "worker"}}, "train"),
        ({"cluster": CLUSTER, "task": {"type": "master"}}, "train_and_evaluate"),
        ({"cluster": {"foo": ["a:1"]}}, "train_and_evaluate"),
    ],
)
def test_what_a_task_does(monkeypatch: pytest.MonkeyPatch, said: Any, wanted: str) -> None:
    assert learn_runner.run(_by_folder(_config(monkeypatch, said)), output_dir="/tmp") == wanted


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"cluster": CLUSTER}, "Must specify a schedule"),
        ({"cluster": {**CLUSTER, "foo": ["a:1"]}, "task": {"type": "foo"}}, "No default schedule for task type: foo"),
    ],
)
def test_a_task_that_does_nothing(monkeypatch: pytest.MonkeyPatch, said: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        learn_runner.run(_by_folder(_config(monkeypatch, said)), output_dir="/tmp")


@pytest.mark.parametrize(
    ("make", "arguments", "kind", "message"),
    [
        (_by_folder(None), {}, ValueError, "Must set value for `output_dir` or `run_config`"),
        (_by_folder(None), {"output_dir": ""}, ValueError, "Must specify an output directory"),
        (_by_folder(None), {"output_dir": "a", "hparams": 1}, ValueError, "Must set `hparams` as None for"),
        (_by_folder(None), {"output_dir": "a", "schedule": "x"}, ValueError, "references non-existent task x"),
        (_by_folder(None), {"output_dir": "a", "schedule": "default"}, TypeError, "references non-callable member"),
        (_by_config(), {"output_dir": "a", "run_config": 1}, ValueError, "Cannot provide both"),
        (_by_config(), {"run_config": "x"}, ValueError, "must be `tf.contrib.learn.RunConfig` instance"),
        (_by_config(), {"run_config": learn.RunConfig()}, ValueError, "Must specify a model directory `model_dir`"),
        (_by_config(), {"run_config": learn.RunConfig(model_dir="a"), "hparams": [1]}, ValueError, "HParams` instance"),
        ("x", {"run_config": learn.RunConfig(model_dir="a")}, TypeError, 'Experiment builder "x" is not callable.'),
        (lambda output_dir: 3, {"output_dir": "a"}, TypeError, "builder did not return an Experiment instance"),
        (
            _by_config(learn.RunConfig(model_dir="b")),
            {"run_config": learn.RunConfig(model_dir="a")},
            RuntimeError,
            "`RunConfig` instance is expected to be used by the `Estimator`",
        ),
        (
            _by_config(tf.estimator.RunConfig("a")),
            {"run_config": learn.RunConfig(model_dir="a")},
            RuntimeError,
            "Pass `run_config` argument of the `experiment_fn` to the Estimator",
        ),
    ],
)
def test_an_experiment_that_cannot_be_run(make: Any, arguments: Any, kind: Any, message: str) -> None:
    with pytest.raises(kind, match=message.replace("[", r"\[")):
        learn_runner.run(make, **arguments)


# -- metrics -----------------------------------------------------------------------------------

INPUTS, LABELS, PREDICTIONS = {"f": "weight"}, {"l": "label", "m": 1}, {"p": "prediction", "q": 2}
KEYS = {"prediction_key": "p", "label_key": "l", "weight_key": "f"}


@pytest.mark.parametrize(
    "function",
    [
        lambda predictions, labels, weights=None: (predictions, labels, weights),
        lambda prediction, target, weight=None: (prediction, target, weight),
        functools.partial(lambda logits, targets, more, weights: (logits, targets, weights), more=1),
    ],
)
def test_a_metric_by_the_names_of_its_arguments(function: Any) -> None:
    spec = learn.MetricSpec(function, **KEYS)
    assert spec.create_metric_ops(INPUTS, LABELS, PREDICTIONS) == ("prediction", "label", "weight")
    assert str(spec).endswith(", prediction_key=p, label_key=l, weight_key=f)")


@pytest.mark.parametrize(
    ("function", "wanted"),
    [
        (lambda labels, other: (labels, other), ("y", "x")),
        (lambda other, labels: (other, labels), ("x", "y")),
        (lambda other: other, "x"),
        (lambda predictions: predictions, "x"),
    ],
)
def test_a_metric_of_arguments_by_other_names(function: Any, wanted: Any) -> None:
    assert learn.MetricSpec(function).create_metric_ops({}, "y", "x") == wanted


@pytest.mark.parametrize(
    ("keys", "labels", "predictions", "message"),
    [
        ({"label_key": "l"}, LABELS, PREDICTIONS, "^MetricSpec without specified prediction_key requires predictions"),
        ({"prediction_key": "p"}, LABELS, PREDICTIONS, "^MetricSpec without specified label_key requires labels"),
        (KEYS, LABELS, "x", "^MetricSpec with prediction_key specified requires predictions dict, got x."),
        (KEYS, "y", PREDICTIONS, "^MetricSpec with label_key specified requires labels dict, got y."),
    ],
)
def test_keys_that_do_not_fit(keys: Any, labels: Any, predictions: Any, message: str) -> None:
    spec = learn.MetricSpec(lambda predictions, labels, weights=None: None, **keys)
    with pytest.raises(ValueError, match=message):
        spec.create_metric_ops(INPUTS, labels, predictions)


@pytest.mark.parametrize(
    ("function", "keys", "message"),
    [
        (lambda predictions, prediction: 1, {}, "^Ambiguous arguments {'prediction', 'predictions'}, must provide"),
        (lambda predictions, labels, target: 1, {}, "^Ambiguous arguments {'labels', 'target'}, must provide only"),
        (lambda predictions: 1, {"label_key": "l"}, "^{'label', 'labels', 'target', 'targets'} missing from "),
        (lambda predictions, labels: 1, {"weight_key": "f"}, "^{'weight', 'weights'} missing from "),
    ],
)
def test_a_function_that_is_no_metric(function: Any, keys: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        learn.MetricSpec(function, **keys)


# -- exports, scores ---------------------------------------------------------------------------

VERSIONS = [0, 1, 3, 5, 6, 7, 8, 33]


@pytest.mark.parametrize(
    ("name", "n", "wanted"),
    [
        ("largest_export_versions", 3, [7, 8, 33]),
        ("one_of_every_n_export_versions", 3, [3, 6, 8, 33]),
        ("one_of_every_n_export_versions", 1, [1, 3, 5, 6, 7, 8, 33]),
        ("one_of_every_n_export_versions", 100, [33]),
        ("mod_export_version", 3, [0, 3, 6, 33]),
    ],
)
def test_which_exports_stay(name: str, n: int, wanted: list[int]) -> None:
    paths = [gc.Path("/f", version) for version in VERSIONS]
    assert [path.export_version for path in getattr(gc, name)(n)(paths[::-1])] == wanted
    assert gc.union(getattr(gc, name)(n), gc.negation(getattr(gc, name)(n)))(paths) == paths


def test_the_exports_of_a_folder(tmp_path: Path) -> None:
    for name in ("3", "10", "x"):
        (tmp_path / name).mkdir()

    def parsed(path: Any) -> Any:
        name = Path(path.path).name
        return path._replace(export_version=int(name)) if name.isdigit() else None

    assert [path.export_version for path in gc.get_paths(str(tmp_path).encode(), parsed)] == [10, 3]


def test_scores_and_parts_of_arrays() -> None:
    assert sklearn.accuracy_score(np.array([1, 0, 0, 0]), np.array([[1], [0], [0], [1]])) == 0.75
    assert sklearn.mean_squared_error(np.array([1.0, 2.0]), np.array([[2.0], [4.0]])) == 2.5
    rows = np.arange(8)
    parts = [part.tolist() for part in sklearn.train_test_split(rows, rows * 2, test_size=0.25, random_state=3)]
    assert parts == [[5, 7, 4, 6, 3, 1], [0, 2], [10, 14, 8, 12, 6, 2], [0, 4]]
    assert [len(part) for part in sklearn.train_test_split(rows, test_size=0.33)] == [5, 3]


def test_a_regression_from_zero() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        predicted, loss = learn.models.linear_regression_zero_init(tf.ones([2, 3]), tf.constant([1.0, 3.0]))
        session.run(tf.global_variables_initializer())
        assert session.run(predicted).tolist() == [0.0, 0.0]
        assert session.run(loss) == 5.0
