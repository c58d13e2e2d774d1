"""The gradients of a whole program, as it runs."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from retrograd.explain.explanation import Explanation
from retrograd.explain.measures import is_smooth
from retrograd.explain.way import Way, computed, plain
from retrograd.grad.gradients import Pass, passes_read_by
from retrograd.run.plan import Plan
from retrograd.run.recorded import Reader, Record, runs_read_by


@dataclass(eq=False)
class _Watched:
    """A pass with the record of its last run, or of the first one that was not finite."""

    made: Pass
    runs: int = 0
    record: Record | None = None
    run: int = 0
    is_finite: bool = True

    def take(self, record: Record) -> None:
        """Count a run."""
        self.runs += 1
        if self.is_finite and (bad := not _is_finite(self.made, record)) | (not record.has_failed):
            self.record, self.run, self.is_finite = record, self.runs, not bad


class Watch:
    """What a program differentiates, and what that gives in its runs.

    The latest run of each derivative is kept; when one is not finite, that one.
    """

    def __init__(self, most: int | None = None) -> None:
        """Watches nothing yet; ``most`` runs of a derivative end the program."""
        self.most = most
        self.has_ended = False  # the program, by having run so often
        self.watched: list[_Watched] = []
        self._lock = threading.Lock()

    @contextmanager
    def on(self) -> Iterator[None]:
        """Watch what is done in the block."""
        with passes_read_by(lambda made: self.watched.append(_Watched(made))), runs_read_by(self._reader):
            yield

    def explanations(self) -> list[Explanation]:
        """One for each derivative that ran, those with most wrong first."""
        trained = frozenset(plain(x).op for each in self.watched for x in each.made.xs)
        found = [
            Explanation(Way(each.made, each.record, each.run, trained))
            for each in self.watched
            if each.record is not None
        ]
        return sorted(found, key=lambda e: -sum(f.is_wrong for f in e.findings))

    def _reader(self, plan: Plan) -> Reader | None:
        ops = set(plan.ops)
        mine = [w for w in self.watched if any(dx is not None and plain(dx).op in ops for dx in w.made.dxs)]
        if not mine:
            return None

        def read(record: Record) -> None:
            with self._lock:
                for watched in mine:
                    watched.take(record)
                    if self.most is not None and watched.runs >= self.most:
                        self.has_ended = True
                        raise SystemExit(0)

        return read


def _is_finite(made: Pass, record: Record) -> bool:
    tensors = [plain(dx) for dx in made.dxs if dx is not None] + computed([plain(y) for y in made.ys], record.of)
    arrays: Iterator[Any] = (np.asarray(v) for t in tensors for v in record.of(t))
    return all(np.isfinite(a).all() for a in arrays if is_smooth(a))
