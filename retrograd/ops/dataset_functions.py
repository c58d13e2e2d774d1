"""Datasets at run time whose elements functions make."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from retrograd.graph import errors
from retrograd.ops.dataset_batches import batched, put_together
from retrograd.ops.dataset_buffers import FetchingAhead
from retrograd.ops.dataset_states import Dataset, Element, Next, Scope, invalid, rows_of_elements, stacked, unwrapped

_STILL = frozenset(
    (
        "TensorDataset", "TensorSliceDataset", "RangeDataset", "TextLineDataset", "TFRecordDataset",
        "FixedLengthRecordDataset", "FixedLengthRecordDatasetV2", "RepeatDataset", "TakeDataset", "SkipDataset",
        "ShardDataset", "BatchDatasetV2", "ZipDataset", "ConcatenateDataset", "ShuffleDataset",
    )
)  # fmt: skip


class Called:
    """A function of the graph with the values that it captured: what an op's attribute and inputs say."""

    def __init__(self, memory: Any, function: Any, captured: Sequence[Any]) -> None:
        self.memory = memory
        self.function = function
        self.captured = list(captured)

    def within(self, scope: Scope) -> Callable[[Element], Element]:
        """What calls it; random streams go on as long as the scope does."""
        call = scope.once(self, lambda: self.memory.call(self.function))
        captured = self.captured
        if not captured:
            return call  # type: ignore[no-any-return]
        return lambda element: call([*element, *captured])

    def many_within(self, scope: Scope) -> Callable[[Sequence[Any]], list[list[Any]]] | None:
        """What calls it for many elements at once, from columns of rows; None if it does more than compute."""
        rows = None if self.may_wait else scope.once((self, "rows"), lambda: self.memory.rows(self.function))
        return None if rows is None else lambda columns: rows(columns, self.captured)

    @property
    def computes(self) -> bool:
        """Whether it does nothing else, and that each time the same way; it may make datasets that do so."""
        return _computes(self.memory, self.function)

    @property
    def may_wait(self) -> bool:
        """Whether threads pay: it reads files, decodes, or calls Python."""
        body = self.memory.body(self.function)
        return any(op.type in _SLOW for op in body.ops)


def _computes(memory: Any, function: Any) -> bool:
    for op in memory.body(function).ops:
        if op.type in _STILL_BY_FUNCTION:
            if not _computes(memory, op.attrs["f"]):
                return False
        elif op.definition.effect is not None and op.type not in _STILL:
            return False
    return True


_STILL_BY_FUNCTION = frozenset(("MapDataset", "FlatMapDataset", "InterleaveDataset"))
_SLOW = frozenset(
    (
        "PyFunc", "PyFuncStateless", "EagerPyFunc", "ReadFile", "DecodeJpeg", "DecodePng", "DecodeGif", "DecodeBmp",
        "DecodeAndCropJpeg", "DecodeCompressed",
    )
)  # fmt: skip


def mapped(source: Dataset, function: Called) -> Dataset:
    """``function`` of each element; if it says that it is out of range, that is the end."""

    def make(scope: Scope) -> Next:
        inner, call = source.make(scope), function.within(scope)
        many = function.many_within(scope) if source.is_still else None
        if many is not None:
            return _ManyAtOnce(inner, call, many).next

        def following() -> Element:
            element = inner()
            try:
                return call(element)
            except errors.OutOfRangeError:
                raise StopIteration from None

        return following

    result = Dataset(make, source.cardinality, [source] if function.computes else None)
    result.is_mapped = True
    return result


