"""What an interpreter does, step by step: calls of kernels, branches, loops."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from operator import methodcaller
from typing import Any

import numpy as np

from retrograd.graph.errors import CancelledError, DeadlineExceededError
from retrograd.graph.operation import Operation
from retrograd.ops import dataflow
from retrograd.run.failures import kernel_failure
from retrograd.run.store import Shared

# (function, slots of its arguments, slot or slots of its results, slots that nobody reads later, op);
# a branch or a loop has no function and stands in the place of the op
Step = tuple[Callable[..., Any] | None, tuple[int, ...], int | tuple[int, ...], tuple[int, ...], Any]

read_reference = methodcaller("read")  # the function of the steps that read a reference

Condition = tuple[int, bool | None]  # a slot, and the truth that its value must have; None: that there is one


def take(steps: Sequence[Step], values: list[Any]) -> None:
    """Run ``steps`` over ``values``, the contents of the slots.

    Raises:
      OpError: an op fails.
    """
    for function, sources, results, dead, op in steps:
        if function is None:
            op.run(values)
        else:
            try:
                result = function(*[values[s] for s in sources])
            except Exception as error:
                raise kernel_failure(op, error, [values[s] for s in sources]) from error.__cause__
            if type(results) is int:
                values[results] = result
            else:
                for slot, value in zip(results, result, strict=True):  # type: ignore[arg-type]
                    values[slot] = value
        for slot in dead:
            values[slot] = None


def hold(conditions: Iterable[Condition], values: list[Any]) -> bool:
    """Whether all ``conditions`` hold, the first of them first."""
    for slot, branch in conditions:
        value = values[slot]
        if value is None if branch is None else bool(value) is not branch:
            return False
    return True


class Block:
    """Several steps that run together, or not, or more than once."""

    bodies: tuple[list[Step], ...] = ()  # the lists of steps in it

    def run(self, values: list[Any]) -> None:
        raise NotImplementedError

    def own_slots(self) -> set[int]:
        """The slots that the block itself reads and writes, beside those of its steps."""
        raise NotImplementedError

    def slots(self) -> set[int]:
        """All slots that the block and its steps read and write."""
        return self.own_slots().union(*[slots_of(step) for body in self.bodies for step in body])

    def ops(self) -> Iterator[Operation]:
        """The ops of the steps in it."""
        for body in self.bodies:
            for step in body:
                if step[0] is None:
                    yield from step[-1].ops()
                else:
                    yield step[-1]

    def as_step(self) -> Step:
        return (None, (), (), (), self)


def blocks_in(steps: Iterable[Step]) -> Iterator[Block]:
    """The blocks among ``steps``, those inside of others too."""
    for step in steps:
        if step[0] is None:
            yield step[-1]
            for body in step[-1].bodies:
                yield from blocks_in(body)


def slots_of(step: Step) -> set[int]:
    """The slots that a step reads and writes."""
    function, sources, results, _, op = step
    if function is None:
        slots: set[int] = op.slots()
        return slots
    return {*sources, *(results if isinstance(results, tuple) else (results,))}


class Guarded(Block):
    """Steps that run only where ``conditions`` hold."""

    def __init__(self, conditions: tuple[Condition, ...], steps: list[Step]) -> None:
        self.conditions = conditions
        self.steps = steps

    @property
    def bodies(self) -> tuple[list[Step], ...]:  # type: ignore[override]
        return (self.steps,)

    def run(self, values: list[Any]) -> None:
        if hold(self.conditions, values):
            take(self.steps, values)

    def own_slots(self) -> set[int]:
        return {slot for slot, _ in self.conditions}


class Choice(Block):
    """A merge: the first of its inputs whose conditions hold, and its number."""

    def __init__(
        self, op: Operation, options: list[tuple[tuple[Condition, ...], int]], value: int, number: int
    ) -> None:
        self.op = op
        self.options = options
        self.value = value
        self.number = number

    def run(self, values: list[Any]) -> None:
        for i, (conditions, slot) in enumerate(self.options):
            if hold(conditions, values):
                values[self.value] = values[slot]
                values[self.number] = np.int32(i)
                return
        values[self.value] = values[self.number] = None

    def own_slots(self) -> set[int]:
        conditions = {slot for option, _ in self.options for slot, _ in option}
        return conditions | {slot for _, slot in self.options} | {self.value, self.number}

    def ops(self) -> Iterator[Operation]:
        yield self.op


class Repeated(Block):
    """A loop: the steps before its condition, and, while that holds, the steps behind it."""

    def __init__(self, deadline: int, shared: Shared) -> None:
        self.deadline = deadline  # the slot of the time at which the run is given up
        self.shared = shared  # says whether the session was closed
        self.before: list[Step] = []
        self.behind: list[Step] = []
        self.condition: int | None = None  # without one, a single iteration
        self.first: list[tuple[int, int]] = []  # (slot of a first value, slot of the loop variable)
        self.next: list[tuple[int, int]] = []  # (slot of the next value, slot of the loop variable)
        self.numbers: list[int] = []  # slots that say whether a variable has its first value or a later one
        self.histories: list[tuple[tuple[Condition, ...], int, int]] = []  # (when there is a value, its slot, a list)
        self.recalls: list[tuple[int, int]] = []  # (slot of a list, slot of its value in this iteration)
        self.longest = 0  # iterations that there were in any run
        self.calls: list[Any] = []  # of bodies: they end with the loop
        self.whole: Any = None  # what may compute the loop as a whole
        self.given: list[int] = []  # slots of what it takes
        self.left: list[int] = []  # slots of what it gives

    @property
    def bodies(self) -> tuple[list[Step], ...]:  # type: ignore[override]
        return (self.before, self.behind)

    def run(self, values: list[Any]) -> None:
        if self.whole is not None and values[self.deadline] is None and self._is_computed(values):
            return
        try:
            self._iterate(values)
        finally:
            for call in self.calls:
                call.end()

    def _is_computed(self, values: list[Any]) -> bool:
        """Whether the loop was computed as a whole."""
        results = self.whole.run([values[s] for s in self.given], self.longest)
        for slot, value in zip(self.left, results or (), strict=bool(results)):
            values[slot] = value
            if isinstance(value, dataflow.History):
                self.longest = max(self.longest, len(value))
        return results is not None

    def _iterate(self, values: list[Any]) -> None:
        for source, slot in self.first:
            values[slot] = values[source]
        for slot in self.numbers:
            values[slot] = np.int32(0)
        kept: list[list[Any]] = [[] for _ in self.histories]
        left = {source: len(values[source]) for source, _ in self.recalls if values[source] is not None}
        for iterations in count():
            take(self.before, values)
            if self.condition is None or not values[self.condition]:
                self.longest = max(self.longest, iterations)
                break
            if self.shared.is_closed:
                raise CancelledError(None, None, "[_Derived_]Loop execution was cancelled.")
            if values[self.deadline] is not None and time.monotonic() > values[self.deadline]:
                raise DeadlineExceededError(None, None, "Timed out waiting for notification")
            for source, slot in self.recalls:
                if source in left:
                    values[slot] = values[source][left[source] - 1]
            for source in left:
                left[source] -= 1
            take(self.behind, values)
            for i, (conditions, slot, _) in enumerate(self.histories):
                kept[i].append(values[slot] if hold(conditions, values) else None)
            following = [values[source] for source, _ in self.next]
            for (_, slot), value in zip(self.next, following, strict=True):
                values[slot] = value
            for slot in self.numbers:
                values[slot] = np.int32(1)
        for (_, _, slot), history in zip(self.histories, kept, strict=True):
            values[slot] = dataflow.History(history)

    def own_slots(self) -> set[int]:
        slots = {*self.numbers, *self.given, *self.left, *([] if self.condition is None else [self.condition])}
        for pair in (*self.first, *self.next, *self.recalls):
            slots.update(pair)
        for conditions, slot, history in self.histories:
            slots.update([slot, history, *[s for s, _ in conditions]])
        return slots
