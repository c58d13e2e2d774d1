"""Datasets at run time: recipes that give elements one by one.

An element is a list of values, one for each component.  A recipe makes an *iterator*, a function without arguments
that gives the next element and raises ``StopIteration`` at the end, again and again.  It is no generator, because
after an error the next element can still be asked for.
"""

from __future__ import annotations

import itertools
import threading
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

import numpy as np

from retrograd.graph import errors
from retrograd.graph.errors import invalid
from retrograd.graph.values import in_array
from retrograd.ops.dataset_recipes import Made, check, recipe
from retrograd.ops.ragged import Encoded

Element = list[Any]
Next = Callable[[], Element]

INFINITE, UNKNOWN = -1, -2


class Scope:
    """What the iterators of one initialized iterator share: functions with their streams, and background threads.

    Args:
      memory: the way to the session of the op that made it.
      rewriting: what is done with datasets that functions make before they are used.
    """

    def __init__(
        self, memory: Any, rewriting: Callable[[Dataset], Dataset] | None = None, around: Scope | None = None,
        source: Sequence[int] = (),
    ) -> None:  # fmt: skip
        self.memory = memory
        self.rewriting = rewriting
        self.stats: Any = None if around is None else around.stats  # who is told what elements take
        self.threads: int | None = None if around is None else around.threads  # the most that one part may use
        self._is_whole = around is None
        self._made: dict[Hashable, Any] = {} if around is None else around._made
        self._lock: Any = threading.RLock() if around is None else around._lock
        self._stops: list[threading.Event] = [] if around is None else around._stops
        self._source: list[int] = list(source) if around is None else around._source
        self._draws: Iterator[int] = itertools.count() if around is None else around._draws

    def seeds(self, key: Hashable, seed: int, seed2: int) -> tuple[int, int]:
        """The seeds, or where none are given new ones for ``key``, the same as long as the scope lasts."""
        return (seed, seed2) if seed or seed2 else self.once((key, "drawn"), self._draw)  # type: ignore[no-any-return]

    @property
    def source(self) -> list[int]:
        """The numbers that all seeds which nobody gave follow from."""
        with self._lock:
            if not self._source:
                self._source += np.random.SeedSequence().generate_state(2).tolist()
            return self._source

    def _draw(self) -> tuple[int, int]:
        first, second = np.random.SeedSequence([*self.source, next(self._draws)]).generate_state(2).tolist()
        return first, second

    def once(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What belongs to ``key`` as long as the iterator is not initialized again."""
        with self._lock:
            if key not in self._made:
                self._made[key] = make()
            return self._made[key]

    def begun(self, dataset: Dataset) -> Next:
        """An iterator over a whole pipeline.

        Raises:
          InvalidArgumentError: its transformations are not those that the program expects.
        """
        if dataset.expects:
            check(dataset)
        return dataset.make(self)

    def begun_inside(self, dataset: Dataset) -> Next:
        """An iterator over a dataset that a function made."""
        return self.begun(dataset if self.rewriting is None else self.rewriting(dataset))

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
        self.made: Made | None = None
        self.expected: tuple[str, ...] = ()  # the transformations that the program says follow
        self.expects = False  # whether it says so of this dataset, or of one of its sources

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        """As the value of a tensor: one object."""
        array = np.empty((), object)
        array[()] = self
        return array


def unwrapped(value: Any) -> Any:
    """A dataset, also of an array that holds it."""
    return value.item() if isinstance(value, np.ndarray) else value


def as_value(x: Any) -> Any:
    """What a tensor of one element holds: a string, or a ragged tensor as a variant, in an array."""
    if not isinstance(x, Encoded):
        return in_array(x)
    array = np.empty((), object)
    array[()] = x
    return array


def stacked(values: Sequence[Any]) -> np.ndarray:
    """Values of one shape as the rows of an array.

    Raises:
      ValueError: their shapes differ.
    """
    first = values[0]
    shape = np.shape(first)
    result = np.empty((len(values), *shape), first.dtype if hasattr(first, "dtype") else object)
    for i, value in enumerate(values):
        if (value.shape if type(value) is np.ndarray else np.shape(value)) != shape:
            raise ValueError("rows differ in shape")
        result[i] = value[()]
    return result


def rows_together(values: Sequence[Any]) -> Any:
    """Values as the rows of an array if they have one shape, else as a list."""
    try:
        return stacked(values)
    except ValueError:
        return list(values)


MOST, _BYTES = 32, 1 << 18  # elements at once, and how large they are together


def fitting(element: Element) -> int:
    """How many such elements are computed, or kept ahead, at once where nobody sees it."""
    return max(_BYTES // max(sum(map(bytes_of, element)), 1), 1)


def bytes_of(value: Any) -> int:
    """How large a value is."""
    if not isinstance(value, np.ndarray) or value.dtype.kind != "O":
        return int(getattr(value, "nbytes", 0))
    return sum(len(x) for x in value.ravel() if isinstance(x, bytes))


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


@recipe("Range")
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


# -- how many, in which order ------------------------------------------------------------------


def times(n: int, m: int) -> int:
    """Cardinality of ``m`` repetitions of ``n`` elements."""
    if m < 0:
        return 0 if n == 0 else INFINITE
    return n * m if n >= 0 else (0 if m == 0 else n)


@recipe(lambda source, count: "ForeverRepeat" if count < 0 else "FiniteRepeat" if count else None)
def repeated(source: Dataset, count: int) -> Dataset:
    """``source`` so many times; for ever if negative."""

    def make(scope: Scope) -> Next:
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

    return Dataset(make, times(source.cardinality, count), [source])


@recipe(lambda source, count: "FiniteTake" if count else None)
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


@recipe(lambda source, count: None if count < 0 else "FiniteSkip")
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


@recipe("Shard")
def shard(source: Dataset, count: int, index: int, must_have: bool = False) -> Dataset:
    """Each ``count``-th element, from number ``index`` on; with ``must_have`` there must be ``count`` of them."""
    if count <= 0:
        raise invalid(f"Number of shards must be greater than zero (currently num_shards = {count}).")
    if not 0 <= index < count:
        raise invalid(f"Index must be between 0 and {count - 1} (currently index = {index}).")

    def make(scope: Scope) -> Next:
        inner, skip, is_first = source.make(scope), index, True

        def following() -> Element:
            nonlocal skip, is_first
            for _ in range(skip):
                inner()
            skip = count - 1
            element = inner()
            if must_have and is_first:
                is_first, skip = False, index
                for i in range(index + 1, count):
                    _expect(inner, i, count)
            return element

        return following

    n = source.cardinality
    return Dataset(make, n if n < 0 else n // count + (index < n % count), [source])


def _expect(inner: Next, found: int, count: int) -> None:
    try:
        inner()
    except StopIteration:
        raise invalid(
            "There aren't enough elements in this dataset for each shard to have at least one element (# elems = "
            f"{found}, # shards = {count}). If you are using datasets with distribution strategy, consider turning "
            "dataset autosharding off with `tf.data.Options`."
        ) from None


@recipe("Concatenate[0]|Concatenate[1]")
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


@recipe("Zip[*]")
def zipped(sources: Sequence[Dataset]) -> Dataset:
    """The components of one element of each, as long as all have one."""

    def make(scope: Scope) -> Next:
        inner = [s.make(scope) for s in sources]
        return lambda: [value for step in inner for value in step()]

    known = [s.cardinality for s in sources if s.cardinality != INFINITE]
    return Dataset(make, INFINITE if not known else UNKNOWN if UNKNOWN in known else min(known), sources)


@recipe("IgnoreErrors")
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


@recipe("Unique")
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


@recipe("DirectedInterleave.selector|DirectedInterleave[*]")
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


# -- the same elements -------------------------------------------------------------------------


def same(token: str) -> Callable[..., Dataset]:
    """A transformation that changes nothing of the elements, whatever else it is given."""

    @recipe(token)
    def through(source: Dataset, *others: Any) -> Dataset:
        return Dataset(source.make, source.cardinality, [source])

    return through


non_serializable, modelled = map(same, ("NonSerializable", "Model"))


@recipe("MaxIntraOpParallelism")
def with_threads_of_ops(source: Dataset, count: int) -> Dataset:
    """``source``; an op takes the threads that it takes everywhere."""
    if count < 0:
        raise invalid("`max_intra_op_parallelism` must be >= 0")
    return Dataset(source.make, source.cardinality, [source])


@recipe("PrivateThreadPool")
def with_threads(source: Dataset, count: int) -> Dataset:
    """``source``, of which no part uses more than ``count`` threads."""
    if count < 1:
        raise invalid("`num_threads` must be >= 1")

    def make(scope: Scope) -> Next:
        inner = Scope(scope.memory, scope.rewriting, scope)
        inner.threads = count
        return source.make(inner)

    return Dataset(make, source.cardinality, [source])


@recipe("AssertNext")
def expecting(source: Dataset, transformations: Sequence[str]) -> Dataset:
    """``source``, behind which a program says that these transformations follow."""
    result: Dataset = Dataset(source.make, source.cardinality, [source])
    result.expected = tuple(transformations)
    return result
