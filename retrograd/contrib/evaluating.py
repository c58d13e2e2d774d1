"""Evaluation of checkpoints: ``tf.contrib.training.evaluate_once`` and ``_repeatedly``, and ``slim.evaluation``.

Source: TensorFlow 1.15.5's arguments, order of nodes and log lines.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from typing import Any

from retrograd.graph import dtypes, log, scopes
from retrograd.graph.collections import GraphKeys
from retrograd.graph.scopes import control_dependencies
from retrograd.io.checkpoint_files import latest_checkpoint
from retrograd.io.event_files import FileWriterCache
from retrograd.io.saver import Saver
from retrograd.nn import summaries
from retrograd.ops import arrays, state
from retrograd.sessions.hooks import FinalOpsHook, SessionRunArgs, SessionRunHook
from retrograd.sessions.monitored import ChiefSessionCreator, MonitoredSession
from retrograd.sessions.scaffold import Scaffold
from retrograd.state.initializers import zeros_initializer
from retrograd.state.scopes import get_variable
from retrograd.train.training_util import get_or_create_global_step, global_step

EVAL_STEP = "eval_step"


def get_or_create_eval_step() -> Any:
    """The counter of evaluations, a local variable.

    Raises:
      ValueError: there are several in ``GraphKeys.EVAL_STEP``.
    """
    found = scopes.get_collection(GraphKeys.EVAL_STEP)
    if len(found) > 1:
        raise ValueError("Multiple tensors added to tf.GraphKeys.EVAL_STEP")
    if found:
        return found[0]
    return get_variable(
        "eval_step", shape=[], dtype=dtypes.int64, initializer=zeros_initializer(), trainable=False,
        collections=[GraphKeys.LOCAL_VARIABLES, GraphKeys.EVAL_STEP],
    )  # fmt: skip


# -- hooks ---------------------------------------------------------------------------------------


class StopAfterNEvalsHook(SessionRunHook):
    """Stops after ``num_evals`` evaluations; None means never."""

    def __init__(self, num_evals: int | None, log_progress: bool = True) -> None:
        self._num_evals = num_evals
        self._evals_completed: Any = None
        self._log_progress = log_progress
        self._log_frequency = 1 if num_evals is None or num_evals < 20 else math.floor(num_evals / 10.0)

    def _set_evals_completed_tensor(self, updated_eval_step: Any) -> None:
        self._evals_completed = updated_eval_step

    def before_run(self, run_context: Any) -> SessionRunArgs:
        return SessionRunArgs({"evals_completed": self._evals_completed})

    def after_run(self, run_context: Any, run_values: Any) -> None:
        done, all_ = run_values.results["evals_completed"], self._num_evals
        if self._log_progress:
            if all_ is None:
                log.info("Evaluation [%d]", done)
            elif done % self._log_frequency == 0 or all_ == done:
                log.info("Evaluation [%d/%d]", done, all_)
        if all_ is not None and done >= all_:
            run_context.request_stop()


class SummaryAtEndHook(SessionRunHook):
    """Writes a summary when a session ends.

    Raises:
      ValueError: there is neither a folder nor a writer.
    """

    def __init__(
        self, log_dir: str | None = None, summary_writer: Any = None, summary_op: Any = None, feed_dict: Any = None
    ) -> None:
        self._summary_op = summary_op
        self._merges = summary_op is None
        self._feed_dict = feed_dict
        self._summary_writer = summary_writer
        self._log_dir = log_dir
        if log_dir is None and summary_writer is None:
            raise ValueError("One of log_dir or summary_writer should be used.")

    def begin(self) -> None:
        if self._merges:
            self._summary_op = summaries.merge_all()
        self._global_step = get_or_create_global_step()

    def after_create_session(self, session: Any, coord: Any) -> None:
        if self._summary_writer is None and self._log_dir:
            self._summary_writer = FileWriterCache.get(self._log_dir)

    def end(self, session: Any) -> None:
        if self._summary_op is not None:
            step = global_step(session, self._global_step)
            summary = session.run(self._summary_op, self._feed_dict)
            if self._summary_writer:
                self._summary_writer.add_summary(summary, step)
        if self._summary_writer:
            self._summary_writer.flush()


# -- new checkpoints -----------------------------------------------------------------------------


def wait_for_new_checkpoint(
    checkpoint_dir: str, last_checkpoint: str | None = None, seconds_to_sleep: float = 1, timeout: float | None = None
) -> str | None:
    """The latest checkpoint, once it is another one than ``last_checkpoint``; None after ``timeout`` seconds."""
    log.info("Waiting for new checkpoint at %s", checkpoint_dir)
    stop = None if timeout is None else time.time() + timeout
    while True:
        path: str | None = latest_checkpoint(checkpoint_dir)
        if path is not None and path != last_checkpoint:
            log.info("Found new checkpoint at %s", path)
            return path
        if stop is not None and time.time() + seconds_to_sleep > stop:
            return None
        time.sleep(seconds_to_sleep)


def checkpoints_iterator(
    checkpoint_dir: str,
    min_interval_secs: float = 0,
    timeout: float | None = None,
    timeout_fn: Callable[[], bool] | None = None,
) -> Iterator[str]:
    """New checkpoints as they come; ends after ``timeout`` seconds without one, if ``timeout_fn`` agrees."""
    path: str | None = None
    while True:
        newer = wait_for_new_checkpoint(checkpoint_dir, path, timeout=timeout)
        if newer is None:
            if not timeout_fn:
                log.info("Timed-out waiting for a checkpoint.")
                return
            if timeout_fn():
                return
            continue
        start = time.time()
        path = newer
        yield path
        rest = start + min_interval_secs - time.time()
        if rest > 0:
            time.sleep(rest)


# -- evaluations ---------------------------------------------------------------------------------


def _with_step(eval_ops: Any, update: Any) -> Any:
    """What to run, and the counter's update."""
    if isinstance(eval_ops, dict):
        eval_ops["update_eval_step"] = update
        return eval_ops
    if isinstance(eval_ops, tuple | list):
        return [*eval_ops, update]
    return [eval_ops, update]


