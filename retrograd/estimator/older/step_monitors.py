"""Monitors of ``tf.contrib.learn`` that are told of each step, and the hook that tells them.

A step is told to a monitor three times: ``step_begin`` says what else is to be computed, ``step_end`` gets it and says
whether training is over, ``post_step`` comes last.

Source: TensorFlow 1.15.5, ``contrib/learn/python/learn/monitors.py``: arguments, order of calls, log lines.
"""

from __future__ import annotations

import inspect
import os
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from retrograd.estimator.estimator import Estimator as LaterEstimator
from retrograd.graph import log
from retrograd.graph.collections import GraphKeys
from retrograd.graph.scopes import get_collection
from retrograd.graph.stack import default_graph
from retrograd.io.checkpoint_files import latest_checkpoint
from retrograd.io.event_files import FileWriter, FileWriterCache
from retrograd.sessions.hooks import NanLossDuringTrainingError, SessionRunArgs, SessionRunHook
from retrograd.train.training_util import get_global_step


class BaseMonitor:
    """What a monitor is told; whoever overrides a method calls the one here.

    Raises:
      ValueError: the calls come in a wrong order.
    """

    def __init__(self) -> None:
        self._begun = False
        self._current_epoch: int | None = None
        self._current_step: int | None = None
        self._max_steps: int | None = None
        self._estimator: Any = None

    @property
    def run_on_all_workers(self) -> bool:
        """Whether workers other than the chief run it too."""
        return False

    def set_estimator(self, estimator: Any) -> None:
        """Whose training this is."""
        if estimator is None:
            raise ValueError("Missing estimator.")
        self._estimator = estimator

    def begin(self, max_steps: int | None = None) -> None:
        """Before the first step."""
        if self._begun:
            raise ValueError("begin called twice without end.")
        self._begun, self._max_steps = True, max_steps

    def end(self, session: Any = None) -> None:
        """Behind the last step."""
        if not self._begun:
            raise ValueError("end called without begin.")
        self._begun, self._max_steps = False, None

    def epoch_begin(self, epoch: int) -> None:
        """Before an epoch."""
        if self._current_epoch is not None:
            raise ValueError("epoch_begin called twice without epoch_end.")
        if epoch < 0:
            raise ValueError(f"Invalid epoch {epoch}.")
        self._current_epoch = epoch

    def epoch_end(self, epoch: int) -> None:
        """Behind an epoch."""
        if self._current_epoch != epoch:
            raise ValueError("epoch_end expected %s but got %s.", self._current_epoch, epoch)
        self._current_epoch = None

    def step_begin(self, step: int) -> list[Any]:
        """What to compute in this step: tensors, or their names."""
        if step < 0 or (self._max_steps is not None and step > self._max_steps):
            raise ValueError(f"Invalid step {step}.")
        self._current_step = step
        return []

    def step_end(self, step: int, output: Any) -> bool:
        """Take what was computed, by what was asked for; true ends the training."""
        if self._current_step != step:
            raise ValueError("step_end expected %s but got %s.", self._current_step, step)
        self._current_step = None
        return False

    def post_step(self, step: int, session: Any) -> None:
        """Behind a step."""


class EveryN(BaseMonitor):
    """Is told of the first steps, of every n-th behind one of which it was told, and of the last."""

    def __init__(self, every_n_steps: int = 100, first_n_steps: int = 1) -> None:
        super().__init__()
        self._every_n_steps, self._first_n_steps = every_n_steps, first_n_steps
        self._last_successful_step: int | None = None
        self._last_active_step = 0
        self._is_told = False

    def every_n_step_begin(self, step: int) -> list[Any]:
        """As ``step_begin``."""
        return []

    def every_n_step_end(self, step: int, outputs: Any) -> Any:
        """As ``step_end``."""
        return False

    def every_n_post_step(self, step: Any, session: Any) -> None:
        """As ``post_step``; also behind the last step."""

    def step_begin(self, step: int) -> list[Any]:
        super().step_begin(step)
        due = self._every_n_steps + self._last_active_step
        self._is_told = step <= self._first_n_steps or step >= due or step == self._max_steps
        return self.every_n_step_begin(step) if self._is_told else []

    def step_end(self, step: int, output: Any) -> Any:
        super().step_end(step, output)
        return self.every_n_step_end(step, output) if self._is_told else False

    def post_step(self, step: int, session: Any) -> None:
        super().post_step(step, session)
        if self._is_told:
            self.every_n_post_step(step, session)
            self._last_active_step = step
        self._last_successful_step = step

    def end(self, session: Any = None) -> None:
        super().end(session=session)
        if self._last_successful_step != self._last_active_step:
            self.every_n_post_step(self._last_successful_step, session)


