"""Datasets at run time: recipes that give elements one by one.

An element is a list of values, one for each component.  A recipe makes an *iterator*, a function without arguments
that gives the next element and raises ``StopIteration`` at the end, again and again.  It is no generator, because
after an error the next element can still be asked for.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np

from retrograd.graph import dtypes, errors
from retrograd.graph.shapes import shape_text
from retrograd.ops.queue_states import Words
from retrograd.ops.ragged import Encoded

Element = list[Any]
Next = Callable[[], Element]

INFINITE, UNKNOWN = -1, -2


class Scope:
    """What the iterators of one initialized iterator share: functions with their streams, and background threads.

    Args:
      memory: the way to the session of the op that made it.
      fuses: whether a shuffle that is repeated is one that goes on over the ends of its input.
    """

    def __init__(self, memory: Any, fuses: bool = False, around: Scope | None = None) -> None:
        self.memory = memory
        self.fuses = fuses
        self._is_whole = around is None
        self._made: dict[Hashable, Any] = {} if around is None else around._made
        self._lock: Any = threading.RLock() if around is None else around._lock
        self._stops: list[threading.Event] = [] if around is None else around._stops
        self.drawn: list[tuple[int, int]] = [] if around is None else around.drawn  # seeds that nobody gave
        self.given: deque[tuple[int, int]] = deque() if around is None else around.given  # those to be drawn next

    def seeds(self, key: Hashable, seed: int, seed2: int) -> tuple[int, int]:
        """The seeds, or where none are given new ones for ``key``, the same as long as the scope lasts."""
        return (seed, seed2) if seed or seed2 else self.once((key, "drawn"), self._draw)  # type: ignore[no-any-return]

    def _draw(self) -> tuple[int, int]:
        if self.given:
            found = self.given.popleft()
        else:
            first, second = np.random.SeedSequence().generate_state(2).tolist()
            found = first, second
        self.drawn.append(found)
        return found

    def once(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What belongs to ``key`` as long as the iterator is not initialized again."""
        with self._lock:
            if key not in self._made:
                self._made[key] = make()
            return self._made[key]

    def inner(self) -> Scope:
        """The scope of datasets that functions make."""
        return Scope(self.memory, False, self)

    def stop_event(self) -> threading.Event:
        """An event that is set when the scope is gone."""
        event = threading.Event()
        self._stops.append(event)
        return event

    def close(self) -> None:
        """End the background threads."""
        for event in self._stops:
            event.set()

    def __del__(self) -> None:
        if self._is_whole:
            self.close()


class Dataset:
    """A recipe: ``make(scope)`` gives an iterator.

    ``cardinality`` is how many elements there are, ``INFINITE`` or ``UNKNOWN``.  Made of ``sources`` alone, if they are
    told, it ``is_still`` where these are: nobody sees when its elements are computed.
    """

    shape = ()  # as the value of a tensor

    def __init__(
        self, make: Callable[[Scope], Next], cardinality: int = UNKNOWN, sources: Sequence[Dataset] | None = None
    ) -> None:
        self.make = make
        self.cardinality = cardinality
        self.is_still: bool = sources is not None and all(source.is_still for source in sources)
        self.is_mapped = False  # a batch of it is one transformation with the map
        self.goes_on: Callable[[int], Dataset] | None = None  # of a shuffle, it and so many repetitions as one

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        """As the value of a tensor: one object."""
        array = np.empty((), object)
        array[()] = self
        return array


def unwrapped(value: Any) -> Any:
    """A dataset, also of an array that holds it."""
    return value.item() if isinstance(value, np.ndarray) else value


def invalid(text: str) -> errors.InvalidArgumentError:
    return errors.InvalidArgumentError(None, None, text)


def as_value(x: Any) -> Any:
    """What a tensor of one element holds: a string, or a ragged tensor as a variant, in an array."""
    if not isinstance(x, bytes | Encoded):
        return x
    array = np.empty((), object)
    array[()] = x
    return array


def stacked(values: Sequence[Any]) -> np.ndarray:
    """Values of one shape as the rows of an array.

    Raises:
      ValueError: their shapes differ.
    """
    first = values[0]
    result = np.empty((len(values), *np.shape(first)), first.dtype if hasattr(first, "dtype") else object)
    for i, value in enumerate(values):
        if np.shape(value) != np.shape(first):
            raise ValueError("rows differ in shape")
        result[i] = value[()]
    return result


