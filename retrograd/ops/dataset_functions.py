"""Datasets at run time whose elements functions make."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.graph import errors
from retrograd.graph.errors import invalid
from retrograd.ops import waiting
from retrograd.ops.dataset_batches import put_together
from retrograd.ops.dataset_buffers import FetchingAhead
from retrograd.ops.dataset_maps import Called, truth
from retrograd.ops.dataset_recipes import recipe
from retrograd.ops.dataset_states import Dataset, Element, Next, Scope, rows_of_elements, unwrapped


@recipe("Filter")
def filtered(source: Dataset, predicate: Called) -> Dataset:
    """The elements for which ``predicate`` holds."""

    def make(scope: Scope) -> Next:
        inner, call = source.make(scope), predicate.within(scope)
        stats = scope.stats
        name = "" if stats is None else stats.name("FilterDataset", result)

        def following() -> Element:
            while True:
                element = inner()
                holds = truth(call(element))
                if stats is not None:
                    stats.put(f"{name}::{'filtered' if holds else 'dropped'}_elements", 1.0, adds=True)
                if holds:
                    return element

        return following

    result = Dataset(make, sources=[source] if predicate.computes else None)
    return result


@recipe("TakeWhile")
def taken_while(source: Dataset, predicate: Called) -> Dataset:
    """The elements before the first one for which ``predicate`` does not hold."""

    def make(scope: Scope) -> Next:
        inner, call = source.make(scope), predicate.within(scope)
        ended = False

        def following() -> Element:
            nonlocal ended
            if not ended:
                element = inner()
                if truth(call(element)):
                    return element
                ended = True
            raise StopIteration

        return following

    return Dataset(make)


def _inner_of(call: Callable[[Element], Element], element: Element, scope: Scope) -> Next:
    """An iterator over the dataset that a function makes of an element."""
    return scope.begun_inside(unwrapped(call(element)[0]))


@recipe("FlatMap")
def flattened(source: Dataset, function: Called) -> Dataset:
    """The elements of the datasets that ``function`` makes, one after the other."""

    def make(scope: Scope) -> Next:
        outer, call = source.make(scope), function.within(scope)
        current: list[Next] = []

        def following() -> Element:
            while True:
                if not current:
                    current.append(_inner_of(call, outer(), scope))
                try:
                    return current[0]()
                except StopIteration:
                    current.clear()

        return following

    return Dataset(make, sources=[source] if function.computes else None)


@recipe(lambda *all_: "Interleave" if len(all_) < 5 else "ParallelInterleaveV2")
def interleaved(source: Dataset, function: Called, cycle: int, block: int, parallel: int | None = None) -> Dataset:
    """``block`` elements of each of ``cycle`` (-1: as many as processors) datasets that ``function`` makes, in turn.

    ``parallel`` is how many the program would have computed at once.
    """
    if cycle == -1:
        cycle = os.cpu_count() or 1
    if cycle <= 0:
        raise invalid("cycle_length must be greater than zero.")
    if block <= 0:
        raise invalid("block_length must be greater than zero.")

    def make(scope: Scope) -> Next:
        outer, call = source.make(scope), function.within(scope)
        current: list[Next | None] = [None] * cycle
        state = {"place": 0, "in_block": 0, "ended": False, "open": 0}

        def advance() -> None:
            state["in_block"] = 0
            state["place"] = (state["place"] + 1) % cycle

        def following() -> Element:
            while not state["ended"] or state["open"]:
                inner = current[state["place"]]
                if inner is not None:
                    try:
                        element = inner()
                    except StopIteration:
                        current[state["place"]] = None
                        state["open"] -= 1
                        advance()
                        continue
                    state["in_block"] += 1
                    if state["in_block"] == block:
                        advance()
                    return element
                if state["ended"]:
                    advance()
                    continue
                try:
                    current[state["place"]] = _inner_of(call, outer(), scope)
                    state["open"] += 1
                except StopIteration:
                    state["ended"] = True
            raise StopIteration

        return following

    return Dataset(make, sources=[source] if function.computes else None)


@recipe("ParallelInterleave")
def interleaved_by_threads(
    source: Dataset, function: Called, cycle: int, block: int, ahead: int, sloppy: bool
) -> Dataset:
    """The same as ``interleaved``, each dataset read ahead by a thread.

    Where the order does not matter (``sloppy``) the turn goes to the next dataset that has an element.
    """
    if cycle <= 0:
        raise invalid("`cycle_length` must be > 0")
    if block <= 0:
        raise invalid("`block_length` must be > 0")

    def make(scope: Scope) -> Next:
        outer, call = source.make(scope), function.within(scope)
        condition = threading.Condition()
        shared = condition if sloppy else None
        places: list[FetchingAhead | None] = []
        state = {"place": 0, "in_block": 0, "ended": False}

        def following_dataset() -> FetchingAhead | None:
            if state["ended"]:
                return None
            is_still = False
            try:
                dataset: Dataset = unwrapped(call(outer())[0])
                inner, is_still = scope.begun_inside(dataset), dataset.is_still
            except StopIteration:
                state["ended"] = True
                return None
            except errors.OpError as error:  # told when it is this dataset's turn
                inner = _failing_once(error)
            return FetchingAhead(inner, max(ahead, 1), scope.stop_event(), "ParallelInterleave", is_still, shared)

        def following() -> Element:
            while len(places) < cycle and not state["ended"]:
                opened = following_dataset()
                if opened is not None:
                    places.append(opened)
            while any(places):
                place = _ready(places, state["place"], condition) if sloppy else state["place"]
                if place != state["place"]:
                    state["place"], state["in_block"] = place, 0
                inner = places[place]
                if inner is not None:
                    element: Any = None
                    failed: errors.OpError | None = None
                    try:
                        element = inner.next()
                    except errors.OpError as error:
                        failed = error
                    except StopIteration:
                        places[place] = following_dataset()
                        if places[place] is not None:
                            state["in_block"] = 0
                        state["place"] = (place + 1) % len(places)
                        continue
                    state["in_block"] += 1
                    if state["in_block"] == block:
                        state["in_block"] = 0
                        state["place"] = (place + 1) % len(places)
                    if failed is not None:
                        raise failed
                    return element  # type: ignore[no-any-return]
                state["place"] = (place + 1) % len(places)
            raise StopIteration

        return following

    return Dataset(make, sources=[source] if function.computes else None)


def _failing_once(error: errors.OpError) -> Next:
    """An error in the place of the first element, and no others."""
    left = [error]

    def following() -> Element:
        if left:
            raise left.pop()
        raise StopIteration

    return following


def _ready(places: Sequence[FetchingAhead | None], first: int, condition: threading.Condition) -> int:
    """The place, the next from ``first`` on, that has an element or has ended."""
    order = [(first + i) % len(places) for i in range(len(places))]
    open_ = [(i, ahead) for i in order if (ahead := places[i]) is not None]
    while True:
        for i, ahead in open_:
            if ahead.ready or ahead.ended:
                return i
        with condition:
            for _, ahead in open_:
                ahead.is_empty = True
            if not any(ahead.ready or ahead.ended for _, ahead in open_):
                waiting.wait(condition)
            for _, ahead in open_:
                ahead.is_empty = False


@recipe("Scan")
def scanned(source: Dataset, initial: Sequence[Any], function: Called) -> Dataset:
    """``state, element' = function(state, element)``."""

    def make(scope: Scope) -> Next:
        inner, call = source.make(scope), function.within(scope)
        state = list(initial)

        def following() -> Element:
            element = inner()
            try:
                results = call([*state, *element])
            except errors.OutOfRangeError as error:  # not the end of the elements
                raise invalid(f"Function invocation produced OutOfRangeError: {error.message}") from None
            state[:] = results[: len(state)]
            return results[len(state) :]

        return following

    return Dataset(make, source.cardinality)


