"""Queues at run time: elements, and the attempts to put some in or take some out, in the order of their arrival.

An attempt that cannot be met waits; those behind it wait with it.  ``flush`` lets the first attempts of both kinds
go as far as they can, in turn, until neither gets further.
"""

from __future__ import annotations

import heapq
import itertools
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from retrograd.graph import errors
from retrograd.graph.dtypes import DType, type_word
from retrograd.graph.shapes import RawShape, shape_text
from retrograd.ops.philox import advance, philox_blocks, seeded_stream

Element = tuple[Any, ...]  # one value for each component

_private = itertools.count()


def private_name(name: str) -> str:
    """The name of a resource that nobody shares."""
    return f"_{next(_private)}_{name}"


class Words:
    """The words of a Philox stream one by one; without seeds, of an arbitrary one."""

    _BLOCKS = 64

    def __init__(self, seed: int, seed2: int) -> None:
        if not (seed or seed2):
            seed, seed2 = np.random.SeedSequence().generate_state(2).tolist()
        self._key, self._counter = seeded_stream(seed, seed2)
        self._blocks_read = 0
        self._words: list[int] = []

    def draw(self) -> int:
        """The next word, 32 bits."""
        if not self._words:
            counter = advance(np, self._counter, self._blocks_read)
            self._words = philox_blocks(np, self._key, counter, self._BLOCKS).reshape(-1)[::-1].tolist()
            self._blocks_read += self._BLOCKS
        return self._words.pop()


class Attempt:
    """What one run wants of a queue, and what came of it."""

    def __init__(self, act: Callable[[Attempt], bool], wanted: int = 0) -> None:
        self.act = act  # goes as far as it can; whether it got anywhere
        self.wanted = wanted  # elements that are still to be moved
        self.taken: list[Element] = []
        self.is_done = False
        self.error: errors.OpError | None = None

    def end(self, error: errors.OpError | None = None) -> bool:
        """It is over, with or without an error."""
        self.is_done = True
        self.error = error
        return True


