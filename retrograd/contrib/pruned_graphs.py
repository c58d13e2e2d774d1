"""``tf.contrib.model_pruning``: training that updates masks, and graphs in which masks have been multiplied away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.contrib.learning import train_slim, train_step
from retrograd.graph import log
from retrograd.graph.graph import Graph
from retrograd.graph.protos import make_tensor_proto
from retrograd.io.checkpoint_files import latest_checkpoint
from retrograd.io.graph_defs import convert_variables_to_constants, extract_sub_graph
from retrograd.io.importing import import_graph_def
from retrograd.io.saver import import_meta_graph
from retrograd.run.session import Session

_DEFAULT = 0


def train(
    train_op: Any,
    logdir: str | None,
    mask_update_op: Any,
    train_step_fn: Callable[..., tuple[Any, Any]] = train_step,
    train_step_kwargs: Any = _DEFAULT,
    log_every_n_steps: int = 1,
    graph: Any = None,
    master: str = "",
    is_chief: bool = True,
    global_step: Any = None,
    number_of_steps: int | None = None,
    init_op: Any = _DEFAULT,
    init_feed_dict: Any = None,
    local_init_op: Any = _DEFAULT,
    init_fn: Any = None,
    ready_op: Any = _DEFAULT,
    summary_op: Any = _DEFAULT,
    save_summaries_secs: float = 600,
    summary_writer: Any = _DEFAULT,
    startup_delay_steps: int = 0,
    saver: Any = None,
    save_interval_secs: float = 600,
    sync_optimizer: Any = None,
    session_config: Any = None,
    trace_every_n_steps: int | None = None,
) -> Any:
    """``tf.contrib.slim.learning.train``, with ``mask_update_op`` behind each step; the last loss."""

    def step(session: Any, train_op: Any, global_step: Any, train_step_kwargs: Any) -> tuple[Any, Any]:
        loss, should_stop = train_step_fn(session, train_op, global_step, train_step_kwargs)
        session.run(mask_update_op)
        return loss, should_stop

    return train_slim(
        train_op, logdir, step, train_step_kwargs, log_every_n_steps, graph, master, is_chief, global_step,
        number_of_steps, init_op, init_feed_dict, local_init_op, init_fn, ready_op, summary_op, save_summaries_secs,
        summary_writer, startup_delay_steps, saver, save_interval_secs, sync_optimizer, session_config, None,
        trace_every_n_steps,
    )  # fmt: skip


def strip_pruning_vars_fn(input_graph_def: Any, output_node_names: list[str]) -> Any:
    """A frozen graph with each masked weight as one constant, without masks, thresholds and weights."""
    graph_def = type(input_graph_def)()
    with Graph().as_default() as graph, Session(graph=graph) as session:
        import_graph_def(input_graph_def, name="")
        for node in input_graph_def.node:
            made = graph_def.node.add()
            if "masked_weight" not in node.name:
                made.CopyFrom(node)
                continue
            value = session.run(graph.get_tensor_by_name(f"{node.name}:0"))
            zeros = 100 - 100 * np.count_nonzero(value) / value.size
            log.info("%s has %d values, %1.2f%% zeros \n", node.name, value.size, zeros)
            made.name, made.op = node.name, "Const"
            made.attr["dtype"].CopyFrom(node.attr["T"])
            made.attr["value"].tensor.CopyFrom(make_tensor_proto(value))
    return extract_sub_graph(graph_def, output_node_names)


def graph_def_from_checkpoint(checkpoint_dir: str, output_node_names: list[str]) -> Any:
    """The graph of the latest checkpoint of a folder, with variables as constants.

    Raises:
      ValueError: there is none.
    """
    path = latest_checkpoint(checkpoint_dir)
    if path is None:
        raise ValueError(f"Could not find a checkpoint at: {checkpoint_dir}.")
    saver = import_meta_graph(path + ".meta", clear_devices=True)
    assert saver is not None, "the checkpoint has variables"
    with Session() as session:
        saver.restore(session, path)
        return convert_variables_to_constants(session, session.graph.as_graph_def(), output_node_names)
