"""Results as files: what was measured as JSON and CSV, the goals and times as Markdown."""

from __future__ import annotations

import csv
import io
import json
import os
import platform
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path

from bench.catalogue import WORKLOADS, Workload
from bench.judging import Record, Verdict, agree, best_peer, disagreement, judged, median, quartiles, ratio
from bench.peers import PEERS

LABELS = {name: peer.label for name, peer in PEERS.items()}
BUSY = 0.5  # load for each core from which on a measurement is marked


def duration(seconds: float) -> str:
    """Seconds with three digits and a unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if abs(seconds) >= size or unit == "µs":
            value = seconds / size
            return f"{value:.{max(0, 2 - len(str(int(abs(value)))) + 1)}f} {unit}"
    raise AssertionError


def machine() -> str:
    """What it was measured on."""
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo") as file:
            model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), model)
    except OSError:
        pass
    kernels = os.environ.get("OPENBLAS_CORETYPE")  # NumPy's, whatever the processor could do
    forced = f", NumPy's products as on {kernels}" if kernels else ""
    return f"{model}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}{forced}"


# -- keeping -----------------------------------------------------------------------------------------


def read(path: Path) -> dict[str, Record]:
    """The records that were kept, by workload."""
    if not path.exists():
        return {}
    kept = json.loads(path.read_text())["records"]
    return {name: Record(**kept[name]) for name in WORKLOADS if name in kept}


def write(path: Path, records: Mapping[str, Record]) -> None:
    """Keep ``records``."""
    text = json.dumps({"machine": machine(), "records": {k: asdict(r) for k, r in records.items()}}, indent=1)
    path.write_text(text + "\n")


def as_csv(records: Mapping[str, Record]) -> str:
    """A line for each workload and peer."""
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(
        ["workload", "peer", "median_s", "lower_quartile_s", "upper_quartile_s", "rounds", "loss", "peak_bytes"]
    )
    for name, record in records.items():
        for peer, samples in record.samples.items():
            low, high = quartiles(samples)
            numbers = [f"{x:.6g}" for x in (median(samples), low, high)]
            loss, memory = record.losses.get(peer, ""), record.memory.get(peer, "")
            lines.writerow([name, peer, *numbers, len(samples), loss, memory])
    return out.getvalue()


# -- tables ------------------------------------------------------------------------------------------


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table, whose columns are as wide as they need to be."""
    lines = [list(head), *map(list, rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    text = ["| " + " | ".join(cell.ljust(w) for cell, w in zip(line, widths, strict=True)) + " |" for line in lines]
    text.insert(1, "|" + "|".join("-" * (w + 2) for w in widths) + "|")
    return "\n".join(text)


def goal_text(verdict: Verdict) -> str:
    """What was asked for."""
    goal = verdict.goal
    subject = "" if goal.subject == "retrograd" else f"{LABELS[goal.subject]}: "
    if goal.than == "seconds":
        return f"{subject}≤ {goal.limit:g} s"
    if goal.than.startswith("over "):
        return f"{subject}≤ {1e6 * goal.limit:g} µs over {LABELS[goal.than[5:]]}"
    than = {"best": "the best peer", "memory": "the best peer's memory"}.get(goal.than) or LABELS[goal.than]
    return f"{subject}≤ {goal.limit:g} × {than}"


def measured_text(verdict: Verdict) -> tuple[str, str]:
    """What was measured, and its interval."""
    m = verdict.measured
    if m is None:
        return "not measured", verdict.than
    if verdict.goal.than == "seconds" or verdict.goal.than.startswith("over "):
        return duration(m.value), f"{duration(m.low)} to {duration(m.high)}"
    whose = f" ({verdict.than})" if verdict.goal.than in ("best", "memory") else ""
    return f"{m.value:.2f} ×{whose}", "" if m.low == m.high else f"{m.low:.2f} to {m.high:.2f}"


def outcome(verdict: Verdict) -> str:
    """Whether the goal is met, or by how much it is missed."""
    if verdict.measured is None:
        return "?"
    return "met" if verdict.met else f"missed: {verdict.missed_by:.2f} times the goal"


def agreement(record: Record) -> str:
    """How far the peers' losses lie apart, and whether that is too far."""
    apart = disagreement(record)
    if apart is None:
        return ""
    return f"{apart:.0e}" if agree(record) else f"**{apart:.0e}: they differ**"


def markdown(records: Mapping[str, Record]) -> str:
    """The whole report."""
    parts = [
        "# What was measured",
        f"{machine()}. Peers take turns in processes that stay alive; a time is the median over the rounds, "
        "a ratio that of the medians, with the interval that holds it in 95 of 100 resamplings of the rounds. "
        "Losses are compared after 20 steps (after one for the first step of a process, at the end for whole "
        "programs), and may lie 1e-3 apart. “(busy)”: other processes wanted the cores.",
        "## Goals",
        _goals(records),
        "## Times",
        _times(records),
        "## Peak memory",
        _memory(records),
    ]
    failures = [
        f"- {WORKLOADS[name].title}, {LABELS[peer]}: `{why}`"
        for name, record in records.items()
        for peer, why in record.failures.items()
    ]
    if failures:
        parts += ["## What could not be measured", "\n".join(failures)]
    return "\n\n".join(parts) + "\n"


def is_busy(record: Record) -> bool:
    """Whether other processes wanted the cores while it was measured."""
    return record.load > BUSY * (os.cpu_count() or 1)


def _title(workload: Workload, record: Record) -> str:
    return workload.title + (" (busy)" if is_busy(record) else "")


def _goals(records: Mapping[str, Record]) -> str:
    rows = []
    for name, record in records.items():
        workload = WORKLOADS[name]
        for k, verdict in enumerate(judged(workload, record, LABELS)):
            first = [_title(workload, record), agreement(record)] if not k else ["", ""]
            rows.append([first[0], goal_text(verdict), *measured_text(verdict), outcome(verdict), first[1]])
    return table(["workload", "goal", "measured", "interval", "", "losses apart"], rows)


def _columns(records: Mapping[str, Record]) -> list[str]:
    return [name for name in PEERS if any(name in record.samples for record in records.values())]


def _times(records: Mapping[str, Record]) -> str:
    columns = _columns(records)
    rows = []
    for name, record in records.items():
        best = best_peer(record)
        row = [_title(WORKLOADS[name], record)]
        for peer in columns:
            text = ""
            if peer in record.samples:
                low, high = quartiles(record.samples[peer])
                text = duration(median(record.samples[peer]))
                text = f"**{text}**" if peer == best else text
                text += f" ± {100 * (high - low) / 2 / median(record.samples[peer]):.0f} %"
            row.append(text)
        rows.append(row)
    return table(["", *(LABELS[c] for c in columns)], rows) + "\n\n± is half the distance of the quartiles."


def _memory(records: Mapping[str, Record]) -> str:
    columns = _columns(records)
    rows = []
    for name, record in records.items():
        cells = [f"{record.memory[peer] / 1e6:.0f} MB" if peer in record.memory else "" for peer in columns]
        rows.append([WORKLOADS[name].title, *cells])
    return table(["", *(LABELS[c] for c in columns)], rows)


# -- what is printed, and what is drawn ----------------------------------------------------------------


def summary(name: str, record: Record) -> str:
    """A few lines about one workload."""
    workload = WORKLOADS[name]
    lines = [_title(workload, record) + f"   losses apart: {agreement(record) or '-'}"]
    mine = record.samples.get("retrograd") or record.samples.get("warm")
    for peer, samples in sorted(record.samples.items(), key=lambda item: median(item[1])):
        low, high = quartiles(samples)
        line = f"  {LABELS[peer]:32} {duration(median(samples)):>9}  ({duration(low)} to {duration(high)})"
        if peer in record.cpu:
            line += f"   all cores {duration(median(record.cpu[peer]))}"
        if mine is not None and samples is not mine:
            r = ratio(mine, samples)
            line += f"   retrograd / this: {r.value:.2f} ({r.low:.2f} to {r.high:.2f})"
        lines.append(line)
    lines += [f"  {LABELS[peer]}: {why}" for peer, why in record.failures.items()]
    for verdict in judged(workload, record, LABELS):
        value, interval = measured_text(verdict)
        lines.append(f"  goal {goal_text(verdict)}: {value}{f' ({interval})' if interval else ''}: {outcome(verdict)}")
    return "\n".join(lines)


def drawing(records: Mapping[str, Record]) -> dict[str, object]:
    """What the plot shows: for each workload, how long each peer takes beside retrograd, with the interval."""
    rows = []
    for name, record in records.items():
        mine = "retrograd" if "retrograd" in record.samples else "warm"
        if mine not in record.samples:
            continue
        bars = {
            peer: asdict(ratio(samples, record.samples[mine]))
            for peer, samples in record.samples.items()
            if peer != mine
        }
        rows.append({"title": _title(WORKLOADS[name], record), "bars": bars})
    used = {peer for row in rows for peer in row["bars"]}  # type: ignore[attr-defined]
    return {
        "rows": rows,
        "peers": {name: [peer.label, peer.colour] for name, peer in PEERS.items() if name in used},
        "machine": machine(),
    }