def end() -> Element:
    raise StopIteration


# -- sources -----------------------------------------------------------------------------------


def one(element: Element) -> Dataset:
    """A single element."""

    def make(scope: Scope) -> Next:
        left = [element]

        def following() -> Element:
            if not left:
                raise StopIteration
            return left.pop()

        return following

    return Dataset(make, 1, ())


def rows(components: Sequence[np.ndarray], count: int) -> Dataset:
    """One element for each row of the components."""
    has_texts = any(c.dtype.kind == "O" for c in components)

    def make(scope: Scope) -> Next:
        place = 0

        def following() -> Element:
            nonlocal place
            if place >= count:
                raise StopIteration
            place += 1
            return [as_value(c[place - 1]) for c in components] if has_texts else [c[place - 1] for c in components]

        return following

    return Dataset(make, count, ())


def numbers(start: int, stop: int, step: int) -> Dataset:
    """The integers of a range."""
    if step == 0:
        raise invalid("step must be a non-zero integer.")
    whole = range(start, stop, step)

    def make(scope: Scope) -> Next:
        place = 0

        def following() -> Element:
            nonlocal place
            if place >= len(whole):
                raise StopIteration
            place += 1
            return [np.int64(whole[place - 1])]

        return following

    return Dataset(make, len(whole), ())


def of_files(names: Sequence[Any], opened: Callable[[Any], Any], cardinality: int = UNKNOWN) -> Dataset:
    """What is in files, one after the other; ``opened(name)`` is a function that gives the next value, or None.

    It may have ``close``.
    """

    def make(scope: Scope) -> Next:
        left, current = deque(names), [None]

        def following() -> Element:
            while True:
                read: Any = current[0]
                if read is None:
                    if not left:
                        raise StopIteration
                    current[0] = read = opened(left.popleft())
                try:
                    value = read()
                except errors.OpError:
                    current[0] = None
                    raise
                if value is not None:
                    return [as_value(value)]
                current[0] = None

        return following

    return Dataset(make, cardinality, ())


# -- how many, in which order ------------------------------------------------------------------


def _times(n: int, m: int) -> int:
    """Cardinality of ``m`` repetitions of ``n`` elements."""
    if m < 0:
        return 0 if n == 0 else INFINITE if n != UNKNOWN else UNKNOWN
    return n * m if n >= 0 else (0 if m == 0 else n)


def repeated(source: Dataset, count: int) -> Dataset:
    """``source`` so many times; for ever if negative."""
    fused = source.goes_on

    def make(scope: Scope) -> Next:
        if fused is not None and scope.fuses:
            return fused(count).make(scope)
        state: Any = {"left": count, "inner": None, "is_new": True}

        def following() -> Element:
            while state["left"] != 0:
                if state["inner"] is None:
                    state["inner"], state["is_new"] = source.make(scope), True
                try:
                    element: Element = state["inner"]()
                except StopIteration:
                    if state["left"] < 0 and state["is_new"]:  # nothing, for ever
                        state["left"] = 0
                        raise
                    state["left"] -= state["left"] > 0
                    state["inner"] = None
                    continue
                state["is_new"] = False
                return element
            raise StopIteration

        return following

    return Dataset(make, _times(source.cardinality, count), [source])


def first_of(source: Dataset, count: int) -> Dataset:
    """At most the first ``count`` elements; all if negative."""

    def make(scope: Scope) -> Next:
        if count < 0:
            return source.make(scope)
        if count == 0:
            return end
        inner, left = source.make(scope), count

        def following() -> Element:
            nonlocal left
            if not left:
                raise StopIteration
            element = inner()
            left -= 1
            return element

        return following

    n = source.cardinality
    return Dataset(make, n if count < 0 or n == UNKNOWN else count if n == INFINITE else min(n, count), [source])


def without_first(source: Dataset, count: int) -> Dataset:
    """Without the first ``count`` elements; without any if negative."""

    def make(scope: Scope) -> Next:
        if count < 0:
            return end
        inner, left = source.make(scope), count

        def following() -> Element:
            nonlocal left
            while left:
                left -= 1
                inner()
            return inner()

        return following

    n = source.cardinality
    return Dataset(make, 0 if count < 0 else n if n < 0 else max(n - count, 0), [source])


