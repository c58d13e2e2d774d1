"""Parts of loop bodies that are computed as wholes, while the interpreter goes through the loop.

Sentences are as long as they are: a loop over the words of a batch has another number of iterations, and stacks of
other sizes, in nearly every run, and a computation of the whole plan would be made for each.  An iteration is about
arrays that are always of the same shapes; so its arithmetic, between the reads and writes of ``TensorArray``, is
run as a program of its own, which XLA computes once it was run often enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from typing import Any

import numpy as np

from retrograd.flow.guards import within_iteration
from retrograd.graph import dtypes
from retrograd.graph.operation import Operation
from retrograd.graph.order import computed_from
from retrograd.graph.tensor import Tensor
from retrograd.ops import dataflow
from retrograd.run.plan import Item, Loop, Plan, flat
from retrograd.run.steps import Block, Choice, Repeated, Step, blocks_in
from retrograd.run.whole_loops import WholeLoop

_FEWEST = 6  # ops that a part has to have
_NO_ARRAYS = (dtypes.resource, dtypes.variant, dtypes.string)
_OF_NUMPY = frozenset((np.ndarray, np.bool_, np.int32, np.int64, np.float32, np.float64))
_COUNTING = (dtypes.int32, dtypes.int64, dtypes.bool)
_CARRYING = frozenset(("Identity", "AddN", "ZerosLike", "StopGradient", *dataflow.IS_FLOW))


class Body:
    """Some ops of an iteration: what they make of the tensors that they read, in one call."""

    def __init__(self, plan: Plan, run: Callable[[Sequence[Any]], list[Any]]) -> None:
        self.plan = plan
        self.run = run


class Bodies:
    """The bodies of the loops of one plan, each the same for all interpreters of the plan.

    ``runner`` gives what runs the plan of a body, run after run, ``whole`` what may compute a loop as a whole:
    then the bodies wait for that.
    """

    def __init__(
        self,
        plan: Plan,
        runner: Callable[[Plan, WholeLoop | None], Callable[[Sequence[Any]], list[Any]]],
        whole: Callable[[Loop], WholeLoop | None],
    ) -> None:
        self.plan = plan
        self.runner = runner
        self.whole = cache(whole)
        self.ops = frozenset(plan.ops)
        self.states = _states_of_arrays(plan)
        self.constant = _constant(plan)
        self.found: dict[Loop, list[list[Item] | Body]] = {}

    def of(self, loop: Loop, items: Sequence[Item]) -> list[list[Item] | Body]:
        """``items``, which ``loop`` repeats in this order, in an order in which some stand together as bodies."""
        if loop not in self.found:
            self.found[loop] = self._split(loop, items)
        return self.found[loop]

    def _split(self, loop: Loop, items: Sequence[Item]) -> list[list[Item] | Body]:
        levels = self._levels(items)
        self._put_off(items, levels)
        of_level: dict[int, list[Item]] = {}
        for item in items:
            of_level.setdefault(levels[flat([item])[0]], []).append(item)
        parts: list[list[Item] | Body] = []
        for level, members in sorted(of_level.items(), key=lambda pair: pair[0]):
            ops = [x for x in members if isinstance(x, Operation)]
            if level % 2 and sum(op.type != "Identity" for op in ops) >= _FEWEST:
                parts.append(self._body(loop, ops))
            else:
                parts.append(members)
        return parts

    def _levels(self, items: Sequence[Item]) -> dict[Operation, int]:
        """For each op, how many changes between interpreter and bodies come before it: an odd number for bodies."""
        levels: dict[Operation, int] = {}
        ordered = 0  # the level of the last op that has to stay in order
        for item in items:
            ops = flat([item])
            # whatever has an effect keeps its order; else control inputs do not matter
            level = max((levels.get(t.op, 0) for op in ops for t in (*op.inputs, *self._predicates(op))), default=0)
            if not isinstance(item, Operation) or not self._is_arithmetic(item):
                is_ordered = any(map(_is_ordered, ops))
                level = max(level + level % 2, ordered if is_ordered else 0)
                ordered = level if is_ordered else ordered
            elif item.type != "Identity":
                level += 1 - level % 2
            elif level != levels.get(item.inputs[0].op):  # another name of what the interpreter has
                level += level % 2
            levels.update(dict.fromkeys(ops, level))
        return levels

    def _predicates(self, op: Operation) -> list[Tensor]:
        """What decides in an iteration whether ``op`` runs, or which input it passes on."""
        if not self.plan.has_branches:
            return []
        guards = [self.plan.guards.of(op)]
        if op.type in dataflow.MERGES:
            guards += map(self.plan.guards.of_tensor, op.inputs)
        return [literal.pred for guard in guards for literal in within_iteration(guard)]

    def _put_off(self, items: Sequence[Item], levels: dict[Operation, int]) -> None:
        """Let what only later bodies read be computed there."""
        for item in reversed(items):
            if isinstance(item, Operation) and levels[item] % 2 and self._is_arithmetic(item):
                readers = [levels.get(x, 0) for t in item.outputs for x in t.readers if x in self.ops]
                if readers and all(n % 2 for n in readers):
                    levels[item] = min(readers)

    def _is_arithmetic(self, op: Operation) -> bool:
        definition = op.definition
        if not definition.is_pure or definition.kernel is None or op.type in dataflow.IS_FLOW or op.type == "Const":
            return False
        if op in self.plan.written or (self.plan.has_branches and within_iteration(self.plan.guards.of(op))):
            return False
        if all(t.dims == () and t.dtype in _COUNTING for t in (*op.inputs, *op.outputs)):
            return False  # the condition of the loop waits for it
        return not any(t.dtype.is_ref or t.dtype in _NO_ARRAYS or t in self.states for t in (*op.inputs, *op.outputs))

    def _body(self, loop: Loop, ops: list[Operation]) -> Body:
        # what follows from constants is known to the body: it may shape a result
        inside = {*ops, *computed_from(t for op in ops for t in op.inputs if t.op in self.constant)}
        inputs = dict.fromkeys(t for op in ops for t in op.inputs if t.op not in inside)
        outputs = [t for op in ops for t in op.outputs if any(x in self.ops and x not in inside for x in t.readers)]
        plan = Plan(outputs, (), tuple(inputs), inside)
        return Body(plan, self.runner(plan, self.whole(loop)))


def _constant(plan: Plan) -> set[Operation]:
    """The ops of ``plan`` that follow from constants alone, whatever branch or iteration they are in."""
    found: set[Operation] = set()
    for op in plan.ops:
        if op.type != "Const":
            definition = op.definition
            if not definition.is_pure or definition.kernel is None or not op.inputs:
                continue
            if op in plan.written or op.type in dataflow.IS_FLOW or not all(t.op in found for t in op.inputs):
                continue
        if not any(t.dtype.is_ref or t.dtype in _NO_ARRAYS or t in plan.feeds for t in op.outputs):
            found.add(op)
    return found


class Computed(Block):
    """A call of a body, whose results may be arrays of JAX: they are waited for when they are read by others."""

    def __init__(self, body: Body, sources: list[int], results: list[int]) -> None:
        self.body = body
        self.sources = sources
        self.results = results
        self.fixed: list[int] = []  # the sources that are the same in every iteration
        self.handed_over: dict[int, Any] = {}  # these, as arrays of JAX
        self.calls: list[Any] = []  # a result of each call

    def run(self, values: list[Any]) -> None:
        held = self.handed_over
        results = self.body.run([held[s] if s in held else values[s] for s in self.sources])
        for slot, value in zip(self.results, results, strict=True):
            values[slot] = value
        if type(results[0]) not in _OF_NUMPY:
            self.calls.append(results[0])
            if len(self.calls) == 1:
                self._hand_over(values)

    def _hand_over(self, values: list[Any]) -> None:
        from retrograd.ops.jax_start import jnp

        self.handed_over = {s: jnp.asarray(values[s]) for s in self.fixed}

    def end(self) -> None:
        """Wait for all calls: what was handed over may change from now on."""
        calls, self.calls, self.handed_over = self.calls, [], {}
        for result in calls:
            result.block_until_ready()

    def own_slots(self) -> set[int]:
        return {*self.sources, *self.results}

    def ops(self) -> Iterator[Operation]:
        return iter(self.body.plan.ops)


def waiting(steps: list[Step], results: Iterable[int]) -> set[int]:
    """Let each of ``steps`` wait for what bodies compute, if it reads that; the rest of ``results`` are returned."""
    blocks = [*blocks_in(steps)]
    loops = [block for block in blocks if isinstance(block, Repeated)]
    choices = [block for block in blocks if isinstance(block, Choice)]
    bodies = [block for block in blocks if isinstance(block, Computed)]
    pending = {slot for body in bodies for slot in body.results}
    count = 0
    while len(pending) > count:
        count = len(pending)
        for loop in loops:
            pairs = [*loop.first, *loop.next, *loop.recalls, *((source, kept) for _, source, kept in loop.histories)]
            pending.update(slot for source, slot in pairs if source in pending)
        options = [(source, choice.value) for choice in choices for _, source in choice.options]
        pending.update(slot for source, slot in options if source in pending)
    if pending:
        _wait(steps, pending)
    for loop in loops:
        loop.calls = [step[-1] for step in loop.behind if isinstance(step[-1], Computed)]
        varying = {slot for pair in (*loop.first, *loop.recalls) for slot in pair[1:]}.union(loop.numbers)
        varying = varying.union(*[_results_of(step) for body in loop.bodies for step in body])
        for call in loop.calls:
            call.fixed = [s for s in call.sources if s not in varying]
    return pending.intersection(results)


def _results_of(step: Step) -> Iterable[int]:
    """The slots that a step may write to."""
    function, _, results, _, op = step
    if function is None:
        return op.results if isinstance(op, Computed) else op.slots()
    return results if isinstance(results, tuple) else (results,)


def _wait(steps: list[Step], pending: set[int]) -> None:
    for i, (function, sources, results, dead, op) in enumerate(steps):
        if function is None:
            for body in op.bodies:
                _wait(body, pending)
        elif not pending.isdisjoint(sources):
            steps[i] = (partial(_on_arrays, function), sources, results, dead, op)


def _on_arrays(function: Callable[..., Any], *values: Any) -> Any:
    return function(*[arrived(value) for value in values])


def arrived(value: Any) -> Any:
    """``value``, with arrays of NumPy where it has those of JAX."""
    if type(value) in _OF_NUMPY:
        return value
    if isinstance(value, dataflow.History):
        return dataflow.History([arrived(x) for x in value])
    return np.asarray(value) if hasattr(type(value), "block_until_ready") else value


def _is_ordered(op: Operation) -> bool:
    return op.definition.effect is not None or any(t.dtype.is_ref for t in op.inputs)


def _states_of_arrays(plan: Plan) -> set[Tensor]:
    """The tensors that tell the states of arrays, which look like numbers."""
    states: set[Tensor] = set()
    count = -1
    while len(states) > count:
        count = len(states)
        for op in plan.ops:
            if op.type.startswith("TensorArray"):
                arguments = zip(op.definition.outputs, op.outputs, strict=True)
                states.update(t for argument, t in arguments if argument.name.startswith("flow"))
            elif op.type in _CARRYING and not states.isdisjoint(op.inputs):
                states.update(op.outputs)
    return states