def _now() -> str:
    return time.strftime("%Y-%m-%d-%H:%M:%S", time.gmtime())


def evaluate_once(
    checkpoint_path: str | None,
    master: str = "",
    scaffold: Any = None,
    eval_ops: Any = None,
    feed_dict: Any = None,
    final_ops: Any = None,
    final_ops_feed_dict: Any = None,
    hooks: Any = None,
    config: Any = None,
) -> Any:
    """The values of ``final_ops`` after ``eval_ops`` have run on one checkpoint until a hook says stop."""
    eval_step = get_or_create_eval_step()
    hooks = list(hooks or [])
    if eval_ops is not None:
        update = state.assign_add(eval_step, 1, use_locking=True)
        eval_ops = _with_step(eval_ops, update)
        listed = list(eval_ops.values()) if isinstance(eval_ops, dict) else eval_ops
        with control_dependencies(listed):
            completed = arrays.identity(get_or_create_eval_step().read_value())
        for hook in hooks:
            if isinstance(hook, StopAfterNEvalsHook):
                hook._set_evals_completed_tensor(completed)
    log.info("Starting evaluation at %s", time.strftime("%Y-%m-%dT%H:%M:%SZ", time.localtime()))
    creator = ChiefSessionCreator(
        scaffold=scaffold, checkpoint_filename_with_path=checkpoint_path, master=master, config=config
    )
    final = FinalOpsHook(final_ops, final_ops_feed_dict)
    with MonitoredSession(session_creator=creator, hooks=[*hooks, final]) as session:
        if eval_ops is not None:
            while not session.should_stop():
                session.run(eval_ops, feed_dict)
    log.info("Finished evaluation at %s", _now())
    return final.final_ops_values


def evaluate_repeatedly(
    checkpoint_dir: str,
    master: str = "",
    scaffold: Any = None,
    eval_ops: Any = None,
    feed_dict: Any = None,
    final_ops: Any = None,
    final_ops_feed_dict: Any = None,
    eval_interval_secs: float = 60,
    hooks: Any = None,
    config: Any = None,
    max_number_of_evaluations: int | None = None,
    timeout: float | None = None,
    timeout_fn: Callable[[], bool] | None = None,
) -> Any:
    """The same for every new checkpoint of a folder; the last values of ``final_ops``."""
    eval_step = get_or_create_eval_step()
    hooks = hooks or []
    if eval_ops is not None:
        update = state.assign_add(eval_step, 1)
        for hook in hooks:
            if isinstance(hook, StopAfterNEvalsHook):
                hook._set_evals_completed_tensor(update)
        eval_ops = _with_step(eval_ops, update)
    final = FinalOpsHook(final_ops, final_ops_feed_dict)
    hooks.append(final)
    paths = checkpoints_iterator(checkpoint_dir, eval_interval_secs, timeout, timeout_fn)
    for done, path in enumerate(paths, 1):
        creator = ChiefSessionCreator(
            scaffold=scaffold, checkpoint_filename_with_path=path, master=master, config=config
        )
        with MonitoredSession(session_creator=creator, hooks=hooks) as session:
            log.info("Starting evaluation at %s", _now())
            if eval_ops is not None:
                while not session.should_stop():
                    session.run(eval_ops, feed_dict)
            log.info("Finished evaluation at %s", _now())
        if max_number_of_evaluations is not None and done >= max_number_of_evaluations:
            break
    return final.final_ops_values