# -- when to stop ------------------------------------------------------------------------------------


class StopAtStep(BaseMonitor):
    """Ends the training behind ``num_steps`` more steps, or at ``last_step``.

    Raises:
      ValueError: both are given, or neither.
    """

    def __init__(self, num_steps: int | None = None, last_step: int | None = None) -> None:
        super().__init__()
        if num_steps is None and last_step is None:
            raise ValueError("One of num_steps or last_step must be specified.")
        if num_steps is not None and last_step is not None:
            raise ValueError("Only one of num_steps or last_step can be specified.")
        self._num_steps, self._last_step = num_steps, last_step

    @property
    def run_on_all_workers(self) -> bool:
        return True

    def step_begin(self, step: int) -> list[Any]:
        if self._last_step is None:
            self._last_step = step + (self._num_steps or 0) - 1
        return super().step_begin(step)

    def step_end(self, step: int, output: Any) -> bool:
        super().step_end(step, output)
        return self._last_step is not None and step >= self._last_step


class NanLoss(EveryN):
    """Fails, or ends the training, where the loss is not a number."""

    def __init__(self, loss_tensor: Any, every_n_steps: int = 100, fail_on_nan_loss: bool = True) -> None:
        super().__init__(every_n_steps=every_n_steps)
        self._loss_tensor, self._fail_on_nan_loss = loss_tensor, fail_on_nan_loss

    def every_n_step_begin(self, step: int) -> list[Any]:
        return [self._loss_tensor]

    def every_n_step_end(self, step: int, outputs: Any) -> bool:
        if not np.isnan(_computed(outputs, self._loss_tensor)):
            return False
        if self._fail_on_nan_loss:
            log.error("Model diverged with loss = NaN.")
            raise NanLossDuringTrainingError
        log.warning("Model diverged with loss = NaN.")
        return True


# -- values ------------------------------------------------------------------------------------------


def _computed(outputs: Any, asked: Any) -> Any:
    return outputs[asked] if asked in outputs else outputs[asked.name]


def _told(tensors: dict[Any, Any], outputs: Any) -> str:
    return ", ".join(f"{tag} = {outputs[name]!s}" for tag, name in tensors.items() if name in outputs)


class PrintTensor(EveryN):
    """Logs tensors by their names, or by the tags that a dictionary gives these."""

    def __init__(self, tensor_names: Any, every_n: int = 100, first_n: int = 1) -> None:
        super().__init__(every_n, first_n)
        self._tensors = tensor_names if isinstance(tensor_names, dict) else {name: name for name in tensor_names}

    def every_n_step_begin(self, step: int) -> list[Any]:
        return list(self._tensors.values())

    def every_n_step_end(self, step: int, outputs: Any) -> None:
        log.info("Step %d: %s", step, _told(self._tensors, outputs))


class LoggingTrainable(EveryN):
    """Logs the trainable variables whose names begin with ``scope``."""

    def __init__(self, scope: str | None = None, every_n: int = 100, first_n: int = 1) -> None:
        super().__init__(every_n, first_n)
        self._scope = scope
        self._names: dict[str, str] = {}

    def every_n_step_begin(self, step: int) -> list[Any]:
        trainable = get_collection(GraphKeys.TRAINABLE_VARIABLES, self._scope)
        self._names = {variable.name: variable.value().name for variable in trainable}
        return list(self._names.values())

    def every_n_step_end(self, step: int, outputs: Any) -> None:
        log.info("Logging Trainable: Step %d: %s", step, _told(self._names, outputs))


class CaptureVariable(EveryN):
    """Keeps the values of a variable in ``values``, by their steps."""

    def __init__(self, var_name: str, every_n: int = 100, first_n: int = 1) -> None:
        super().__init__(every_n, first_n)
        self._var_name = var_name
        self._values: dict[int, Any] = {}

    @property
    def values(self) -> dict[int, Any]:
        """The values so far."""
        return self._values

    def every_n_step_begin(self, step: int) -> list[Any]:
        return [self._var_name]

    def every_n_step_end(self, step: int, outputs: Any) -> None:
        self._values[step] = _computed(outputs, self._var_name)


# -- files -------------------------------------------------------------------------------------------


