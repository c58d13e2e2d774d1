"""What models, metrics and runs of ``tf.contrib.learn`` are described by.

Source: TensorFlow 1.15.5, ``contrib/learn/python/learn``: arguments, defaults.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from retrograd.estimator import config as configs
from retrograd.estimator.specs import fn_args


class RunConfig(configs.RunConfig):
    """The older configuration: sessions by number of cores and share of the GPU's memory."""

    def __init__(
        self,
        master: str | None = None,
        num_cores: int = 0,
        log_device_placement: bool = False,
        gpu_memory_fraction: float = 1,
        tf_random_seed: int | None = None,
        save_summary_steps: int | None = 100,
        save_checkpoints_secs: Any = 600,
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

        self._tf_config = ConfigProto(
            log_device_placement=log_device_placement,
            inter_op_parallelism_threads=num_cores,
            intra_op_parallelism_threads=num_cores,
            gpu_options=GPUOptions(per_process_gpu_memory_fraction=gpu_memory_fraction),
        )
        super().__init__(
            model_dir=model_dir,
            tf_random_seed=tf_random_seed,
            save_summary_steps=save_summary_steps,
            save_checkpoints_steps=save_checkpoints_steps,
            save_checkpoints_secs=None if save_checkpoints_steps else save_checkpoints_secs,
            session_config=session_config,
            keep_checkpoint_max=keep_checkpoint_max,
            keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours,
            log_step_count_steps=log_step_count_steps,
            protocol=protocol,
            session_creation_timeout_secs=session_creation_timeout_secs,
        )
        self._master = self._master if master is None else master
        self._evaluation_master = evaluation_master or self._evaluation_master

    @property
    def tf_config(self) -> Any:
        """The ``ConfigProto`` of the arguments."""
        return self._tf_config


class _Fields(NamedTuple):
    mode: Any
    predictions: Any
    loss: Any
    train_op: Any
    eval_metric_ops: Any
    output_alternatives: Any
    training_chief_hooks: Any
    training_hooks: Any
    scaffold: Any


class ModelFnOps(_Fields):
    """What an older ``model_fn`` may give in place of a tuple."""

    __slots__ = ()

    def __new__(
        cls,
        mode: Any,
        predictions: Any = None,
        loss: Any = None,
        train_op: Any = None,
        eval_metric_ops: Any = None,
        output_alternatives: Any = None,
        training_chief_hooks: Any = None,
        training_hooks: Any = None,
        scaffold: Any = None,
    ) -> ModelFnOps:
        return super().__new__(
            cls,
            mode,
            predictions,
            loss,
            train_op,
            eval_metric_ops or {},
            output_alternatives,
            training_chief_hooks or [],
            training_hooks or [],
            scaffold,
        )


class MetricSpec:
    """A metric of the older kind: a function of predictions and labels, and which of them it takes."""

    def __init__(
        self,
        metric_fn: Callable[..., Any],
        prediction_key: str | None = None,
        label_key: str | None = None,
        weight_key: str | None = None,
    ) -> None:
        self._metric_fn = metric_fn
        self._prediction_key, self._label_key, self._weight_key = prediction_key, label_key, weight_key

    def create_metric_ops(self, inputs: Any, labels: Any, predictions: Any) -> Any:
        """The value of the metric, and its update."""
        labels, predictions = _one_of(labels, self._label_key), _one_of(predictions, self._prediction_key)
        weights = {} if self._weight_key is None else {"weights": inputs[self._weight_key]}
        names = fn_args(self._metric_fn)
        if "predictions" in names and "labels" in names:
            return self._metric_fn(predictions=predictions, labels=labels, **weights)
        return self._metric_fn(predictions, labels, **weights)


def _one_of(values: Any, key: str | None) -> Any:
    """The value of that key; of a dictionary of one, that one."""
    if not isinstance(values, Mapping):
        return values
    if key is not None:
        return values[key]
    if len(values) != 1:
        raise ValueError(f"MetricSpec without a key, but there are several: {list(values)}")
    return next(iter(values.values()))
