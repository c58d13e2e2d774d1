"""``tf.contrib.tfprof.ProfileContext``: traces and profiles of some runs of all sessions of a block.

Source: TensorFlow 1.15.5: arguments, messages, names of files, which steps are traced.
"""

from __future__ import annotations

import os
import random
import sys
import threading
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any

from retrograd.files.messages import message
from retrograd.graph import errors, nest
from retrograd.graph.graph import Graph
from retrograd.graph.stack import default_graph
from retrograd.run.session import BaseSession
from retrograd.sessions.op_logs import add_trace_of
from retrograd.sessions.profile_views import TRAINABLE_VARIABLES, Measures
from retrograd.sessions.profiling import Profiler

_WARM_UP, _MOST = 10, 100  # runs before the first that is traced unasked; how many are traced
_VIEWS: dict[str, Callable[[Profiler, Any], Any]] = {
    "graph": Profiler.profile_graph, "scope": Profiler.profile_name_scope, "op": Profiler.profile_operations,
    "code": Profiler.profile_python,
}  # fmt: skip


class ProfileContext:
    """A block in which runs of sessions are traced: those asked for, or else some of the first hundred or so.

    Args:
      profile_dir: the folder of what is written.
      trace_steps: the runs to trace, at most 100; None for those whose fetches are new, and a few others.
      dump_steps: the runs after which ``profile_<step>`` is written for TensorFlow's profiler; None for the 100th.
      enabled: False does nothing at all.
      debug: whether to write each trace as text, and to say what is done.

    Raises:
      ValueError: there is no folder, or there are too many steps.
    """

    def __init__(
        self, profile_dir: str, trace_steps: Any = None, dump_steps: Any = None, enabled: bool = True,
        debug: bool = False,
    ) -> None:  # fmt: skip
        self._enabled = enabled
        if not enabled:
            return
        if not profile_dir:
            raise ValueError("Must have a directory for profile.\n")
        if trace_steps is not None and len(trace_steps) > _MOST:
            raise ValueError("Only support tracing up to 100 steps.\n")
        self._folder, self._debug, self._chooses = profile_dir, debug, trace_steps is None
        self._trace_steps = set(trace_steps or ())
        self._dump_steps = {_MOST} if dump_steps is None else set(dump_steps)
        self._wanted: list[tuple[str, Any, Iterable[int]]] = []
        self._views: dict[str, dict[int, Any]] = {}
        self._random, self._fetched = random.Random(111), set[str]()
        self._trace_next = self._dump_next = False
        self._step = self._traced = 0
        self._profiler: Profiler | None = None
        self._lock = threading.Lock()

    # -- what is asked for ---------------------------------------------------------------------

    def add_auto_profiling(self, cmd: str, options: Any, profile_steps: Any) -> None:
        """Trace and profile at some steps: by ``"scope"``, ``"op"``, ``"graph"`` or ``"code"``."""
        if self._enabled:
            self._wanted.append((cmd, options, list(profile_steps)))
            self._trace_steps |= set(profile_steps)

    def get_profiles(self, cmd: str) -> dict[int, Any]:
        """The profiles that were made by one command, by their steps.

        Raises:
          ValueError: there are none.
        """
        if cmd not in self._views:
            raise ValueError(f"No autoprofiler for command: {cmd}, was run")
        return self._views[cmd]

    @property
    def profiler(self) -> Profiler | None:
        """The profiler that has the traced steps; None where nothing is done."""
        if not self._enabled:
            return None
        if self._profiler is None:
            self._profiler = Profiler(default_graph())
        return self._profiler

    def trace_next_step(self) -> None:
        """Trace the next run."""
        if self._enabled:
            self._trace_next = True

    def dump_next_step(self) -> None:
        """Write the profile after the next run."""
        if self._enabled:
            self._dump_next = True

    # -- runs ----------------------------------------------------------------------------------

    def __enter__(self) -> ProfileContext:
        if not self._enabled:
            return self
        if getattr(BaseSession, "profile_context", None) is not None:
            raise errors.InternalError(None, None, "Already in context or context not cleaned.")
        plain = self._plain_run = BaseSession.run

        def run(
            session: Any, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None
        ) -> Any:
            def once(options: Any, run_metadata: Any) -> Any:
                return plain(session, fetches, feed_dict, options, run_metadata)

            return self._run(session.graph, fetches, once, options, run_metadata)

        BaseSession.run = run  # type: ignore[method-assign, assignment]
        BaseSession.profile_context = self  # type: ignore[attr-defined]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._enabled:
            BaseSession.run = self._plain_run  # type: ignore[method-assign]
            BaseSession.profile_context = None  # type: ignore[attr-defined]

    def _run(self, graph: Graph, fetches: Any, once: Callable[[Any, Any], Any], options: Any, metadata: Any) -> Any:
        if not self._lock.acquire(blocking=False):  # another thread's run is being looked at
            self._step += 1
            return once(options, metadata)
        try:
            step = self._step
            if self._is_traced(step, graph, fetches):
                result = self._traced_run(step, graph, once, options, metadata)
            else:
                result = once(options, metadata)
            if step in self._dump_steps or self._dump_next:
                self._dump(step)
            for cmd, wanted, steps in self._wanted:
                if step in steps:
                    self._say(f"profiling {cmd} step: {step}")
                    if cmd not in _VIEWS:
                        raise ValueError(f"Unknown cmd: {cmd}\n")
                    assert self.profiler is not None
                    self._views.setdefault(cmd, {})[step] = _VIEWS[cmd](self.profiler, wanted)
            return result
        finally:
            self._step += 1
            self._trace_next = self._dump_next = False
            self._lock.release()

    def _is_traced(self, step: int, graph: Graph, fetches: Any) -> bool:
        if self._traced > _MOST:
            return False
        if not (step in self._trace_steps or self._trace_next):
            if not self._chooses or step <= _WARM_UP:
                return False
            flat = [graph.as_graph_element(f, allow_tensor=True, allow_operation=True) for f in nest.flatten(fetches)]
            names = "-".join(sorted({f.name for f in flat}))
            self._say(f"trace fetches: {names}")
            assert self.profiler is not None
            is_rare = names in self._fetched and self.profiler.coverage < 0.5 and step < _MOST
            if names in self._fetched and not (is_rare and self._random.randint(0, 10) < 2):
                return False
            self._fetched.add(names)
        self._traced += 1
        return True

    def _traced_run(self, step: int, graph: Graph, once: Callable[[Any, Any], Any], options: Any, metadata: Any) -> Any:
        from tensorboard.compat.proto.config_pb2 import RunMetadata, RunOptions

        self._say(f"tracing step: {step}")
        metadata = metadata or RunMetadata()
        asked = RunOptions()
        if options is not None:
            asked.CopyFrom(options)
        asked.trace_level = RunOptions.FULL_TRACE
        result = once(asked, metadata)
        if self._debug:
            self._write(f"run_meta_{step}", str(metadata).encode())
        assert self.profiler is not None
        self.profiler._graph = graph
        self.profiler.add_step(step, metadata)
        return result

    # -- files ---------------------------------------------------------------------------------

    def _say(self, text: str) -> None:
        if self._debug:
            sys.stderr.write(f"debug: {text}\n")

    def _write(self, name: str, content: bytes) -> None:
        os.makedirs(self._folder, exist_ok=True)
        with open(os.path.join(self._folder, name), "wb") as file:
            file.write(content)

    def _dump(self, step: int) -> None:
        self._say(f"dumping file at step: {step}")
        assert self.profiler is not None
        self._write(f"profile_{step}", profile_proto(self.profiler).SerializeToString())


