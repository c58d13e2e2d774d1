"""The interpreter: a plan walked op by op with NumPy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from copy import copy
from functools import partial
from typing import Any

import numpy as np

from retrograd.flow.guards import ALWAYS, Guard, within_iteration
from retrograd.graph import dtypes, errors
from retrograd.graph.apply import grouped
from retrograd.graph.definition import Effect, OpDef
from retrograd.graph.operation import Operation
from retrograd.graph.shapes import RawShape, shape_text
from retrograd.graph.tensor import Tensor
from retrograd.graph.values import run_as
from retrograd.ops import blas, dataflow
from retrograd.ops.streams import Stream
from retrograd.run.bodies import Bodies, Body, Computed, arrived, waiting
from retrograd.run.failures import kernel_failure, not_a_reference, not_fed
from retrograd.run.lifetimes import read_ones, releasing
from retrograd.run.plan import Item, Loop, Plan, variable_of
from retrograd.run.rectified import Rectified
from retrograd.run.steps import (
    Choice,
    Condition,
    Guarded,
    Repeated,
    Step,
    blocks_in,
    hold,
    read_reference,
    take,
)
from retrograd.run.store import Store, until

_LARGEST_FOLDED = 1 << 16  # elements of a constant result that is worth keeping


def _is_known(dims: RawShape) -> bool:
    return dims is not None and None not in dims


def _shared(reference: Any, seen: Any) -> Any:
    """What was written to a variable since it was ``seen``; of another size, it is elsewhere in memory."""
    value = read_reference(reference)
    return value if np.size(value) == np.size(seen) else seen


def _rectified(rectified: Rectified, op: Operation, function: Callable[..., Any], x: Any, y: Any, dy: Any) -> Any:
    """The gradient of a pooling with that of the rectifier in front of it."""
    return function(x, y, rectified.let_through(np, op, y, dy))


_NO_VALUE = "Retval[0] does not have value"


class Interpreter:
    """A plan made ready for one session: a list of steps over numbered slots.

    What follows from constants is computed here, once; identities are other names of their input's slot.
    A tensor that was read from a reference shares its memory, as in TensorFlow: an op that waits for a
    write of the variable sees what was written, any other op sees what was there before the run.
    ``known`` holds tensors whose values follow from something else, such as the shapes of the feeds;
    ``bodies`` says which ops of loops are computed together.
    """

    def __init__(
        self, plan: Plan, store: Store, known: Mapping[Tensor, Any] | None = None, bodies: Bodies | None = None
    ) -> None:
        self.plan = plan
        self.store = store
        self.known = known or {}
        self.bodies = bodies
        self.slots: dict[Tensor, int] = {}
        self.initial: list[Any] = []
        self.constant: set[int] = set()
        self.checked: set[Tensor] = set()  # predicates that are made sure to be scalars
        self.steps: list[Step] = []
        self.streams: list[Stream] = []
        self.views: dict[Tensor, Operation] = {}  # tensors that were read from a reference, with what read it
        self.late_reads_here: dict[tuple[Operation, int, int, Guard], int] = {}  # in this loop, or outside of all
        self.writes = 0
        self.deadline_slot = self._new_slot()
        self.rectified = Rectified(plan.ops, plan.feeds, plan.fetches)
        for tensor in plan.feeds:
            self.slots[tensor] = self._new_slot()
        self.feed_slots = [self.slots[t] for t in plan.feeds]
        with np.errstate(all="ignore"):
            self._add_items(plan.items)
            self.fetch_slots = {t: self._fetched(t) for t in plan.fetches}
        self.result_slots = [*map(self.fetch_slots.__getitem__, plan.fetches)]
        guards = {plan.guards.of_tensor(t) for t in plan.fetches} if plan.has_branches else set()
        self.result_conditions = [self._conditions(guard) for guard in guards if guard]
        self.asked = {slot for conditions in self.result_conditions for slot, _ in conditions}
        self._drop_unread()
        self._release_early()
        self.loops = [block for block in blocks_in(self.steps) if isinstance(block, Repeated)]
        self.pending = waiting(self.steps, self.result_slots) if bodies is not None else ()

    def _new_slot(self, value: Any = None) -> int:
        self.initial.append(value)
        return len(self.initial) - 1

    def _fetched(self, tensor: Tensor) -> int:
        """The slot of a fetch; what is fetched of a reference is its value at the end, as it shares its memory."""
        slot = self.slots.get(tensor)
        if slot is None:  # of the body of a loop, which has none when the loop is over
            raise errors.InvalidArgumentError(None, None, _NO_VALUE)
        if not tensor.dtype.is_ref or tensor in self.plan.feeds:
            return slot
        first, slot = len(self.steps), self._read_step(tensor.op, slot)
        guard = self.plan.guards.of_tensor(tensor) if self.plan.has_branches else ALWAYS
        if guard:
            self._put_behind(self._conditions(guard), first)
        return slot

    def _add_items(self, items: Iterable[Item]) -> None:
        """Add the steps of ``items``, each behind the conditions under which it runs."""
        for item in items:
            first = len(self.steps)
            if isinstance(item, Loop):
                self._add_loop(item)
                guard = self.plan.guards.of_loop(item.enters) if self.plan.has_branches else ALWAYS
            else:
                self._add(item)
                guard = self._guard_of(item)
            if guard and len(self.steps) > first:
                self._put_behind(self._conditions(guard), first)

    def _guard_of(self, op: Operation) -> Guard:
        if not self.plan.has_branches or op.type in dataflow.MERGES:
            return ALWAYS
        return within_iteration(self.plan.guards.of(op))

    def _conditions(self, guard: Guard) -> tuple[Condition, ...]:
        return tuple((self.slots[pred], branch) for pred, branch in guard)

    def _put_behind(self, conditions: tuple[Condition, ...], first: int) -> None:
        """Let the steps from number ``first`` on run only where ``conditions`` hold."""
        steps = self.steps[first:]
        del self.steps[first:]
        last = self.steps[-1][-1] if self.steps and self.steps[-1][0] is None else None
        if isinstance(last, Guarded) and last.conditions == conditions:
            last.steps += steps
        else:
            self.steps.append(Guarded(conditions, steps).as_step())

    def _add_loop(self, loop: Loop) -> None:
        """Add a loop, the steps of which are over the same slots."""
        repeated = Repeated(self.deadline_slot, self.store.shared)
        outer = self.steps
        for op in loop.enters:
            self._add_enter(op, repeated)
        for merge in loop.merges:
            self.slots[merge.outputs[0]] = self._new_slot()
            self.slots[merge.outputs[1]] = number = self._new_slot()
            repeated.numbers += [number] if merge.outputs[1].readers else []
        behind = [x for x in loop.items if self._is_behind(x)]
        self.late_reads_here, late_reads = {}, self.late_reads_here
        self.steps = repeated.before
        self._add_items([x for x in loop.items if x not in behind])
        self.steps = repeated.behind
        for part in [behind] if self.bodies is None else self.bodies.of(loop, behind):
            if isinstance(part, Body):
                self._add_body(part)
            else:
                self._add_items(part)
        for merge in loop.merges:
            slot = self.slots[merge.outputs[0]]
            for tensor in merge.inputs:
                is_next = tensor.op.type in dataflow.NEXT_ITERATIONS
                self.steps = repeated.behind if is_next else outer
                kind = repeated.next if is_next else repeated.first
                kind.append((self._passed_on(merge, tensor), slot))
        self.steps = outer
        self.late_reads_here = late_reads
        if loop.condition is not None:
            repeated.condition = self.slots[loop.condition.outputs[0]]
        for op in loop.exits:
            self._add_exit(op, repeated)
        whole = None if self.bodies is None else self.bodies.whole(loop)
        if whole is not None:
            repeated.whole = whole
            repeated.given = [self.slots[t] for t in whole.part.feeds]
            repeated.left = [self.slots[t] for t in whole.part.fetches]
        self.steps.append(repeated.as_step())

    def _passed_on(self, op: Operation, tensor: Tensor) -> int:
        """The slot of what ``op`` lets through of ``tensor``: of a reference its value, unless it gives one itself."""
        slot, wanted = self.slots[tensor], op.outputs[0].dtype
        if tensor.dtype.is_ref and not wanted.is_ref:
            return self._read_step(op, slot)
        if wanted.is_ref and not tensor.dtype.is_ref:
            raise not_a_reference(op, tensor)
        return slot

    def _add_body(self, body: Body) -> None:
        results = [self._new_slot() for _ in body.plan.fetches]
        for tensor, slot in zip(body.plan.fetches, results, strict=True):
            self.slots.setdefault(tensor, slot)
        self.steps.append(Computed(body, [self.slots[t] for t in body.plan.feeds], results).as_step())

    def _is_behind(self, item: Item) -> bool:
        """Whether an item of a loop waits for the loop's condition."""
        guards = self.plan.guards
        guard = guards.of_loop(item.enters) if isinstance(item, Loop) else guards.of(item)
        return any(x.pred.op.type == "LoopCond" and x.branch for x in guard)

    def _add_enter(self, op: Operation, repeated: Repeated) -> None:
        source = self._seen_by(op, op.inputs[0])
        if op.type == "LoopRecall":
            self.slots[op.outputs[0]] = slot = self._new_slot()
            repeated.recalls.append((source, slot))
        else:
            if op.inputs[0] in self.views:
                self.views[op.outputs[0]] = self.views[op.inputs[0]]
            self.slots[op.outputs[0]] = source

    def _add_exit(self, op: Operation, repeated: Repeated) -> None:
        (source,) = op.inputs
        if op.type == "LoopHistory":
            self.slots[op.outputs[0]] = slot = self._new_slot()
            guard = within_iteration(self.plan.guards.of_tensor(source))
            repeated.histories.append((self._conditions(guard), self.slots[source], slot))
        else:
            self.slots[op.outputs[0]] = self.slots[source]

    def _add_choice(self, op: Operation) -> None:
        options = []
        for tensor in op.inputs:
            guard = within_iteration(self.plan.guards.of_tensor(tensor))
            conditions, slot = self._conditions(guard), self._seen_by(op, tensor)
            if tensor.dtype.is_ref and not op.outputs[0].dtype.is_ref:
                first, slot = len(self.steps), self._read_step(op, slot)
                if conditions:
                    self._put_behind(conditions, first)
            options.append((conditions, slot))
        value, number = self._new_slot(), self._new_slot()
        self.slots.setdefault(op.outputs[0], value)
        self.slots.setdefault(op.outputs[1], number)
        self.steps.append(Choice(op, options, value, number).as_step())

    def _add_flow(self, op: Operation) -> None:
        """Add a node of a branch or a loop: most are other names of their input."""
        if op.type in dataflow.ENTERS or op.type in dataflow.EXITS or dataflow.is_loop_merge(op):
            return  # the loop adds them
        if op.type in dataflow.MERGES:
            self._add_choice(op)
            return
        (source, *_) = op.inputs
        if op.type in dataflow.SWITCHES:
            self._check_predicate(op)
        reads = source.dtype.is_ref and not op.outputs[0].dtype.is_ref
        slot = self._read_step(op, self.slots[source]) if reads else self._seen_by(op, source)
        if op.type == "LoopCond" and source.dims is None:
            self.steps.append((_scalar, (slot,), slot := self._new_slot(), (), op))
        for tensor in op.outputs:
            if source in self.views:
                self.views.setdefault(tensor, self.views[source])
            self.slots.setdefault(tensor, slot)

    def _check_predicate(self, op: Operation) -> None:
        """Let what asks for a predicate of unknown shape find it to be one boolean."""
        pred = op.inputs[1]
        fed = self.plan.feeds
        while pred.op.type == "Identity" and pred not in fed and not pred.op.inputs[0].dtype.is_ref:
            (pred,) = pred.op.inputs
        if pred.dims is None and pred not in self.known and pred not in self.checked and not self._guard_of(op):
            self.checked.add(pred)
            source, self.slots[pred] = self._seen_by(op, pred), self._new_slot()
            self.steps.append((_scalar, (source,), self.slots[pred], (), op))

    def _add(self, op: Operation) -> None:
        definition = op.definition
        if op.type == "Const":
            self._set_constant(op.outputs[0], run_as(op.attrs["value"]))
        elif op.outputs and all(t in self.known for t in op.outputs):
            for tensor in op.outputs:
                self._set_constant(tensor, self.known[tensor])
        elif op.type in dataflow.IS_FLOW:
            self._add_flow(op)
        elif definition.effect is Effect.READ and definition.kernel is None:
            self.slots.setdefault(op.outputs[0], self._new_slot(self.store.cell_of(op)))
        elif op.type == "Identity" and not op.inputs[0].dtype.is_ref:
            if op.inputs[0] in self.views and op.outputs[0] not in self.slots:
                self.views[op.outputs[0]] = self.views[op.inputs[0]]
            self.slots.setdefault(op.outputs[0], self._seen_by(op, op.inputs[0]))
        elif op in self.rectified.rules:
            self.slots.setdefault(op.outputs[0], self.slots[op.inputs[0]])
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
            if op.type == "Placeholder":
                raise not_fed(op)
            raise errors.UnimplementedError(None, None, f"The op type {op.type} cannot be run")

        outputs = tuple(self.slots.setdefault(t, self._new_slot()) for t in op.outputs)
        self.steps.append((fail, (), outputs, (), op))

    def _add_step(self, op: Operation, definition: OpDef) -> None:
        sources = []
        for tensor, argument in self.plan.arguments_of(op):
            reads = tensor.dtype.is_ref and not argument.is_ref and tensor not in self.plan.feeds
            sources.append(self._read_step(op, self.slots[tensor]) if reads else self._seen_by(op, tensor))
            if reads and op.type == "Identity" and op.outputs[0] not in self.slots:
                self.views[op.outputs[0]] = op
        function = self.plan.meeting_of(op) or self._prepared(op, definition, sources) or self._bound(op, definition)
        if any(t.dtype.base_dtype == dtypes.string for t in op.outputs):
            function = partial(_in_arrays, function, definition)
        if definition.is_pure and self.constant.issuperset(sources) and self._folded(op, function, sources):
            return
        fresh = [self._new_slot() for _ in op.outputs]
        for tensor, slot in zip(op.outputs, fresh, strict=True):
            self.slots.setdefault(tensor, slot)
        results = fresh[0] if definition.has_one_output else tuple(fresh)
        self.steps.append((function, tuple(sources), results, (), op))
        self.writes += definition.effect is Effect.WRITE

    def _seen_by(self, op: Operation, tensor: Tensor) -> int:
        """The slot of the value that ``op`` finds in ``tensor``."""
        reader = self.views.get(tensor)
        if reader is None or op not in self.plan.written:
            return self.slots[tensor]
        variable = variable_of(reader.inputs[0])
        if variable not in self.plan.written[op]:
            return self.slots[tensor]
        reference, seen = self.slots[reader.inputs[0]], self.slots[tensor]
        keeps_size = _is_known(reader.inputs[0].dims)
        moment = (variable, self.writes, -1 if keeps_size else seen, self._guard_of(op))
        if moment not in self.late_reads_here:
            if keeps_size:
                self.late_reads_here[moment] = self._read_step(reader, reference)
            else:
                self.late_reads_here[moment] = fresh = self._new_slot()
                self.steps.append((_shared, (reference, seen), fresh, (), reader))
        return self.late_reads_here[moment]

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
            if op in self.rectified.by_pooling:
                function = partial(_rectified, self.rectified, op, function)
        return partial(_call_grouped, function, definition, op.attrs) if definition.has_lists else function

    def _prepared(self, op: Operation, definition: OpDef, sources: list[int]) -> Callable[..., Any] | None:
        """The kernel for inputs that follow from constants, if it has a form for these, and they are not wrong."""
        if definition.prepared is None:
            return None
        known = [slot for slot, is_static in zip(sources, definition.are_static(op.attrs), strict=True) if is_static]
        if not self.constant.issuperset(known):
            return None
        try:
            attrs = {name: op.attrs[name] for name in definition.kernel_attrs}
            return definition.prepared(*[self.initial[slot] for slot in known], **attrs)
        except errors.OpError:
            return None

    def _call_of(self, op: Operation, body: Callable[..., Any]) -> Any:
        """What runs the function that ``op`` calls."""
        from retrograd.run.functions import Call

        try:
            return Call(body(op, self.store.library or op.graph), self.store.part_of(op))
        except errors.OpError as error:
            raise kernel_failure(op, error, ()) from None

    def _read_step(self, op: Operation, slot: int) -> int:
        fresh = self._new_slot()
        self.steps.append((read_reference, (slot,), fresh, (), op))
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
        """Leave out pure steps all of whose readers need them no longer."""
        has_readers = {t.op for op in self.plan.ops for t in op.inputs}
        self.steps = read_ones(self.steps, self.asked.union(self.result_slots), has_readers)

    def _release_early(self) -> None:
        """Let each step drop the values that no later step reads."""
        kept = self.asked.union(self.constant, self.result_slots, self.feed_slots)
        kept.update(slot for slot, value in enumerate(self.initial) if value is not None)
        self.steps = releasing(self.steps, kept)

    @property
    def longest(self) -> int:
        """How many iterations its loops have had, the longest of them."""
        return max([loop.longest for loop in self.loops], default=0)

    def run(self, feeds: Sequence[Any], deadline: float | None = None) -> list[Any]:
        """The values of the plan's fetches; a loop that goes on at ``deadline``, in monotonic seconds, fails.

        Raises:
          OpError: an op fails; every variable and random stream is as it was before.
        """
        values = self.initial.copy()
        values[self.deadline_slot] = deadline
        for slot, value in zip(self.feed_slots, feeds, strict=True):
            values[slot] = value
        try:
            with nullcontext() if deadline is None else until(deadline):
                if self.plan.writes:
                    self._write(values)
                else:
                    self._walk(values)
        finally:
            blas.restore()
        self._check_computed(values)
        for slot in self.pending:
            values[slot] = arrived(values[slot])
        return [values[slot] for slot in self.result_slots]

    def _check_computed(self, values: list[Any]) -> None:
        """Raise if what is fetched stands in a branch that was not chosen."""
        for conditions in self.result_conditions:
            if not hold(conditions, values):
                raise errors.InvalidArgumentError(None, None, _NO_VALUE)

    def _write(self, values: list[Any]) -> None:
        with self.store.transaction():
            self._walk(values)

    def watched(self, around: Callable[[Operation, Callable[..., Any]], Callable[..., Any]]) -> Interpreter:
        """The same, where ``around`` what an op calls another function is called; not so inside of blocks."""
        other = copy(self)
        other.steps = [
            (function if function is None else around(op, function), sources, results, dead, op)
            for function, sources, results, dead, op in self.steps
        ]
        return other

    def check_variables(self) -> None:
        """Raise if a variable that is read before anything is written has no value."""
        for function, sources, _, _, op in self.steps:
            cell = self.initial[sources[0]] if function is read_reference else None
            if cell is not None:
                try:
                    cell.read()
                except errors.OpError as error:
                    raise kernel_failure(op, error, [cell]) from None

    def _walk(self, values: list[Any]) -> None:
        counters = [stream.value for stream in self.streams]
        try:
            with np.errstate(all="ignore"):
                take(self.steps, values)
        except BaseException:
            for stream, counter in zip(self.streams, counters, strict=True):
                stream.value = counter
            raise


def _scalar(pred: Any) -> Any:
    if np.ndim(pred):
        text = f"The second input must be a scalar, but it has shape {shape_text(np.shape(pred))}"
        raise errors.InvalidArgumentError(None, None, text)
    return pred


def _in_arrays(function: Callable[..., Any], definition: OpDef, *values: Any) -> Any:
    """What a kernel gives, with each string in an array."""
    results = definition.listed(function(*values))
    return results[0] if definition.has_one_output else results


def _call_grouped(function: Callable[..., Any], definition: OpDef, attrs: Any, *values: Any) -> Any:
    return function(*grouped(definition, attrs, values))
