"""Stretches of a sequence that repeat one after the other: what a program unrolled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

FEWEST = 8  # repetitions that are worth a loop
_MOST_PERIODS = 100  # that are tried
_MOST_ALIKE = 4  # places in a period with the rarest of its letters


class Stretch(NamedTuple):
    """``times`` times ``period`` places from ``start`` on, with the same letters each time."""

    start: int
    period: int
    times: int

    @property
    def end(self) -> int:
        """The place behind the last."""
        return self.start + self.period * self.times


def stretches_in(letters: Sequence[int]) -> Iterator[Stretch]:
    """The stretches of at least ``FEWEST`` repetitions, the longest first; they overlap.

    Where one period serves, its multiples do too, and stand behind it.
    """
    array = np.asarray(letters)
    found = set()
    for period in _periods(array):
        same = np.concatenate(([0], array[:-period] == array[period:], [0])).astype(np.int8)
        edges = np.flatnonzero(np.diff(same))
        for begin, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
            length = end - begin + period
            for multiple in range(period, length // FEWEST + 1, period):
                found.add(Stretch(begin, multiple, length // multiple))
    return iter(sorted(found, key=lambda s: (s.start - s.end, s.period, s.start)))


def _periods(letters: np.ndarray) -> list[int]:
    """The distances from a letter to one of the next of its kind that are often there."""
    order = np.argsort(letters, kind="stable")
    found: dict[int, None] = {}
    for ahead in range(1, _MOST_ALIKE + 1):
        distances = (order[ahead:] - order[:-ahead])[letters[order[ahead:]] == letters[order[:-ahead]]]
        counts = Counter(distances.tolist()).most_common(_MOST_PERIODS)
        found.update((period, None) for period, count in counts if count >= FEWEST - 1)
    return [*found]


def count_repeated(letters: Sequence[int]) -> int:
    """How many places repeat what stands a period before them, in stretches that do not overlap."""
    for stretch in stretches_in(letters):
        inside = stretch.period * (stretch.times - 1)
        return inside + count_repeated(letters[: stretch.start]) + count_repeated(letters[stretch.end :])
    return 0