def shard(source: Dataset, count: int, index: int, must_have: bool = False) -> Dataset:
    """Each ``count``-th element, from number ``index`` on."""
    if count <= 0:
        raise invalid(f"Number of shards must be greater than zero (currently num_shards = {count}).")
    if not 0 <= index < count:
        raise invalid(f"Index must be between 0 and {count - 1} (currently index = {index}).")

    def make(scope: Scope) -> Next:
        inner, skip = source.make(scope), index

        def following() -> Element:
            nonlocal skip
            for _ in range(skip):
                inner()
            skip = count - 1
            return inner()

        return following

    n = source.cardinality
    return Dataset(make, n if n < 0 else n // count + (index < n % count), [source])


def concatenated(first: Dataset, second: Dataset) -> Dataset:
    """One after the other."""

    def make(scope: Scope) -> Next:
        left = deque([first, second])
        inner: list[Next] = []

        def following() -> Element:
            while True:
                if not inner:
                    if not left:
                        raise StopIteration
                    inner.append(left.popleft().make(scope))
                try:
                    return inner[0]()
                except StopIteration:
                    inner.clear()

        return following

    n, m = first.cardinality, second.cardinality
    return Dataset(make, INFINITE if INFINITE in (n, m) else UNKNOWN if UNKNOWN in (n, m) else n + m, [first, second])


def zipped(sources: Sequence[Dataset]) -> Dataset:
    """The components of one element of each, as long as all have one."""

    def make(scope: Scope) -> Next:
        inner = [s.make(scope) for s in sources]
        return lambda: [value for step in inner for value in step()]

    known = [s.cardinality for s in sources if s.cardinality != INFINITE]
    return Dataset(make, INFINITE if not known else UNKNOWN if UNKNOWN in known else min(known), sources)


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
    if anew:
        result.goes_on = lambda count: shuffled_and_repeated(source, size, seed, seed2, count)
    return result


def shuffled_and_repeated(source: Dataset, size: int, seed: int, seed2: int, count: int) -> Dataset:
    """``count`` epochs in random order, each begun while the last is still drawn from."""
    if size < 1:
        raise invalid("buffer_size must be greater than zero.")

    def make(scope: Scope) -> Next:
        return end if count == 0 else _shuffle(source, scope, size, Words(*scope.seeds(result, seed, seed2)), count)

    result = Dataset(make, _times(source.cardinality, count), [source])
    return result


def random_numbers(seed: int, seed2: int) -> Dataset:
    """Random integers below 2**32."""

    def make(scope: Scope) -> Next:
        words = Words(*scope.seeds(result, seed, seed2))
        return lambda: [np.int64(words.draw())]

    result = Dataset(make, INFINITE, ())
    return result


# -- kept for later, ahead of time --------------------------------------------------------------


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


def cached_in_file(source: Dataset, path: str) -> Dataset:
    """The elements of the first pass, kept in files for this and later programs."""

    def make(scope: Scope) -> Next:
        found = f"{path}.npz"
        if os.path.exists(found):
            return rows_of_elements(_read_elements(found))
        inner = source.make(scope)
        fresh: list[Element] = []

        def following() -> Element:
            try:
                element = inner()
            except StopIteration:
                _write_elements(found, fresh)
                raise
            fresh.append(element)
            return element

        return following

    return Dataset(make, source.cardinality)


def _write_elements(path: str, elements: Sequence[Element]) -> None:
    """Numbers as they are; of strings their bytes and their lengths."""
    from retrograd.ops.sparse_serialization import written

    arrays: dict[str, np.ndarray] = {"shape": np.array([len(elements), len(elements[0]) if elements else 0])}
    for i, element in enumerate(elements):
        for j, value in enumerate(element):
            array = np.asarray(value)
            if array.dtype == object:
                strings = [x if isinstance(x, bytes) else written(x) for x in array.ravel()]  # parts of sparse tensors
                arrays[f"{i} {j} lengths"] = np.array([len(s) for s in strings], np.int64).reshape(array.shape)
                array = np.frombuffer(b"".join(strings), np.uint8)
            arrays[f"{i} {j}"] = array
    temporary = f"{path}.{os.getpid()}.tmp"
    with open(temporary, "wb") as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]
    os.replace(temporary, path)