class QueueState:
    """First in, first out."""

    kind = "FIFOQueue"

    def __init__(
        self, name: str, condition: Any, capacity: int, types: Sequence[DType], shapes: Sequence[RawShape] | None
    ) -> None:
        self.name = name
        self.condition = condition
        self.capacity = capacity if capacity >= 0 else 2**31 - 1
        self.types = list(types)
        self.shapes = list(shapes) if shapes else None
        self.is_closed = False
        self.elements: Any = deque()
        self.enqueuing: deque[Attempt] = deque()
        self.dequeuing: deque[Attempt] = deque()

    # -- what kinds of queues differ in

    def put(self, elements: Iterable[Element]) -> None:
        self.elements.extend(elements)

    def take(self, count: int) -> list[Element]:
        return [self.elements.popleft() for _ in range(count)]

    def put_back(self, elements: Sequence[Element]) -> None:
        self.elements.extendleft(reversed(elements))

    def available(self) -> int:
        """How many elements may be taken now."""
        return len(self.elements)

    def batch(self, elements: Sequence[Element]) -> list[Any]:
        """Elements put together, component by component."""
        return [self._stacked(column, i) for i, column in enumerate(zip(*elements, strict=True))]

    def _stacked(self, column: Sequence[Any], i: int) -> np.ndarray:
        dtype = self.types[i].np
        shape = np.shape(column[0])
        result = np.empty((len(column), *shape), dtype)
        if not shape:
            result[:] = column
            return result
        for j, value in enumerate(column):
            result[j] = value
        return result

    def checks_shape(self, i: int) -> bool:
        return self.shapes is not None and self.shapes[i] is not None

    # -- attempts

    def enqueue(self, elements: list[Element], whole: bool) -> Attempt:
        """An attempt to put ``elements`` in."""

        def act(attempt: Attempt) -> bool:
            if self.is_closed:
                return attempt.end(errors.CancelledError(None, None, f"{self.kind} '{self.name}' is closed."))
            moved = min(attempt.wanted, self.capacity - len(self.elements))
            if moved > 0:
                first = len(elements) - attempt.wanted
                self.put(itertools.islice(elements, first, first + moved))
                attempt.wanted -= moved
            return attempt.end() if not attempt.wanted else moved > 0

        return self._begin(self.enqueuing, Attempt(act, len(elements)))

    def dequeue(self, wanted: int, up_to: bool) -> Attempt:
        """An attempt to take ``wanted`` elements out, or if ``up_to`` what a closed queue has left of so many."""

        def act(attempt: Attempt) -> bool:
            if self.is_closed and len(self.elements) < attempt.wanted:
                size = len(self.elements)
                if attempt.taken:
                    self.put_back(attempt.taken)
                    attempt.wanted += len(attempt.taken)
                    attempt.taken = []
                if up_to and self.elements:
                    attempt.wanted = len(self.elements)
                elif up_to and self.enqueuing:
                    return False
                else:
                    return attempt.end(self._exhausted(attempt.wanted, size))
            moved = min(attempt.wanted, self.available())
            attempt.taken += self.take(moved)
            attempt.wanted -= moved
            return attempt.end() if not attempt.wanted else moved > 0

        return self._begin(self.dequeuing, Attempt(act, wanted))

    def _exhausted(self, wanted: int, size: int) -> errors.OpError:
        return errors.OutOfRangeError(
            None,
            None,
            f"{self.kind} '{self.name}' is closed and has insufficient elements "
            f"(requested {wanted}, current size {size})",
        )

    def close(self, cancel_pending: bool) -> Attempt:
        """Close it: at once, ending what waits to put elements in, or after that."""
        if cancel_pending:
            with self.condition:
                self.is_closed = True
                for waiting in self.enqueuing:
                    waiting.end(errors.CancelledError(None, None, "Enqueue operation was cancelled"))
                self.flush()
            attempt = Attempt(lambda attempt: True)
            attempt.end()
            return attempt

        def act(attempt: Attempt) -> bool:
            if self.is_closed:
                text = f"Queue '{self.name}' is already closed."
                return attempt.end(errors.CancelledError(None, None, text))
            self.is_closed = True
            return attempt.end()

        return self._begin(self.enqueuing, Attempt(act))

    def _begin(self, line: deque[Attempt], attempt: Attempt) -> Attempt:
        with self.condition:
            line.append(attempt)
            self.flush()
        return attempt

    def flush(self) -> None:
        """Let the attempts go as far as they can; the condition is held."""
        changed = finished = False
        while True:
            changed = False
            for line in (self.enqueuing, self.dequeuing):
                while line:
                    head = line[0]
                    if not head.is_done and not head.act(head):
                        break
                    changed = True
                    if not head.is_done:
                        break
                    line.popleft()
                    finished = True
            if not changed:
                break
        if finished:
            self.condition.notify_all()

    def give_up(self, attempt: Attempt, even_if_done: bool = False) -> bool:
        """Withdraw an attempt, with what it has taken; False if it is already done."""
        with self.condition:
            if attempt.is_done and not even_if_done:
                return False
            attempt.end()
            if attempt.taken:
                self.put_back(attempt.taken)
                attempt.taken = []
            self.flush()
            return True

    # -- elements

    def element_of(self, values: Sequence[Any]) -> Element:
        """Values as one element.

        Raises:
          InvalidArgumentError: a value is not of the shape that the queue was made for.
        """
        for i, value in enumerate(values):
            if self.checks_shape(i) and not _fits(np.shape(value), self.shapes[i]):  # type: ignore[index]
                raise self._misfit(i, self.shapes[i], np.shape(value))  # type: ignore[index]
        return tuple(map(_kept, values))

    def elements_of(self, values: Sequence[Any]) -> list[Element]:
        """Batches of values as elements.

        Raises:
          InvalidArgumentError: the batches differ in size, or the queue was made for another shape.
        """
        size = np.shape(values[0])[0] if np.ndim(values[0]) else 0
        for i, value in enumerate(values):
            shape = np.shape(value)
            if not shape:
                raise errors.InvalidArgumentError(None, None, f"Shape mismatch in tuple component {i}. Expected rank 1")
            if shape[0] != size:
                text = f"All input tensors must have the same size in the 0th dimension. Component {i} has {shape[0]}, "
                raise errors.InvalidArgumentError(None, None, f"{text}and should have {size}")
            if self.checks_shape(i) and not _fits(shape[1:], self.shapes[i]):  # type: ignore[index]
                raise self._misfit(i, (size, *self.shapes[i]), shape)  # type: ignore[index, misc]
        return list(zip(*map(_kept, values), strict=True))

    def _misfit(self, i: int, wanted: RawShape, found: RawShape) -> errors.OpError:
        text = f"Shape mismatch in tuple component {i}. Expected {shape_text(wanted)}, got {shape_text(found)}"
        return errors.InvalidArgumentError(None, None, text)

    def check_batches(self) -> None:
        """Raises ``InvalidArgumentError`` if the shapes of the elements are open, so that they make no batch."""
        if self.shapes is None:
            text = f"{self.kind}'s DequeueMany and DequeueUpTo require the components to have specified shapes."
            raise errors.InvalidArgumentError(None, None, text)

    def check_same(
        self, op_type: str, name: str, capacity: int, types: Sequence[DType], shapes: Sequence[RawShape] | None
    ) -> None:
        """Raises ``InvalidArgumentError`` if another op of this name makes it otherwise."""
        kind = op_type.removesuffix("V2")
        if kind != self.kind:
            raise errors.InvalidArgumentError(
                None, None,
                f"Shared queue '{self.name}' has type '{self.kind}' that does not match type of Node '{name}': {kind}",
            )  # fmt: skip
        asked = capacity if capacity >= 0 else 2**31 - 1
        texts = (
            ("capacity", str(self.capacity), str(asked)),
            ("component types", _types_text(self.types), _types_text(types)),
            ("component shapes", _shapes_text(self.shapes), _shapes_text(shapes)),
        )
        for what, found, wanted in texts:
            if found != wanted:
                verb = "was" if what == "capacity" else "were"
                raise errors.InvalidArgumentError(
                    None, None, f"Shared queue '{self.name}' has {what} {found} but requested {what} {verb} {wanted}."
                )


