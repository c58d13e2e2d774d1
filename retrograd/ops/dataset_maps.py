"""Datasets at run time whose elements are functions of the elements of another."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any

import numpy as np

from retrograd.graph import errors
from retrograd.graph.definition import Effect
from retrograd.graph.errors import invalid
from retrograd.ops.dataset_ahead import Ahead, Columns, DrawnAhead, ManyAtOnce
from retrograd.ops.dataset_batches import in_batches, put_together
from retrograd.ops.dataset_recipes import recipe
from retrograd.ops.dataset_states import (
    UNKNOWN,
    Dataset,
    Element,
    Next,
    Scope,
    as_value,
    fitting,
    stacked,
)
from retrograd.ops.workers import Workers, wait_for_one

_STILL = frozenset(
    (
        "TensorDataset", "TensorSliceDataset", "RangeDataset", "TextLineDataset", "TFRecordDataset",
        "FixedLengthRecordDataset", "FixedLengthRecordDatasetV2", "CSVDataset", "RepeatDataset", "TakeDataset",
        "SkipDataset", "ShardDataset", "BatchDatasetV2", "ZipDataset", "ConcatenateDataset", "ShuffleDataset",
    )
)  # fmt: skip
_READERS = frozenset(("TextLineDataset", "TFRecordDataset", "FixedLengthRecordDataset", "FixedLengthRecordDatasetV2"))
_STILL_BY_FUNCTION = frozenset(("MapDataset", "FlatMapDataset", "InterleaveDataset"))
_WAITS = frozenset(("PyFunc", "PyFuncStateless", "EagerPyFunc", "ReadFile"))
_DECODES = frozenset(("DecodeJpeg", "DecodePng", "DecodeGif", "DecodeBmp", "DecodeAndCropJpeg", "DecodeCompressed"))


class Called:
    """A function of the graph with the values that it captured: what an op's attribute and inputs say."""

    def __init__(self, memory: Any, function: Any, captured: Sequence[Any]) -> None:
        self.memory = memory
        self.function = function
        self.captured = list(captured)

    def _call(self, scope: Scope) -> Any:
        return scope.once(self, lambda: self.memory.call(self.function))

    def _rows(self, scope: Scope) -> Any:
        if self.may_wait:
            return None
        return scope.once((self, "rows"), lambda: self.memory.rows(self._call(scope)))

    def within(self, scope: Scope) -> Callable[[Element], Element]:
        """What calls it; random streams go on as long as the scope does."""
        call = self._call(scope)
        captured = self.captured
        if not captured:
            return call  # type: ignore[no-any-return]
        return lambda element: call([*element, *captured])

    def many_within(self, scope: Scope) -> Columns | None:
        """What calls it for many elements at once, from columns of rows; None if it does more than compute."""
        rows = self._rows(scope)
        return None if rows is None or rows.draws else lambda columns: rows(columns, self.captured)

    def ahead_within(self, scope: Scope) -> Ahead | None:
        """What calls it for many elements at once, where it draws random numbers; None if it does more, or does not."""
        rows = self._rows(scope)
        if rows is None or not rows.draws:
            return None
        return scope.once((self, "ahead"), lambda: Ahead(lambda columns: rows.with_draws(columns, self.captured)))  # type: ignore[no-any-return]

    @property
    def computes(self) -> bool:
        """Whether it does nothing else, and that each time the same way; it may make datasets that do so."""
        return _computes(self.memory, self.function)

    @property
    def computes_or_checks(self) -> bool:
        """Whether it does nothing else than compute, and raise an error."""
        return _computes(self.memory, self.function, (None, Effect.CHECK))

    @property
    def has_known_shapes(self) -> bool:
        """Whether every element has the same shapes, and so has what it gives."""
        body = self.memory.body(self.function)
        dims = [t.dims for t in (*body.inputs, *body.outputs)]
        return all(shape is not None and None not in shape for shape in dims)

    @property
    def may_wait(self) -> bool:
        """Whether threads pay: it reads files, decodes, or calls Python."""
        body = self.memory.body(self.function)
        return any(op.type in _WAITS or op.type in _DECODES for op in body.ops)

    def useful(self, threads: int) -> int:
        """How many of so many threads pay: of those that only compute no more than there are processors."""
        body = self.memory.body(self.function)
        return threads if any(op.type in _WAITS for op in body.ops) else min(threads, os.cpu_count() or 1)

    @property
    def has_captured(self) -> bool:
        """Whether it needs more than an element."""
        return bool(self.captured)

    @property
    def reads_files(self) -> bool:
        """Whether it makes a dataset of what is in files."""
        return _reads_files(self.memory, self.function)


