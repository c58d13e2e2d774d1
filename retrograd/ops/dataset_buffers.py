"""Datasets at run time that hold elements: until they are drawn at random, for later passes, or ahead of time."""

from __future__ import annotations

import threading
import weakref
from collections import deque
from typing import Any

import numpy as np

from retrograd.graph.errors import invalid
from retrograd.ops import waiting
from retrograd.ops.dataset_recipes import recipe
from retrograd.ops.dataset_states import (
    INFINITE,
    MOST,
    Dataset,
    Element,
    Next,
    Scope,
    end,
    fitting,
    rows_of_elements,
    times,
)
from retrograd.ops.queue_states import Words

_MOST_EPOCHS = 3  # that wait in a buffer, however large it is


class _Buffer:
    """Elements that wait to be drawn at random; those of an earlier epoch of the input first."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.places: list[Any] = [None] * min(size, 16)
        self.slices: deque[list[int]] = deque([[0, 0]])
        self.count = 0

    def add(self, element: Element) -> None:
        place = self.slices[-1][1] % self.size
        while place >= len(self.places):
            self.places += [None] * min(len(self.places), self.size - len(self.places))
        self.places[place] = element
        self.slices[-1][1] += 1
        self.count += 1

    def next_epoch(self) -> None:
        place = self.slices[-1][1]
        self.slices.append([place, place])

    def draw(self, words: Words) -> Element:
        while self.slices[0][0] == self.slices[0][1]:
            self.slices.popleft()
        first, last = self.slices[0]
        i, j = (first + words.draw() % (last - first)) % self.size, first % self.size
        element: Element = self.places[i]
        self.places[i] = self.places[j]
        self.places[j] = None
        self.slices[0][0] += 1
        self.count -= 1
        return element


def _shuffle(source: Dataset, scope: Scope, size: int, words: Words, epochs: int) -> Next:
    """Elements of ``epochs`` epochs of the source (negative: of any number), drawn from a buffer of ``size``."""
    buffer = _Buffer(size)
    state: Any = {"inner": None, "epoch": 0, "is_first": True}

    def fill() -> None:
        if state["is_first"]:
            state["inner"] = source.make(scope)
        while state["inner"] is not None and buffer.count < size and len(buffer.slices) <= _MOST_EPOCHS:
            try:
                buffer.add(state["inner"]())
                state["is_first"] = False
            except StopIteration:
                state["epoch"] += 1
                if (epochs < 0 and state["is_first"]) or 0 <= epochs <= state["epoch"]:
                    state["inner"], state["is_first"] = None, False
                    return
                buffer.next_epoch()
                state["inner"] = source.make(scope)

    def following() -> Element:
        fill()
        if not buffer.count:
            raise StopIteration
        return buffer.draw(words)

    return following


@recipe("Shuffle")
def shuffled(source: Dataset, size: int, seed: int, seed2: int, anew: bool) -> Dataset:
    """Elements drawn at random from a buffer of ``size``; with ``anew`` in another order each time."""
    if size < 1:
        raise invalid("buffer_size must be greater than zero.")

    def make(scope: Scope) -> Next:
        own = scope.seeds(result, seed, seed2)
        if not anew:
            return _shuffle(source, scope, size, Words(*own), 1)
        seeds = scope.once((result, "seeds"), lambda: Words(*own))
        return _shuffle(source, scope, size, Words(seeds.draw(), seeds.draw()), 1)

    result = Dataset(make, source.cardinality, [source])
    return result


@recipe("ShuffleAndRepeat")
def shuffled_and_repeated(source: Dataset, size: int, seed: int, seed2: int, count: int) -> Dataset:
    """``count`` epochs in random order, each begun while the last is still drawn from."""
    if size < 1:
        raise invalid("buffer_size must be greater than zero.")

    def make(scope: Scope) -> Next:
        return end if count == 0 else _shuffle(source, scope, size, Words(*scope.seeds(result, seed, seed2)), count)

    result = Dataset(make, times(source.cardinality, count), [source])
    return result


def random_numbers(seed: int, seed2: int) -> Dataset:
    """Random integers below 2**32."""

    def make(scope: Scope) -> Next:
        words = Words(*scope.seeds(result, seed, seed2))
        return lambda: [np.int64(words.draw())]

    result = Dataset(make, INFINITE, ())
    return result


# -- kept for later, ahead of time --------------------------------------------------------------


@recipe("MemoryCacheImpl")
def cached(source: Dataset) -> Dataset:
    """The elements of the first pass through ``source``, kept for the following passes."""

    def make(scope: Scope) -> Next:
        kept: Any = scope.once((result, "kept"), lambda: {"elements": [], "is_whole": False})
        if kept["is_whole"]:
            return rows_of_elements(kept["elements"])
        inner = source.make(scope)
        fresh: list[Element] = []

        def following() -> Element:
            try:
                element = inner()
            except StopIteration:
                if not kept["is_whole"]:
                    kept["elements"], kept["is_whole"] = fresh, True
                raise
            fresh.append(element)
            return element

        return following

    result = Dataset(make, source.cardinality)
    return result


class FetchingAhead:
    """A thread that asks an iterator for elements before they are needed, at most ``size`` of them.

    Where nobody sees when elements are computed (``is_still``) more small ones are kept, so that the threads need not
    take turns for each.  Elements pass through a deque, whose ends need no lock; a lock is taken by who waits.
    """

    def __init__(
        self, inner: Next, size: int, stop: threading.Event, name: str, is_still: bool = False,
        condition: threading.Condition | None = None,
    ) -> None:  # fmt: skip
        self.condition = condition or threading.Condition()
        self.ready: deque[tuple[Any, BaseException | None]] = deque()
        self.size, self.is_still = size, is_still
        self.ended = False
        self.is_empty = self.is_full = False  # the one who takes, or who brings, waits
        thread = threading.Thread(
            target=_fetch_ahead, args=(weakref.ref(self), self.condition, inner, stop), daemon=True, name=name
        )
        thread.start()

    def next(self) -> Element:
        while True:
            try:
                element, error = self.ready.popleft()
                break
            except IndexError:
                self._wait()
        if self.is_full and 2 * len(self.ready) <= self.size:
            with self.condition:
                self.is_full = False
                self.condition.notify_all()
        if error is not None:
            raise error
        return element  # type: ignore[no-any-return]

    def held(self) -> int:
        """How many elements there are, one at least."""
        if not self.ready:
            self._wait()
        return len(self.ready)

    def _wait(self) -> None:
        with self.condition:
            self.is_empty = True
            while not self.ready:
                if self.ended:
                    raise StopIteration
                waiting.wait(self.condition)
            self.is_empty = False

    def bring(self, element: Any, error: BaseException | None, stop: threading.Event) -> bool:
        """Leave an element where it is taken, and whether there is room for the next."""
        if self.is_still and error is None:
            self.size, self.is_still = max(self.size, min(MOST, fitting(element))), False
        self.ready.append((element, error))
        if self.is_empty:
            with self.condition:
                self.condition.notify_all()
        return len(self.ready) < self.size


def _fetch_ahead(owner: weakref.ref[FetchingAhead], condition: Any, inner: Next, stop: threading.Event) -> None:
    """What the thread does, as long as somebody holds its owner."""
    while not stop.is_set():
        element, error, ended = None, None, False
        try:
            element = inner()
        except StopIteration:
            ended = True
        except BaseException as found:  # raised where the element is asked for
            error = found
        ahead = owner()
        if ahead is None or stop.is_set():
            return
        if ended:
            with condition:
                ahead.ended = True
                condition.notify_all()
            return
        has_room = ahead.bring(element, error, stop)
        while not has_room:
            with condition:
                ahead.is_full = True
                has_room = len(ahead.ready) < ahead.size
                del ahead
                if not has_room:
                    condition.wait(0.1)
            ahead = owner()
            if ahead is None or stop.is_set():
                return
        del ahead


@recipe("Prefetch")
def prefetched(source: Dataset, size: int) -> Dataset:
    """The same elements, computed ahead of time by a thread of its own; a negative size lets it choose."""
    if size < -1:
        raise invalid("buffer_size must be >= 0 or set buffer_size to be tf.data.experimental.AUTOTUNE for auto-tuning")
    room = 2 if size < 0 else size

    def make(scope: Scope) -> Next:
        inner = source.make(scope)
        if not room:
            return inner
        return _Lazily(inner, room, scope.stop_event(), scope.stats, result).next

    result = Dataset(make, source.cardinality)
    return result


class _Lazily:
    """Fetching ahead, begun with the first element that is asked for."""

    def __init__(self, inner: Next, size: int, stop: threading.Event, stats: Any, dataset: Dataset) -> None:
        self.inner, self.size, self.stop = inner, size, stop
        self.ahead: FetchingAhead | None = None
        self.stats, self.name = stats, "" if stats is None else stats.name("PrefetchDataset", dataset)

    def next(self) -> Element:
        if self.ahead is None:
            self.ahead = FetchingAhead(self.inner, self.size, self.stop, "Prefetch")
        if self.stats is not None:
            held = self.ahead.held()
            self.stats.add(f"{self.name}::buffer_utilization", held / self.size)
            self.stats.put(f"{self.name}::buffer_size", float(held))
            self.stats.put(f"{self.name}::buffer_capacity", float(self.size))
        return self.ahead.next()
