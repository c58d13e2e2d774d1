"""``tf.contrib.tpu``'s estimator where there is no TPU: what it does with ``use_tpu=False``.

The model and its input get the batch size as ``params["batch_size"]``; the rest is `Estimator`'s.
"""

from __future__ import annotations

import contextlib
import copy
import enum
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from retrograd.estimator.config import RunConfig as _RunConfig
from retrograd.estimator.estimator import Estimator
from retrograd.estimator.specs import EstimatorSpec, ModeKeys, called_with, fn_args
from retrograd.graph import log, nest, scopes
from retrograd.graph.collections import GraphKeys
from retrograd.graph.dtypes import bfloat16, float32, int64
from retrograd.graph.graph import Graph
from retrograd.ops import casts
from retrograd.sessions.hooks import SessionRunContext, SessionRunHook, SessionRunValues
from retrograd.sessions.saving_hooks import StepCounterHook
from retrograd.state.initializers import Zeros
from retrograd.state.scopes import VariableScope, get_variable, variable_scope
from retrograd.train.optimizer import Optimizer
from retrograd.train.training_util import get_global_step

_RESERVED = ("batch_size", "context")


class InputPipelineConfig:
    """How the input of a TPU would be spread over hosts."""

    PER_SHARD_V1 = 1
    PER_HOST_V1 = 2
    PER_HOST_V2 = 3
    BROADCAST = 4
    SLICED = 5


class TPUConfig(NamedTuple):
    """How a model would be laid on TPUs; none of it matters without."""

    iterations_per_loop: int = 2
    num_shards: int | None = None
    num_cores_per_replica: int | None = None
    per_host_input_for_training: Any = True
    tpu_job_name: str | None = None
    initial_infeed_sleep_secs: int | None = None
    input_partition_dims: Any = None
    eval_training_input_configuration: int = InputPipelineConfig.PER_HOST_V1
    experimental_host_call_every_n_steps: int = 1


