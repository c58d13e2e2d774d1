"""``Session``: runs pieces of a graph and keeps its variables."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from retrograd.graph import errors, stack
from retrograd.graph.graph import Graph
from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor
from retrograd.graph.text import as_text
from retrograd.ops.elements import Elements
from retrograd.run import profile
from retrograd.run.clusters import default_config, devices_of, reset, store_of
from retrograd.run.connected import Connected
from retrograd.run.devices import DeviceAttributes, placement
from retrograd.run.feeds import feed_array, flat_feeds, listed_feeds
from retrograd.run.fetches import Fetches, structure_key
from retrograd.run.many_runs import ManyRuns, many_runs_of
from retrograd.run.partial import PartialRun
from retrograd.run.plan import Plan
from retrograd.run.program import Program, chosen_mode
from retrograd.run.recorded import choosers, recorder_of
from retrograd.run.store import Store, of_session
from retrograd.run.trace import observed_run

_PREPARED = 1024  # plans that a session keeps


class BaseSession:
    """What every session can do: run, keep variables, be closed."""

    def __init__(self, target: str = "", graph: Graph | None = None, config: Any = None) -> None:
        if graph is not None and not isinstance(graph, Graph):
            raise TypeError(f"graph must be a tf.Graph, but got {type(graph)}")
        if target is not None and not isinstance(target, str | bytes):
            words = f"target must be a string, but got {type(target)}"
            if hasattr(target, "gpu_options"):
                words += '. Did you do "Session(config)" instead of "Session(config=config)"?'
            raise TypeError(words)
        if config is not None and not hasattr(config, "gpu_options"):
            raise TypeError(f"config must be a tf.ConfigProto, but got {type(config)}")
        shared = store_of(target) if target else None
        if target and shared is None:
            raise _no_server(target)
        if config is not None and config.isolate_session_state:
            shared = None
        self._graph = stack.default_graph().symbolic if graph is None else graph
        self._target = target or ""
        self._config = config = default_config(target) if target and config is None else config
        self._mode = chosen_mode(config)
        self._is_limited = config is not None and bool(config.operation_timeout_in_ms)
        self._logged = None if config is not None and config.log_device_placement else -1  # a version of the graph
        self._closed = False
        self._is_alone = shared is None
        self._shared = shared  # variables that are a server's and outlive the session
        self._is_plain = shared is None and not self._is_limited
        self._resets = 0 if shared is None else shared.resets  # of the server, before this session
        self._store: Store = Store() if shared is None else shared
        self._prepared: dict[Any, tuple[Fetches, Program]] = {}
        self._most_prepared = _PREPARED  # of which those go that ran once
        self._edges_of_plans = 0  # the graph's version_of_edges when they were made
        self._partial_runs: dict[str, PartialRun] = {}
        self._partial_runs_begun = 0

    @property
    def graph(self) -> Graph:
        """The graph that this session runs."""
        return self._graph

    @property
    def graph_def(self) -> Any:
        """The graph as a ``GraphDef`` proto, with the static shapes if the session's config says ``infer_shapes``."""
        with_shapes = self._config is not None and self._config.graph_options.infer_shapes
        return self._graph.as_graph_def(add_shapes=with_shapes)

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
        self._partial_runs.clear()
        if self._is_alone:
            self._store.clear()
        elif self._shared is not None:
            self._shared.shared.wake()

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """The values of ``fetches``, in the same structure; ops give None.

        Args:
          fetches: a tensor, op, variable or name, or any nesting of lists, tuples and dicts of them.
          feed_dict: tensors, or tuples of tensors, with the values that they take in this run.
          options: a ``tf.RunOptions``: what to write to ``run_metadata``.
          run_metadata: a ``tf.RunMetadata`` to be filled.

        Raises:
          RuntimeError: the session is closed.
          CancelledError: another thread has closed it meanwhile.
          AbortedError: the server that it runs on was reset.
          OpError: an op fails; every variable is then as it was before.
        """
        if profile.current is not None:
            return self._profiled_run(profile.current, fetches, feed_dict, options, run_metadata)
        wanted, program, feeds = self._found(fetches, feed_dict)
        results = None
        if self._is_plain and options is None and run_metadata is None:
            results = program.run_again([*feeds.values()])
        if results is None:
            arrays = [feed_array(t, v) for t, v in feeds.items()]
            results = self._executed(program, arrays, options, run_metadata)
        elif self._closed:
            raise _cancelled()
        return wanted.rebuild([*map(_fetched, results)])

    def _profiled_run(
        self, told: profile.Profile, fetches: Any, feed_dict: Any, options: Any, run_metadata: Any
    ) -> Any:
        lap = profile.stopwatch()
        wanted, program, feeds = self._found(fetches, feed_dict)
        laps = [lap()]
        arrays = [feed_array(t, v) for t, v in feeds.items()]
        laps.append(lap())
        results = self._executed(program, arrays, options, run_metadata)
        laps.append(lap())
        values = wanted.rebuild([*map(_fetched, results)])
        told.add(program, [*laps, lap()])
        return values

    def _found(self, fetches: Any, feed_dict: Any) -> tuple[Fetches, Program, dict[Tensor, Any]]:
        """What is wanted, the program that computes it, and the flat feeds."""
        if self._closed:
            raise _closed()
        feeds = feed_dict or {}
        for tensor in feeds:
            if type(tensor) is not Tensor:
                feeds = self._flat(feeds)
                break
        key: Any = (structure_key(fetches), tuple(feeds), self._graph.version_of_edges)
        try:
            prepared = self._prepared.get(key)
        except TypeError:  # something in it cannot be hashed, and so is nothing that can be fetched twice
            key = prepared = None
        if prepared is None:
            prepared = self._prepare(fetches, feeds, key)
        else:
            prepared[1].is_asked_again = True
        return (*prepared, feeds)

    def _executed(
        self, program: Program | ManyRuns | Connected, arrays: list[Any], options: Any, run_metadata: Any
    ) -> list[Any]:
        if self._shared is None:
            results = self._results(program, arrays, options, run_metadata)
            if self._closed:
                raise _cancelled()
            return results
        if self._was_reset():
            raise errors.AbortedError(None, None, f"Session {id(self):x} is not found.")
        with of_session(lambda: self._closed or self._was_reset()):
            return self._results(program, arrays, options, run_metadata)

    def _results(
        self, program: Program | ManyRuns | Connected, arrays: list[Any], options: Any, run_metadata: Any
    ) -> list[Any]:
        if isinstance(program, ManyRuns) or (options is None and run_metadata is None):
            deadline = self._deadline() if self._is_limited else None
            if choosers and isinstance(program, Program) and (recorder := recorder_of(program)) is not None:
                return program.run(arrays, lambda _: recorder, deadline)
            return program.run(arrays, deadline=deadline)
        return observed_run(program, arrays, options, run_metadata)

    def _was_reset(self) -> bool:
        """Whether the server's variables are no longer those of this session."""
        return self._shared is not None and self._shared.resets != self._resets

    def _deadline(self) -> float:
        """When a run that begins now is given up, as the session's config limits runs."""
        limit: int = self._config.operation_timeout_in_ms
        return time.monotonic() + limit / 1000

    def _check_graph(self) -> None:
        if not self._graph.version:
            raise errors.taught(
                RuntimeError("The Session graph is empty.  Add operations to the graph before calling run()."),
                why="the session has the graph that was the default one when it was made",
                fix="with tf.Session(graph=graph) as sess:  # graph being that of the ops: x.graph",
            )

    def _flat(self, feeds: Any) -> dict[Tensor, Any]:
        self._check_graph()
        return flat_feeds(self._graph, feeds)

    def _prepare(self, fetches: Any, feeds: Any, key: Any) -> tuple[Fetches, Program]:
        with self._graph._lock:  # another thread may be building: no op is to be read while it is wired
            tensors = self._flat(feeds)
            wanted = Fetches(self._graph, fetches)
            plan = Plan(wanted.tensors, wanted.targets, tensors)
        if self._logged != -1 and self._logged != self._graph.version:
            if self._logged is None:
                print("Device mapping: no known devices.")
            print(placement(self._graph.get_operations()), flush=True)
            self._logged = self._graph.version
        prepared = (wanted, Program(plan, self._store, self._mode))
        if key is not None and wanted.is_fixed:
            if key[-1] != self._edges_of_plans:  # plans of edges that are no more are found no more
                self._prepared.clear()
                self._edges_of_plans = key[-1]
            if len(self._prepared) >= self._most_prepared:
                self._drop_prepared()
            self._prepared[key] = prepared
        return prepared

    def _drop_prepared(self) -> None:
        """Forget what ran once, of a program that asks for something else in every run."""
        for key, (_, program) in [*self._prepared.items()]:
            if not program.is_asked_again:
                self._prepared.pop(key, None)
        self._most_prepared = 2 * len(self._prepared) + _PREPARED

    def partial_run_setup(self, fetches: Any, feeds: Any = None) -> str:
        """Begin a run in parts, of which ``partial_run`` runs one after the other; gives its handle.

        Args:
          fetches: all that any part will fetch, and the ops to be run.
          feeds: a list of all the tensors that any part will feed.
        """
        if self._closed:
            raise _closed()
        self._check_graph()
        wanted = Fetches(self._graph, fetches)
        if not wanted.places and not wanted.targets:
            raise errors.InvalidArgumentError(None, None, "Must specify at least one target to fetch or execute.")
        plan = Plan(wanted.tensors, wanted.targets, listed_feeds(self._graph, feeds or []))
        names = [",".join(x.name for x in xs) for xs in (plan.feeds, plan.fetches, plan.targets)]
        self._partial_runs_begun += 1
        handle = "{}->{}/{}/1/;{}".format(*names, self._partial_runs_begun)
        self._partial_runs[handle] = PartialRun(plan, self._store)
        return handle

    def partial_run(self, handle: str, fetches: Any, feed_dict: Any = None) -> Any:
        """The values of ``fetches``, from what this part and those before it feed.

        Every op runs once, in the first part that has fed all it needs.

        Raises:
          InvalidArgumentError: the handle is unknown or its run is over; a tensor was not named at setup,
            was fed or fetched before, or cannot be computed yet.
        """
        if self._closed:
            raise _closed()
        feeds = self._flat(feed_dict or {})
        wanted = Fetches(self._graph, fetches)
        if wanted.targets:
            raise RuntimeError("partial_run() requires empty target_list.")
        if not feeds and not wanted.tensors:
            return wanted.rebuild(())
        if handle not in self._partial_runs:
            raise errors.InvalidArgumentError(None, None, "Must run 'setup' before performing partial runs!")
        run = self._partial_runs[handle]
        results = run.advance({t: feed_array(t, v) for t, v in feeds.items()}, wanted.tensors)
        if run.is_done:
            del self._partial_runs[handle]
        return wanted.rebuild([*map(_fetched, results)])

    def make_callable(self, fetches: Any, feed_list: Any = None, accept_options: bool = False) -> Callable[..., Any]:
        """A function that runs ``fetches`` with the tensors of ``feed_list`` as its arguments.

        It also takes the keywords ``options`` and ``run_metadata`` of ``run`` if ``accept_options``.
        """
        if feed_list is not None and not isinstance(feed_list, list | tuple):
            raise TypeError("`feed_list` must be a list or tuple.")
        tensors = [self._graph.as_graph_element(t, True, False) for t in feed_list or ()]

        def call(*args: Any, **options: Any) -> Any:
            if len(args) != len(tensors):
                raise TypeError(f"expected {len(tensors)} values to feed, got {len(args)}")
            if options and not accept_options:
                raise TypeError(f"{next(iter(options))!r} is for functions that make_callable made with accept_options")
            return self.run(fetches, dict(zip(tensors, args, strict=True)), **options)

        return call

    def _make_repeated(self, op: Operation) -> Callable[[], None]:
        """A function that runs ``op`` once, or as often as nobody sees, one run after the other."""
        many = many_runs_of(self._found(op, None)[1], self._mode) if self._is_plain else None
        if many is None or profile.current is not None:
            return self.make_callable(op)

        def run() -> None:
            if self._closed:
                raise _closed()
            self._executed(many, [], None, None)

        return run

    def _make_callable_from_options(self, callable_options: Any) -> Callable[..., list[Any]]:
        wanted = [list(callable_options.fetch), list(callable_options.target)]
        tensors = [self._graph.as_graph_element(t, True, False) for t in callable_options.feed]

        options, connections = callable_options.run_options, callable_options.tensor_connection
        connected = self._connected(wanted, tensors, connections) if connections else None

        def call(*args: Any, run_metadata: Any = None) -> list[Any]:
            if len(args) != len(tensors):
                words = f"Expected {len(tensors)} feed tensors, but got {len(args)}"
                raise errors.InvalidArgumentError(None, None, words)
            if connected is not None:
                if self._closed:
                    raise _closed()
                arrays = [*map(feed_array, tensors, args)]
                return [*map(_fetched, self._executed(connected, arrays, options, run_metadata))]
            values: list[Any] = self.run(wanted, dict(zip(tensors, args, strict=True)), options, run_metadata)[0]
            return values

        return call

    def _connected(self, wanted: Any, feeds: list[Tensor], connections: Any) -> Connected:
        with self._graph._lock:
            return Connected(self._graph, Fetches(self._graph, wanted), feeds, connections, self._store)

    def list_devices(self) -> list[DeviceAttributes]:
        """The devices that this session can use."""
        return devices_of(self._target, self._config)


