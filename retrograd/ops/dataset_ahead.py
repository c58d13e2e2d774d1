"""Functions of elements that are called for many elements at once, before anybody asks for these."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from retrograd.graph import errors
from retrograd.ops.dataset_states import MOST, Element, Next, as_value, fitting, rows_together

Columns = Callable[[Sequence[Any]], list[Any]]  # from columns of rows to columns, where rows differ in shape to lists
_FUTILE = 3  # times that what was computed ahead is thrown away


class ManyAtOnce:
    """Calls of a function that only computes, for more and more small elements at once.

    What fails for many is done again for each, so an element that cannot be computed fails when it is its turn.
    """

    def __init__(self, inner: Next, call: Callable[[Element], Element], many: Columns) -> None:
        self.inner, self.call, self.many = inner, call, many
        self.done: deque[Element] = deque()
        self.alone: deque[Element] = deque()  # elements that are computed one by one
        self.behind: Exception | None = None  # what the source raised behind them
        self.count = 1
        self.failures = 0

    def next(self) -> Element:
        """The next element."""
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
        self.count = min(2 * self.count, MOST, fitting(elements[0])) if self.failures < 3 else 1
        if len(elements) > 1:
            try:
                columns = self.many([rows_together(column) for column in zip(*elements, strict=True)])
                self.done.extend(map(list, zip(*[map(as_value, column) for column in columns], strict=True)))
                self.count = min(self.count, fitting(self.done[0]))
                return
            except Exception:  # which element it was is found when each is computed alone
                self.failures += 1
        self.alone.extend(elements)


class Ahead:
    """A function that draws random numbers, which all iterators of a scope share that call it for many elements.

    ``draw`` gives columns, and what they took of the random streams.  One iterator at a time is ahead: where another
    calls, what nobody has asked for is given back, so that each element gets the numbers that it would have got when
    its turn came.
    """

    def __init__(self, draw: Callable[[Sequence[Any]], tuple[list[Any], Sequence[Any]]]) -> None:
        self.draw = draw
        self.lock = threading.RLock()
        self.owner: DrawnAhead | None = None
        self.futile = 0

    def claim(self, iterator: DrawnAhead) -> None:
        """Let ``iterator`` be the one that is ahead."""
        if self.owner is iterator:
            return
        if self.owner is not None:
            self.owner.give_back()
        self.futile += iterator.has_given_back
        self.owner = iterator


class DrawnAhead(ManyAtOnce):
    """The same of a function that draws random numbers."""

    def __init__(self, inner: Next, call: Callable[[Element], Element], ahead: Ahead) -> None:
        super().__init__(inner, call, self._draw)
        self.ahead = ahead
        self.elements: list[Element] = []  # of which ``done`` has the last results
        self.drawn: Sequence[Any] = ()
        self.has_given_back = False

    def next(self) -> Element:
        """The next element."""
        with self.ahead.lock:
            self.ahead.claim(self)
            return super().next()

    def give_back(self) -> None:
        """Compute nothing that nobody has asked for."""
        kept = len(self.elements) - len(self.done)
        if self.done:
            for drawn in self.drawn:
                drawn.take_back(kept)
            self.done.clear()
            self.alone.extendleft(reversed(self.elements[kept:]))
            self.has_given_back = True
        self.elements, self.drawn = [], ()

    def _compute(self, elements: list[Element]) -> None:
        if self.ahead.futile >= _FUTILE:
            self.failures = _FUTILE
        self.elements = elements
        super()._compute(elements)

    def _draw(self, columns: Sequence[Any]) -> list[Any]:
        results, self.drawn = self.ahead.draw(columns)
        return results
