"""The order in which TensorFlow's sorts, which are not stable, leave what compares equal.

Its library sorts by quicksort with the median of three, down to spans of 16, and those by insertion.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
_SPAN = 16


def quicksort(items: list[T], before: Callable[[T, T], bool]) -> None:
    """Put ``items`` in the order that ``before`` says, in place."""
    spans = [(0, len(items))]
    while spans:
        first, end = spans.pop()
        if end - first > _SPAN:
            middle = _parted(items, first, end, before)
            spans += [(first, middle), (middle, end)]
    for place in range(1, len(items)):
        item = items[place]
        if before(item, items[0]):
            items[1 : place + 1] = items[:place]
            items[0] = item
            continue
        while before(item, items[place - 1]):
            items[place] = items[place - 1]
            place -= 1
        items[place] = item


def _parted(items: list[T], first: int, end: int, before: Callable[[T, T], bool]) -> int:
    """Where the second part of a span begins, once nothing in it stands before the pivot, which is put first."""
    low, high, last = first + 1, first + (end - first) // 2, end - 1
    if not before(items[low], items[high]):
        low, high = high, low
    pivot = high if before(items[high], items[last]) else last if before(items[low], items[last]) else low
    items[first], items[pivot] = items[pivot], items[first]
    left, right = first + 1, end
    while True:
        while before(items[left], items[first]):
            left += 1
        right -= 1
        while before(items[first], items[right]):
            right -= 1
        if left >= right:
            return left
        items[left], items[right] = items[right], items[left]
        left += 1
