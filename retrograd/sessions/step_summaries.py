"""What the steps of a program cost, node by node and type by type: ``StatSummarizer``."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from math import nan, sqrt
from typing import Any

_ROW = "\t{:>24}\t{:>17}\t{:>9}\t{:>9}\t{:>8}\t{:>8}\t{:>10}\t{:>9}\t{}"
_HEADER = ("[node type]", "[start]", "[first]", "[avg ms]", "[%]", "[cdf%]", "[mem KB]", "[times called]", "[Name]")
_TYPE_ROW = "\t{:>24}\t{:>9}\t{:>10}\t{:>11}\t{:>11}\t{:>10}\t{:>9}"
_TYPE_HEADER = ("[Node type]", "[count]", "[avg ms]", "[avg %]", "[cdf %]", "[mem KB]", "[times called]")
_TOP = 10  # so many nodes are listed by time and by memory


@dataclass
class _Node:
    """All calls of a node: what it is, and when each began and how long it took, in microseconds."""

    type: str
    starts: list[int] = field(default_factory=list)
    times: list[int] = field(default_factory=list)
    memory: int = 0  # bytes, of the newest call

    def row(self, name: str, runs: int, total: int, before: float) -> str:
        mean = sum(self.times) / len(self.times)
        share = _percent(sum(self.times), total)
        times = [sum(self.starts) / len(self.starts), self.times[0], mean]
        return _ROW.format(
            self.type, *[f"{t / 1000:.3f}" for t in times], f"{share:.3f}%", f"{before + share:.3f}%",
            f"{self.memory / 1000:.3f}", len(self.times) // runs, name,
        )  # fmt: skip


class StatSummarizer:
    """Sums up the ``StepStats`` of runs with ``trace_level=FULL_TRACE``: times and memory of each node."""

    def __init__(self) -> None:
        self._nodes: dict[str, _Node] = {}
        self._times: list[int] = []  # of all nodes, for each run
        self._memory: list[int] = []

    def ProcessStepStatsStr(self, step_stats_str: bytes) -> None:
        """Add a run: what it tells as a serialized ``StepStats``.

        Raises:
          TypeError: it is no bytes.
        """
        from tensorboard.compat.proto.step_stats_pb2 import StepStats

        devices = StepStats.FromString(_bytes(step_stats_str)).dev_stats
        if not devices:
            return
        began = devices[0].node_stats[0].all_start_micros if devices[0].node_stats else 0
        time = memory = 0
        for name, kind, stats in _calls(devices):
            node = self._nodes.setdefault(name, _Node(kind))
            node.starts.append(stats.all_start_micros - began)
            node.times.append(stats.all_end_rel_micros)
            node.memory = sum(each.total_bytes for each in stats.memory)
            time += stats.all_end_rel_micros
            memory += node.memory
        self._times.append(time)
        self._memory.append(memory)

    def ProcessStepStats(self, step_stats: Any) -> None:
        """Refused, as in TensorFlow: Python's messages are not those of C++.

        Raises:
          TypeError: always.
        """
        raise TypeError(
            "in method 'StatSummarizer_ProcessStepStats', argument 2 of type 'tensorflow::StepStats const &'\n"
            "  Why:   it takes a message of C++, which no Python program has\n"
            "  Fix:   summarizer.ProcessStepStatsStr(step_stats.SerializeToString())"
        )

    def GetOutputString(self) -> str:
        """Tables of the nodes as they ran, the longest, the largest, and of the types of nodes."""
        nodes = list(self._nodes.items())
        parts = [
            self._table("Run Order", nodes),
            self._table("Top by Computation Time", _top(nodes, lambda node: sum(node.times) / len(node.times))),
            self._table("Top by Memory Use", _top(nodes, lambda node: node.memory)),
            f"Number of nodes executed: {len(nodes)}\n{self._table_of_types()}\n{self._short()}\n",
        ]
        return "\n".join(parts)

    def PrintStepStats(self) -> None:
        """Write the tables on stderr."""
        print(self.GetOutputString(), file=sys.stderr, flush=True)

    def _table(self, title: str, nodes: Iterable[tuple[str, _Node]]) -> str:
        lines, total, before = [_title(title), _ROW.format(*_HEADER)], sum(self._times), 0.0
        for name, node in nodes:
            lines.append(node.row(name, len(self._times), total, before))
            before += _percent(sum(node.times), total)
        return "".join(f"{line}\n" for line in lines)

    def _table_of_types(self) -> str:
        runs = len(self._times)
        types: dict[str, list[_Node]] = defaultdict(list)
        for node in self._nodes.values():
            types[node.type].append(node)
        times = {kind: sum(sum(node.times) // runs for node in nodes) for kind, nodes in types.items()}
        lines, total, before = (
            [_title("Summary by node type"), _TYPE_ROW.format(*_TYPE_HEADER)],
            sum(times.values()),
            0.0,
        )
        for kind in sorted(types, key=times.__getitem__, reverse=True):
            nodes, share = types[kind], _percent(times[kind], total)
            before += share
            lines.append(
                _TYPE_ROW.format(
                    kind, len(nodes), f"{times[kind] / 1000:.3f}", f"{share:.3f}%", f"{before:.3f}%",
                    f"{sum(node.memory for node in nodes) / 1000:.3f}", sum(len(n.times) // runs for n in nodes),
                )
            )  # fmt: skip
        return "".join(f"{line}\n" for line in lines)

    def _short(self) -> str:
        return (
            f"Timings (microseconds): {_spread(self._times)}\nMemory (bytes): {_spread(self._memory)}\n"
            f"{len(self._nodes)} nodes observed\n"
        )


def NewStatSummarizer(graph_def_str: bytes) -> StatSummarizer:
    """A ``StatSummarizer``; of the graph, which may be any bytes, nothing is needed.

    Raises:
      TypeError: it is no bytes.
    """
    _bytes(graph_def_str)
    return StatSummarizer()


def DeleteStatSummarizer(ss: StatSummarizer) -> None:
    """Nothing: Python frees what nobody holds."""


def _calls(devices: Any) -> Iterator[tuple[str, str, Any]]:
    """The name and the type of each node that ran, with its ``NodeExecStats``; of streams, their sum alone counts."""
    for device in devices:
        on = device.device
        if "/host:CPU" in on or ("/stream" in on and "/stream:all" not in on):
            continue
        copied = "/memcpy" in on
        for stats in device.node_stats:
            name, parts = stats.node_name, stats.node_name.split(":")
            if not copied and "/stream" not in on:
                yield name, _op_type(stats.timeline_label), stats
            elif len(parts) == 2:
                yield f"{parts[0]} [{'MemCpy' if copied else 'Kernel'}]", f"gpu:{parts[1]}", stats
            else:
                yield name, "<>", stats


def _op_type(label: str) -> str:
    """What stands between `` = `` and a parenthesis: ``y = MatMul(a, b)``."""
    _, equals, rest = label.partition(" = ")
    found, opened, _ = rest.partition("(")
    return found if equals and opened else "<>"


def _top(nodes: list[tuple[str, _Node]], key: Callable[[_Node], float]) -> list[tuple[str, _Node]]:
    return sorted(nodes, key=lambda item: key(item[1]), reverse=True)[:_TOP]


def _percent(part: float, total: float) -> float:
    return 100 * part / total if total else nan


def _title(text: str) -> str:
    return f"{'=' * 30} {text} {'=' * 30}"


def _spread(values: list[int]) -> str:
    """How values are spread; the deviation without its fraction."""
    text = f"count={len(values)}"
    if len(set(values)) > 1:
        mean = sum(values) / len(values)
        deviation = int(sqrt(sum(v * v for v in values) / len(values) - mean * mean))
        ends = f"first={values[0]} curr={values[-1]} min={min(values)} max={max(values)}"
        return f"{text} {ends} avg={mean:g} std={deviation}"
    if not values:
        return text
    return f"{text} curr={values[-1]}" + ("(all same)" if len(values) > 1 else "")


def _bytes(value: Any) -> bytes:
    if not isinstance(value, bytes):
        raise TypeError(f"expected bytes, {type(value).__name__} found")
    return value