class RunConfig(_RunConfig):
    """`tf.estimator.RunConfig` with a ``tpu_config``, a ``master`` and a ``cluster`` of its own."""

    def __init__(
        self,
        tpu_config: TPUConfig | None = None,
        evaluation_master: str | None = None,
        master: str | None = None,
        cluster: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._tpu_config = tpu_config or TPUConfig()
        self._cluster = cluster
        if master is not None:
            self._master = master
        if evaluation_master is not None or master is not None:
            self._evaluation_master = evaluation_master or master

    @property
    def tpu_config(self) -> TPUConfig:
        """``tpu_config`` as given."""
        return self._tpu_config

    @property
    def cluster(self) -> Any:
        """``cluster`` as given."""
        return self._cluster

    def replace(self, **kwargs: Any) -> RunConfig:
        """A copy with other properties, ``tpu_config`` among them."""
        changed = "tpu_config" in kwargs
        tpu_config = kwargs.pop("tpu_config", None)
        config: Any = super().replace(**kwargs)
        if changed:
            config._tpu_config = tpu_config
        return config  # type: ignore[no-any-return]


class TPUEstimatorSpec(NamedTuple):
    """An ``EstimatorSpec`` whose metrics and summaries are functions, called as ``fn(*tensors)``.

    Args:
      eval_metrics: ``(fn, tensors)``; ``fn`` gives what ``eval_metric_ops`` is.
      scaffold_fn: gives the ``Scaffold``.
      host_call: ``(fn, tensors)``; what ``fn`` gives is run after each step.
    """

    mode: str
    predictions: Any = None
    loss: Any = None
    train_op: Any = None
    eval_metrics: Any = None
    export_outputs: Any = None
    scaffold_fn: Any = None
    host_call: Any = None
    training_hooks: Any = None
    evaluation_hooks: Any = None
    prediction_hooks: Any = None

    def as_estimator_spec(self) -> EstimatorSpec:
        """The ``EstimatorSpec`` that it stands for."""
        metrics = None if self.eval_metrics is None else _called(*self.eval_metrics)
        further = () if self.host_call is None else (_HostCallHook(_called(*self.host_call)),)
        return EstimatorSpec(
            mode=self.mode,
            predictions=self.predictions,
            loss=self.loss,
            train_op=self.train_op,
            eval_metric_ops=metrics,
            export_outputs=self.export_outputs,
            scaffold=self.scaffold_fn() if self.scaffold_fn else None,
            training_hooks=(*(self.training_hooks or ()), *further),
            evaluation_hooks=(*(self.evaluation_hooks or ()), *further),
            prediction_hooks=(*(self.prediction_hooks or ()), *further),
        )


def _called(fn: Callable[..., Any], tensors: Any) -> Any:
    return fn(**tensors) if isinstance(tensors, dict) else fn(*tensors)


class _HostCallHook(SessionRunHook):
    """Runs tensors after each step."""

    def __init__(self, tensors: Any) -> None:
        self._tensors = nest.flatten(tensors)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        run_context.session.run(self._tensors)


class _ExamplesPerSecondHook(StepCounterHook):
    """Counts the examples, too."""

    def __init__(self, batch_size: int, output_dir: str | None) -> None:
        super().__init__(every_n_steps=1, output_dir=output_dir)
        self._batch_size = batch_size

    def _log_and_record(self, elapsed_steps: int, elapsed_time: float, global_step: int) -> None:
        super()._log_and_record(elapsed_steps, elapsed_time, global_step)
        self._record("examples/sec", self._batch_size * elapsed_steps / elapsed_time, global_step)


class ExportSavedModelApiVersion(enum.Enum):
    """How a graph for TPUs is exported, which this estimator does not do."""

    V1 = 1
    V2 = 2


class TPUEstimator(Estimator):
    """An `Estimator` whose ``model_fn`` and inputs learn the batch size from ``params["batch_size"]``.

    Args:
      use_tpu: must be False: there are no TPUs here.
      train_batch_size, eval_batch_size, predict_batch_size: of each mode.
      eval_on_tpu, export_to_tpu, export_to_cpu, batch_axis, embedding_config_spec, export_saved_model_api_version:
        matter on TPUs alone.

    Raises:
      ValueError: ``config`` is no `RunConfig` of this module, or ``params`` has a reserved name.
      RuntimeError: a TPU is to train, evaluate or predict.
    """

    def __init__(
        self,
        model_fn: Any = None,
        model_dir: Any = None,
        config: RunConfig | None = None,
        params: Any = None,
        use_tpu: bool = True,
        train_batch_size: int | None = None,
        eval_batch_size: int | None = None,
        predict_batch_size: int | None = None,
        batch_axis: Any = None,
        eval_on_tpu: bool = True,
        export_to_tpu: bool = True,
        export_to_cpu: bool = True,
        warm_start_from: Any = None,
        embedding_config_spec: Any = None,
        export_saved_model_api_version: Any = None,
    ) -> None:
        if not isinstance(config, RunConfig):
            raise ValueError("`config` must be provided with type `tpu_config.RunConfig`")
        if params is not None and any(key in params for key in _RESERVED):
            raise ValueError(f"{list(_RESERVED)} are reserved keys but existed in params {params}.")
        super().__init__(model_fn, model_dir, config, params, warm_start_from)
        self._use_tpu = use_tpu
        self._batch_sizes = {
            ModeKeys.TRAIN: train_batch_size,
            ModeKeys.EVAL: eval_batch_size,
            ModeKeys.PREDICT: predict_batch_size,
        }
        if not use_tpu and eval_on_tpu:
            log.warning("eval_on_tpu ignored because use_tpu is False.")
        # the rate of examples is logged instead of the loss
        self._config = self._config.replace(log_step_count_steps=None)

    def _assert_members_are_not_overridden(self) -> None:
        pass

    def _create_global_step(self, graph: Graph) -> Any:
        if get_global_step(graph) is not None:
            raise ValueError('"global_step" already exists.')
        with graph.as_default():
            return get_variable(
                GraphKeys.GLOBAL_STEP,
                shape=[],
                dtype=int64,
                initializer=Zeros(),
                trainable=False,
                use_resource=True,
                collections=[GraphKeys.GLOBAL_VARIABLES, GraphKeys.GLOBAL_STEP],
            )

    def _with(self, mode: str, **more: Any) -> Any:
        """The parameters with the batch size of a mode."""
        params: Any = copy.deepcopy(self._params)
        size = self._batch_sizes.get(mode)
        if size is not None:
            more["batch_size"] = size
        for key, value in more.items():
            if not hasattr(params, "set_hparam"):
                params[key] = value
            elif key in params:
                params.set_hparam(key, value)
            else:
                params.add_hparam(key, value)
        return params

    def _call_input_fn(self, input_fn: Callable[..., Any], mode: str, input_context: Any = None) -> Any:
        if self._use_tpu:
            raise RuntimeError(
                "Cannot find any TPU cores in the system. Please double check Tensorflow master address and TPU "
                "worker(s).\n  Why:   TPUs are driven through a service, and there is none here\n"
                "  Fix:   TPUEstimator(use_tpu=False, ...)"
            )
        _require_params("input_fn", input_fn)
        with scopes.device("/device:CPU:0"):
            return input_fn(**called_with(input_fn, mode=mode, params=self._with(mode), config=self.config))

    def _call_model_fn(self, features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
        _require_params("model_fn", self._model_fn)
        params = self._with(mode, use_tpu=False)
        given = called_with(self._model_fn, labels=labels, mode=mode, params=params, config=config)
        if labels is not None and "labels" not in given:
            raise ValueError("model_fn does not take labels, but input_fn returns labels.")
        log.info("Calling model_fn.")
        log.info("Running %s on CPU", mode)
        spec = self._model_fn(features=features, **given)
        if isinstance(spec, TPUEstimatorSpec):
            spec = spec.as_estimator_spec()
        log.info("Done calling model_fn.")
        if not isinstance(spec, EstimatorSpec):
            raise ValueError("model_fn should return an EstimatorSpec.")
        size = self._batch_sizes[ModeKeys.TRAIN]
        if mode == ModeKeys.TRAIN and size is not None:
            hook = _ExamplesPerSecondHook(size, self._model_dir if config.save_summary_steps else None)
            spec = spec._replace(training_hooks=(*spec.training_hooks, hook))
        return spec


def _require_params(what: str, fn: Any) -> None:
    if "params" not in fn_args(fn):
        raise ValueError(
            f"{what} ({fn}) does not include params argument, required by TPUEstimator to pass batch size as "
            'params["batch_size"]'
        )


class TpuContext(NamedTuple):
    """Over how many shards a computation is spread: over none, where there is no TPU."""

    number_of_shards: int | None = None


def get_tpu_context() -> TpuContext:
    """What libraries ask before they average over shards."""
    return TpuContext()


@contextlib.contextmanager
def bfloat16_scope() -> Iterator[VariableScope]:
    """A scope in which variables of bfloat16 are kept as float32, and read as bfloat16."""

    def getter(getter: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if kwargs["dtype"] != bfloat16:
            return getter(*args, **kwargs)
        return casts.cast(getter(*args, **{**kwargs, "dtype": float32}), bfloat16)

    with variable_scope("", custom_getter=getter) as scope:
        yield scope


class CrossShardOptimizer(Optimizer):
    """Another optimizer's updates by gradients that are summed over TPU cores: to be built for a TPU alone.

    Raises:
      NotImplementedError: gradients are to be applied.
    """

    def __init__(
        self,
        opt: Any,
        reduction: str = "weighted_mean",
        name: str = "CrossShardOptimizer",
        group_assignment: Any = None,
    ) -> None:
        super().__init__(False, name)
        self._opt = opt

    def compute_gradients(self, loss: Any, var_list: Any = None, **kwargs: Any) -> Any:  # type: ignore[override]
        """The gradients of the other optimizer."""
        return self._opt.compute_gradients(loss, var_list=var_list, **kwargs)

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """Refused: sums over TPU cores have no kernel elsewhere, in TensorFlow either."""
        raise NotImplementedError(
            "CrossShardOptimizer sums gradients over TPU cores\n"
            "  Why:   there are no TPUs here\n"
            "  Fix:   apply the gradients of the optimizer that it wraps, as with use_tpu=False"
        )
