"""Quantiles of a stream of weighted numbers, within an error of epsilon of the total weight.

A summary is a sorted list of entries (value, weight, least rank, greatest rank).  Summaries are merged and thinned out
in levels, each of which stands for twice the numbers of the one below.  Source: Greenwald and Khanna (2001, 2004),
Zhang and Wang (2007), Chen and Guestrin (2016); the choices of TensorFlow 1.15.5's boosted trees.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np


class Entry(NamedTuple):
    """A value, its weight, and the bounds of its rank."""

    value: float
    weight: float
    low: float
    high: float

    @property
    def below(self) -> float:
        """The greatest rank of the value before."""
        return self.high - self.weight

    @property
    def above(self) -> float:
        """The least rank of the value behind."""
        return self.low + self.weight


Summary = list[Entry]


def summary_of(values: Any, weights: Any) -> Summary:
    """The exact summary of numbers."""
    order = np.argsort(values, kind="stable")
    distinct, firsts = np.unique(values[order], return_index=True)
    totals = np.add.reduceat(weights[order], firsts) if len(order) else weights
    ends = np.cumsum(totals, dtype=np.float32)
    return [
        Entry(float(v), float(w), float(end) - float(w), float(end))
        for v, w, end in zip(distinct, totals, ends, strict=True)
    ]


def merged(a: Summary, b: Summary) -> Summary:
    """The summary of both streams; its error is no greater than that of the worse."""
    if not a or not b:
        return list(a or b)
    result: Summary = []
    i = j = 0
    low_a = low_b = 0.0  # the least ranks behind what was taken
    while i < len(a) and j < len(b):
        x, y = a[i], b[j]
        if x.value < y.value:
            result.append(Entry(x.value, x.weight, x.low + low_b, x.high + y.below))
            low_a, i = x.above, i + 1
        elif y.value < x.value:
            result.append(Entry(y.value, y.weight, y.low + low_a, y.high + x.below))
            low_b, j = y.above, j + 1
        else:
            result.append(Entry(x.value, x.weight + y.weight, x.low + y.low, x.high + y.high))
            low_a, low_b, i, j = x.above, y.above, i + 1, j + 1
    result += [Entry(x.value, x.weight, x.low + low_b, x.high + b[-1].high) for x in a[i:]]
    result += [Entry(y.value, y.weight, y.low + low_a, y.high + a[-1].high) for y in b[j:]]
    return result


def thinned(entries: Summary, size: int, least_error: float = 0.0) -> Summary:
    """About ``size`` of the entries, the first and the last among them; the error grows by 1 / size at most."""
    size = max(size, 2)
    if len(entries) <= size:
        return entries
    step, gap = len(entries), entries[-1].high * max(1.0 / size, least_error)
    kept = [entries[0]]
    taken, read, last = 0, 0, 1
    while read + 1 != len(entries):
        following = read + 1
        while following < len(entries) and taken < step and entries[following].below - entries[read].above <= gap:
            taken += size
            following += 1
        read = read + 1 if read == following - 1 else following - 1
        kept.append(entries[read])
        last = read
        taken -= step
    if last + 1 != len(entries):
        kept.append(entries[-1])
    return kept


def error_of(entries: Summary) -> float:
    """How far a rank may be from the truth, relative to the total weight."""
    if not entries:
        return 0.0
    gap = 0.0
    for before, entry in pairwise(entries):
        gap = max(gap, entry.high - entry.low - entry.weight, entry.below - before.above)
    return gap / entries[-1].high


class Sketch:
    """Numbers or summaries come in; ``finished`` is the summary of all."""

    def __init__(self, epsilon: float, most: int) -> None:
        self.epsilon = epsilon
        self.block, level = 2, 1
        while (1 << level) * self.block < most:
            self.block = math.ceil(level / epsilon) + 1
            level += 1
        self.block = max(self.block, 2)
        self.chunk = min(2 * self.block, most)
        self.levels: list[Summary] = []

    def add_numbers(self, values: Any, weights: Any) -> None:
        """Add numbers that weigh more than nothing."""
        there = weights > 0
        values, weights = values[there], weights[there]
        for i in range(0, len(values), self.chunk):
            self.add(summary_of(values[i : i + self.chunk], weights[i : i + self.chunk]))

    def add(self, summary: Summary) -> None:
        """Add a summary; a level that becomes too long is thinned out and goes one up."""
        current = thinned(summary, self.block, self.epsilon)
        if not current:
            return
        level = 0
        while True:
            if len(self.levels) <= level:
                self.levels.append([])
            there, self.levels[level] = self.levels[level], []
            current = merged(current, there)
            if not there or len(current) <= self.block + 1:
                self.levels[level] = current
                return
            current = thinned(current, self.block, self.epsilon)
            level += 1

    def finished(self) -> Summary:
        """The summary of all that came in."""
        result: Summary = []
        for level in self.levels:
            result = merged(result, level)
        return result


def boundaries_of(entries: Summary, count: int) -> list[float]:
    """At least ``count`` different values that stand for the whole, or all if there are fewer."""
    error = float(np.float32(error_of(entries) + 1.0 / count))
    return list(dict.fromkeys(entry.value for entry in thinned(entries, count, error)))


def quantiles_of(entries: Summary, count: int) -> list[float]:
    """The ``count + 1`` values at equal steps of rank."""
    if not entries:
        return []
    count = max(count, 2)
    result, at = [], 0
    for rank in range(count + 1):
        wanted = 2 * (rank * entries[-1].high / count)
        following = at + 1
        while following < len(entries) and wanted >= entries[following].low + entries[following].high:
            following += 1
        at = following - 1
        if following == len(entries) or wanted < entries[at].above + entries[following].below:
            result.append(entries[at].value)
        else:
            result.append(entries[following].value)
    return result