class SummarySaver(EveryN):
    """Writes a summary into the model's folder or another."""

    def __init__(
        self, summary_op: Any, save_steps: int = 100, output_dir: Any = None, summary_writer: Any = None,
        scaffold: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(every_n_steps=save_steps)
        self._summary_op, self._scaffold = summary_op, scaffold
        self._writer = summary_writer or (FileWriter(output_dir) if output_dir else None)

    def set_estimator(self, estimator: Any) -> None:
        super().set_estimator(estimator)
        self._writer = self._writer or FileWriter(estimator.model_dir)

    def every_n_step_begin(self, step: int) -> list[Any]:
        if self._summary_op is None and self._scaffold is not None:
            self._summary_op = self._scaffold.summary_op
        return [] if self._summary_op is None else [self._summary_op]

    def every_n_step_end(self, step: int, outputs: Any) -> bool:
        if self._summary_op is not None and self._writer:
            self._writer.add_summary(_computed(outputs, self._summary_op), step)
        return False

    def end(self, session: Any = None) -> None:
        super().end(session=session)
        if self._writer:
            self._writer.flush()


class StepCounter(EveryN):
    """Writes how many steps are done in a second."""

    def __init__(self, every_n_steps: int = 100, output_dir: Any = None, summary_writer: Any = None) -> None:
        super().__init__(every_n_steps=every_n_steps)
        self._writer = summary_writer or (FileWriterCache.get(output_dir) if output_dir else None)
        self._reported: tuple[int, float] | None = None

    def set_estimator(self, estimator: Any) -> None:
        super().set_estimator(estimator)
        self._writer = self._writer or FileWriterCache.get(estimator.model_dir)

    def every_n_step_end(self, step: int, outputs: Any) -> None:
        now = time.time()
        if self._reported and self._writer:
            from tensorboard.compat.proto.summary_pb2 import Summary

            before, at = self._reported
            rate = (step - before) / (now - at)
            self._writer.add_summary(Summary(value=[Summary.Value(tag="global_step/sec", simple_value=rate)]), step)
        self._reported = step, now


class CheckpointSaver(BaseMonitor):
    """Saves a checkpoint every so many seconds or steps, and at the end.

    Raises:
      ValueError: neither seconds nor steps are given, or both.
    """

    def __init__(
        self, checkpoint_dir: Any, save_secs: float | None = None, save_steps: int | None = None, saver: Any = None,
        checkpoint_basename: str = "model.ckpt", scaffold: Any = None,
    ) -> None:  # fmt: skip
        log.info("Create CheckpointSaver.")
        super().__init__()
        if save_steps is None and save_secs is None:
            raise ValueError("Either save_steps or save_secs should be provided")
        if save_steps is not None and save_secs is not None:
            raise ValueError("Can not provide both save_steps and save_secs.")
        self._saver, self._scaffold, self._secs, self._steps = saver, scaffold, save_secs, save_steps
        self._writer = FileWriterCache.get(checkpoint_dir)
        self._path = os.path.join(checkpoint_dir, checkpoint_basename)
        self._saved: tuple[int, float] | None = None
        self._begun_step = 0

    def begin(self, max_steps: int | None = None) -> None:
        super().begin(max_steps)
        self._saved = None

    def step_begin(self, step: int) -> list[Any]:
        self._begun_step = step
        return super().step_begin(step)

    def post_step(self, step: int, session: Any) -> None:
        super().post_step(step, session)
        if self._saved is not None:
            before, at = self._saved
            steps_passed = self._steps is not None and step >= before + self._steps
            if not steps_passed and (self._secs is None or time.time() < at + self._secs):
                return
        self._save(step, session)

    def end(self, session: Any = None) -> None:
        super().end(session)
        self._save(self._begun_step, session)

    def _save(self, step: int, session: Any) -> None:
        if self._saved and self._saved[0] == step:
            return
        log.info("Saving checkpoints for %d into %s.", step, self._path)
        self._saved = step, time.time()
        saver = self._saver or self._scaffold.saver
        saver.save(session, self._path, global_step=step)
        from tensorboard.compat.proto.event_pb2 import SessionLog

        self._writer.add_session_log(SessionLog(status=SessionLog.CHECKPOINT, checkpoint_path=self._path), step)


class ExportMonitor(EveryN):
    """Exports the model as a session bundle every n-th step and at the end; arguments as of ``Estimator.export``."""

    def __init__(
        self, every_n_steps: int, export_dir: Any, input_fn: Any = None, input_feature_key: str | None = None,
        exports_to_keep: int | None = 5, signature_fn: Any = None, default_batch_size: int | None = 1,
    ) -> None:  # fmt: skip
        super().__init__(every_n_steps=every_n_steps)
        self.export_dir, self.exports_to_keep, self.signature_fn = export_dir, exports_to_keep, signature_fn
        self.last_export_dir: Any = None
        self._given = {
            "input_fn": input_fn, "input_feature_key": input_feature_key, "default_batch_size": default_batch_size,
            "use_deprecated_input_fn": input_fn is None,
        }  # fmt: skip

    def every_n_step_end(self, step: int, outputs: Any) -> None:
        self._export(
            "Skipping exporting because the existing checkpoint has already been exported. Consider exporting less "
            "frequently."
        )

    def end(self, session: Any = None) -> None:
        super().end(session=session)
        if latest_checkpoint(self._estimator.model_dir) is None:
            log.info("Skipping export at the end since model has not been saved yet.")
        else:
            self._export("Skipping exporting for the same step.")

    def _export(self, skipped: str) -> None:
        if isinstance(self._estimator, LaterEstimator):
            raise ValueError(
                "ExportMonitor does not support `tf.estimator.Estimator. `. Please pass an ExportStrategy to "
                "Experiment instead."
            )
        try:
            self.last_export_dir = self._estimator.export(
                self.export_dir, exports_to_keep=self.exports_to_keep, signature_fn=self.signature_fn, **self._given
            )
        except RuntimeError:
            log.info(skipped)


# -- as hooks ----------------------------------------------------------------------------------------


def _fetch(asked: Any) -> Any:
    """The tensor that a monitor asks for; the name of an op stands for its only output."""
    graph = default_graph()
    if not isinstance(asked, str):
        if getattr(asked, "graph", None) is not graph:
            raise ValueError(f"Passed {asked} should have graph attribute that is equal to current graph {graph}.")
        return asked
    if ":" in asked:
        return graph.as_graph_element(asked)
    tensor = graph.as_graph_element(f"{asked}:0")
    if len(tensor.op.outputs) > 1:
        raise ValueError(f"Name {asked} is ambiguous, as this `Operation` has multiple outputs (at least 2).")
    return tensor


class RunHookAdapterForMonitors(SessionRunHook):
    """The hook that tells monitors of the steps of a session."""

    def __init__(self, monitors: Sequence[Any]) -> None:
        self._monitors = monitors

    def begin(self) -> None:
        self._last_step: int | None = None
        self._global_step = get_global_step()
        for monitor in self._monitors:
            monitor.begin(max_steps=None)

    def before_run(self, run_context: Any) -> SessionRunArgs:
        if self._last_step is None:
            self._last_step = int(run_context.session.run(self._global_step)) + 1
        asked: list[Any] = []
        for monitor in self._monitors:
            more = monitor.step_begin(self._last_step)
            if more and not isinstance(more, list):
                raise ValueError("Monitor.step_begin should return a list.")
            asked += more or []
        return SessionRunArgs({"step": self._global_step, "monitors": {one: _fetch(one) for one in asked}})

    def after_run(self, run_context: Any, run_values: Any) -> None:
        step, found = self._last_step, run_values.results["monitors"]
        over = [monitor.step_end(step, found) for monitor in self._monitors]
        if any(over):
            run_context.request_stop()
        for monitor in self._monitors:
            monitor.post_step(step, run_context.session)
        self._last_step = int(run_values.results["step"]) + 1

    def end(self, session: Any) -> None:
        self._last_step = None
        for monitor in self._monitors:
            takes = "session" in inspect.signature(monitor.end).parameters
            monitor.end(session=session) if takes else monitor.end()


def replace_monitors_with_hooks(monitors_or_hooks: Any, estimator: Any) -> list[SessionRunHook]:
    """The hooks, and behind them one that tells the monitors, which get to know the estimator."""
    given = list(monitors_or_hooks or [])
    hooks = [one for one in given if isinstance(one, SessionRunHook)]
    monitors = [one for one in given if not isinstance(one, SessionRunHook)]
    if not estimator.config.is_chief:
        monitors = [monitor for monitor in monitors if monitor.run_on_all_workers]
    for monitor in monitors:
        monitor.set_estimator(estimator)
    return [*hooks, RunHookAdapterForMonitors(monitors)] if monitors else hooks


def get_default_monitors(
    loss_op: Any = None, summary_op: Any = None, save_summary_steps: int = 100, output_dir: Any = None,
    summary_writer: Any = None,
) -> list[EveryN]:  # fmt: skip
    """What logs the loss, and what writes the summary."""
    monitors: list[EveryN] = []
    if loss_op is not None:
        monitors.append(PrintTensor({"loss": loss_op.name}))
    if summary_op is not None:
        monitors.append(SummarySaver(summary_op, save_summary_steps, output_dir, summary_writer))
    return monitors