def _no_server(target: str | bytes) -> errors.OpError:
    text = f'No session factory registered for the given session options: {{target: "{as_text(target)}"}}'
    error = errors.NotFoundError(None, None, f"{text} Registered factories are {{DIRECT_SESSION}}.")
    error.add_note("  Why:   a target names a server of a cluster, and no tf.train.Server of this process has it")
    error.add_note("  Fix:   tf.Session()")
    return error


def _closed() -> RuntimeError:
    error = RuntimeError("Attempted to use a closed Session.")
    error.add_note("  Fix:   run before sess.close(), or inside the block  with tf.Session() as sess:")
    return error


def _cancelled() -> errors.CancelledError:
    """Another thread has closed the session meanwhile."""
    return errors.CancelledError(None, None, "Run call was cancelled")


def _fetched(value: Any) -> Any:
    """A value as the user gets it: a NumPy scalar, or an array of the user's own."""
    if type(value) is np.ndarray:
        if not value.ndim:
            return value[()]
        if not value.flags.writeable:
            return value.copy()
    elif type(value) is Elements:
        return np.float32(0)
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
        if self._entered:
            raise RuntimeError(
                "Session context managers are not re-entrant. "
                "Use `Session.as_default()` if you want to enter a session multiple times."
            )
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
        """Forget what a server keeps in some containers, by default in all, and end the sessions on it.

        A local session has its own variables, and nothing happens.

        Raises:
          NotFoundError: there is no such server.
          DeadlineExceededError: nor does one come in the time that the config gives.
        """
        if target and not reset(target, containers or ()):
            if config is not None and config.operation_timeout_in_ms:
                raise errors.DeadlineExceededError(None, None, "Deadline Exceeded")
            raise _no_server(target)


class InteractiveSession(BaseSession):
    """A session that makes itself the default one: for shells and notebooks."""

    _active_session_count = 0  # those that were not closed

    def __init__(self, target: str = "", graph: Graph | None = None, config: Any = None) -> None:
        super().__init__(target, graph, config)
        if InteractiveSession._active_session_count > 0:
            warnings.warn(
                "An interactive session is already active. This can cause out-of-memory errors in some cases. "
                "You must explicitly call `InteractiveSession.close()` to release resources "
                "held by the other session(s).",
                stacklevel=2,
            )
        InteractiveSession._active_session_count += 1
        self._entered = [stack.graphs.pushed(graph, enforce_nesting=False)] if graph is not None else []
        self._entered.append(stack.sessions.pushed(self, enforce_nesting=False))
        for block in self._entered:
            block.__enter__()

    def close(self) -> None:
        """Free the variables and stop being the default session."""
        was_closed = self._closed
        super().close()
        InteractiveSession._active_session_count -= not was_closed
        while self._entered:
            self._entered.pop().__exit__(None, None, None)
