"""Medians, their spread, ratios of medians, and whether a goal is met."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from bench.catalogue import Goal, Workload
from bench.peers import OURS

DRAWS = 2000  # of the bootstrap
AGREE = 1e-3  # how far losses may lie apart: absolutely, or relatively where they are larger than 1


@dataclass
class Record:
    """What was measured of one workload, by peer."""

    samples: dict[str, list[float]] = field(default_factory=dict)  # seconds of a step, one for each round
    cpu: dict[str, list[float]] = field(default_factory=dict)  # seconds of all cores, of a step
    losses: dict[str, float] = field(default_factory=dict)  # after the first steps
    memory: dict[str, int] = field(default_factory=dict)  # bytes at the peak
    preparing: dict[str, dict[str, float]] = field(default_factory=dict)  # seconds: import, build, the first steps
    failures: dict[str, str] = field(default_factory=dict)
    load: float = 0.0  # how many processes wanted a core when it began
    date: str = ""


@dataclass(frozen=True)
class Estimate:
    """A number with the interval that holds it in 95 of 100 repetitions."""

    value: float
    low: float
    high: float


def median(samples: Sequence[float]) -> float:
    """The middle of ``samples``."""
    return float(np.median(samples))


def quartiles(samples: Sequence[float]) -> tuple[float, float]:
    """What a quarter of ``samples`` lies below, and what a quarter lies above."""
    low, high = np.percentile(samples, [25, 75])
    return float(low), float(high)


def _resampled(*samples: Sequence[float]) -> list[np.ndarray]:
    """Medians of rounds drawn again and again with replacement; the same rounds from each of ``samples``."""
    n = min(map(len, samples))
    rounds = np.random.RandomState(0).randint(0, n, (DRAWS, n))
    return [np.median(np.asarray(s[:n])[rounds], axis=1) for s in samples]


def _estimate(value: float, draws: np.ndarray) -> Estimate:
    low, high = np.percentile(draws, [2.5, 97.5])
    return Estimate(value, float(low), float(high))


def ratio(samples: Sequence[float], base: Sequence[float]) -> Estimate:
    """The ratio of the medians; rounds are drawn in pairs, because what disturbs one disturbs its neighbour."""
    mine, theirs = _resampled(samples, base)
    return _estimate(median(samples) / median(base), mine / theirs)


def difference(samples: Sequence[float], base: Sequence[float]) -> Estimate:
    """The difference of the medians."""
    mine, theirs = _resampled(samples, base)
    return _estimate(median(samples) - median(base), mine - theirs)


def best_peer(record: Record) -> str | None:
    """The fastest of the peers that are not ours."""
    others = [name for name in record.samples if name not in OURS]
    return min(others, key=lambda name: median(record.samples[name]), default=None)


def disagreement(record: Record) -> float | None:
    """How far a loss lies from another at most, beside the larger of 1 and the loss; None without two losses."""
    losses = list(record.losses.values())
    if len(losses) < 2:
        return None
    return (max(losses) - min(losses)) / max(1.0, *map(abs, losses))


def agree(record: Record) -> bool:
    """Whether the losses of all peers agree."""
    apart = disagreement(record)
    return apart is None or apart <= AGREE


@dataclass(frozen=True)
class Verdict:
    """A goal, and what was measured of it (None: it could not be measured, and ``than`` says why)."""

    goal: Goal
    than: str
    measured: Estimate | None

    @property
    def met(self) -> bool:
        return self.measured is not None and self.measured.value <= self.goal.limit

    @property
    def missed_by(self) -> float:
        """What was measured, in units of the limit."""
        return 0.0 if self.measured is None else self.measured.value / self.goal.limit


def judged(workload: Workload, record: Record, labels: Mapping[str, str]) -> list[Verdict]:
    """A verdict for each goal of ``workload``."""
    return [_verdict(goal, record, labels) for goal in workload.goals]


def _verdict(goal: Goal, record: Record, labels: Mapping[str, str]) -> Verdict:
    mine = record.samples.get(goal.subject)
    if mine is None:
        return Verdict(goal, f"{labels[goal.subject]} was not measured", None)
    if goal.than == "seconds":
        return Verdict(goal, "s", _estimate(median(mine), _resampled(mine)[0]))
    if goal.than == "memory":
        others = {name: n for name, n in record.memory.items() if name not in OURS}
        if not others or goal.subject not in record.memory:
            return Verdict(goal, "no peer's memory was measured", None)
        least = min(others, key=lambda name: others[name])
        value = record.memory[goal.subject] / others[least]
        return Verdict(goal, f"{labels[least]}'s memory", Estimate(value, value, value))
    than = best_peer(record) if goal.than == "best" else goal.than.removeprefix("over ")
    if than is None or than not in record.samples:
        return Verdict(goal, f"{labels[than]} was not measured" if than else "no peer was measured", None)
    compare = difference if goal.than.startswith("over ") else ratio
    return Verdict(goal, labels[than], compare(mine, record.samples[than]))
