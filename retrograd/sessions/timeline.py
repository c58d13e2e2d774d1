"""``timeline``: the trace of a run in the format of a browser's tracing page (``chrome://tracing``, Perfetto)."""

from __future__ import annotations

import json
from typing import Any


class Timeline:
    """The trace in ``step_stats``, which a run with ``trace_level=FULL_TRACE`` writes."""

    def __init__(self, step_stats: Any, graph: Any = None) -> None:
        self._step_stats = step_stats

    def generate_chrome_trace_format(
        self, show_dataflow: bool = True, show_memory: bool = False, op_time: str = "schedule"
    ) -> str:
        """The trace as JSON: a process for each device, an event for each op, with arrows along the data."""
        events: list[dict[str, Any]] = []
        made: dict[str, tuple[int, int, int]] = {}  # by op: process, lane, its last microsecond
        arrows: list[tuple[str, str, int, int, int]] = []
        for pid, device in enumerate(self._step_stats.dev_stats):
            events.append(_meta("process_name", pid, 0, f"{device.device} Compute"))
            lanes: list[int] = []  # when each is free again
            for stats in sorted(device.node_stats, key=lambda s: s.all_start_micros):
                start, length = stats.all_start_micros, max(stats.all_end_rel_micros, 1)
                tid = next((i for i, free in enumerate(lanes) if free <= start), len(lanes))
                lanes[tid:tid + 1] = [start + length]  # fmt: skip
                name, op, inputs = _parsed(stats.timeline_label, stats.node_name)
                args = {"name": name, "op": op, **{f"input{i}": x for i, x in enumerate(inputs)}}
                if show_memory:
                    args["output bytes"] = sum(
                        o.tensor_description.allocation_description.requested_bytes for o in stats.output
                    )
                events.append(
                    {"ph": "X", "cat": "Op", "name": op, "pid": pid, "tid": tid, "ts": start, "dur": length,
                     "args": args}
                )  # fmt: skip
                made[name] = (pid, tid, start + length - 1)
                arrows += [(x, name, pid, tid, start) for x in inputs]
        if show_dataflow:
            events += _arrows(arrows, made)
        return json.dumps({"traceEvents": events}, indent=4, separators=(",", ": "))


def _meta(name: str, pid: int, tid: int, value: str) -> dict[str, Any]:
    return {"name": name, "ph": "M", "pid": pid, "tid": tid, "args": {"name": value}}


def _parsed(label: str, node: str) -> tuple[str, str, list[str]]:
    """Name, type and inputs of an op, from ``name = Type(input, ...)``."""
    name, _, rest = label.partition(" = ")
    op, _, inputs = rest.partition("(")
    if not rest:
        return node, label or node, []
    return name, op, [x for x in inputs.rstrip(")").split(", ") if x]


def _arrows(
    arrows: list[tuple[str, str, int, int, int]], made: dict[str, tuple[int, int, int]]
) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = []
    for number, (source, _, pid, tid, start) in enumerate(arrows):
        if source in made:  # an arrow has to begin and to end within events
            from_pid, from_tid, end = made[source]
            common = {"name": source, "cat": "DataFlow", "id": number}
            events.append({**common, "ph": "s", "pid": from_pid, "tid": from_tid, "ts": end})
            events.append({**common, "ph": "t", "pid": pid, "tid": tid, "ts": start})
    return events
