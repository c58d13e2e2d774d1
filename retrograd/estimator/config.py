"""``RunConfig``: where a model is kept, how often it is saved and logged, and which task of a cluster this is.

Source: ``tensorflow_estimator`` 1.15.1, ``run_config.py``.
"""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Callable
from typing import Any

from retrograd.distribute.strategies import Strategy
from retrograd.estimator.specs import fn_args
from retrograd.graph import log
from retrograd.run.clusters import ClusterSpec

_USE_DEFAULT = object()
_REPLACEABLE = [
    "model_dir",
    "tf_random_seed",
    "save_summary_steps",
    "save_checkpoints_steps",
    "save_checkpoints_secs",
    "session_config",
    "keep_checkpoint_max",
    "keep_checkpoint_every_n_hours",
    "log_step_count_steps",
    "train_distribute",
    "device_fn",
    "protocol",
    "eval_distribute",
    "experimental_distribute",
    "experimental_max_worker_delay_secs",
    "session_creation_timeout_secs",
]
_SAVED_TWICE = "`save_checkpoints_steps` and `save_checkpoints_secs` cannot be both set."


class TaskType:
    """The jobs of a cluster."""

    MASTER = "master"
    PS = "ps"
    WORKER = "worker"
    CHIEF = "chief"
    EVALUATOR = "evaluator"


def get_default_session_config(device_filters: list[str] | None = None) -> Any:
    """The ``ConfigProto`` of an estimator's sessions."""
    from tensorboard.compat.proto.config_pb2 import ConfigProto, GraphOptions
    from tensorboard.compat.proto.rewriter_config_pb2 import RewriterConfig

    options = GraphOptions(rewrite_options=RewriterConfig(meta_optimizer_iterations=RewriterConfig.ONE))
    return ConfigProto(allow_soft_placement=True, graph_options=options, device_filters=device_filters)


def _is_config_proto(value: Any) -> bool:
    return getattr(getattr(value, "DESCRIPTOR", None), "name", "") == "ConfigProto"


# property: (what must hold unless it is None, the message)
_CHECKS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "model_dir": (bool, "model_dir should be non-empty"),
    "save_summary_steps": (lambda n: n >= 0, "save_summary_steps should be >= 0"),
    "save_checkpoints_steps": (lambda n: n >= 0, "save_checkpoints_steps should be >= 0"),
    "save_checkpoints_secs": (lambda n: n >= 0, "save_checkpoints_secs should be >= 0"),
    "session_config": (_is_config_proto, "session_config must be instance of ConfigProto"),
    "keep_checkpoint_max": (lambda n: n >= 0, "keep_checkpoint_max should be >= 0"),
    "keep_checkpoint_every_n_hours": (lambda n: n > 0, "keep_checkpoint_every_n_hours should be > 0"),
    "log_step_count_steps": (lambda n: n > 0, "log_step_count_steps should be > 0"),
    "tf_random_seed": (lambda n: isinstance(n, int), "tf_random_seed must be integer."),
    "experimental_max_worker_delay_secs": (
        lambda n: isinstance(n, int),
        "experimental_max_worker_delay_secs must be an integer if set.",
    ),
    "session_creation_timeout_secs": (lambda n: n > 0, "session_creation_timeout_secs should be > 0"),
    "device_fn": (
        lambda fn: callable(fn) and set(fn_args(fn)) == {"op"},
        'device_fn must be callable with exactly one argument "op".',
    ),
    "protocol": (lambda p: p in ("grpc", "grpc+verbs"), "protocol should be grpc or grpc+verbs"),
}