def _computes(memory: Any, function: Any, effects: Sequence[Any] = (None,)) -> bool:
    for op in memory.body(function).ops:
        if op.type in _STILL_BY_FUNCTION:
            if not _computes(memory, op.attrs["f"], effects):
                return False
        elif op.definition.effect not in effects and op.type not in _STILL:
            return False
    return True


def _reads_files(memory: Any, function: Any) -> bool:
    return any(
        op.type in _READERS or any(_reads_files(memory, named) for named in _functions_of(op))
        for op in memory.body(function).ops
    )


def _functions_of(op: Any) -> list[Any]:
    """The functions that the attributes of an op name."""
    values = [x for value in op.attrs.values() for x in (value if isinstance(value, list) else [value])]
    return [x for x in values if type(x).__name__ == "NameAttrList"]


class Combined(Called):
    """A function made of others: it does no more than these."""

    parts: Sequence[Called] = ()

    def ahead_within(self, scope: Scope) -> Ahead | None:
        """Nothing: several functions draw in turn."""
        return None

    @property
    def computes(self) -> bool:
        """Whether all do nothing else."""
        return all(part.computes for part in self.parts)

    @property
    def computes_or_checks(self) -> bool:
        """Whether all do nothing else than compute, and raise an error."""
        return all(part.computes_or_checks for part in self.parts)

    @property
    def has_known_shapes(self) -> bool:
        """Whether the shapes of all are known."""
        return all(part.has_known_shapes for part in self.parts)

    @property
    def may_wait(self) -> bool:
        """Whether threads pay for one of them."""
        return any(part.may_wait for part in self.parts)

    def useful(self, threads: int) -> int:
        """How many threads pay for one of them."""
        return max(part.useful(threads) for part in self.parts)

    @property
    def has_captured(self) -> bool:
        """Whether one needs more than an element."""
        return any(part.has_captured for part in self.parts)

    @property
    def reads_files(self) -> bool:
        """Whether one makes a dataset of what is in files."""
        return any(part.reads_files for part in self.parts)


class Then(Combined):
    """``second`` of what ``first`` gives; with ``keeps`` beside it."""

    def __init__(self, first: Called, second: Called, keeps: bool = False) -> None:
        self.parts, self.keeps = (first, second), keeps

    def within(self, scope: Scope) -> Callable[[Element], Element]:
        """What calls both."""
        first, second = (part.within(scope) for part in self.parts)
        if not self.keeps:
            return lambda element: second(first(element))

        def both(element: Element) -> Element:
            values = first(element)
            return [*values, *second(values)]

        return both

    def many_within(self, scope: Scope) -> Columns | None:
        """What calls both for many elements at once."""
        first, second = (part.many_within(scope) for part in self.parts)
        if first is None or second is None:
            return None

        def both(columns: Sequence[Any]) -> list[Any]:
            values = first(columns)
            results = second([x if isinstance(x, np.ndarray) else stacked(x) for x in values])
            return [*values, *results] if self.keeps else results

        return both


class Both(Combined):
    """Whether ``first`` holds, and then whether ``second`` does."""

    def __init__(self, first: Called, second: Called) -> None:
        self.parts = first, second

    def within(self, scope: Scope) -> Callable[[Element], Element]:
        """What calls them, the second only if the first holds."""
        first, second = (part.within(scope) for part in self.parts)

        def both(element: Element) -> Element:
            held = first(element)
            return second(element) if truth(held) else held

        return both

    def many_within(self, scope: Scope) -> Columns | None:
        """Nothing: the second is not computed where the first does not hold."""
        return None


