"""Training loops: ``tf.contrib.training.train``, and ``slim.learning`` with its train op, its step and its loop.

Source: TensorFlow 1.15.5's order of nodes, arguments and log lines.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from retrograd.graph import errors, log, scopes
from retrograd.graph.graph import Graph
from retrograd.graph.scopes import name_scope
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.io import gfile
from retrograd.io.lookup import tables_initializer
from retrograd.io.saver import Saver
from retrograd.nn import summaries
from retrograd.ops import arithmetic, clipping, comparison, constants, control
from retrograd.sessions.monitored import MonitoredTrainingSession
from retrograd.sessions.supervisor import Supervisor
from retrograd.sessions.sync_replicas import SyncReplicasOptimizer
from retrograd.sessions.timeline import Timeline
from retrograd.state.initialization import (
    global_variables_initializer,
    local_variables_initializer,
    report_uninitialized_variables,
)
from retrograd.train import train_ops
from retrograd.train.optimizer import Optimizer
from retrograd.train.train_ops import Pairs, clip_gradient_norms, on_values
from retrograd.train.training_util import get_or_create_global_step
from retrograd.train.training_util import global_step as value_of_step

# -- tf.contrib.training -------------------------------------------------------------------------


def train(
    train_op: Any,
    logdir: str | None,
    master: str = "",
    is_chief: bool = True,
    scaffold: Any = None,
    hooks: Any = None,
    chief_only_hooks: Any = None,
    save_checkpoint_secs: float | None = 600,
    save_summaries_steps: int | None = 100,
    config: Any = None,
    max_wait_secs: float = 7200,
    run_metadata: Any = None,
) -> Any:
    """Run ``train_op`` until a hook says stop; the last value, or None.

    Raises:
      ValueError: there is no ``logdir`` for what is to be saved.
    """
    if logdir is None and is_chief:
        if save_summaries_steps:
            raise ValueError("logdir cannot be None when save_summaries_steps is not None")
        if save_checkpoint_secs:
            raise ValueError("logdir cannot be None when save_checkpoint_secs is not None")
    with MonitoredTrainingSession(
        master=master, is_chief=is_chief, checkpoint_dir=logdir, scaffold=scaffold, hooks=hooks,
        chief_only_hooks=chief_only_hooks, save_checkpoint_secs=save_checkpoint_secs,
        save_summaries_steps=save_summaries_steps, config=config, max_wait_secs=max_wait_secs,
    ) as session:  # fmt: skip
        loss = None
        while not session.should_stop():
            loss = session.run(train_op, run_metadata=run_metadata)
    return loss


# -- slim.learning: the train op -----------------------------------------------------------------


def multiply_gradients(grads_and_vars: Pairs, gradient_multipliers: dict[Any, Any]) -> Pairs:
    """The gradients of some variables times numbers or tensors; the variables by themselves or by name.

    Raises:
      ValueError: the arguments are no list and no dictionary, or a gradient is None.
    """
    train_ops.check_multipliers(grads_and_vars, gradient_multipliers)
    multiplied = []
    for grad, var in grads_and_vars:
        key = var if var in gradient_multipliers else var.op.name
        if key in gradient_multipliers:
            if grad is None:
                raise ValueError("Requested multiple of `None` gradient.")
            factor = gradient_multipliers[key]
            if not isinstance(factor, Tensor):
                factor = constants.constant(factor, dtype=grad.dtype)
            grad = on_values(grad, _times(factor))
        multiplied.append((grad, var))
    return multiplied


def _times(factor: Any) -> Callable[[Any], Any]:
    return lambda x: x * factor


def add_gradients_summaries(grads_and_vars: Pairs) -> list[Any]:
    """How each gradient is distributed, and its norm."""
    made = []
    for grad, var in grads_and_vars:
        if grad is None:
            log.info("Var %s has no gradient", var.op.name)
            continue
        values = getattr(grad, "values", grad)
        made.append(summaries.histogram(f"{var.op.name}/gradient", values))
        made.append(summaries.scalar(f"{var.op.name}/gradient_norm", clipping.global_norm([values])))
    return made


_USE_GLOBAL_STEP = 0


def create_train_op(
    total_loss: Any,
    optimizer: Optimizer,
    global_step: Any = _USE_GLOBAL_STEP,
    update_ops: Iterable[Any] | None = None,
    variables_to_train: Sequence[Any] | None = None,
    clip_gradient_norm: float = 0,
    summarize_gradients: bool = False,
    gate_gradients: int = Optimizer.GATE_OP,
    aggregation_method: int | None = None,
    colocate_gradients_with_ops: bool = False,
    gradient_multipliers: dict[Any, Any] | None = None,
    check_numerics: bool = True,
) -> Tensor:
    """An op that makes one step after the ``UPDATE_OPS`` and gives the loss; gradients are multiplied, then clipped."""

    def changed(grads: Pairs) -> Pairs:
        if gradient_multipliers:
            with name_scope("multiply_grads"):
                grads = multiply_gradients(grads, gradient_multipliers)
        if clip_gradient_norm > 0:
            with name_scope("clip_grads"):
                grads = clip_gradient_norms(grads, clip_gradient_norm)
        return grads

    return train_ops.create_train_op(
        total_loss, optimizer, global_step=global_step, update_ops=update_ops, variables_to_train=variables_to_train,
        transform_grads_fn=changed, summarize_gradients=summarize_gradients, gate_gradients=gate_gradients,
        aggregation_method=aggregation_method, colocate_gradients_with_ops=colocate_gradients_with_ops,
        check_numerics=check_numerics,
    )  # fmt: skip


# -- slim.learning: a step and the loop ----------------------------------------------------------


def train_step(sess: Any, train_op: Any, global_step: Any, train_step_kwargs: dict[str, Any]) -> tuple[Any, Any]:
    """One step: the loss, and whether to stop.

    Args:
      train_step_kwargs: tensors ``should_stop``, ``should_log`` and ``should_trace``; with the last, ``logdir``.
    """
    start = time.time()
    options = metadata = None
    if "should_trace" in train_step_kwargs:
        if "logdir" not in train_step_kwargs:
            raise ValueError("logdir must be present in train_step_kwargs when should_trace is present")
        if sess.run(train_step_kwargs["should_trace"]):
            from tensorboard.compat.proto import config_pb2

            options = config_pb2.RunOptions(trace_level=config_pb2.RunOptions.FULL_TRACE)
            metadata = config_pb2.RunMetadata()
    total_loss, step = sess.run([train_op, global_step], options=options, run_metadata=metadata)
    elapsed = time.time() - start
    if metadata is not None:
        path = os.path.join(train_step_kwargs["logdir"], f"tf_trace-{step}.json")
        log.info("Writing trace to %s", path)
        gfile.write_string_to_file(path, Timeline(metadata.step_stats).generate_chrome_trace_format())
        if "summary_writer" in train_step_kwargs:
            train_step_kwargs["summary_writer"].add_run_metadata(metadata, f"run_metadata-{step}")
    if "should_log" in train_step_kwargs and sess.run(train_step_kwargs["should_log"]):
        log.info("global step %d: loss = %.4f (%.3f sec/step)", step, total_loss, elapsed)
    stop = sess.run(train_step_kwargs["should_stop"]) if "should_stop" in train_step_kwargs else False
    return total_loss, stop


_USE_DEFAULT = 0


def _is_default(value: Any) -> bool:
    return isinstance(value, int) and value == _USE_DEFAULT


def train_slim(
    train_op: Any,
    logdir: str | None,
    train_step_fn: Callable[..., tuple[Any, Any]] = train_step,
    train_step_kwargs: Any = _USE_DEFAULT,
    log_every_n_steps: int = 1,
    graph: Graph | None = None,
    master: str = "",
    is_chief: bool = True,
    global_step: Any = None,
    number_of_steps: int | None = None,
    init_op: Any = _USE_DEFAULT,
    init_feed_dict: Any = None,
    local_init_op: Any = _USE_DEFAULT,
    init_fn: Callable[[Any], Any] | None = None,
    ready_op: Any = _USE_DEFAULT,
    summary_op: Any = _USE_DEFAULT,
    save_summaries_secs: float = 600,
    summary_writer: Any = _USE_DEFAULT,
    startup_delay_steps: int = 0,
    saver: Saver | None = None,
    save_interval_secs: float = 600,
    sync_optimizer: Any = None,
    session_config: Any = None,
    session_wrapper: Callable[[Any], Any] | None = None,
    trace_every_n_steps: int | None = None,
    ignore_live_threads: bool = False,
) -> Any:
    """Run ``train_step_fn`` until it says stop, under a supervisor that saves and writes summaries; the last loss.

    Raises:
      ValueError: there is no train op, no ``logdir`` for what is to be saved, or no positive number of steps.
    """
    if train_op is None:
        raise ValueError("train_op cannot be None.")
    if logdir is None:
        for word, given in (
            ("summary_op", not _is_default(summary_op)),
            ("saver", saver is not None),
            ("trace_every_n_steps", trace_every_n_steps is not None),
        ):
            if given:
                raise ValueError(f"Cannot provide {word} because logdir=None")
    sync = [sync_optimizer] if isinstance(sync_optimizer, SyncReplicasOptimizer) else sync_optimizer
    if sync is not None and startup_delay_steps > 0:
        raise ValueError("startup_delay_steps must be zero when sync_optimizer is supplied.")
    if number_of_steps is not None and number_of_steps <= 0:
        raise ValueError("`number_of_steps` must be either None or a positive number.")
    with (graph or default_graph()).as_default() as opened:
        if global_step is None:
            global_step = get_or_create_global_step()
        saver = saver or Saver()
        for made in sync or ():
            if not isinstance(made, SyncReplicasOptimizer):
                raise ValueError("`sync_optimizer` must be a tf.train.SyncReplicasOptimizer.")
        with name_scope("init_ops"):
            init_op, ready_op, local_init_op, ready_for_local = _init_ops(
                init_op, ready_op, local_init_op, sync, is_chief
            )
        if _is_default(summary_op):
            summary_op = summaries.merge_all()
        if _is_default(summary_writer):
            summary_writer = Supervisor.USE_DEFAULT
        tokens = runners = None
        if is_chief and sync is not None:
            tokens = [made.get_init_tokens_op() for made in sync]
            runners = [made.get_chief_queue_runner() for made in sync]
        if _is_default(train_step_kwargs):
            with name_scope("train_step"):
                trace_every = trace_every_n_steps if is_chief else None
                train_step_kwargs = _questions(global_step, number_of_steps, log_every_n_steps, trace_every, logdir)
    supervisor = Supervisor(
        graph=opened, is_chief=is_chief, logdir=logdir, init_op=init_op, init_feed_dict=init_feed_dict,
        local_init_op=local_init_op, ready_for_local_init_op=ready_for_local, ready_op=ready_op,
        summary_op=summary_op, summary_writer=summary_writer, global_step=global_step, saver=saver,
        save_summaries_secs=save_summaries_secs, save_model_secs=save_interval_secs, init_fn=init_fn,
    )  # fmt: skip
    if summary_writer is not None:
        train_step_kwargs["summary_writer"] = supervisor.summary_writer
    loss = None
    while True:
        try:
            with supervisor.managed_session(master, start_standard_services=False, config=session_config) as sess:
                log.info("Starting Session.")
                if session_wrapper is not None:
                    log.info("Wrapping session with wrapper function: %s", session_wrapper)
                    sess = session_wrapper(sess)
                if is_chief and logdir:
                    supervisor.start_standard_services(sess)
                elif not is_chief and startup_delay_steps > 0:
                    _wait_for_step(sess, global_step, min(startup_delay_steps, number_of_steps or sys.maxsize))
                threads = supervisor.start_queue_runners(sess)
                log.info("Starting Queues.")
                if runners is not None:
                    supervisor.start_queue_runners(sess, runners)
                    sess.run(tokens)
                try:
                    while not supervisor.should_stop():
                        loss, stop = train_step_fn(sess, train_op, global_step, train_step_kwargs)
                        if stop:
                            log.info("Stopping Training.")
                            supervisor.request_stop()
                            break
                except errors.OutOfRangeError as error:
                    log.info("Caught OutOfRangeError. Stopping Training. %s", error)
                if logdir and supervisor.is_chief:
                    log.info("Finished training! Saving model to disk.")
                    supervisor.saver.save(sess, supervisor.save_path, global_step=supervisor.global_step)
                    supervisor.stop(threads, close_summary_writer=True, ignore_live_threads=ignore_live_threads)
            return loss
        except errors.AbortedError:
            log.info("Retrying training!")


def _init_ops(init_op: Any, ready_op: Any, local_init_op: Any, sync: Any, is_chief: bool) -> tuple[Any, Any, Any, Any]:
    """The ops that initialize, that say whether all is initialized, and the local ones; the missing ones made."""
    if _is_default(init_op):
        init_op = global_variables_initializer()
    if _is_default(ready_op):
        ready_op = report_uninitialized_variables()
    if _is_default(local_init_op):
        local_init_op = control.group(local_variables_initializer(), tables_initializer())
    if sync is None:
        return init_op, ready_op, local_init_op, None
    with scopes.control_dependencies([] if local_init_op is None else [local_init_op]):
        word = "chief_init_op" if is_chief else "local_step_init_op"
        local_init_op = control.group(*[getattr(made, word) for made in sync])
    ready_for_local = control.group(*[made.ready_for_local_init_op for made in sync])
    return init_op, ready_op, local_init_op, ready_for_local


def _questions(
    global_step: Any, number_of_steps: int | None, log_every: int, trace_every: int | None, logdir: str | None
) -> dict[str, Any]:
    """The tensors that say after a step whether to stop, to log and to trace."""
    asked: dict[str, Any] = {}
    if number_of_steps:
        asked["should_stop"] = comparison.greater_equal(global_step, number_of_steps)
    else:
        asked["should_stop"] = constants.constant(False)
    if log_every > 0:
        asked["should_log"] = comparison.equal(arithmetic.mod(global_step, log_every), 0)
    if trace_every is not None:
        asked["should_trace"] = comparison.equal(arithmetic.mod(global_step, trace_every), 0)
        asked["logdir"] = logdir
    return asked


def _wait_for_step(sess: Any, global_step: Any, step: int) -> None:
    while value_of_step(sess, global_step) < step:
        time.sleep(1.0)
