"""Where the time of a program goes: by plan and by stage, for ``retrograd run --profile``."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

STAGES = ("plan", "feed", "step", "fetch")

_ROWS = 12  # plans that are shown


@dataclass
class Spent:
    """The seconds that the runs of one plan took, by stage."""

    program: Any
    what: str
    runs: int = 0
    tier: str = "interpreter"
    seconds: dict[str, float] = field(default_factory=lambda: dict.fromkeys(STAGES, 0.0))

    @property
    def total(self) -> float:
        return sum(self.seconds.values())


class Profile:
    """What the runs of all sessions take from now on."""

    def __init__(self) -> None:
        self.begun = time.perf_counter()
        self.spent: dict[int, Spent] = {}
        self.inside = self.elsewhere = 0.0  # seconds in runs of the main thread, and in those of others

    def add(self, program: Any, laps: list[float]) -> None:
        """Count a run of ``program`` with the seconds of each stage."""
        spent = self.spent.get(id(program))
        if spent is None:
            spent = self.spent[id(program)] = Spent(program, _described(program.plan))
        spent.runs += 1
        if program.tier != spent.tier.split()[0]:
            spent.tier = f"{program.tier} from run {spent.runs}"
        for stage, seconds in zip(STAGES, laps, strict=True):
            spent.seconds[stage] += seconds
        if threading.current_thread() is threading.main_thread():
            self.inside += sum(laps)
        else:
            self.elsewhere += sum(laps)

    def report(self) -> str:
        """A page of text: the whole, then the plans, the costliest first."""
        wall = time.perf_counter() - self.begun
        rows = sorted(self.spent.values(), key=lambda s: -s.total)
        elsewhere = f", {self.elsewhere:.2f} s in that of other threads" if self.elsewhere else ""
        lines = [
            f"retrograd: {wall:.2f} s in all: {wall - self.inside:.2f} s outside of Session.run (imports, building the "
            f"graph, the program's own Python), {self.inside:.2f} s in it{elsewhere}",
            f"{'runs':>8} {'plan':>8} {'compile':>8} {'feed':>8} {'step':>8} {'fetch':>8} {'a run':>10}  tier",
        ]
        for s in rows[:_ROWS]:
            stages = [s.seconds["plan"], s.program.compile_seconds, *(s.seconds[k] for k in STAGES[1:])]
            columns = " ".join(f"{x:8.3f}" for x in stages)
            lines += [f"{s.runs:8d} {columns} {_each(s.total / s.runs):>10}  {s.tier}", f"{'':9}{s.what}"]
        if len(rows) > _ROWS:
            rest = sum(s.total for s in rows[_ROWS:])
            lines.append(f"{len(rows) - _ROWS} more plans: {rest:.2f} s")
        lines.append(
            "Columns are seconds of all runs together; compilation goes on behind runs, which may wait for it."
        )
        return "\n".join(lines)


def _each(seconds: float) -> str:
    return f"{seconds * 1e6:.1f} us" if seconds < 1e-3 else f"{seconds * 1e3:.2f} ms"


def _described(plan: Any) -> str:
    names = [t.name for t in plan.fetches] + [op.name for op in plan.targets]
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    place = next((op.place for op in [*plan.targets, *(t.op for t in plan.fetches)] if op.place), None)
    return (
        f"{', '.join(names[:3])}{more} ({len(plan.ops)} op{'s' * (len(plan.ops) != 1)}{f', {place}' if place else ''})"
    )


def stopwatch() -> Callable[[], float]:
    """A function that gives the seconds since it was last called."""
    last = time.perf_counter()

    def lap() -> float:
        nonlocal last
        before, last = last, time.perf_counter()
        return last - before

    return lap


current: Profile | None = None


def start() -> None:
    """Profile what the process runs, and print the report when it ends."""
    global current
    import atexit

    profile = current = Profile()
    atexit.register(lambda: print(profile.report(), file=sys.stderr))
