"""The learning phase of Keras: whether models train, as a value that is fed or as a number that was set.

It stands beside layers because a layer whose call says nothing of ``training`` gets it from there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.eager.graph import eager_graph
from retrograd.eager.lifted import LiftedGraph
from retrograd.graph.functions import FunctionGraph
from retrograd.graph.modes import executing_eagerly_outside_functions, init_scope
from retrograd.graph.scopes import name_scope
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import constants


def learning_phase() -> Any:
    """Whether models train: a boolean that is fed, or the number that was set; 0 where ops run at once."""
    notes = default_graph().notes
    if default_graph().is_eager:
        return notes.get("learning phase", 0)
    if isinstance(default_graph(), LiftedGraph) and "learning phase" in eager_graph().notes:
        return eager_graph().notes["learning phase"]
    if (
        "learning phase" not in notes
        and isinstance(default_graph(), FunctionGraph)
        and not executing_eagerly_outside_functions()
    ):
        with init_scope():  # the phase of a function is that of the program
            return learning_phase()
    if "learning phase" not in notes:
        with default_graph().as_default(), name_scope(""):
            notes["learning phase"] = constants.placeholder_with_default(
                False, shape=(), name="keras_learning_phase"
            )  # fmt: skip
    return notes["learning phase"]


def has_learning_phase() -> bool:
    """Whether the phase of this graph has been asked for, or set."""
    graph = default_graph()
    return "learning phase" in graph.notes or (
        isinstance(graph, LiftedGraph) and "learning phase" in eager_graph().notes
    )


def training_of_calls() -> Any:
    """The ``training`` of a call that says nothing of it: where ops run at once and in its models, the phase.

    None in a graph of TensorFlow 1, and where no phase was set.
    """
    if not executing_eagerly_outside_functions():
        return None
    chosen = default_graph().notes.get("learning phase")  # set inside of a function that is being traced
    if chosen is None or isinstance(chosen, Tensor):
        chosen = eager_graph().notes.get("learning phase")
    if chosen is not None:
        return bool(chosen)
    return learning_phase() if isinstance(default_graph(), LiftedGraph) else None


_SETTLED = "settled by functions"


def settled_by_functions(value: Callable[[], bool], name: str) -> Tensor:
    """What ``value()`` gives when a function of Keras is made of this graph, for as long as that function lives."""
    now = value()
    with name_scope(""):
        tensor = constants.placeholder_with_default(now, shape=(), name=name)
    default_graph().notes.setdefault(_SETTLED, []).append((tensor, now, value))
    return tensor


def settled_feeds() -> dict[Tensor, bool]:
    """What a function that is made now is always fed: what has changed since the graph was built."""
    settled = [(x, first, value()) for x, first, value in default_graph().notes.get(_SETTLED, ())]
    return {x: now for x, first, now in settled if now != first}