def _read_elements(path: str) -> list[Element]:
    try:
        with np.load(path, allow_pickle=False) as arrays:
            rows_, columns = arrays["shape"].tolist()
            return [[_read_value(arrays, f"{i} {j}") for j in range(columns)] for i in range(rows_)]
    except (ValueError, KeyError, OSError) as error:
        raise errors.DataLossError(None, None, f"The cache in {path} is damaged: {error}") from None


def _read_value(arrays: Any, key: str) -> Any:
    value = arrays[key]
    if f"{key} lengths" not in arrays:
        return value
    lengths, data = arrays[f"{key} lengths"], value.tobytes()
    ends = np.cumsum(lengths.ravel()).tolist()
    strings = np.empty(len(ends), object)
    strings[:] = [data[b - n : b] for b, n in zip(ends, lengths.ravel().tolist(), strict=True)]
    return strings.reshape(lengths.shape)


def rows_of_elements(elements: Sequence[Element]) -> Next:
    """An iterator over a list."""
    place = 0

    def following() -> Element:
        nonlocal place
        if place >= len(elements):
            raise StopIteration
        place += 1
        return elements[place - 1]

    return following


class FetchingAhead:
    """A thread that asks an iterator for elements before they are needed, at most ``size`` of them."""

    def __init__(self, inner: Next, size: int, stop: threading.Event, name: str) -> None:
        self.condition = threading.Condition()
        self.ready: deque[tuple[Any, BaseException | None]] = deque()
        self.size = size
        self.ended = False
        thread = threading.Thread(
            target=_fetch_ahead, args=(weakref.ref(self), self.condition, inner, stop), daemon=True, name=name
        )
        thread.start()

    def next(self) -> Element:
        with self.condition:
            while not self.ready:
                if self.ended:
                    raise StopIteration
                self.condition.wait()
            element, error = self.ready.popleft()
            self.condition.notify_all()
        if error is not None:
            raise error
        return element  # type: ignore[no-any-return]


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
        while True:
            ahead = owner()
            if ahead is None or stop.is_set():
                return
            with condition:
                if ended:
                    ahead.ended = True
                    condition.notify_all()
                    return
                if len(ahead.ready) < ahead.size:
                    ahead.ready.append((element, error))
                    condition.notify_all()
                    break
                del ahead
                condition.wait(0.1)


def prefetched(source: Dataset, size: int) -> Dataset:
    """The same elements, computed ahead of time by a thread of its own; a negative size lets it choose."""
    if size < -1:
        raise invalid("buffer_size must be >= 0 or set buffer_size to be tf.data.experimental.AUTOTUNE for auto-tuning")
    room = 2 if size < 0 else size

    def make(scope: Scope) -> Next:
        inner = source.make(scope)
        if not room:
            return inner
        return _Lazily(inner, room, scope.stop_event()).next

    return Dataset(make, source.cardinality)


class _Lazily:
    """Fetching ahead, begun with the first element that is asked for."""

    def __init__(self, inner: Next, size: int, stop: threading.Event) -> None:
        self.inner, self.size, self.stop = inner, size, stop
        self.ahead: FetchingAhead | None = None

    def next(self) -> Element:
        if self.ahead is None:
            self.ahead = FetchingAhead(self.inner, self.size, self.stop, "Prefetch")
        return self.ahead.next()


def without_errors(source: Dataset) -> Dataset:
    """Without the elements that fail."""

    def make(scope: Scope) -> Next:
        inner = source.make(scope)

        def following() -> Element:
            while True:
                try:
                    return inner()
                except errors.OpError:
                    continue

        return following

    return Dataset(make)


# -- batches -----------------------------------------------------------------------------------


def put_together(column: Sequence[Any], i: int, is_mapped: bool = False) -> Any:
    """The values of one component as a batch.

    Raises:
      InvalidArgumentError: their shapes differ; of elements that a function has made it says so in other words.
    """
    first = column[0]
    if isinstance(first, Dataset):
        array = np.empty(len(column), object)
        array[:] = list(column)
        return array
    shape = np.shape(first)
    result = np.empty((len(column), *shape), first.dtype if hasattr(first, "dtype") else np.dtype(object))
    if not shape and result.dtype.kind != "O" and not any(map(np.ndim, column)):
        result[:] = column
        return result
    for j, value in enumerate(column):
        if (value.shape if isinstance(value, np.ndarray) else np.shape(value)) != shape:
            texts = shape_text(shape), shape_text(np.shape(value))
            raise invalid(
                "Cannot add tensor to the batch: number of elements does not match. Shapes are: "
                f"[tensor]: {texts[1]}, [batch]: {texts[0]}"
                if is_mapped
                else f"Cannot batch tensors with different shapes in component {i}. First element had shape "
                f"{texts[0]} and element {j} had shape {texts[1]}."
            )
        result[j] = value[()]
    return result


