"""The interpreter: a plan walked op by op with NumPy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import methodcaller
from typing import Any

import numpy as np

from retrograd.graph import errors
from retrograd.graph.apply import grouped
from retrograd.graph.definition import Effect, OpDef
from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor
from retrograd.ops import blas
from retrograd.ops.streams import Stream
from retrograd.run.failures import kernel_failure
from retrograd.run.plan import Plan, variable_of
from retrograd.run.store import Store

_LARGEST_FOLDED = 1 << 16  # elements of a constant result that is worth keeping
_read = methodcaller("read")

# (function, slots of its arguments, slot or slots of its results, slots that nobody reads later, op)
Step = tuple[Callable[..., Any], tuple[int, ...], int | tuple[int, ...], tuple[int, ...], Operation]


class Interpreter:
    """A plan made ready for one session: a list of steps over numbered slots.

    What follows from constants is computed here, once; identities are other names of their input's slot.
    A tensor that was read from a reference shares its memory, as in TensorFlow: an op that waits for a
    write of the variable sees what was written, any other op sees what was there before the run.
    ``known`` holds tensors whose values follow from something else, such as the shapes of the feeds.
    """

    def __init__(self, plan: Plan, store: Store, known: Mapping[Tensor, Any] | None = None) -> None:
        self.plan = plan
        self.store = store
        self.known = known or {}
        self.slots: dict[Tensor, int] = {}
        self.initial: list[Any] = []
        self.constant: set[int] = set()
        self.steps: list[Any] = []
        self.streams: list[Stream] = []
        self.views: dict[Tensor, Operation] = {}  # tensors that were read from a reference, with what read it
        self.late_reads: dict[tuple[Operation, int], int] = {}
        self.writes = 0
        for tensor in plan.feeds:
            self.slots[tensor] = self._new_slot()
        self.feed_slots = [self.slots[t] for t in plan.feeds]
        fetched_refs = {t for t in plan.fetches if t.dtype.is_ref and t not in self.slots}
        self.fetch_slots: dict[Tensor, int] = {}
        with np.errstate(all="ignore"):
            for op in plan.ops:
                self._add(op)
                for tensor in op.outputs:
                    if tensor in fetched_refs:
                        self.fetch_slots[tensor] = self._read_step(op, self.slots[tensor])
        for tensor in plan.fetches:
            self.fetch_slots.setdefault(tensor, self.slots[tensor])
        self.result_slots = [self.fetch_slots[t] for t in plan.fetches]
        self._drop_unread()
        self._release_early()

    def _new_slot(self, value: Any = None) -> int:
        self.initial.append(value)
        return len(self.initial) - 1

    def _add(self, op: Operation) -> None:
        definition = op.definition
        if op.type == "Const":
            self._set_constant(op.outputs[0], op.attrs["value"])
        elif op.outputs and all(t in self.known for t in op.outputs):
            for tensor in op.outputs:
                self._set_constant(tensor, self.known[tensor])
        elif definition.effect is Effect.READ and definition.kernel is None:
            self.slots.setdefault(op.outputs[0], self._new_slot(self.store.cell_of(op)))
        elif op.type == "Identity" and not op.inputs[0].dtype.is_ref:
            if op.inputs[0] in self.views and op.outputs[0] not in self.slots:
                self.views[op.outputs[0]] = self.views[op.inputs[0]]
            self.slots.setdefault(op.outputs[0], self._seen_by(op, op.inputs[0]))
        elif definition.kernel is None:
            if not all(t in self.slots for t in op.outputs):  # fed ones need not run
                self._fail_when_reached(op)
        elif op.outputs or definition.effect is not None:
            self._add_step(op, definition)

    def _set_constant(self, tensor: Tensor, value: Any) -> None:
        if tensor not in self.slots:
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
            self.slots[tensor] = slot = self._new_slot(value)
            self.constant.add(slot)

    def _fail_when_reached(self, op: Operation) -> None:
        def fail() -> None:
            raise errors.UnimplementedError(None, None, f"The op type {op.type} cannot be run")

        outputs = tuple(self.slots.setdefault(t, self._new_slot()) for t in op.outputs)
        self.steps.append((fail, (), outputs, op))

    def _add_step(self, op: Operation, definition: OpDef) -> None:
        sources = []
        for tensor, takes_cell in zip(op.inputs, _takes_cell(op), strict=True):
            reads = tensor.dtype.is_ref and not takes_cell and tensor not in self.plan.feeds
            sources.append(self._read_step(op, self.slots[tensor]) if reads else self._seen_by(op, tensor))
            if reads and op.type == "Identity" and op.outputs[0] not in self.slots:
                self.views[op.outputs[0]] = op
        function = self._bound(op, definition)
        if definition.is_pure and self.constant.issuperset(sources) and self._folded(op, function, sources):
            return
        fresh = [self._new_slot() for _ in op.outputs]
        for tensor, slot in zip(op.outputs, fresh, strict=True):
            self.slots.setdefault(tensor, slot)
        results = fresh[0] if definition.has_one_output else tuple(fresh)
        self.steps.append((function, tuple(sources), results, op))
        self.writes += definition.effect is Effect.WRITE

    def _seen_by(self, op: Operation, tensor: Tensor) -> int:
        """The slot of the value that ``op`` finds in ``tensor``."""
        reader = self.views.get(tensor)
        if reader is None or op not in self.plan.written:
            return self.slots[tensor]
        variable = variable_of(reader.inputs[0])
        if variable not in self.plan.written[op]:
            return self.slots[tensor]
        moment = (variable, self.writes)
        if moment not in self.late_reads:
            self.late_reads[moment] = self._read_step(reader, self.slots[reader.inputs[0]])
        return self.late_reads[moment]

    def _bound(self, op: Operation, definition: OpDef) -> Callable[..., Any]:
        assert definition.kernel is not None
        attrs = {name: op.attrs[name] for name in definition.kernel_attrs}
        if definition.body is not None:
            call = self._call_of(op, definition.body)
            self.streams += call.streams
            function = partial(definition.kernel, np, call, **attrs)
        elif definition.effect is Effect.RANDOM:
            stream = self.store.stream_of(op)
            self.streams.append(stream)
            function = partial(definition.kernel, np, stream, **attrs)
        elif definition.effect is Effect.HOST:
            function = partial(definition.kernel, np, self.store.memory_of(op), **attrs)
        else:
            function = partial(definition.kernel, np, **attrs)
        return partial(_call_grouped, function, definition, op.attrs) if definition.has_lists else function

    def _call_of(self, op: Operation, body: Callable[..., Any]) -> Any:
        """What runs the function that ``op`` calls."""
        from retrograd.run.functions import Call

        try:
            return Call(body(op, self.store.library or op.graph), self.store.part_of(op))
        except errors.OpError as error:
            raise kernel_failure(op, error, ()) from None

    def _read_step(self, op: Operation, slot: int) -> int:
        fresh = self._new_slot()
        self.steps.append((_read, (slot,), fresh, op))
        return fresh

    def _folded(self, op: Operation, function: Callable[..., Any], sources: list[int]) -> bool:
        """Compute now what follows from constants; an error is left to the run."""
        if any(t.dims is None or np.prod([n or 0 for n in t.dims]) > _LARGEST_FOLDED for t in op.outputs):
            return False
        try:
            result = function(*[self.initial[s] for s in sources])
        except Exception:
            return False
        for tensor, value in zip(op.outputs, op.definition.listed(result), strict=True):
            self._set_constant(tensor, value)
        return True

    def _drop_unread(self) -> None:
        """Leave out pure steps all of whose readers need them no longer.

        An op without readers is there to be run, and a read of a variable to find that it has a value.
        """
        has_readers = {t.op for op in self.plan.ops for t in op.inputs}
        read = set(self.result_slots)
        kept = []
        for step in reversed(self.steps):
            function, sources, results, op = step
            is_read = not read.isdisjoint(results if isinstance(results, tuple) else (results,))
            if is_read or function is _read or op.definition.effect is not None or op not in has_readers:
                read.update(sources)
                kept.append(step)
        self.steps = kept[::-1]

    def _release_early(self) -> None:
        """Let each step drop the values that no later step reads."""
        kept = self.constant.union(self.result_slots, self.feed_slots)
        last: dict[int, int] = {}
        for i, (_, sources, results, _) in enumerate(self.steps):
            for slot in (*sources, *(results if isinstance(results, tuple) else (results,))):
                last[slot] = i
        released: list[list[int]] = [[] for _ in self.steps]
        for slot, i in last.items():
            if slot not in kept and self.initial[slot] is None:
                released[i].append(slot)
        self.steps = [(f, s, r, tuple(d), op) for (f, s, r, op), d in zip(self.steps, released, strict=True)]

    def run(self, feeds: Sequence[Any]) -> list[Any]:
        """The values of the plan's fetches.

        Raises:
          OpError: an op fails; every variable and random stream is as it was before.
        """
        values = self.initial.copy()
        for slot, value in zip(self.feed_slots, feeds, strict=True):
            values[slot] = value
        try:
            if self.plan.writes:
                self._write(values)
            else:
                self._walk(values)
        finally:
            blas.restore()
        return [values[slot] for slot in self.result_slots]

    def _write(self, values: list[Any]) -> None:
        with self.store.lock:
            try:
                self._walk(values)
            except BaseException:
                self.store.take_back()
                raise
            self.store.journal.clear()

    def check_variables(self) -> None:
        """Raise if a variable that is read before anything is written has no value."""
        for function, sources, _, _, op in self.steps:
            cell = self.initial[sources[0]] if function is _read else None
            if cell is not None:
                try:
                    cell.read()
                except errors.OpError as error:
                    raise kernel_failure(op, error, [cell]) from None

    def _walk(self, values: list[Any]) -> None:
        counters = [stream.counter for stream in self.streams]
        try:
            self._take_steps(values)
        except BaseException:
            for stream, counter in zip(self.streams, counters, strict=True):
                stream.counter = counter
            raise

    def _take_steps(self, values: list[Any]) -> None:
        with np.errstate(all="ignore"):
            for function, sources, results, dead, op in self.steps:
                try:
                    result = function(*[values[s] for s in sources])
                except Exception as error:
                    raise kernel_failure(op, error, [values[s] for s in sources]) from error.__cause__
                if type(results) is int:
                    values[results] = result
                else:
                    for slot, value in zip(results, result, strict=True):
                        values[slot] = value
                for slot in dead:
                    values[slot] = None


def _takes_cell(op: Operation) -> list[bool]:
    flags: list[bool] = []
    for argument in op.definition.inputs:
        flags += [argument.is_ref] * argument.count(op.attrs)
    return flags


def _call_grouped(function: Callable[..., Any], definition: OpDef, attrs: Any, *values: Any) -> Any:
    return function(*grouped(definition, attrs, values))
