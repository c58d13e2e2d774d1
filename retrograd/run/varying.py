"""Which sizes of what a computation is given are one size that varies from run to run, and the bounds for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

_SHORTEST = 5  # below, products are computed otherwise
_REMEMBERED = 16


class Sizes:
    """The sizes of what something is given, run after run."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, ...]] = []
        self.groups: list[set[int]] = []  # places of sizes that change together
        self.last: tuple[int, ...] = ()
        self.changes: Counter[int] = Counter()  # for each place, how many runs had another size than the one before
        self.are_bounded = True  # whether computations for bounds are to be made
        self.runs: Counter[tuple[int, ...]] = Counter()  # with a size that varies, by all the others

    def varying(self, sizes: tuple[int, ...]) -> tuple[int, frozenset[int]] | None:
        """The size in this run, and its places, of what varies; None if nothing is known to, or cannot be bounded."""
        if not self.are_bounded:
            return None
        if sizes not in self.seen:
            for other in self.seen:
                self._compare(sizes, other)
            self.seen = [*self.seen[1 - _REMEMBERED :], sizes]
        self.changes.update(i for i, (n, m) in enumerate(zip(sizes, self.last, strict=False)) if n != m)
        self.last = sizes
        for group in sorted(self.groups, key=lambda group: -self.changes[min(group)]):
            found = {sizes[i] for i in group}
            if len(found) == 1:
                return (min(found), frozenset(group)) if min(found) >= _SHORTEST else None
        return None

    def count(self, sizes: tuple[int, ...], places: frozenset[int]) -> int:
        """The runs that there were with these sizes, whatever stands in ``places``, with this one."""
        others = tuple([n for i, n in enumerate(sizes) if i not in places])
        self.runs[others] += 1
        return self.runs[others]

    def _compare(self, sizes: Sequence[int], other: Sequence[int]) -> None:
        places = {i for i, (n, m) in enumerate(zip(sizes, other, strict=True)) if n != m}
        if len({(sizes[i], other[i]) for i in places}) != 1:
            return
        apart = [g for g in self.groups if g.isdisjoint(places)]
        self.groups = [*apart, places.union(*[g for g in self.groups if not g.isdisjoint(places)])]


def bounds(size: int) -> tuple[int, int]:
    """The least and the largest size of the computation that is made for this one among others: 17 to 32, 33 to 64.

    What depends on the size in steps depends on it otherwise at one of the two, and is found.
    """
    most = 1 << (size - 1).bit_length()
    return most // 2 + 1, most