def _kept(value: Any) -> Any:
    """A value that stays what it is: of what a program feeds, a copy; of a scalar array, what it holds."""
    if not isinstance(value, np.ndarray):
        return value
    if not value.ndim:
        return value[()]
    return value if value.flags.owndata else value.copy()


def _fits(shape: tuple[int, ...], wanted: RawShape) -> bool:
    return wanted is None or (
        len(shape) == len(wanted) and all(w is None or w == n for n, w in zip(shape, wanted, strict=True))
    )


def _types_text(types: Sequence[DType]) -> str:
    return "[" + ", ".join(map(type_word, types)) + "]"


def _shapes_text(shapes: Sequence[RawShape] | None) -> str:
    return "[" + ", ".join(map(shape_text, shapes or ())) + "]"


class RandomState(QueueState):
    """Elements come out in random order; an open queue keeps ``least`` of them to choose from."""

    kind = "RandomShuffleQueue"

    def __init__(self, *args: Any, least: int, seed: int, seed2: int) -> None:
        super().__init__(*args)
        self.least = least
        self.seeds = (seed, seed2)
        self.words = Words(seed, seed2)
        self.elements = []

    def take(self, count: int) -> list[Element]:
        return [self._drawn() for _ in range(count)]

    def _drawn(self) -> Element:
        i = self.words.draw() % len(self.elements)
        element: Element = self.elements[i]
        self.elements[i] = self.elements[-1]
        self.elements.pop()
        return element

    def put_back(self, elements: Sequence[Element]) -> None:
        self.elements.extend(elements)

    def available(self) -> int:
        return len(self.elements) if self.is_closed else max(len(self.elements) - self.least, 0)


class PaddingState(QueueState):
    """First in, first out; elements of a batch are filled up to one shape."""

    kind = "PaddingFIFOQueue"

    def _stacked(self, column: Sequence[Any], i: int) -> np.ndarray:
        shape = np.max([np.shape(value) for value in column], axis=0).astype(int)
        dtype = self.types[i].np
        result = (
            np.full((len(column), *shape), b"", object)
            if np.dtype(dtype).kind == "O"
            else np.zeros((len(column), *shape), dtype)
        )
        for j, value in enumerate(column):
            place: Any = (j, *map(slice, np.shape(value)))
            result[place] = value
        return result


class PriorityState(QueueState):
    """The element of the smallest number, which is its first component, comes out first."""

    kind = "PriorityQueue"

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.elements = []
        self._number = itertools.count()

    def put(self, elements: Iterable[Element]) -> None:
        for element in elements:
            heapq.heappush(self.elements, (int(element[0]), next(self._number), element))

    def take(self, count: int) -> list[Element]:
        return [heapq.heappop(self.elements)[-1] for _ in range(count)]

    def put_back(self, elements: Sequence[Element]) -> None:
        self.put(elements)