class Endless(Combined):
    """A function that makes a mistake, and no end, where it says that it is out of range."""

    def __init__(self, function: Called) -> None:
        self.parts = (function,)

    def within(self, scope: Scope) -> Callable[[Element], Element]:
        """What calls it."""
        call = self.parts[0].within(scope)

        def checked(element: Element) -> Element:
            try:
                return call(element)
            except errors.OutOfRangeError as error:
                raise invalid(f"Function invocation produced OutOfRangeError: {error.message}") from None

        return checked

    def many_within(self, scope: Scope) -> Columns | None:
        """What calls it for many elements at once."""
        return self.parts[0].many_within(scope)

    def ahead_within(self, scope: Scope) -> Ahead | None:
        """What calls it for many elements at once, where it draws."""
        return self.parts[0].ahead_within(scope)


@recipe("Map")
def mapped(source: Dataset, function: Called) -> Dataset:
    """``function`` of each element; if it says that it is out of range, that is the end."""

    def make(scope: Scope) -> Next:
        inner, call = source.make(scope), function.within(scope)
        many = function.many_within(scope) if source.is_still else None
        if many is not None:
            return ManyAtOnce(inner, call, many).next
        ahead = function.ahead_within(scope) if source.is_still else None
        if ahead is not None:
            return DrawnAhead(inner, call, ahead).next

        def following() -> Element:
            element = inner()
            try:
                return call(element)
            except errors.OutOfRangeError:
                raise StopIteration from None

        return following

    return Dataset(make, source.cardinality, [source] if function.computes else None)


@recipe("ParallelMap")
def mapped_by_threads(source: Dataset, function: Called, count: int, sloppy: bool = False) -> Dataset:
    """The same in the same order; ``count`` elements at a time where the function may wait.

    Where it waits and the order does not matter (``sloppy``), elements come as soon as they are computed.
    """
    if count < -1 or count == 0:
        raise invalid("num_parallel_calls must be greater than zero.")
    if not function.may_wait:
        return mapped(source, function)  # type: ignore[no-any-return]

    def make(scope: Scope) -> Next:
        wanted = count if count > 0 else 4
        threads = min(wanted, scope.threads or wanted)
        inner, call = source.make(scope), function.within(scope)
        return _InThreads(inner, call, threads, function.useful(threads), sloppy).next

    return Dataset(make, source.cardinality, [source] if function.computes else None)


class _InThreads:
    """``count`` calls that run ahead, in ``threads``; their results come in the order of the elements, or sooner."""

    def __init__(
        self, inner: Next, call: Callable[[Element], Element], count: int, threads: int, sloppy: bool
    ) -> None:  # fmt: skip
        self.inner, self.call, self.count, self.threads, self.sloppy = inner, call, count, threads, sloppy
        self.pool: Workers | None = None
        self.running: deque[Future[Element]] = deque()
        self.ended = False
        self.failure: errors.OpError | None = None

    def next(self) -> Element:
        if self.pool is None:
            self.pool = Workers(self.threads, "ParallelMap")
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
            return self._first().result()
        except errors.OutOfRangeError:
            self.ended = True
            self.running.clear()
            raise StopIteration from None

    def _first(self) -> Future[Element]:
        wait_for_one(self.running if self.sloppy else [self.running[0]])
        chosen = next(future for future in self.running if future.done())
        self.running.remove(chosen)
        return chosen

    def __del__(self) -> None:
        if self.pool is not None:
            self.pool.close()


# -- maps and batches ----------------------------------------------------------------------------


