"""How an estimator of ``tf.contrib.learn`` runs, and which task of which cluster it is.

Source: TensorFlow 1.15.5, ``contrib/learn/python/learn/estimators/run_config.py``: arguments, defaults, what
``TF_CONFIG`` means.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from retrograd.estimator import config as configs
from retrograd.estimator.config import TaskType


class Environment:
    """Where a cluster runs, as ``TF_CONFIG`` says."""

    CLOUD = "cloud"
    GOOGLE = "google"
    LOCAL = "local"


_DEFAULT_UID_WHITE_LIST = [
    "tf_random_seed",
    "save_summary_steps",
    "save_checkpoints_steps",
    "save_checkpoints_secs",
    "session_config",
    "keep_checkpoint_max",
    "keep_checkpoint_every_n_hours",
    "log_step_count_steps",
]
_OF_LATER_CONFIGS = {"_service", "_global_id_in_cluster", "_experimental_distribute"}


class RunConfig(configs.RunConfig):
    """The older configuration: sessions by number of cores and share of the GPU's memory.

    A cluster needs no chief: the first worker is it, in the cloud the first master.
    """

    _USE_DEFAULT = 0

    def __init__(
        self,
        master: str | None = None,
        num_cores: int = 0,
        log_device_placement: bool = False,
        gpu_memory_fraction: float = 1,
        tf_random_seed: int | None = None,
        save_summary_steps: int | None = 100,
        save_checkpoints_secs: Any = _USE_DEFAULT,
        save_checkpoints_steps: int | None = None,
        keep_checkpoint_max: int | None = 5,
        keep_checkpoint_every_n_hours: float = 10000,
        log_step_count_steps: int | None = 100,
        protocol: str | None = None,
        evaluation_master: str = "",
        model_dir: str | None = None,
        session_config: Any = None,
        session_creation_timeout_secs: int = 7200,
    ) -> None:
        from tensorboard.compat.proto.config_pb2 import ConfigProto, GPUOptions

        if save_checkpoints_secs == RunConfig._USE_DEFAULT and save_checkpoints_secs is not None:
            save_checkpoints_secs = 600 if save_checkpoints_steps is None else None
        self._tf_config = ConfigProto(
            log_device_placement=log_device_placement,
            inter_op_parallelism_threads=num_cores,
            intra_op_parallelism_threads=num_cores,
            gpu_options=GPUOptions(per_process_gpu_memory_fraction=gpu_memory_fraction),
        )
        self._master = master  # type: ignore[assignment]
        super().__init__(
            model_dir=model_dir or None,
            tf_random_seed=tf_random_seed,
            save_summary_steps=save_summary_steps,
            save_checkpoints_steps=save_checkpoints_steps,
            save_checkpoints_secs=None,
            keep_checkpoint_max=keep_checkpoint_max,
            keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours,
            log_step_count_steps=log_step_count_steps,
            protocol=protocol,
            session_creation_timeout_secs=session_creation_timeout_secs,
        )
        self._save_checkpoints_secs = save_checkpoints_secs
        self._session_config = session_config
        self._evaluation_master = evaluation_master

    def _find_task(self, environment: dict[str, Any]) -> None:
        task, cluster = environment.get("task", {}), self._cluster_spec
        self._environment = environment.get("environment", Environment.LOCAL)
        self._task_type, self._task_id = task.get("type"), int(task.get("index") or 0)
        sizes = {job: cluster.num_tasks(job) for job in cluster.jobs}
        self._num_ps_replicas = sizes.get(TaskType.PS, 0)
        self._num_worker_replicas = sizes.get(TaskType.WORKER, 0) + sizes.get(TaskType.MASTER, 0)
        self._global_id_in_cluster = None
        chief = TaskType.MASTER if self._environment == Environment.CLOUD else TaskType.WORKER
        self._is_chief = self._task_id == 0 and self._task_type in (None, chief)
        if self._master is None:
            self._master = self._address(sum(sizes.values()))

    def _address(self, tasks: int) -> str:
        """The session target of this task; of a cluster of one, or where nobody says which task it is, none."""
        cluster, kind, index = self._cluster_spec, self._task_type, self._task_id
        if tasks < 2 or kind is None:
            return ""
        if kind not in cluster.jobs:
            raise ValueError(
                f"{kind} is not a valid task_type in the cluster_spec:\n{cluster}\n\n"
                "Note that these values may be coming from the TF_CONFIG environment variable."
            )
        hosts = cluster.job_tasks(kind)
        if not 0 <= index < len(hosts):
            raise ValueError(
                f"{index} is not a valid task_id for task_type {kind} in the cluster_spec:\n{cluster}\n\n"
                "Note that these value may be coming from the TF_CONFIG environment variable."
            )
        return f"grpc://{hosts[index]}"

    @property
    def environment(self) -> str:
        """Where the cluster runs: one of ``Environment``."""
        return self._environment  # type: ignore[no-any-return]

    @property
    def tf_config(self) -> Any:
        """The ``ConfigProto`` of the arguments."""
        return self._tf_config

    def get_task_id(self) -> int:
        """The number of this task in its job."""
        return self._task_id

    def uid(self, whitelist: Any = None) -> str:
        """A text of all properties but those of ``whitelist``, by default those that do not tell runs apart."""
        left_out = {f"_{name}" for name in (_DEFAULT_UID_WHITE_LIST if whitelist is None else whitelist)}
        told = {name: value for name, value in vars(self).items() if name not in left_out | _OF_LATER_CONFIGS}
        told["_cluster_spec"] = OrderedDict(sorted(self._cluster_spec.as_dict().items()))
        return ", ".join(f"{name}={value!r}" for name, value in sorted(told.items()))
