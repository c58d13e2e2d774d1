"""``timeline``: the trace of a run in the format of a browser's tracing page (``chrome://tracing``, Perfetto)."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from typing import Any, NamedTuple


class AllocationMaximum(NamedTuple):
    """When the tensors of an allocator took most memory: the microsecond, the bytes, and the names of the tensors."""

    timestamp: int
    num_bytes: int
    tensors: set[str]


class ChromeTrace:
    """A list of events."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []

    def format_to_string(self, pretty: bool = False) -> str:
        """The events as JSON, a line for each value where it is to be read by people."""
        layout: dict[str, Any] = {"indent": 4, "separators": (",", ": ")} if pretty else {"separators": (",", ":")}
        return json.dumps({"traceEvents": self.events}, **layout)


class StepStatsAnalysis(NamedTuple):
    """The trace of a run, and for each allocator when it held most."""

    chrome_trace: ChromeTrace
    allocator_maximums: dict[str, AllocationMaximum]


@dataclass
class _Bar:
    """An op that ran: where it stands in the trace, when, and from which ops its inputs come."""

    name: str
    pid: int
    tid: int
    start: int
    length: int
    inputs: list[str]

    @property
    def end(self) -> int:
        return self.start + self.length - 1


@dataclass
class _Held:
    """A tensor from the beginning of the op that made it to the end of the last one that read it."""

    name: str
    pid: int
    allocator: str
    bytes: int
    first: int
    last: int
    made: int
    description: str


class Timeline:
    """The trace in ``step_stats``, which a run with ``trace_level=FULL_TRACE`` writes."""

    def __init__(self, step_stats: Any, graph: Any = None) -> None:
        self._step_stats = step_stats

    def generate_chrome_trace_format(
        self, show_dataflow: bool = True, show_memory: bool = False, op_time: str = "schedule"
    ) -> str:
        """The trace as JSON: a process for each device, an event for each op, with arrows along the data."""
        return self.analyze_step_stats(show_dataflow, show_memory, op_time).chrome_trace.format_to_string(pretty=True)

    def analyze_step_stats(
        self, show_dataflow: bool = True, show_memory: bool = True, op_time: str = "schedule"
    ) -> StepStatsAnalysis:
        """The trace, and where memory is shown also how much there was and when."""
        trace, bars, held = ChromeTrace(), [], []
        events = trace.events
        events.append(_meta("process_name", 0, "Allocators"))
        for number, device in enumerate(self._step_stats.dev_stats):
            pid = 2 * number + 1
            events.append(_meta("process_name", pid, f"{device.device} Compute"))
            events.append(_meta("process_name", pid + 1, f"{device.device} Tensors"))
            lanes: list[int] = []  # when each is free again
            for stats in sorted(device.node_stats, key=lambda s: s.all_start_micros):
                start, length = stats.all_start_micros, max(stats.all_end_rel_micros, 1)
                tid = next((i for i, free in enumerate(lanes) if free <= start), len(lanes))
                lanes[tid:tid + 1] = [start + length]  # fmt: skip
                name, op, inputs = _parsed(stats.timeline_label, stats.node_name)
                args: dict[str, Any] = {"name": name, "op": op, **{f"input{i}": x for i, x in enumerate(inputs)}}
                if show_memory:
                    args["output bytes"] = sum(_bytes(output) for output in stats.output)
                events.append(
                    {"ph": "X", "cat": "Op", "name": op, "pid": pid, "tid": tid, "ts": start, "dur": length,
                     "args": args}
                )  # fmt: skip
                bars.append(_Bar(name, pid, tid, start, length, inputs))
                held += _outputs(stats, bars[-1])
        if show_dataflow:
            events += _arrows(bars)
        if not show_memory:
            return StepStatsAnalysis(trace, {})
        _let_live(held, bars)
        events += _lives(held)
        maximums: dict[str, AllocationMaximum] = {}
        events += _totals(held, maximums)
        return StepStatsAnalysis(trace, maximums)