def batched(
    source: Dataset, size: int, drop: bool, combine: Callable[[Sequence[Any], int], Any] | None = None,
    goes_on: bool = False,
) -> Dataset:  # fmt: skip
    """``size`` elements put together, component by component; one that fails may cost its batch alone."""
    if size <= 0:
        raise invalid("Batch size must be greater than zero.")

    def make(scope: Scope) -> Next:
        inner = source.make(scope)
        is_mapped = source.is_mapped and scope.fuses

        def following() -> Element:
            elements: list[Element] = []
            failure: errors.OpError | None = None
            try:
                for _ in range(size):
                    try:
                        elements.append(inner())
                    except errors.OpError as error:
                        if not goes_on:
                            raise
                        failure = failure or error
            except StopIteration:
                if failure is None and (not elements or drop):
                    raise
            if failure is not None:
                raise failure
            columns = enumerate(zip(*elements, strict=True))
            if combine is not None:
                return [combine(column, i) for i, column in columns]
            return [put_together(column, i, is_mapped) for i, column in columns]

        return following

    n = source.cardinality
    return Dataset(make, n if n < 0 else n // size + (bool(n % size) and not drop), [source])


def sparsely_batched(source: Dataset, size: int, row: Sequence[int]) -> Dataset:
    """``size`` elements put together as one sparse tensor, each a row of the shape ``row``; -1 is the largest."""
    from retrograd.ops.sparse_serialization import serialized_parts

    if size <= 0:
        raise invalid("Batch size must be greater than zero.")

    def combine(column: Sequence[Any], i: int) -> Any:
        dims = list(row)
        for value in column:
            if np.ndim(value) != len(row):
                raise invalid(
                    f"Input element had shape ({shape_text(np.shape(value))}) that is incompatible with the row shape "
                    f"({shape_text(tuple(None if n < 0 else n for n in row))})."
                )
            for k, n in enumerate(np.shape(value)):
                if row[k] < 0:
                    dims[k] = max(dims[k], n)
                elif n > row[k]:
                    raise errors.DataLossError(
                        None, None, f"Input element had shape ({shape_text(np.shape(value))}) that is larger than the "
                        f"row shape ({shape_text(tuple(row))}).",
                    )  # fmt: skip
        places = [np.argwhere(np.ones(np.shape(value), bool)) for value in column]
        rows = np.repeat(np.arange(len(column)), [len(p) for p in places])
        indices = np.concatenate([rows[:, None], np.concatenate(places)], 1).astype(np.int64)
        shape = np.array([len(column), *(max(n, 0) for n in dims)], np.int64)
        values = np.concatenate([np.ravel(value) for value in column])
        return serialized_parts([indices, values, shape], dtypes.variant)

    return batched(source, size, False, combine)


def padded(shapes: Sequence[Sequence[int]], fills: Sequence[Any]) -> Callable[[Sequence[Any], int], Any]:
    """How a padded batch puts values together: each filled up to one shape, -1 the largest of the batch."""
    for n in (n for shape in shapes for n in shape if n < -1):
        raise invalid(f"Dimension {n} must be >= -1")

    def combine(column: Sequence[Any], i: int) -> Any:
        sizes = [np.shape(value) for value in column]
        wanted = list(shapes[i])
        for shape in sizes:
            if len(shape) != len(wanted):
                raise invalid(
                    "All elements in a batch must have the same rank as the padded shape for component"
                    f"{i}: expected rank {len(wanted)} but got element with rank {len(shape)}"
                )
            for k, (n, w) in enumerate(zip(shape, shapes[i], strict=True)):
                if w < 0:
                    wanted[k] = max(wanted[k], n)
                elif n > w:
                    words = "Attempted to pad to a smaller size than the input element."
                    raise errors.DataLossError(None, None, words)
        dims = [max(n, 0) for n in wanted]
        first = column[0]
        dtype = first.dtype if hasattr(first, "dtype") else np.dtype(object)
        result = np.empty((len(column), *dims), dtype)
        result[...] = np.asarray(fills[i]).reshape(())[()]
        for j, value in enumerate(column):
            place: Any = (j, *map(slice, np.shape(value)))
            result[place] = value[()]
        return result

    return combine


def unbatched(source: Dataset) -> Dataset:
    """One element for each row of the components of an element."""

    def make(scope: Scope) -> Next:
        inner = source.make(scope)
        left: deque[Element] = deque()

        def following() -> Element:
            while not left:
                element = inner()
                count = len(element[0]) if np.ndim(element[0]) else 0
                for i, value in enumerate(element):
                    if np.ndim(value) == 0:
                        raise invalid("Unbatch cannot handle scalar components")
                    if len(value) != count:
                        raise invalid(
                            "Input element must have the same batch size in each component. Component 0 had size "
                            f"{count} but component {i} had size, {len(value)}."
                        )
                left.extend([as_value(v[k]) for v in element] for k in range(count))
            return left.popleft()

        return following

    return Dataset(make, sources=[source])


def windows(source: Dataset, size: int, shift: int, stride: int, drop: bool) -> Dataset:
    """Datasets of ``size`` elements, ``stride`` apart, each beginning ``shift`` after the last."""
    for word, value in (("Window size", size), ("Window shift", shift), ("Window stride", stride)):
        if value <= 0:
            raise invalid(f"{word} must be greater than zero.")
    span = (size - 1) * stride + 1

    def make(scope: Scope) -> Next:
        inner = source.make(scope)
        state: Any = {"buffer": deque(), "skip": 0, "ended": False}

        def fill() -> None:
            buffer = state["buffer"]
            try:
                while state["skip"]:
                    _element_or_error(inner)
                    state["skip"] -= 1
                while len(buffer) < span and not state["ended"]:
                    buffer.append(_element_or_error(inner))
            except StopIteration:
                state["ended"] = True

        def following() -> Element:
            if not state["ended"]:
                fill()
            buffer = state["buffer"]
            if not buffer or (drop and len(buffer) < span):
                raise StopIteration
            chosen = list(buffer)[::stride][:size]
            for _ in range(min(shift, len(buffer))):
                buffer.popleft()
            state["skip"] = max(shift - span, 0)
            for element in chosen:
                if isinstance(element, errors.OpError):
                    raise element
            columns = zip(*chosen, strict=True)
            return [_of_column(list(column)) for column in columns]

        return following

    n = source.cardinality
    whole = max((n - span) // shift + 1, 0) if drop else -(-n // shift)
    return Dataset(make, n if n < 0 else whole)


def _element_or_error(inner: Next) -> Any:
    """The next element; an error takes its place, and matters to the windows that hold it."""
    try:
        return inner()
    except errors.OpError as error:
        return error


def _of_column(values: list[Any]) -> Dataset:
    return Dataset(lambda scope: rows_of_elements([[v] for v in values]), len(values))


def distinct(source: Dataset) -> Dataset:
    """Each element once."""

    def make(scope: Scope) -> Next:
        inner, seen = source.make(scope), set()

        def following() -> Element:
            while True:
                element = inner()
                value = np.asarray(element[0])
                key = (value.shape, tuple(value.ravel().tolist()))
                if key not in seen:
                    seen.add(key)
                    return element

        return following

    return Dataset(make)


def chosen_from(selector: Dataset, sources: Sequence[Dataset]) -> Dataset:
    """The next element of the source whose number the selector gives; an exhausted source is passed over."""

    def make(scope: Scope) -> Next:
        numbers_, inner = selector.make(scope), [s.make(scope) for s in sources]
        ended = [False] * len(inner)

        def following() -> Element:
            while True:
                (number,) = numbers_()
                i = int(number)
                if not 0 <= i < len(inner):
                    raise invalid(f"Selector index out of range: {i} >= {len(inner)}")
                if ended[i]:
                    continue
                try:
                    return inner[i]()
                except StopIteration:
                    ended[i] = True
                    if all(ended):
                        raise

        return following

    return Dataset(make)
