"""Which distribution strategy ops are being built under: a stack on each graph.

At the top is a ``Mode``: in the context of all replicas, or in that of one. The strategies are in ``distribute/``.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, NamedTuple

from retrograd.eager.graph import eager_graph
from retrograd.eager.lifted import LiftedGraph
from retrograd.graph.scopes import colocate_with
from retrograd.graph.stack import default_graph


class Mode(NamedTuple):
    """A strategy, in the context of all of its replicas (``replica`` None) or of one."""

    strategy: Any
    replica: Any = None


def modes() -> list[Mode]:
    """The modes of the default graph, the current one last."""
    graph: Any = default_graph()
    stack: list[Mode] = graph.notes.setdefault("strategies", [])
    while not stack and (graph := _around(graph)) is not None:
        stack = graph.notes.get("strategies", [])
    return stack


def _around(graph: Any) -> Any:
    """The graph around the body of a function, or around the graph of models where ops run at once."""
    return eager_graph() if isinstance(graph, LiftedGraph) else getattr(graph, "outer_graph", None)


def current_mode() -> Mode | None:
    """The mode that a strategy has entered; None of the default one."""
    stack = modes()
    return stack[-1] if stack else None


def beside(variable: Any) -> AbstractContextManager[Any]:
    """Variables of the block are where ``variable`` is: by the current strategy's rule."""
    mode = current_mode()
    if mode is None:
        return colocate_with(variable)
    found: AbstractContextManager[Any] = mode.strategy.extended.colocate_vars_with(variable)
    return found
