"""Values of a graph for some feeds, in a session of their own: ``run_n``, ``run_feeds`` and ``infer``.

Source: what TensorFlow 1.15.5's ``tf.contrib.learn`` returns and raises.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import get_graph_from_inputs
from retrograd.io.lookup import tables_initializer
from retrograd.io.saver import Saver
from retrograd.run.session import Session
from retrograd.state.initialization import (
    global_variables_initializer,
    initialize_resources,
    local_variables_initializer,
)
from retrograd.state.registered import shared_resources
from retrograd.train.coordinator import Coordinator
from retrograd.train.queue_runner import start_queue_runners


def run_feeds(
    output_dict: dict[Any, Any], feed_dicts: Iterable[Any], restore_checkpoint_path: str | None = None
) -> list[dict[Any, Any]]:
    """The values of the tensors ``output_dict``, once for each feed; variables are new, or those of a checkpoint.

    Queues are filled while this goes on.

    Raises:
      ValueError: there are no tensors, or no feeds.
    """
    feeds = feed_dicts if feed_dicts is None else list(feed_dicts)
    if not feeds:
        raise ValueError(f"feed_dicts is invalid: {feed_dicts}.")
    return _run(output_dict, feeds, restore_checkpoint_path)


def run_n(
    output_dict: dict[Any, Any], feed_dict: Any = None, restore_checkpoint_path: str | None = None, n: int = 1
) -> list[dict[Any, Any]]:
    """``n`` times the values of the tensors ``output_dict`` for the same feed."""
    return _run(output_dict, [feed_dict] * n, restore_checkpoint_path)


def infer(restore_checkpoint_path: str | None, output_dict: dict[Any, Any], feed_dict: Any = None) -> dict[Any, Any]:
    """The values of the tensors ``output_dict``, with the variables of a checkpoint."""
    return _run(output_dict, [feed_dict], restore_checkpoint_path)[0]


def _run(outputs: dict[Any, Any], feeds: list[Any], checkpoint: str | None) -> list[dict[Any, Any]]:
    if not outputs:
        raise ValueError(f"output_dict is invalid: {outputs}.")
    graph = get_graph_from_inputs(outputs.values())
    with graph.as_default(), Session() as session:
        if checkpoint is None:
            session.run(global_variables_initializer())
        else:
            Saver().restore(session, checkpoint)
        session.run([initialize_resources(shared_resources()), local_variables_initializer(), tables_initializer()])
        coordinator = Coordinator()
        filled = bool(graph.get_collection(GraphKeys.QUEUE_RUNNERS))
        threads = start_queue_runners(session, coordinator) if filled else []
        try:
            return [session.run(outputs, feed_dict=feed) for feed in feeds]
        finally:
            coordinator.request_stop()
            session.close()
            coordinator.join(threads, stop_grace_period_secs=5, ignore_live_threads=True)