def reduced(source: Dataset, initial: Sequence[Any], function: Called, scope: Scope) -> Element:
    """``state = function(state, element)`` over all elements."""
    inner, call, state = scope.begun(source), function.within(scope), list(initial)
    while True:
        try:
            element = inner()
        except StopIteration:
            return state
        scope.memory.check_open()
        state = list(call([*state, *element]))
        if len(state) != len(initial):
            raise invalid(
                "The number of components of the initial state and the reduce function output does not match. "
                f"(initial_state={len(initial)}, output={len(state)})."
            )


@recipe("GroupByWindow")
def grouped_by_window(source: Dataset, key_of: Called, reduce: Called, size_of: Called) -> Dataset:
    """Windows of elements of one key, each made a dataset by ``reduce`` when it is full."""

    def make(scope: Scope) -> Next:
        inner = source.make(scope)
        key, reduce_, size = key_of.within(scope), reduce.within(scope), size_of.within(scope)
        groups: dict[int, list[Element]] = {}
        sizes: dict[int, int] = {}
        state: Any = {"current": None, "ended": False}

        def flush(k: int) -> None:
            elements = groups.pop(k)
            window = Dataset(lambda scope: rows_of_elements(elements), len(elements))
            state["current"] = scope.begun_inside(unwrapped(reduce_([np.int64(k), window])[0]))

        def following() -> Element:
            while True:
                if state["current"] is not None:
                    try:
                        return state["current"]()  # type: ignore[no-any-return]
                    except StopIteration:
                        state["current"] = None
                if not state["ended"]:
                    try:
                        element = inner()
                    except StopIteration:
                        state["ended"] = True
                        continue
                    k = int(key(element)[0])
                    if k not in sizes:
                        sizes[k] = int(size([np.int64(k)])[0])
                        if sizes[k] <= 0:
                            raise invalid(f"Window size must be greater than zero, but got {sizes[k]}.")
                    group = groups.setdefault(k, [])
                    group.append(element)
                    if len(group) == sizes[k]:
                        flush(k)
                elif groups:
                    flush(min(groups))
                else:
                    raise StopIteration

        return following

    return Dataset(make)