@recipe("MapAndBatch")
def mapped_and_batched(source: Dataset, function: Called, size: int, count: int, drop: bool) -> Dataset:
    """Batches of ``function`` of the elements; a batch with an element that fails is left out."""
    checked = Endless(function)
    slowly = in_batches(mapped_by_threads(source, checked, count), size, drop, _of_mapped, True)

    def make(scope: Scope) -> Next:
        many = checked.many_within(scope) if source.is_still and size > 1 else None
        if many is None:
            return slowly.make(scope)
        together = _Together(checked.within(scope), many)
        return in_batches(source, size, drop, together.of_elements, True).make(scope)

    return Dataset(make, slowly.cardinality, [slowly])


def _of_mapped(elements: Sequence[Element]) -> Element:
    return [put_together(column, i, True) for i, column in enumerate(zip(*elements, strict=True))]


@recipe(lambda source, function, is_parallel: "ParallelMap" if is_parallel else "Map")
def mapped_rows(source: Dataset, function: Called, is_parallel: bool) -> Dataset:
    """``function`` of each row of the batches of ``source``, as batches."""

    def make(scope: Scope) -> Next:
        inner, many = source.make(scope), function.many_within(scope)
        together = _Together(function.within(scope), many)
        return lambda: together.of_columns(inner())

    return Dataset(make, source.cardinality, [source])


class _Together:
    """Batches of what a function gives, computed for as many elements at once as a cache holds where that is possible.

    What fails for many is done again for each, so the message is that of the first element that fails.
    """

    def __init__(self, call: Callable[[Element], Element], many: Columns | None) -> None:
        self.call, self.many = call, many
        self.failures = 0

    def of_elements(self, elements: Sequence[Element]) -> Element:
        """The batch that the function makes of elements."""
        if self.many is not None and self.failures < 3 and min(fitting(elements[0]), len(elements)) > 1:
            try:
                return _by_parts(self.many, [stacked(column) for column in zip(*elements, strict=True)])
            except Exception:  # which element it was is found when each is computed alone
                self.failures += 1
        return _of_mapped([self.call(element) for element in elements])

    def of_columns(self, columns: Sequence[Any]) -> Element:
        """The batch that the function makes of the rows of a batch."""
        if self.many is not None and self.failures < 3:
            try:
                return _by_parts(self.many, columns)
            except Exception:
                self.failures += 1
        return _of_mapped([self.call(list(map(as_value, row))) for row in zip(*columns, strict=True)])


def _by_parts(many: Columns, columns: Sequence[Any]) -> Element:
    count = len(columns[0])
    step = min(fitting([column[0] for column in columns]), count)
    parts = [many([c[i : i + step] for c in columns]) for i in range(0, count, step)]
    results: Element = []
    for i, pieces in enumerate(zip(*parts, strict=True)):
        if all(isinstance(piece, np.ndarray) for piece in pieces):
            joined = pieces[0] if len(pieces) == 1 else np.concatenate(pieces)
            is_shared = not joined.flags.owndata or any(np.may_share_memory(joined, x) for x in (*columns, *results))
            results.append(joined.copy() if is_shared else joined)
        else:
            results.append(put_together([as_value(x) for piece in pieces for x in piece], i, True))
    return results


# -- filters of what maps give -------------------------------------------------------------------


@recipe("Filter")
def chosen_by_last(source: Dataset) -> Dataset:
    """The elements whose last value is true."""

    def make(scope: Scope) -> Next:
        inner = source.make(scope)

        def following() -> Element:
            while True:
                element = inner()
                if truth(element[-1:]):
                    return element

        return following

    return Dataset(make, sources=[source])


@recipe("Map")
def without_last(source: Dataset) -> Dataset:
    """The elements without their last value."""

    def make(scope: Scope) -> Next:
        inner = source.make(scope)
        return lambda: inner()[:-1]

    return Dataset(make, UNKNOWN, [source])


def truth(values: Element) -> bool:
    """What a predicate says.

    Raises:
      InvalidArgumentError: it does not give one boolean.
    """
    if len(values) != 1 or np.shape(values[0]):
        raise invalid("Filter predicate `f` must return a scalar bool.")
    return bool(values[0])