class RunConfig:
    """How an estimator runs.

    Args:
      model_dir: the folder of checkpoints and event files.
      tf_random_seed: the seed of the graphs.
      save_summary_steps: steps between summaries; 0 or None writes none.
      save_checkpoints_steps, save_checkpoints_secs: between checkpoints; by default 600 seconds; None for both
        writes none.
      session_config: a ``tf.ConfigProto``.
      keep_checkpoint_max, keep_checkpoint_every_n_hours: of the ``Saver``.
      log_step_count_steps: steps between the lines of the loss and of the steps per second.
      device_fn: the device of an op.
      protocol: of servers.
      session_creation_timeout_secs: how long a worker waits for the chief.

    The environment's ``TF_CONFIG`` says which task of which cluster this process is.

    Raises:
      ValueError: a property is out of its range, or the task is not of the cluster.
      TypeError: what is given as a distribution strategy is none.
    """

    def __init__(
        self,
        model_dir: Any = None,
        tf_random_seed: int | None = None,
        save_summary_steps: int | None = 100,
        save_checkpoints_steps: Any = _USE_DEFAULT,
        save_checkpoints_secs: Any = _USE_DEFAULT,
        session_config: Any = None,
        keep_checkpoint_max: int | None = 5,
        keep_checkpoint_every_n_hours: float = 10000,
        log_step_count_steps: int | None = 100,
        train_distribute: Any = None,
        device_fn: Any = None,
        protocol: str | None = None,
        eval_distribute: Any = None,
        experimental_distribute: Any = None,
        experimental_max_worker_delay_secs: int | None = None,
        session_creation_timeout_secs: int | None = 7200,
    ) -> None:
        if save_checkpoints_steps is _USE_DEFAULT and save_checkpoints_secs is _USE_DEFAULT:
            save_checkpoints_steps, save_checkpoints_secs = None, 600
        elif save_checkpoints_secs is _USE_DEFAULT:
            save_checkpoints_secs = None
        elif save_checkpoints_steps is _USE_DEFAULT:
            save_checkpoints_steps = None
        elif save_checkpoints_steps is not None and save_checkpoints_secs is not None:
            raise ValueError(_SAVED_TWICE)
        environment = json.loads(os.environ.get("TF_CONFIG", "{}"))
        if environment:
            log.info("TF_CONFIG environment variable: %s", environment)
        given = {name: value for name, value in locals().items() if name in _REPLACEABLE}
        given["model_dir"] = _model_dir(environment, None if model_dir is None else os.fspath(model_dir))
        _set(self, {name: given[name] for name in _REPLACEABLE})
        _with_strategies(self, experimental_distribute)
        self._service = environment.get("service")
        if self._service is not None and not isinstance(self._service, dict):
            raise TypeError(f'If "service" is set in TF_CONFIG, it must be a dict. Given {type(self._service)}')
        self._cluster_spec = ClusterSpec(environment.get("cluster", {}))
        self._find_task(environment)
        if not self._session_config and self._cluster_spec:
            filters = _device_filters(self._task_type, self._task_id)
            if filters:
                self._session_config = get_default_session_config(filters)

    _session_config: Any

    def _find_task(self, environment: dict[str, Any]) -> None:
        """Which task this is, from ``TF_CONFIG``."""
        task = environment.get("task", {})
        cluster = self._cluster_spec
        if not cluster:
            self._task_type = task.get("type", TaskType.WORKER)
            self._task_id = int(task.get("index", 0))
            self._global_id_in_cluster: int | None = 0
            if self._task_type != TaskType.WORKER:
                raise ValueError('If "cluster" is not set in TF_CONFIG, task type must be WORKER.')
            if self._task_id != 0:
                raise ValueError('If "cluster" is not set in TF_CONFIG, task index must be 0.')
            self._master = environment.get("session_master", "")
            self._evaluation_master = environment.get("eval_session_master", "")
            self._is_chief, self._num_ps_replicas, self._num_worker_replicas = True, 0, 1
            return
        chief = TaskType.MASTER if TaskType.MASTER in cluster.jobs else TaskType.CHIEF
        if chief == TaskType.MASTER and TaskType.CHIEF in cluster.jobs:
            raise ValueError("If `master` node exists in `cluster`, job `chief` is not supported.")
        self._task_type, self._task_id = _checked_task(cluster, task, chief)
        is_evaluator = self._task_type == TaskType.EVALUATOR
        if is_evaluator and chief == TaskType.MASTER:
            raise ValueError("If `master` node exists in `cluster`, task_type `evaluator` is not supported.")
        self._evaluation_master = environment.get("eval_session_master", "") if is_evaluator else ""
        self._is_chief = self._task_type == chief
        if is_evaluator:  # it is no part of the training cluster
            self._cluster_spec = ClusterSpec({})
            self._master, self._num_ps_replicas, self._num_worker_replicas = "", 0, 0
            self._global_id_in_cluster = None
            return
        sizes = {job: cluster.num_tasks(job) for job in cluster.jobs}
        self._master = _master(cluster, self._task_type, self._task_id, environment)
        self._num_ps_replicas = sizes.get(TaskType.PS, 0)
        self._num_worker_replicas = sizes.get(TaskType.WORKER, 0) + sizes.get(chief, 0)
        others = sorted(set(cluster.jobs) - {chief, TaskType.PS})
        before = [job for job in [chief, *others, TaskType.PS] if job in sizes]
        before = before[: before.index(self._task_type)]
        self._global_id_in_cluster = sum(sizes[job] for job in before) + self._task_id

    def replace(self, **kwargs: Any) -> RunConfig:
        """A copy with other properties.

        Raises:
          ValueError: a property cannot be replaced, or is out of its range.
        """
        return _set(copy.deepcopy(self), kwargs)

    @property
    def cluster_spec(self) -> ClusterSpec:
        """The jobs and tasks; empty for one process."""
        return self._cluster_spec

    @property
    def evaluation_master(self) -> str:
        """The session target of evaluations."""
        return self._evaluation_master

    @property
    def is_chief(self) -> bool:
        """Whether this task writes the files."""
        return self._is_chief

    @property
    def master(self) -> str:
        """The session target."""
        return self._master

    @property
    def num_ps_replicas(self) -> int:
        """How many tasks keep variables."""
        return self._num_ps_replicas

    @property
    def num_worker_replicas(self) -> int:
        """How many tasks train, the chief among them."""
        return self._num_worker_replicas

    @property
    def task_id(self) -> int:
        """The number of this task in its job."""
        return self._task_id

    @property
    def global_id_in_cluster(self) -> int | None:
        """The number of this task among those that train."""
        return self._global_id_in_cluster

    @property
    def task_type(self) -> str:
        """The job of this task."""
        return self._task_type

    @property
    def service(self) -> Any:
        """What ``TF_CONFIG`` says of the platform."""
        return self._service


