"""Hooks of boosted trees: training ends after so many trees, step ops change, columns' importances are summarized."""

from __future__ import annotations

import os
from typing import Any

from retrograd.graph import log
from retrograd.graph.stack import default_graph
from retrograd.io.event_files import FileWriterCache
from retrograd.ops import control
from retrograd.ops.state import assign
from retrograd.sessions.hooks import SessionRunArgs, SessionRunHook
from retrograd.train.training_util import get_global_step


def _global_step(complaint: str) -> Any:
    step = get_global_step()
    if step is None:
        raise RuntimeError(complaint)
    return step


class FeatureImportanceSummarySaver(SessionRunHook):
    """Writes how often each feature is asked for and what that gains, each into a folder of its own.

    The graph has the tensors ``gbdt/feature_names``, ``gbdt/feature_usage_counts`` and ``gbdt/feature_gains``.

    Raises:
      ValueError: there is no folder.
    """

    def __init__(self, model_dir: str | None, every_n_steps: int = 1) -> None:
        if model_dir is None:
            raise ValueError("model dir must be specified.")
        self._model_dir, self._every_n_steps = model_dir, every_n_steps
        self._last: int | None = None

    def begin(self) -> None:
        step = _global_step("Global step should be created to use FeatureImportanceSummarySaver.")
        names = ("feature_names", "feature_usage_counts", "feature_gains")
        graph = default_graph()
        self._fetches = {name: graph.get_tensor_by_name(f"gbdt/{name}:0") for name in names} | {"global_step": step}

    def before_run(self, run_context: Any) -> SessionRunArgs:
        return SessionRunArgs(self._fetches)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        from tensorboard.compat.proto.summary_pb2 import Summary

        found = run_values.results
        step, names = found["global_step"], found["feature_names"]
        counts, gains = found["feature_usage_counts"], found["feature_gains"]
        if self._last is not None and step < self._last + self._every_n_steps:
            return
        if len(names) != len(counts) or len(names) != len(gains):
            raise RuntimeError("Feature names and importance measures have inconsistent lengths.")
        self._last = step
        scales = [1.0 / total if (total := sum(map(float, x))) else 1.0 for x in (counts, gains)]
        for name, count, gain in zip(names, counts, gains, strict=True):
            writer = FileWriterCache.get(os.path.join(self._model_dir, name.decode()))
            values = {
                "usage_counts": count, "usage_fraction": count * scales[0], "gains": gain,
                "gains_fraction": gain * scales[1],
            }  # fmt: skip
            for tag, value in values.items():
                entry = Summary.Value(tag=f"feature_importance/{tag}", simple_value=value)
                writer.add_summary(Summary(value=[entry]), step)


class StopAfterNTrees(SessionRunHook):
    """Ends training when there are ``n`` whole trees, or more than twice as many were tried."""

    def __init__(
        self, n: int, num_attempted_trees_tensor: Any, num_finalized_trees_tensor: Any,
        override_global_step_value: int | None = None,
    ) -> None:  # fmt: skip
        self._count, self._step_value = n, override_global_step_value
        self._fetches = {
            "num_attempted_trees": num_attempted_trees_tensor, "num_finalized_trees": num_finalized_trees_tensor,
        }  # fmt: skip

    def begin(self) -> None:
        step = _global_step("Global step should be created.")
        self._set_step = None if self._step_value is None else assign(step, self._step_value)

    def before_run(self, run_context: Any) -> SessionRunArgs:
        return SessionRunArgs(self._fetches)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        attempted = run_values.results["num_attempted_trees"]
        finalized = run_values.results["num_finalized_trees"]
        assert attempted is not None
        assert finalized is not None
        if finalized >= self._count or attempted > 2 * self._count:
            log.info("Requesting stop since we have reached %d trees.", finalized)
            if self._set_step is not None:
                log.info("Overriding global steps value.")
                run_context.session.run(self._set_step)
            run_context.request_stop()


class SwitchTrainOp(SessionRunHook):
    """Runs one op with each step until there were ``train_steps``, and then another."""

    def __init__(self, first_train_op: Any, train_steps: int, second_train_op: Any) -> None:
        self._first, self._steps, self._second = first_train_op, train_steps, second_train_op

    def begin(self) -> None:
        self._current: Any = control.no_op()
        self._global_step = _global_step("Global step should be created to use SwitchTrainOp.")

    def before_run(self, run_context: Any) -> SessionRunArgs:
        return SessionRunArgs({"global_step": self._global_step, "train_op": self._current})

    def after_run(self, run_context: Any, run_values: Any) -> None:
        is_first = run_values.results["global_step"] < self._steps
        self._current = self._first if is_first else self._second