class _ManyAtOnce:
    """Calls of a function that only computes, for more and more small elements at once.

    What fails for many is done again for each, so an element that cannot be computed fails when it is its turn.
    """

    MOST, BYTES = 32, 1 << 18  # elements at once, and how large they are together

    def __init__(
        self, inner: Next, call: Callable[[Element], Element], many: Callable[[Sequence[Any]], list[list[Any]]]
    ) -> None:
        self.inner, self.call, self.many = inner, call, many
        self.done: deque[Element] = deque()
        self.alone: deque[Element] = deque()  # elements that are computed one by one
        self.behind: Exception | None = None  # what the source raised behind them
        self.count = 1
        self.failures = 0

    def next(self) -> Element:
        if not self.done and not self.alone:
            self._compute(self._elements())
        if self.done:
            return self.done.popleft()
        try:
            return self.call(self.alone.popleft())
        except errors.OutOfRangeError:
            raise StopIteration from None

    def _elements(self) -> list[Element]:
        elements: list[Element] = []
        while self.behind is None and len(elements) < self.count:
            try:
                elements.append(self.inner())
            except (StopIteration, errors.OpError) as error:
                self.behind = error
        if not elements:
            assert self.behind is not None
            behind, self.behind = self.behind, None
            raise behind
        return elements

    def _compute(self, elements: list[Element]) -> None:
        size = sum(map(_bytes_of, elements[0]))
        self.count = min(2 * self.count, self.MOST, max(self.BYTES // max(size, 1), 1)) if self.failures < 3 else 1
        if len(elements) > 1:
            try:
                columns = [stacked(column) for column in zip(*elements, strict=True)]
                self.done.extend(map(list, zip(*self.many(columns), strict=True)))
                return
            except Exception:  # which element it was is found when each is computed alone
                self.failures += 1
        self.alone.extend(elements)


def _bytes_of(value: Any) -> int:
    if not isinstance(value, np.ndarray) or value.dtype.kind != "O":
        return int(getattr(value, "nbytes", 0))
    return sum(len(x) for x in value.ravel() if isinstance(x, bytes))


def mapped_by_threads(source: Dataset, function: Called, count: int) -> Dataset:
    """The same in the same order; ``count`` elements at a time where the function may wait."""
    if count < -1 or count == 0:
        raise invalid("num_parallel_calls must be greater than zero.")
    if not function.may_wait:
        return mapped(source, function)
    threads = count if count > 0 else 4

    def make(scope: Scope) -> Next:
        return _InThreads(source.make(scope), function.within(scope), threads).next

    result = Dataset(make, source.cardinality, [source] if function.computes else None)
    result.is_mapped = True
    return result


class _InThreads:
    """Calls that run ahead, each in a thread of a pool; their results come in the order of the elements."""

    def __init__(self, inner: Next, call: Callable[[Element], Element], count: int) -> None:
        self.inner, self.call, self.count = inner, call, count
        self.pool: ThreadPoolExecutor | None = None
        self.running: deque[Future[Element]] = deque()
        self.ended = False
        self.failure: errors.OpError | None = None

    def next(self) -> Element:
        if self.pool is None:
            self.pool = ThreadPoolExecutor(self.count, thread_name_prefix="ParallelMap")
        while len(self.running) < self.count and not self.ended and self.failure is None:
            try:
                self.running.append(self.pool.submit(self.call, self.inner()))
            except StopIteration:
                self.ended = True
            except errors.OpError as error:
                self.failure = error
        if not self.running:
            if self.failure is not None:
                failure, self.failure = self.failure, None
                raise failure
            raise StopIteration
        try:
            return self.running.popleft().result()
        except errors.OutOfRangeError:
            self.ended = True
            self.running.clear()
            raise StopIteration from None

    def __del__(self) -> None:
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)


def filtered(source: Dataset, predicate: Called) -> Dataset:
    """The elements for which ``predicate`` holds."""

    def make(scope: Scope) -> Next:
        inner, call = source.make(scope), predicate.within(scope)

        def following() -> Element:
            while True:
                element = inner()
                if _truth(call(element)):
                    return element

        return following

    return Dataset(make, sources=[source] if predicate.computes else None)


def _truth(values: Element) -> bool:
    if len(values) != 1 or np.shape(values[0]):
        raise invalid("Filter predicate `f` must return a scalar bool.")
    return bool(values[0])


def taken_while(source: Dataset, predicate: Called) -> Dataset:
    """The elements before the first one for which ``predicate`` does not hold."""

    def make(scope: Scope) -> Next:
        inner, call = source.make(scope), predicate.within(scope)
        ended = False

        def following() -> Element:
            nonlocal ended
            if not ended:
                element = inner()
                if _truth(call(element)):
                    return element
                ended = True
            raise StopIteration

        return following

    return Dataset(make)


def _inner_of(call: Callable[[Element], Element], element: Element, scope: Scope) -> Next:
    """An iterator over the dataset that a function makes of an element."""
    dataset: Dataset = unwrapped(call(element)[0])
    return dataset.make(scope.inner())


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


def interleaved(source: Dataset, function: Called, cycle: int, block: int) -> Dataset:
    """``block`` elements of each of ``cycle`` (-1: as many as processors) datasets that ``function`` makes, in turn."""
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


def interleaved_by_threads(
    source: Dataset, function: Called, cycle: int, block: int, ahead: int, sloppy: bool
) -> Dataset:
    """The same as ``interleaved``, each dataset read ahead by a thread."""
    if cycle <= 0:
        raise invalid("`cycle_length` must be > 0")
    if block <= 0:
        raise invalid("`block_length` must be > 0")

    def make(scope: Scope) -> Next:
        outer, call = source.make(scope), function.within(scope)
        places: list[Next | None] = []
        state = {"place": 0, "in_block": 0, "ended": False}

        def following_dataset() -> Next | None:
            if state["ended"]:
                return None
            try:
                inner = _inner_of(call, outer(), scope)
            except StopIteration:
                state["ended"] = True
                return None
            return FetchingAhead(inner, max(ahead, 1), scope.stop_event(), "ParallelInterleave").next

        def following() -> Element:
            while len(places) < cycle and not state["ended"]:
                opened = following_dataset()
                if opened is not None:
                    places.append(opened)
            while any(places):
                place = state["place"]
                inner = places[place]
                if inner is not None:
                    try:
                        element = inner()
                    except StopIteration:
                        places[place] = following_dataset()
                        if places[place] is not None:
                            state["in_block"] = 0
                    else:
                        state["in_block"] += 1
                        if state["in_block"] < block:
                            return element
                        state["in_block"] = 0
                        state["place"] = (place + 1) % len(places)
                        return element
                state["place"] = (place + 1) % len(places)
            raise StopIteration

        return following

    return Dataset(make, sources=[source] if function.computes else None)


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

    return Dataset(make)


def reduced(source: Dataset, initial: Sequence[Any], function: Called, scope: Scope) -> Element:
    """``state = function(state, element)`` over all elements."""
    inner, call, state = source.make(scope), function.within(scope), list(initial)
    while True:
        try:
            element = inner()
        except StopIteration:
            return state
        state = list(call([*state, *element]))


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
            dataset: Dataset = unwrapped(reduce_([np.int64(k), window])[0])
            state["current"] = dataset.make(scope.inner())

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


def mapped_and_batched(source: Dataset, function: Called, size: int, count: int, drop: bool) -> Dataset:
    """Batches of ``function`` of the elements; a batch with an element that fails is left out."""
    checked = _Endless(function.memory, function.function, function.captured)
    return batched(mapped_by_threads(source, checked, count), size, drop, goes_on=True)


class _Endless(Called):
    """A function that makes a mistake, and no end, where it says that it is out of range."""

    def within(self, scope: Scope) -> Callable[[Element], Element]:
        """What calls it."""
        call = super().within(scope)

        def checked(element: Element) -> Element:
            try:
                return call(element)
            except errors.OutOfRangeError as error:
                raise invalid(f"Function invocation produced OutOfRangeError: {error.message}") from None

        return checked


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