def _meta(name: str, pid: int, value: str) -> dict[str, Any]:
    return {"name": name, "ph": "M", "pid": pid, "tid": 0, "args": {"name": value}}


def _parsed(label: str, node: str) -> tuple[str, str, list[str]]:
    """Name, type and inputs of an op, from ``name = Type(input, ...)``."""
    name, _, rest = label.partition(" = ")
    op, _, inputs = rest.partition("(")
    if not rest:
        return node, label or node, []
    return name, op, [x for x in inputs.rstrip(")").split(", ") if x]


def _bytes(output: Any) -> int:
    return int(output.tensor_description.allocation_description.requested_bytes)


def _outputs(stats: Any, bar: _Bar) -> list[_Held]:
    found = []
    for output in stats.output:
        description = output.tensor_description
        if _bytes(output):
            name = f"{bar.name}:{output.slot}" if output.slot else bar.name
            allocator = description.allocation_description.allocator_name
            found.append(
                _Held(name, bar.pid + 1, allocator, _bytes(output), bar.start, bar.end, bar.end, str(description))
            )
    return found


def _let_live(held: list[_Held], bars: list[_Bar]) -> None:
    """Each tensor lives until the last op that reads it has ended; what no op reads was fetched, until the end."""
    read: dict[str, int] = {}
    for bar in bars:
        for name in bar.inputs:
            read[name] = max(read.get(name, 0), bar.end)
    end = max((bar.end for bar in bars), default=0)
    for tensor in held:
        tensor.last = max(tensor.last, read.get(tensor.name.partition(":")[0], end))


def _lives(held: list[_Held]) -> list[dict[str, Any]]:
    events = []
    for number, tensor in enumerate(held):
        shown = {"args": {"snapshot": {"tensor_description": tensor.description}}}
        for phase, at, rest in (("N", tensor.first, {}), ("O", tensor.made, shown), ("D", tensor.last, {})):
            events.append(
                {"ph": phase, "cat": "Tensor", "name": tensor.name, "pid": tensor.pid, "tid": 0, "id": number,
                 "ts": at, **rest}
            )  # fmt: skip
    return events


def _totals(held: list[_Held], maximums: dict[str, AllocationMaximum]) -> list[dict[str, Any]]:
    """How much each allocator held whenever that changed; the largest of it goes to ``maximums``."""
    changes: dict[str, list[tuple[int, int, _Held]]] = defaultdict(list)
    for tensor in held:
        changes[tensor.allocator] += [(tensor.first, tensor.bytes, tensor), (tensor.last, -tensor.bytes, tensor)]
    events = []
    for allocator, moments in changes.items():
        total, names = 0, set[str]()
        for at, change, tensor in sorted(moments, key=lambda moment: (moment[0], moment[1] < 0)):
            total += change
            names ^= {tensor.name}
            if allocator not in maximums or total > maximums[allocator].num_bytes:
                maximums[allocator] = AllocationMaximum(at, total, set(names))
            events.append(
                {"ph": "C", "cat": "Memory", "name": allocator, "pid": 0, "tid": 0, "ts": at,
                 "args": {allocator: total}}
            )  # fmt: skip
    return events


def _arrows(bars: list[_Bar]) -> list[dict[str, Any]]:
    """From what an op gave to what read it: an arrow has to begin and to end within events."""
    events: list[dict[str, Any]] = []
    made = {bar.name: bar for bar in bars}
    arrows = [(made.get(name), bar) for bar in bars for name in bar.inputs]
    for number, (source, bar) in enumerate(arrows):
        if source is not None:
            common = {"name": source.name, "cat": "DataFlow", "id": number}
            events.append({**common, "ph": "s", "pid": source.pid, "tid": source.tid, "ts": source.end})
            events.append({**common, "ph": "t", "pid": bar.pid, "tid": bar.tid, "ts": bar.start})
    return events
