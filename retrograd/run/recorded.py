"""Runs of which every value is kept, for those who explain what a program computes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor
from retrograd.ops import dataflow
from retrograd.run.interpreter import Interpreter
from retrograd.run.plan import Plan
from retrograd.run.program import Program
from retrograd.run.steps import Choice, Repeated, Step
from retrograd.run.store import Cell, Store


class Call(NamedTuple):
    """What an op was given and gave, once."""

    op: Operation
    inputs: tuple[Any, ...]
    result: Any


class Record:
    """The values of one run.  Arrays are those of the run: while they are held, nobody changes them."""

    def __init__(self, recorder: Recorder) -> None:
        self.plan = recorder.plan
        self.calls: list[Call] = []  # in the order of the run
        self.by_slot: dict[int, list[Any]] = {}
        self.left: dict[int, Any] = {}  # what a loop variable was behind the loop
        self.read: dict[Cell, Any] = {}  # what variables were when an op first took something of them
        self.has_failed = False  # before all was computed
        self._recorder = recorder

    def of(self, tensor: Tensor) -> list[Any]:
        """The values of ``tensor``, one for each iteration of the loop that it is in; none if nothing gave it one.

        Of a variable's handle, what was read of the variable.
        """
        slot = self._recorder.slots.get(tensor)
        if slot is None:
            return []
        if slot in self.left and tensor.op.type in dataflow.EXITS:
            return [self.left[slot]]
        if slot in self.by_slot:
            return self.by_slot[slot]
        initial = self._recorder.initial[slot]
        if isinstance(initial, Cell):
            return [self.read[initial]] if initial in self.read else []
        return [] if initial is None else [initial]


class Recorder(Interpreter):
    """An interpreter that tells what its runs have computed."""

    def __init__(self, plan: Plan, store: Store, tell: Callable[[Record], None]) -> None:
        super().__init__(plan, store)
        self.tell = tell
        self._here = threading.local()  # the record of the run that a thread is in
        self._record_all(self.steps)

    def run(self, feeds: Sequence[Any], deadline: float | None = None) -> list[Any]:
        """What an interpreter gives; the record is told, that of a run that fails too."""
        record = self._here.record = Record(self)
        for slot, value in zip(self.feed_slots, feeds, strict=True):
            record.by_slot[slot] = [value]
        try:
            return super().run(feeds, deadline)
        except Exception:
            record.has_failed = True
            raise
        finally:
            del self._here.record
            self.tell(record)

    def _record_all(self, steps: list[Step]) -> None:
        fresh: list[Step] = []
        for function, sources, results, dead, block in steps:
            if function is not None:
                fresh.append((partial(self._kept, function, block, results), sources, results, dead, block))
                continue
            for body in block.bodies:
                self._record_all(body)
            fresh.append((None, sources, results, (), block))
            op = next(block.ops(), None)
            if isinstance(block, Choice):
                fresh.append((partial(self._keep, block.value), (block.value,), (), (), op))
            elif isinstance(block, Repeated):
                variables = [slot for _, slot in block.first]
                block.behind[:0] = [(partial(self._keep, slot), (slot,), (), (), op) for slot in variables]
                fresh += [(partial(self._leave, slot), (slot,), (), (), op) for slot in variables]
                fresh += [(partial(self._keep, slot), (slot,), (), (), op) for *_, slot in block.histories]
            fresh.append((_nothing, (), (), dead, op))
        steps[:] = fresh

    def _kept(self, function: Callable[..., Any], op: Operation, slots: int | tuple[int, ...], *inputs: Any) -> Any:
        if inputs and isinstance(inputs[0], Cell):
            self._here.record.read.setdefault(inputs[0], inputs[0].value)
        result = function(*inputs)
        self._here.record.calls.append(Call(op, inputs, result))
        if isinstance(slots, int):
            self._keep(slots, result)
        else:
            for slot, value in zip(slots, result, strict=True):
                self._keep(slot, value)
        return result

    def _leave(self, slot: int, value: Any) -> tuple[()]:
        self._here.record.left[slot] = value
        return ()

    def _keep(self, slot: int, value: Any) -> tuple[()]:
        if value is not None:
            self._here.record.by_slot.setdefault(slot, []).append(value)
        return ()


def _nothing() -> tuple[()]:
    return ()


Reader = Callable[[Record], None]
Chooser = Callable[[Plan], Reader | None]  # who reads the runs of a plan, if anybody does

choosers: list[Chooser] = []
_recorders: WeakKeyDictionary[Program, tuple[Chooser, Recorder]] = WeakKeyDictionary()


@contextmanager
def runs_read_by(choose: Chooser) -> Iterator[None]:
    """Let ``choose(plan)`` say for each run in the block, of any session, who is told its record."""
    choosers.append(choose)
    try:
        yield
    finally:
        choosers.remove(choose)


def recorder_of(program: Program) -> Recorder | None:
    """What runs ``program`` so that somebody who asked is told of it; None if nobody did."""
    for choose in choosers:
        known = _recorders.get(program)
        if known is not None and known[0] is choose:
            return known[1]
        if (read := choose(program.plan)) is not None:
            recorder = Recorder(program.plan, program.store, read)
            _recorders[program] = choose, recorder
            return recorder
    return None
