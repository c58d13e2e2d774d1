"""``Session``: runs pieces of a graph and keeps its variables."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from retrograd.graph import stack
from retrograd.graph.graph import Graph
from retrograd.graph.tensor import Tensor
from retrograd.run.feeds import feed_array, flat_feeds
from retrograd.run.fetches import Fetches, structure_key
from retrograd.run.plan import Plan
from retrograd.run.program import Program
from retrograd.run.store import Store


class BaseSession:
    """What every session can do: run, keep variables, be closed."""

    def __init__(self, target: str = "", graph: Graph | None = None, config: Any = None) -> None:
        if graph is not None and not isinstance(graph, Graph):
            raise TypeError(f"graph must be a tf.Graph, but got {type(graph)}")
        if target is not None and not isinstance(target, str | bytes):
            raise TypeError(f"target must be a string, but got {type(target)}")
        if config is not None and not hasattr(config, "gpu_options"):
            raise TypeError(f"config must be a tf.ConfigProto, but got {type(config)}")
        self._graph = stack.default_graph() if graph is None else graph
        self._target = target or ""
        self._config = config
        self._closed = False
        self._store = Store()
        self._prepared: dict[Any, tuple[Fetches, Program, list[Tensor]]] = {}

    @property
    def graph(self) -> Graph:
        """The graph that this session runs."""
        return self._graph

    @property
    def graph_def(self) -> Any:
        """The graph as a ``GraphDef`` proto."""
        return self._graph.as_graph_def()

    @property
    def sess_str(self) -> str:
        return self._target

    def as_default(self) -> AbstractContextManager[Any]:
        """Let ``tensor.eval()`` and ``op.run()`` in the block use this session."""
        return stack.sessions.pushed(self)

    def close(self) -> None:
        """Free the variables; the session can run no more."""
        self._closed = True
        self._prepared.clear()
        self._store.clear()

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """The values of ``fetches``, in the same structure; ops give None.

        Args:
          fetches: a tensor, op, variable or name, or any nesting of lists, tuples and dicts of them.
          feed_dict: tensors with the values that they take in this run.

        Raises:
          RuntimeError: the session is closed.
          OpError: an op fails; every variable is then as it was before.
        """
        if self._closed:
            raise _closed()
        feeds = feed_dict or {}
        key: Any = (structure_key(fetches), tuple(feeds), self._graph.version_of_edges)
        try:
            prepared = self._prepared.get(key)
        except TypeError:  # something in it cannot be hashed, and so is nothing that can be fetched twice
            key = prepared = None
        if prepared is None:
            prepared = self._prepare(fetches, feeds, key)
        wanted, program, tensors = prepared
        if len(tensors) == len(feeds) and all(type(t) is Tensor for t in feeds):
            values = feeds.values()
        else:
            values = flat_feeds(self._graph, feeds).values()
        arrays = [feed_array(t, v) for t, v in zip(tensors, values, strict=True)]
        results = program.run(arrays)
        return wanted.rebuild(dict(zip(program.plan.fetches, map(_fetched, results), strict=True)))

    def _prepare(self, fetches: Any, feeds: Any, key: Any) -> tuple[Fetches, Program, list[Tensor]]:
        if not self._graph.version:
            raise RuntimeError("The Session graph is empty.  Add operations to the graph before calling run().")
        wanted = Fetches(self._graph, fetches)
        tensors = list(flat_feeds(self._graph, feeds))
        plan = Plan(wanted.tensors, wanted.targets, tensors)
        prepared = (wanted, Program(plan, self._store), tensors)
        if key is not None:
            self._prepared[key] = prepared
        return prepared

    def make_callable(self, fetches: Any, feed_list: Any = None, accept_options: bool = False) -> Callable[..., Any]:
        """A function that runs ``fetches`` with the tensors of ``feed_list`` as its arguments."""
        if feed_list is not None and not isinstance(feed_list, list | tuple):
            raise TypeError("`feed_list` must be a list or tuple.")
        tensors = [self._graph.as_graph_element(t, True, False) for t in feed_list or ()]

        def call(*args: Any, **options: Any) -> Any:
            if len(args) != len(tensors):
                raise TypeError(f"expected {len(tensors)} values to feed, got {len(args)}")
            return self.run(fetches, dict(zip(tensors, args, strict=True)))

        return call

    def list_devices(self) -> list[Any]:
        """The devices that this session can use."""
        from retrograd.run.devices import local_devices

        return local_devices()


def _closed() -> RuntimeError:
    error = RuntimeError("Attempted to use a closed Session.")
    error.add_note("  Fix:   run before sess.close(), or inside the block  with tf.Session() as sess:")
    return error


def _fetched(value: Any) -> Any:
    """A value as the user gets it: a NumPy scalar, or an array of the user's own."""
    if type(value) is np.ndarray:
        if not value.ndim:
            return value[()]
        if not value.flags.writeable:
            return value.copy()
    return value


class Session(BaseSession):
    """Runs operations of a graph and evaluates its tensors.

    >>> with Session() as sess:
    ...     pass
    """

    def __init__(self, target: str = "", graph: Graph | None = None, config: Any = None) -> None:
        super().__init__(target, graph, config)
        self._entered: list[AbstractContextManager[Any]] = []

    def __enter__(self) -> Session:
        for block in (self._graph.as_default(), self.as_default()):
            block.__enter__()
            self._entered.append(block)
        return self

    def __exit__(self, *error: Any) -> None:
        for _ in range(2):
            self._entered.pop().__exit__(None, None, None)
        self.close()

    @staticmethod
    def reset(target: str, containers: Any = None, config: Any = None) -> None:
        """Clear the resource containers of a server; a local session has its own and needs none of it."""


class InteractiveSession(BaseSession):
    """A session that makes itself the default one: for shells and notebooks."""

    def __init__(self, target: str = "", graph: Graph | None = None, config: Any = None) -> None:
        super().__init__(target, graph, config)
        self._entered = [self._graph.as_default()] if graph is not None else []
        self._entered.append(self.as_default())
        for block in self._entered:
            block.__enter__()
        stack.sessions.enforce_nesting = False
        stack.graphs.enforce_nesting = False

    def close(self) -> None:
        """Free the variables and stop being the default session."""
        super().close()
        while self._entered:
            self._entered.pop().__exit__(None, None, None)