def _property(name: str) -> property:
    return property(lambda self: getattr(self, "_" + name), doc=f"``{name}`` as given.")


for _name in _REPLACEABLE:
    if _name != "experimental_distribute":
        setattr(RunConfig, _name, _property(_name))


def _set(config: RunConfig, changes: dict[str, Any]) -> RunConfig:
    for name, value in changes.items():
        if name not in _REPLACEABLE:
            raise ValueError(f"Replacing {name} is not supported. Allowed properties are {_REPLACEABLE}.")
        setattr(config, "_" + name, value)
    steps, seconds = changes.get("save_checkpoints_steps"), changes.get("save_checkpoints_secs")
    if steps is not None and seconds is not None:
        raise ValueError(_SAVED_TWICE)
    if steps is not None and "save_checkpoints_secs" not in changes:
        config._save_checkpoints_secs = None  # type: ignore[attr-defined]
    if seconds is not None and "save_checkpoints_steps" not in changes:
        config._save_checkpoints_steps = None  # type: ignore[attr-defined]
    for name, (holds, message) in _CHECKS.items():
        value = getattr(config, "_" + name)
        if value is not None and not holds(value):
            raise ValueError(message)
    return config


def _with_strategies(config: Any, experimental: Any) -> None:
    """Take the strategies of a ``DistributeConfig``.

    Raises:
      ValueError: one is given twice, or the config names a cluster.
      TypeError: a strategy is none.
    """
    if experimental is not None:
        if experimental.remote_cluster:
            raise ValueError("`remote_cluster` cannot be set: an estimator is one process here")
        for name in ("train_distribute", "eval_distribute"):
            if getattr(experimental, name):
                if getattr(config, "_" + name):
                    raise ValueError(f"Either `{name}` or `experimental_distribute.{name}` can be set.")
                setattr(config, "_" + name, getattr(experimental, name))
    for strategy in (config._train_distribute, config._eval_distribute):
        if strategy is not None and not isinstance(strategy, Strategy):
            error = TypeError(f"RunConfig takes a tf.distribute.Strategy, given: {strategy}")
            error.add_note("  Fix:   train_distribute=tf.distribute.MirroredStrategy(), or leave it out")
            raise error


def _model_dir(environment: dict[str, Any], model_dir: str | None) -> str | None:
    if model_dir == "":
        raise ValueError("model_dir should be non-empty.")
    named = environment.get("model_dir")
    if named == "":
        raise ValueError("model_dir in TF_CONFIG should be non-empty.")
    if named:
        if model_dir and named != model_dir:
            raise ValueError(
                "`model_dir` provided in RunConfig construct, if set, must have the same value as the model_dir in "
                f'TF_CONFIG. model_dir: {model_dir}\nTF_CONFIG["model_dir"]: {named}.\n'
            )
        log.info("Using model_dir in TF_CONFIG: %s", named)
    return model_dir or named


def _checked_task(cluster: ClusterSpec, task: dict[str, Any], chief: str) -> tuple[str, int]:
    if chief not in cluster.jobs:
        raise ValueError(f'If "cluster" is set in TF_CONFIG, it must have one "{chief}" node.')
    if len(cluster.job_tasks(chief)) > 1:
        raise ValueError(f'The "cluster" in TF_CONFIG must have only one "{chief}" node.')
    kind, index = task.get("type"), task.get("index")
    if not kind:
        raise ValueError('If "cluster" is set in TF_CONFIG, task type must be set.')
    if index is None:
        raise ValueError('If "cluster" is set in TF_CONFIG, task index must be set.')
    index = int(index)
    if index < 0:
        raise ValueError("Task index must be non-negative number.")
    if kind == TaskType.EVALUATOR:
        return kind, index
    note = "Note that these values may be coming from the TF_CONFIG environment variable."
    if kind not in cluster.jobs:
        raise ValueError(f"{kind} is not a valid task_type in the cluster_spec:\n{cluster}\n\n{note}")
    if index >= len(cluster.job_tasks(kind)):
        raise ValueError(
            f"{index} is not a valid task_id for task_type {kind} in the cluster_spec:\n{cluster}\n\n{note}"
        )
    return kind, index


def _master(cluster: ClusterSpec, kind: str, index: int, environment: dict[str, Any]) -> str:
    if "session_master" in environment:
        return str(environment["session_master"])
    if len(cluster.jobs) == 1 and cluster.num_tasks(cluster.jobs[0]) == 1:
        return ""
    return f"grpc://{cluster.task_address(kind, index)}"


def _device_filters(kind: str, index: int) -> list[str] | None:
    """The tasks that a task talks to."""
    return {
        TaskType.MASTER: ["/job:ps", "/job:master"],
        TaskType.CHIEF: ["/job:ps", "/job:chief"],
        TaskType.WORKER: ["/job:ps", f"/job:worker/task:{index}"],
        TaskType.PS: ["/job:ps", "/job:worker", "/job:chief", "/job:master"],
    }.get(kind)
