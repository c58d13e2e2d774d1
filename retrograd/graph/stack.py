"""The default graph and the default session: stacks, one of each per thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from retrograd.graph.graph import Graph


class DefaultStack(threading.local):
    """What ``with x.as_default():`` pushes and pops."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self.stand_in: Any | None = None  # the default until the innermost of the dropped blocks ends

    @property
    def stack(self) -> list[Any]:
        return self.items

    def get_default(self) -> Any | None:
        return self.items[-1] if self.items else None

    def reset(self) -> None:
        self.items = []

    def drop(self, stand_in: Any | None) -> None:
        """Forget all open blocks; where ``stand_in`` is given it is the default until one of them ends."""
        self.stand_in = stand_in
        self.items[:] = [] if stand_in is None else [stand_in]

    def is_cleared(self) -> bool:
        """Whether no block is open, or all were dropped."""
        return not self.items or self.items == [self.stand_in]

    @contextmanager
    def pushed(self, item: Any, enforce_nesting: bool = True) -> Iterator[Any]:
        """Make ``item`` the default inside the block, which has to end before any that it is in, unless told else."""
        self.items.append(item)
        try:
            yield item
        finally:
            if enforce_nesting:
                if self.stand_in is not None and self.items == [self.stand_in] and item is not self.stand_in:
                    self.drop(None)
                if self.items and self.items[-1] is not item:
                    raise AssertionError(f"Nesting violated for default stack of {type(item)} objects")
                if self.items:  # or they were all dropped in the block
                    self.items.pop()
                if not self.items:
                    self.stand_in = None
            elif item in self.items:
                self.items.remove(item)


class GraphStack(DefaultStack):
    """The default graphs, one of which may run its ops at once."""

    def reset(self) -> None:
        """Forget all open blocks; whether ops run at once stays as it is."""
        before = default_graph()
        self.drop(None)
        if before.is_eager and _at_once is None:
            self.drop(before)
        elif not before.is_eager and _at_once is not None:
            self.drop(_new_graph())


graphs = GraphStack()
sessions = DefaultStack()
_global_graph: Graph | None = None
_at_once: Callable[[], Graph] | None = None  # gives the graph that runs its ops at once, where that is the default
when_forgotten: list[Callable[[], None]] = []  # called when the global graph is forgotten


def default_graph() -> Graph:
    """The innermost graph made default in this thread, else the global one."""
    items = graphs.items
    return items[-1] if items else the_global_graph()


def the_global_graph() -> Graph:
    """The default graph where no other is."""
    global _global_graph
    if _at_once is not None:
        return _at_once()
    if _global_graph is None:
        _global_graph = _new_graph()
    return _global_graph


def _new_graph() -> Graph:
    from retrograd.graph.graph import Graph

    return Graph()


def run_at_once(graph: Callable[[], Graph] | None) -> None:
    """Let ``graph()`` be the default graph where no other is; None: one that is built for sessions."""
    global _at_once
    _at_once = graph


def is_at_once() -> bool:
    """Whether ops run at once where no other graph is the default."""
    return _at_once is not None


def has_global_graph() -> bool:
    """Whether anything was built where no other graph is the default."""
    return _global_graph is not None


def has_default_graph() -> bool:
    """Whether a block of this thread has made a graph default."""
    return bool(graphs.items)


def reset_default_graph() -> None:
    """Forget the global default graph; the next op starts a new one.

    Raises:
      AssertionError: inside ``with graph.as_default():``.
    """
    global _global_graph
    if not graphs.is_cleared() and not all(graph.is_eager for graph in graphs.items):
        raise AssertionError(
            "Do not use tf.reset_default_graph() to clear nested graphs. "
            "If you need a cleared graph, exit the nesting and create a new graph."
        )
    for forget in when_forgotten:
        forget()
    _global_graph = None


def default_session() -> Any | None:
    """The innermost default session of this thread, or None."""
    return sessions.get_default()