@recipe("GroupByReducer")
def grouped_by_reducer(source: Dataset, key_of: Called, init: Called, reduce: Called, finalize: Called) -> Dataset:
    """For each key the elements reduced to one."""

    def make(scope: Scope) -> Next:
        states: dict[int, Element] = {}
        left: list[int] | None = None

        def following() -> Element:
            nonlocal left
            if left is None:
                inner, key = source.make(scope), key_of.within(scope)
                start, step = init.within(scope), reduce.within(scope)
                while True:
                    try:
                        element = inner()
                    except StopIteration:
                        break
                    k = int(key(element)[0])
                    if k not in states:
                        states[k] = start([np.int64(k)])
                    states[k] = step([*states[k], *element])
                left = sorted(states, reverse=True)
            if not left:
                raise StopIteration
            return finalize.within(scope)(states[left.pop()])

        return following

    return Dataset(make)


def generated(init: Called, following_of: Called, finalize: Called) -> Dataset:
    """``following_of(init())`` again and again until it says that it is out of range; then ``finalize``."""

    def make(scope: Scope) -> Next:
        state = _Generating(init, following_of, finalize, scope)
        return state.next

    return Dataset(make)


class _Generating:
    def __init__(self, init: Called, following: Called, finalize: Called, scope: Scope) -> None:
        self.init, self.following, self.finalize = (f.within(scope) for f in (init, following, finalize))
        self.state: Element | None = None
        self.is_over = False
        self.lock = threading.Lock()

    def next(self) -> Element:
        with self.lock:
            if self.is_over:
                raise StopIteration
            if self.state is None:
                self.state = self.init([])
            try:
                return self.following(self.state)
            except errors.OutOfRangeError:
                self._end()
                raise StopIteration from None

    def _end(self) -> None:
        self.is_over = True
        if self.state is not None:
            self.finalize(self.state)

    def __del__(self) -> None:
        if not self.is_over and self.state is not None:
            try:
                self._end()
            except Exception:  # at the end of the process nothing is left to call
                self.is_over = True


@recipe("Slide")
def sliding(source: Dataset, size: int, shift: int, stride: int) -> Dataset:
    """Batches of ``size`` elements, ``stride`` apart, each beginning ``shift`` after the last; only whole ones."""
    for word, value in (("window_size", size), ("window_shift", shift), ("window_stride", stride)):
        if value <= 0:
            raise invalid(f"{word} must be greater than zero.")
    span = (size - 1) * stride + 1

    def make(scope: Scope) -> Next:
        inner = source.make(scope)
        buffer: deque[Element] = deque()
        skip = 0

        def following() -> Element:
            nonlocal skip
            while skip:
                inner()
                skip -= 1
            while len(buffer) < span:
                buffer.append(inner())
            chosen = list(buffer)[::stride]
            for _ in range(min(shift, len(buffer))):
                buffer.popleft()
            skip = max(shift - span, 0)
            return [put_together(column, i) for i, column in enumerate(zip(*chosen, strict=True))]

        return following

    return Dataset(make)
