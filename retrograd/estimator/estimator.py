"""``Estimator``: trains, evaluates, runs and exports a model that a function builds, from checkpoints in a folder.

Source: ``tensorflow_estimator`` 1.15.1, ``estimator.py``.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from retrograd.contrib.evaluating import StopAfterNEvalsHook, evaluate_once, get_or_create_eval_step
from retrograd.distribute.contexts import ReduceOp
from retrograd.estimator.config import RunConfig, TaskType
from retrograd.estimator.exporting import export_all
from retrograd.estimator.preparing import (
    InitializerHook,
    check_checkpoint_available,
    check_hooks_type,
    check_listeners_type,
    device_setter,
    get_default_warm_start_settings,
    parse_input_fn_result,
    reporting_hooks,
    saved_global_step,
    with_folder,
)
from retrograd.estimator.results import (
    batch_length,
    chosen_values,
    refuse_metric,
    write_checkpoint_path,
    write_results,
)
from retrograd.estimator.specs import LOSS_METRIC_KEY, EstimatorSpec, ModeKeys, called_with, verify_model_fn_args
from retrograd.estimator.warm_starting import warm_start
from retrograd.graph import log, nest, scopes
from retrograd.graph.collections import GraphKeys
from retrograd.graph.deprecation import deprecated
from retrograd.graph.graph import Graph
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.io.checkpoint_files import latest_checkpoint
from retrograd.io.checkpoint_values import list_variables, load_variable
from retrograd.io.saver import Saver
from retrograd.nn import summaries
from retrograd.nn.metrics import means
from retrograd.ops import control
from retrograd.ops.random import set_random_seed
from retrograd.sessions.hooks import LoggingTensorHook, NanTensorHook, SessionRunHook, StopAtStepHook
from retrograd.sessions.monitored import ChiefSessionCreator, MonitoredSession, MonitoredTrainingSession
from retrograd.sessions.saving_hooks import (
    CheckpointSaverHook,
)
from retrograd.sessions.scaffold import Scaffold
from retrograd.train.training_util import _READ_KEY as GLOBAL_STEP_READ
from retrograd.train.training_util import _get_or_create_global_step_read as read_of_global_step
from retrograd.train.training_util import create_global_step, get_global_step


class Estimator:
    """A model that ``model_fn(features, labels, mode, params, config)`` builds as an ``EstimatorSpec``.

    Each of ``train``, ``evaluate`` and ``predict`` builds a graph of its own; what they share are the checkpoints
    in ``model_dir``.

    Args:
      model_fn: takes those of the arguments that it names.
      model_dir: the folder of checkpoints and event files; by default the one of ``config``, or a temporary one.
      config: a ``RunConfig``.
      params: what ``model_fn`` gets as ``params``.
      warm_start_from: a checkpoint, the folder of one or of a SavedModel, or ``WarmStartSettings``; where the first
        training gets its first values from.

    Raises:
      ValueError: ``model_fn`` takes other arguments, or a method of this class is overridden.
    """

    def __init__(
        self,
        model_fn: Callable[..., EstimatorSpec] | None,
        model_dir: Any = None,
        config: RunConfig | None = None,
        params: Any = None,
        warm_start_from: Any = None,
    ) -> None:
        type(self)._assert_members_are_not_overridden(self)
        self._config = with_folder(config, model_dir)
        self._model_dir: str = self._config.model_dir  # type: ignore[attr-defined]
        self._session_config = self._config.session_config  # type: ignore[attr-defined]
        log.info("Using config: %s", vars(self._config))
        self._train_distribution = self._config.train_distribute  # type: ignore[attr-defined]
        self._eval_distribution = self._config.eval_distribute  # type: ignore[attr-defined]
        self._device_fn = self._config.device_fn or device_setter(self._config)  # type: ignore[attr-defined]
        if model_fn is None:
            raise ValueError("model_fn must be provided to Estimator.")
        verify_model_fn_args(model_fn, params)
        self._model_fn = model_fn
        self._params = copy.deepcopy(params or {})
        self._warm_start_settings = get_default_warm_start_settings(warm_start_from)

    def _assert_members_are_not_overridden(self) -> None:
        _check_members(self, Estimator)

    @property
    def model_dir(self) -> str:
        """The folder of checkpoints and event files."""
        return self._model_dir

    @property
    def config(self) -> RunConfig:
        """A copy of the configuration."""
        return copy.deepcopy(self._config)

    @property
    def params(self) -> Any:
        """A copy of the parameters."""
        return copy.deepcopy(self._params)

    @property
    def model_fn(self) -> Callable[..., EstimatorSpec]:
        """The function of the model, with the parameters bound: ``model_fn(features, labels, mode, config)``."""

        def public_model_fn(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
            return self._call_model_fn(features, labels, mode, config)

        return public_model_fn

    def get_variable_value(self, name: str) -> Any:
        """The value of a variable in the latest checkpoint.

        Raises:
          ValueError: there is no checkpoint.
        """
        check_checkpoint_available(self.model_dir)
        return load_variable(self.model_dir, name)

    def get_variable_names(self) -> list[str]:
        """The names of the variables in the latest checkpoint.

        Raises:
          ValueError: there is no checkpoint.
        """
        check_checkpoint_available(self.model_dir)
        return [name for name, _ in list_variables(self.model_dir)]

    def latest_checkpoint(self) -> str | None:
        """The path of the latest checkpoint."""
        return latest_checkpoint(self.model_dir)

    def eval_dir(self, name: str | None = None) -> str:
        """The folder of the event files of evaluations."""
        return os.path.join(self._model_dir, f"eval_{name}" if name else "eval")

    # -- training --------------------------------------------------------------------------------

    def train(
        self,
        input_fn: Callable[..., Any],
        hooks: Any = None,
        steps: int | None = None,
        max_steps: int | None = None,
        saving_listeners: Any = None,
    ) -> Estimator:
        """Train from the latest checkpoint on, until the input or the steps end; save a checkpoint at the end.

        Args:
          input_fn: gives features and labels: tensors, dictionaries of them, or a ``Dataset`` of both.
          hooks: further hooks.
          steps: how many more steps.
          max_steps: the global step to stop at.
          saving_listeners: ``CheckpointSaverListener``s.
        """
        if self.config.task_type in (TaskType.EVALUATOR, TaskType.PS):
            raise ValueError(
                "Train has been called wrong configuration. Please use tf.estimator.train_and_evaluate which calls "
                f"proper API according to given configuration. Current configuration: {self.config}."
            )
        if steps is not None and max_steps is not None:
            raise ValueError("Can not provide both steps and max_steps.")
        if steps is not None and steps <= 0:
            raise ValueError(f"Must specify steps > 0, given: {steps}")
        if max_steps is not None and max_steps <= 0:
            raise ValueError(f"Must specify max_steps > 0, given: {max_steps}")
        if max_steps is not None and max_steps <= saved_global_step(self._model_dir):
            log.info("Skipping training since max_steps has already saved.")
            return self
        hooks = check_hooks_type(hooks)
        if steps is not None or max_steps is not None:
            hooks.append(StopAtStepHook(steps, max_steps))
        loss = self._train_model(input_fn, hooks, check_listeners_type(saving_listeners))
        log.info("Loss for final step: %s.", loss)
        return self

    def _train_model(self, input_fn: Any, hooks: list[SessionRunHook], listeners: list[Any]) -> Any:
        if self._train_distribution:
            return self._train_model_distributed(input_fn, hooks, listeners)
        with Graph().as_default() as graph, graph.device(self._device_fn):
            set_random_seed(self._config.tf_random_seed)  # type: ignore[attr-defined]
            self._create_and_assert_global_step(graph)
            read_of_global_step(graph)
            features, labels, input_hooks = parse_input_fn_result(self._call_input_fn(input_fn, ModeKeys.TRAIN))
            spec = self._call_model_fn(features, labels, ModeKeys.TRAIN, self.config)
            return self._train_with_estimator_spec(spec, input_hooks, hooks, get_global_step(graph), listeners)

    def _train_model_distributed(self, input_fn: Any, hooks: list[SessionRunHook], listeners: list[Any]) -> Any:
        strategy = self._train_distribution
        strategy.configure(self._config.session_config)  # type: ignore[attr-defined]
        with Graph().as_default() as graph, strategy.scope(), strategy._scale_loss_for_estimator_enabled():
            set_random_seed(self._config.tf_random_seed)  # type: ignore[attr-defined]
            features, labels, input_hooks = self._distributed_input(strategy, input_fn, ModeKeys.TRAIN)
            step = self._create_and_assert_global_step(graph)
            scopes.add_to_collection(GLOBAL_STEP_READ, strategy.extended.read_var(step))
            spec = self._called_by_replicas(strategy, features, labels, ModeKeys.TRAIN)
            loss = strategy.reduce(ReduceOp.SUM, spec.loss, axis=None)
            spec = spec._replace(loss=loss, train_op=strategy.group(spec.train_op))
            return self._train_with_estimator_spec(spec, input_hooks, hooks, step, listeners)

    def _distributed_input(self, strategy: Any, input_fn: Any, mode: str) -> tuple[Any, Any, list[Any]]:
        iterator = strategy.make_input_fn_iterator(lambda context: self._call_input_fn(input_fn, mode, context))
        features, labels, _ = parse_input_fn_result(iterator.get_next())
        return features, labels, [InitializerHook(iterator)]

    def _called_by_replicas(self, strategy: Any, features: Any, labels: Any, mode: str) -> EstimatorSpec:
        arguments = (features, labels, mode, self.config)
        spec: EstimatorSpec = strategy.extended.call_for_each_replica(self._call_model_fn, args=arguments)
        return spec

    def _train_with_estimator_spec(
        self, spec: EstimatorSpec, input_hooks: list[Any], hooks: list[Any], step: Any, listeners: list[Any]
    ) -> Any:
        config: Any = self._config
        if self._warm_start_settings:
            log.info("Warm-starting with WarmStartSettings: %s", self._warm_start_settings)
            warm_start(*self._warm_start_settings)
        if not any(summary.op.name == "loss" for summary in scopes.get_collection(GraphKeys.SUMMARIES)):
            summaries.scalar("loss", spec.loss)
        scopes.add_to_collection(GraphKeys.LOSSES, spec.loss)
        worker_hooks = [*input_hooks, *hooks, NanTensorHook(spec.loss)]
        if config.log_step_count_steps is not None:
            shown = {"loss": spec.loss, "step": step}
            worker_hooks.append(LoggingTensorHook(shown, every_n_iter=config.log_step_count_steps))
        worker_hooks += spec.training_hooks
        if not (spec.scaffold.saver or scopes.get_collection(GraphKeys.SAVERS)):
            saver = Saver(
                sharded=True,
                max_to_keep=config.keep_checkpoint_max,
                keep_checkpoint_every_n_hours=config.keep_checkpoint_every_n_hours,
                defer_build=True,
                save_relative_paths=True,
            )
            scopes.add_to_collection(GraphKeys.SAVERS, saver)
        saver_hooks = self._saver_hooks(spec, worker_hooks, listeners)
        summary_steps, count_steps = config.save_summary_steps, config.log_step_count_steps
        jobs = config.cluster_spec.jobs
        if TaskType.WORKER in jobs and TaskType.MASTER in jobs:  # the first worker writes them, not the master
            if config.task_type == TaskType.WORKER and config.task_id == 0:
                worker_hooks += reporting_hooks(config, spec.scaffold)
            summary_steps, count_steps = 0, None
        with MonitoredTrainingSession(
            master=config.master,
            is_chief=config.is_chief,
            checkpoint_dir=self._model_dir,
            scaffold=spec.scaffold,
            hooks=worker_hooks,
            chief_only_hooks=(*saver_hooks, *spec.training_chief_hooks),
            save_checkpoint_secs=0,  # a hook of its own saves
            save_summaries_steps=summary_steps,
            config=self._session_config,
            max_wait_secs=config.session_creation_timeout_secs,
            log_step_count_steps=count_steps,
        ) as session:
            loss = None
            while not session.should_stop():
                _, loss = session.run([spec.train_op, spec.loss])
        if loss is None:
            log.warning("Training with estimator made no steps. Perhaps input is empty or misspecified.")
        return loss

    def _saver_hooks(self, spec: EstimatorSpec, hooks: list[Any], listeners: list[Any]) -> list[CheckpointSaverHook]:
        """The hook that saves, unless there is one already; it calls the listeners."""
        config: Any = self._config
        made: list[CheckpointSaverHook] = []
        found = [h for h in [*hooks, *spec.training_chief_hooks] if isinstance(h, CheckpointSaverHook)]
        if (config.save_checkpoints_secs or config.save_checkpoints_steps) and not found:
            found = made = [
                CheckpointSaverHook(
                    self._model_dir,
                    save_secs=config.save_checkpoints_secs,
                    save_steps=config.save_checkpoints_steps,
                    scaffold=spec.scaffold,
                )
            ]
        if listeners and not found:
            raise ValueError(
                "There should be a CheckpointSaverHook to use saving_listeners. Please set one of the "
                "RunConfig.save_checkpoints_steps or RunConfig.save_checkpoints_secs."
            )
        for listener in listeners:
            if listener not in found[0]._listeners:
                found[0]._listeners.append(listener)
        return made

    # -- evaluation ------------------------------------------------------------------------------

    def evaluate(
        self,
        input_fn: Callable[..., Any],
        steps: int | None = None,
        hooks: Any = None,
        checkpoint_path: str | None = None,
        name: str | None = None,
    ) -> dict[str, Any]:
        """The metrics, the mean ``loss`` and the ``global_step`` of a checkpoint, by default the latest.

        They are written into the event files of ``eval_dir(name)`` too. Without any checkpoint the variables have
        their first values.
        """
        hooks = check_hooks_type(hooks) + self._convert_eval_steps_to_hooks(steps)
        if not checkpoint_path:
            checkpoint_path = latest_checkpoint(self._model_dir)
            if not checkpoint_path:
                log.info("Could not find trained model in model_dir: %s, running initialization to evaluate.",
                         self._model_dir)  # fmt: skip
        with Graph().as_default():
            scaffold, update_op, metrics, all_hooks = self._evaluate_build_graph(input_fn, hooks, checkpoint_path)
            return self._evaluate_run(
                checkpoint_path, scaffold, update_op, metrics, all_hooks, output_dir=self.eval_dir(name)
            )

    def _convert_eval_steps_to_hooks(self, steps: int | None) -> list[Any]:
        if steps is None:
            return []
        if steps <= 0:
            raise ValueError(f"Must specify steps > 0, given: {steps}")
        return [StopAfterNEvalsHook(num_evals=steps)]

    def _evaluate_build_graph(
        self, input_fn: Any, hooks: Any = None, checkpoint_path: str | None = None
    ) -> tuple[Any, Any, dict[str, Any], list[Any]]:
        set_random_seed(self._config.tf_random_seed)  # type: ignore[attr-defined]
        self._create_and_assert_global_step(default_graph())
        strategy = self._eval_distribution
        if strategy:
            with strategy.scope():
                features, labels, input_hooks = self._distributed_input(strategy, input_fn, ModeKeys.EVAL)
                spec = self._called_by_replicas(strategy, features, labels, ModeKeys.EVAL)
        else:
            features, labels, input_hooks = parse_input_fn_result(self._call_input_fn(input_fn, ModeKeys.EVAL))
            spec = self._call_model_fn(features, labels, ModeKeys.EVAL, self.config)
        metrics = spec.eval_metric_ops
        self._add_mean_loss(metrics, spec.loss)
        ordered = sorted(metrics.items())
        update_op = control.group(*(update for _, (_, update) in ordered))
        values = {name: value for name, (value, _) in ordered}
        step = get_global_step(default_graph())
        self._maybe_warm_start(checkpoint_path)
        refuse_metric(GraphKeys.GLOBAL_STEP, values)
        values[GraphKeys.GLOBAL_STEP] = step
        scaffold = spec.scaffold
        if scaffold.local_init_op:  # the metrics need theirs beside the user's
            get_or_create_eval_step()
            both = control.group(scaffold.local_init_op, Scaffold.default_local_init_op())
            scaffold = Scaffold(local_init_op=both, copy_from_scaffold=scaffold)
        return scaffold, update_op, values, [*input_hooks, *(hooks or []), *spec.evaluation_hooks]

    def _add_mean_loss(self, metrics: dict[str, Any], loss: Any) -> None:
        refuse_metric(LOSS_METRIC_KEY, metrics)
        metrics[LOSS_METRIC_KEY] = means.mean(loss)

    def _evaluate_run(
        self,
        checkpoint_path: str | None,
        scaffold: Any,
        update_op: Any,
        eval_dict: dict[str, Any],
        all_hooks: list[Any],
        output_dir: str,
    ) -> dict[str, Any]:
        results: dict[str, Any] = evaluate_once(
            checkpoint_path=checkpoint_path,
            master=self._config.evaluation_master,
            scaffold=scaffold,
            eval_ops=update_op,
            final_ops=eval_dict,
            hooks=all_hooks,
            config=self._session_config,
        )
        step = results[GraphKeys.GLOBAL_STEP]
        write_results(output_dir, results, step)
        if checkpoint_path:
            write_checkpoint_path(output_dir, checkpoint_path, step)
        return results

    # -- prediction ------------------------------------------------------------------------------

    def predict(
        self,
        input_fn: Callable[..., Any],
        predict_keys: Any = None,
        hooks: Any = None,
        checkpoint_path: str | None = None,
        yield_single_examples: bool = True,
    ) -> Iterator[Any]:
        """Yield the predictions: one example after the other, or batches.

        Args:
          predict_keys: the names of the predictions to give; by default all.
          checkpoint_path: by default the latest one.

        Raises:
          ValueError: there is no prediction of that name, or batches differ in length.
        """
        hooks = check_hooks_type(hooks)
        if not checkpoint_path:
            checkpoint_path = latest_checkpoint(self._model_dir)
        if not checkpoint_path:
            log.info("Could not find trained model in model_dir: %s, running initialization to predict.",
                     self._model_dir)  # fmt: skip
        with Graph().as_default() as graph:
            set_random_seed(self._config.tf_random_seed)  # type: ignore[attr-defined]
            self._create_and_assert_global_step(graph)
            features, input_hooks = self._features_of(input_fn)
            spec = self._call_model_fn(features, None, ModeKeys.PREDICT, self.config)
            self._maybe_warm_start(checkpoint_path)
            predictions = chosen_values(spec.predictions, predict_keys)
            creator = ChiefSessionCreator(
                checkpoint_filename_with_path=checkpoint_path,
                master=self._config.master,
                scaffold=spec.scaffold,
                config=self._session_config,
            )
            all_hooks = [*input_hooks, *hooks, *spec.prediction_hooks]
            with MonitoredSession(session_creator=creator, hooks=all_hooks) as session:
                while not session.should_stop():
                    batch = session.run(predictions)
                    if not yield_single_examples:
                        yield batch
                    elif not isinstance(predictions, dict):
                        yield from batch
                    else:
                        for i in range(batch_length(batch)):
                            yield {key: value[i] for key, value in batch.items()}

    def _features_of(self, input_fn: Any) -> tuple[Any, list[Any]]:
        features, _, input_hooks = parse_input_fn_result(self._call_input_fn(input_fn, ModeKeys.PREDICT))
        tensors = [t for t in nest.flatten(features) if isinstance(t, Tensor)]
        has_end = any(t.op.type == "IteratorGetNext" for t in tensors)
        if not has_end and not default_graph().get_collection(GraphKeys.QUEUE_RUNNERS):
            log.warning("Input graph does not use tf.data.Dataset or contain a QueueRunner. That means predict yields "
                        "forever. This is probably a mistake.")  # fmt: skip
        return features, input_hooks

    # -- export ----------------------------------------------------------------------------------

    def export_saved_model(
        self,
        export_dir_base: Any,
        serving_input_receiver_fn: Callable[[], Any] | None,
        assets_extra: Mapping[str, str] | None = None,
        as_text: bool = False,
        checkpoint_path: str | None = None,
        experimental_mode: str = ModeKeys.PREDICT,
    ) -> bytes:
        """Write a SavedModel into a new folder of ``export_dir_base``, named by the time; the result is its path.

        Args:
          serving_input_receiver_fn: makes the placeholders and the features.
          assets_extra: files to copy beside it, by their new names.
          checkpoint_path: by default the latest one.
          experimental_mode: the mode of the graph.

        Raises:
          ValueError: there is no checkpoint, or it lacks a variable.
        """
        if not serving_input_receiver_fn:
            raise ValueError("An input_receiver_fn must be defined.")
        return self._export_all_saved_models(
            export_dir_base, {experimental_mode: serving_input_receiver_fn}, assets_extra, as_text, checkpoint_path
        )

    def experimental_export_all_saved_models(
        self,
        export_dir_base: Any,
        input_receiver_fn_map: Mapping[str, Callable[[], Any]],
        assets_extra: Mapping[str, str] | None = None,
        as_text: bool = False,
        checkpoint_path: str | None = None,
    ) -> bytes:
        """The same with a graph for each mode."""
        return self._export_all_saved_models(
            export_dir_base, input_receiver_fn_map, assets_extra, as_text, checkpoint_path
        )

    @deprecated(None, "This function has been renamed, use `export_saved_model` instead.")
    def export_savedmodel(
        self,
        export_dir_base: Any,
        serving_input_receiver_fn: Callable[[], Any] | None,
        assets_extra: Mapping[str, str] | None = None,
        as_text: bool = False,
        checkpoint_path: str | None = None,
        strip_default_attrs: bool = False,
    ) -> bytes:
        """``export_saved_model``, with every attribute unless ``strip_default_attrs``."""
        if not serving_input_receiver_fn:
            raise ValueError("An input_receiver_fn must be defined.")
        return self._export_all_saved_models(
            export_dir_base,
            {ModeKeys.PREDICT: serving_input_receiver_fn},
            assets_extra,
            as_text,
            checkpoint_path,
            strip_default_attrs,
        )

    def _export_all_saved_models(
        self,
        export_dir_base: Any,
        input_receiver_fn_map: Mapping[str, Callable[[], Any]],
        assets_extra: Mapping[str, str] | None = None,
        as_text: bool = False,
        checkpoint_path: str | None = None,
        strip_default_attrs: bool = True,
    ) -> bytes:
        if not checkpoint_path:
            checkpoint_path = self._checkpoint_to_export()
        return export_all(
            self, export_dir_base, input_receiver_fn_map, assets_extra, as_text, checkpoint_path, strip_default_attrs
        )

    def _checkpoint_to_export(self) -> Any:
        found = latest_checkpoint(self._model_dir)
        if found:
            return found
        if not self._warm_start_settings:
            raise ValueError(f"Couldn't find trained model at {self._model_dir}.")
        given = self._warm_start_settings.ckpt_to_initialize_from
        return latest_checkpoint(given) if os.path.isdir(given) else given

    # -- the functions of the user ---------------------------------------------------------------

    def _create_global_step(self, graph: Graph) -> Any:
        return create_global_step(graph)

    def _create_and_assert_global_step(self, graph: Graph) -> Any:
        return self._create_global_step(graph)

    def _call_input_fn(self, input_fn: Callable[..., Any], mode: str, input_context: Any = None) -> Any:
        given = {"mode": mode, "params": self.params, "config": self.config}
        if input_context is not None:
            given["input_context"] = input_context
        with scopes.device("/cpu:0"):
            return input_fn(**called_with(input_fn, **given))

    def _call_model_fn(self, features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
        given = called_with(self._model_fn, labels=labels, mode=mode, params=self.params, config=config)
        if labels is not None and "labels" not in given:
            raise ValueError("model_fn does not take labels, but input_fn returns labels.")
        log.info("Calling model_fn.")
        spec = self._model_fn(features=features, **given)
        log.info("Done calling model_fn.")
        if not isinstance(spec, EstimatorSpec):
            raise ValueError("model_fn should return an EstimatorSpec.")
        return spec

    def _maybe_warm_start(self, checkpoint_path: str | None) -> None:
        if not checkpoint_path and self._warm_start_settings:
            log.info("Warm-starting with WarmStartSettings: %s", self._warm_start_settings)
            warm_start(*self._warm_start_settings)


class EstimatorV2(Estimator):
    """``tf.compat.v2.estimator.Estimator``: an ``Estimator`` that ``export_saved_model`` alone exports."""

    def _assert_members_are_not_overridden(self) -> None:
        _check_members(self, EstimatorV2)

    @property
    def export_savedmodel(self) -> Any:  # type: ignore[override]
        """Refused, with ``AttributeError``."""
        raise AttributeError(
            "`Estimator.export_savedmodel` has been deprecated. Please use `export_saved_model` instead."
        )


def _check_members(estimator: Estimator, kind: type) -> None:
    """Raise ``ValueError`` where the class of ``estimator`` has a method of its own for one of ``kind``."""
    open_ones = {"model_fn", "_create_and_assert_global_step", "_export_all_saved_models", "_add_mean_loss"}
    own = {name for name in dir(kind) if not name.startswith("__")} - open_ones
    cls = type(estimator)
    changed = [n for n in own & set(vars(cls)) if getattr(kind, n) != getattr(cls, n)]
    if changed:
        raise ValueError(f"Subclasses of Estimator cannot override members of Estimator. {cls} does override {changed}")