def profile_proto(profiler: Profiler) -> Any:
    """The steps of a profiler as the ``ProfileProto`` that TensorFlow's profiler reads."""
    graph = profiler._graph
    measures = Measures(graph, [])
    written = message("ProfileProto")(has_trace=True, steps=sorted(profiler.steps))
    numbers: dict[str, int] = {}
    ids = {op: i for i, op in enumerate(graph.get_operations())}
    nodes = {}
    for op, i in ids.items():
        node = written.nodes.add(key=i).value
        types = [op.type] + ([TRAINABLE_VARIABLES] if op.name in measures.trainable else [])
        node.name, node.op, node.id, node.float_ops = op.name, op.type, i, measures.ops[op].float_ops
        node.op_types.extend(types)
        for k, tensor in enumerate(op.inputs):
            node.inputs.add(key=k, value=ids[tensor.op])
        for k, tensor in enumerate(op.outputs):
            if tensor.shape.is_fully_defined():
                node.output_shapes.add(key=k).value.int64_values.extend(tensor.shape.as_list())
        if measures.ops[op].params:
            node.shape.extend(op.attrs["shape"])
        add_trace_of(node.trace, op, numbers)
        nodes[op.name] = node
    for step, metadata in profiler.steps.items():
        for device in metadata.step_stats.dev_stats:
            for stats in device.node_stats:
                if stats.node_name in nodes:
                    _add_run(nodes[stats.node_name], step, device.device, stats)
    for text, number in numbers.items():
        written.id_to_string[number] = text
    return written


def _add_run(node: Any, step: int, device: str, stats: Any) -> None:
    """Note when an op ran in a step, and what it held."""
    run = next((entry.value for entry in node.execs if entry.key == step), None) or node.execs.add(key=step).value
    node.canonical_device = device
    run.run_count += 1
    start, taken = stats.all_start_micros, max(stats.all_end_rel_micros, 0)
    run.all_start_micros = min(run.all_start_micros or start, start)
    run.latest_end_micros = max(run.latest_end_micros, start + taken)
    if device not in run.devices:
        run.devices.append(device)
    run.cpu_execs[device].times.add(int64_values=[start, taken])
    held = sum(o.tensor_description.allocation_description.requested_bytes for o in stats.output)
    run.memory_execs.add(
        memory_micros=start, requested_bytes=sum(m.total_bytes for m in stats.memory),
        peak_bytes=sum(m.peak_bytes for m in stats.memory), output_bytes=held,
    )  # fmt: skip