# -- slim.evaluation -----------------------------------------------------------------------------

_USE_DEFAULT = 0


def _slim_hooks(num_evals: int, logdir: str, summary_op: Any, feed_dict: Any, hooks: Any) -> list[Any]:
    if isinstance(summary_op, int) and summary_op == _USE_DEFAULT:
        summary_op = summaries.merge_all()
    all_hooks: list[Any] = [StopAfterNEvalsHook(num_evals)]
    if summary_op is not None:
        all_hooks.append(SummaryAtEndHook(log_dir=logdir, summary_op=summary_op, feed_dict=feed_dict))
    return [*all_hooks, *(hooks or ())]


def _saver(variables: Any) -> Saver | None:
    return None if variables is None else Saver(variables)


def evaluate_once_slim(
    master: str,
    checkpoint_path: str | None,
    logdir: str,
    num_evals: int = 1,
    initial_op: Any = None,
    initial_op_feed_dict: Any = None,
    eval_op: Any = None,
    eval_op_feed_dict: Any = None,
    final_op: Any = None,
    final_op_feed_dict: Any = None,
    summary_op: Any = _USE_DEFAULT,
    summary_op_feed_dict: Any = None,
    variables_to_restore: Any = None,
    session_config: Any = None,
    hooks: Any = None,
) -> Any:
    """The value of ``final_op`` after ``num_evals`` runs of ``eval_op`` on one checkpoint; summaries at the end."""
    all_hooks = _slim_hooks(num_evals, logdir, summary_op, summary_op_feed_dict, hooks)
    scaffold = Scaffold(init_op=initial_op, init_feed_dict=initial_op_feed_dict, saver=_saver(variables_to_restore))
    return evaluate_once(
        checkpoint_path, master=master, scaffold=scaffold, eval_ops=eval_op, feed_dict=eval_op_feed_dict,
        final_ops=final_op, final_ops_feed_dict=final_op_feed_dict, hooks=all_hooks, config=session_config,
    )  # fmt: skip


def evaluation_loop(
    master: str,
    checkpoint_dir: str,
    logdir: str,
    num_evals: int = 1,
    initial_op: Any = None,
    initial_op_feed_dict: Any = None,
    init_fn: Callable[..., Any] | None = None,
    eval_op: Any = None,
    eval_op_feed_dict: Any = None,
    final_op: Any = None,
    final_op_feed_dict: Any = None,
    summary_op: Any = _USE_DEFAULT,
    summary_op_feed_dict: Any = None,
    variables_to_restore: Any = None,
    eval_interval_secs: float = 60,
    max_number_of_evaluations: int | None = None,
    session_config: Any = None,
    timeout: float | None = None,
    timeout_fn: Callable[[], bool] | None = None,
    hooks: Any = None,
) -> Any:
    """The same for every new checkpoint of a folder."""
    all_hooks = _slim_hooks(num_evals, logdir, summary_op, summary_op_feed_dict, hooks)
    scaffold = Scaffold(
        init_op=initial_op, init_feed_dict=initial_op_feed_dict, init_fn=init_fn, saver=_saver(variables_to_restore)
    )
    return evaluate_repeatedly(
        checkpoint_dir, master=master, scaffold=scaffold, eval_ops=eval_op, feed_dict=eval_op_feed_dict,
        final_ops=final_op, final_ops_feed_dict=final_op_feed_dict, eval_interval_secs=eval_interval_secs,
        hooks=all_hooks, config=session_config, max_number_of_evaluations=max_number_of_evaluations, timeout=timeout,
        timeout_fn=timeout_fn,
    )  # fmt: skip
