"""How a pure function goes through the items of a plan: ops one by one, branches and loops as wholes.

``Scope`` holds what is known so far, of the function or of a body inside of it.  An op runs if its guard holds
(``flow/guards.py``).  Where that is known while tracing, the other branch is not there at all; where it is traced,
the ops of both branches are collected and become one ``lax.cond`` (``run/lowered_branches.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from retrograd.flow.guards import Guard, Literal, within_iteration
from retrograd.graph.definition import Effect
from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor
from retrograd.ops import dataflow
from retrograd.ops.dense_elements import Stepped
from retrograd.ops.requirements import is_asked, require
from retrograd.run.held import ABSENT, NotLowered, as_array, common, is_known, leaves, turned, with_leaves
from retrograd.run.lowered_branches import Region
from retrograd.run.plan import Item, Loop, Plan


class Scope:
    """The values of tensors in a body, and in those around it; ``settled`` are the predicates of its branches."""

    def __init__(self, around: Scope | None = None, values: dict[Tensor, Any] | None = None) -> None:
        self.around = around
        self.values: dict[Tensor, Any] = {} if values is None else values
        self.settled: dict[Tensor, bool] = {} if around is None else dict(around.settled)

    def found(self, tensor: Tensor) -> Any:
        """What is held for ``tensor``, as it is; None if there is nothing."""
        scope: Scope | None = self
        while scope is not None:
            value = scope.values.get(tensor)
            if value is not None:
                return value
            scope = scope.around
        return None

    def __getitem__(self, tensor: Tensor) -> Any:
        value = self.get(tensor)
        if value is None:
            raise KeyError(tensor)
        return value

    def get(self, tensor: Tensor, default: Any = None) -> Any:
        """The value of ``tensor``, or ``default``."""
        value = self.found(tensor)
        if value is None:
            return default
        return value.now if isinstance(value, Stepped) else value

    def __setitem__(self, tensor: Tensor, value: Any) -> None:
        self.values[tensor] = value

    def __contains__(self, tensor: object) -> bool:
        return isinstance(tensor, Tensor) and self.found(tensor) is not None

    def is_own(self, tensor: Tensor) -> bool:
        """Whether the value was found in this body itself."""
        return tensor in self.values


class Walk:
    """One walk through a plan.

    Args:
      needed: the ops that there is a need for.
      places: the variables and random streams that ops may change.
      see: what an op finds in a tensor.
      results: what an op makes of what it finds in a scope.
      capacity: how many iterations are kept of a loop when the number is not known while tracing.
    """

    def __init__(
        self,
        plan: Plan,
        needed: frozenset[Operation],
        places: Sequence[Any],
        see: Callable[[Operation, Tensor, Scope], Any],
        results: Callable[[Operation, Scope], list[Any]],
        by_value: frozenset[Tensor],
        capacity: int,
    ) -> None:
        self.plan = plan
        self.needed = needed
        self.places = [*{id(p): p for p in places}.values()]
        self.see = see
        self.results = results
        self.by_value = by_value
        self.capacity = capacity
        self.fed = frozenset(plan.feeds)
        self.asked = {x.pred for op in needed for x in plan.guards.of(op)} if plan.has_branches else set()
        self.asked.update(plan.fetches)
        self.instead: dict[Operation, Callable[[Scope], list[Any]]] = {}  # faster ways of computing ops
        self.is_bounded = False  # whether there is a loop with so many iterations at most

    # -- when ----------------------------------------------------------------------------------

    def guard_of(self, item: Item) -> Guard:
        """The conditions under which an iteration comes to ``item``."""
        if not self.plan.has_branches:
            return ()
        guards = self.plan.guards
        return within_iteration(guards.of_loop(item.enters) if isinstance(item, Loop) else guards.of(item))

    def status(self, guard: Guard, scope: Scope) -> bool | Literal:
        """Whether all of ``guard`` holds, or the first condition of which that is not known."""
        for literal in guard:
            pred, branch = literal
            if pred in scope.settled:
                holds = scope.settled[pred] is (branch is not False)
            else:
                value = scope[pred]
                if value is ABSENT:
                    return False
                if not is_known(value):
                    return literal
                holds = bool(value >= 0 if branch is None else bool(value) is branch)
            if not holds:
                return False
        return True

    def truth(self, guard: Guard, scope: Scope) -> Any:
        """Whether all of ``guard`` holds, as a traced value."""
        from retrograd.ops.jax_start import jnp

        result = jnp.bool_(True)
        for literal in guard:
            if self.status((literal,), scope) is not True:
                value = chosen(literal.pred, scope)
                result = result & (value if literal.branch is not False else ~value)
        return result

    # -- items ---------------------------------------------------------------------------------

    def through(self, items: Iterable[Item], scope: Scope) -> None:
        """Compute ``items``, which are in order."""
        regions: dict[Tensor, Region] = {}

        def close(item_waits: Callable[[Region], bool]) -> None:
            for pred in [p for p, region in regions.items() if item_waits(region)]:
                regions.pop(pred).run(self, scope)

        for item in items:
            if not self.is_needed(item) or (isinstance(item, Operation) and item.type in _OF_LOOPS):
                continue
            if isinstance(item, Operation) and item.type in dataflow.MERGES:
                if not dataflow.is_loop_merge(item):
                    self._merge(item, scope, regions, close)
                continue
            if isinstance(item, Operation) and item.outputs and all(t in scope for t in item.outputs):
                continue
            guard = self.guard_of(item)
            preds = {literal.pred.op for literal in guard}
            close(lambda region, preds=preds: not preds.isdisjoint(region.ops))  # type: ignore[misc]
            status = self.status(guard, scope)
            if status is False:
                for tensor in outputs_of(item):
                    scope[tensor] = ABSENT
                continue
            mine = regions.get(status.pred) if isinstance(status, Literal) else None
            close(lambda region, item=item, mine=mine: region is not mine and region.comes_before(self, item))  # type: ignore[misc]
            if isinstance(status, Literal):
                regions.setdefault(status.pred, Region(status.pred)).add(self, item, status.branch is not False)
            else:
                self.run(item, scope)
        close(lambda region: True)

    def is_needed(self, item: Item) -> bool:
        """Whether anything follows from ``item``."""
        if isinstance(item, Loop):
            return any(op in self.needed for op in item.ops)
        return item in self.needed

    def run(self, item: Item, scope: Scope) -> None:
        """Compute ``item``, which has its turn."""
        if isinstance(item, Loop):
            from retrograd.run.lowered_loops import run_loop

            run_loop(self, item, scope)
            return
        if item.type in _NAMES and not (item.inputs[0].dtype.is_ref and not item.outputs[0].dtype.is_ref):
            results = [self.seen(item, scope)] * len(item.outputs)
        else:
            results = self.instead[item](scope) if item in self.instead else self.results(item, scope)
        for tensor, value in zip(item.outputs, results, strict=True):
            if tensor not in self.fed:
                scope[tensor] = value

    def seen(self, op: Operation, scope: Scope) -> Any:
        """What another name of a value stands for."""
        value = scope.found(op.inputs[0])
        if isinstance(value, Stepped):
            return value
        return self.see(op, op.inputs[0], scope)

    def fetched(self, tensor: Tensor, scope: Scope) -> Any:
        """The value of what is fetched, outside of all branches.

        Raises:
          NotLowered: whether there is one follows from values.
        """
        guard = self.plan.guards.of_tensor(tensor) if self.plan.has_branches else ()
        status = self.status(guard, scope)
        if status is False or (status is not True and not is_asked()):
            why = "is" if status is False else "may be"
            raise NotLowered(tensor.op, f"it {why} in a branch that is not taken")
        if status is not True:
            require(self.truth(guard, scope))
        return scope[tensor]

    # -- merges --------------------------------------------------------------------------------

    def _merge(
        self,
        op: Operation,
        scope: Scope,
        regions: dict[Tensor, Region],
        close: Callable[[Callable[[Region], bool]], None],
    ) -> None:
        """The one of the inputs of ``op`` that is there, and its number."""
        guards = [within_iteration(self.plan.guards.of_tensor(t)) for t in op.inputs]
        preds = {literal.pred.op for guard in guards for literal in guard}
        close(lambda region: not preds.isdisjoint(region.ops))
        choices = [(i, self.status(guard, scope)) for i, guard in enumerate(guards)]
        choices = [(i, status) for i, status in choices if status is not False]
        if not choices or choices[0][1] is True:
            if choices:
                waits = {op.inputs[choices[0][0]].op}
                close(lambda region: not waits.isdisjoint(region.ops))
            value = self.see(op, op.inputs[choices[0][0]], scope) if choices else ABSENT
            results = [value, np.int32(choices[0][0])] if choices else [ABSENT, ABSENT]
        else:
            literal = self._region_of(op, choices, scope)
            mine = None if literal is None else regions.get(literal.pred)
            close(lambda region: region is not mine and region.comes_before(self, op))
            if literal is not None:
                regions.setdefault(literal.pred, Region(literal.pred)).add(self, op, literal.branch)
                return
            results = self._selected(op, guards, [i for i, _ in choices], scope)
        for tensor, value in zip(op.outputs, results, strict=True):
            if tensor not in self.fed:
                scope[tensor] = value

    def _region_of(self, op: Operation, choices: list[tuple[int, bool | Literal]], scope: Scope) -> Literal | None:
        """The predicate in whose branches ``op`` finds its input, if there is one: (predicate, its own branch)."""
        own = tuple(x for x in self.guard_of(op) if x.pred is not op.outputs[1])
        status = self.status(own, scope)
        if isinstance(status, Literal):
            return status if status.branch is not None else Literal(status.pred, True)
        preds = {literal.pred if isinstance(literal, Literal) else None for _, literal in choices}
        (pred, *others) = preds
        return None if status is False or others or pred is None else Literal(pred, None)

    def _selected(self, op: Operation, guards: list[Guard], choices: list[int], scope: Scope) -> list[Any]:
        from retrograd.ops.jax_start import jnp

        value, number = None, jnp.int32(-1)
        for i in reversed(choices):
            holds = self.truth(guards[i], scope)
            mine = as_array(self.see(op, op.inputs[i], scope))
            if value is not None:
                try:
                    like = common(mine, value)
                except ValueError as error:
                    raise NotLowered(op, f"of its branches, {error}") from None
                pairs = zip(leaves(turned(mine, like)), leaves(turned(value, like)), strict=True)
                mine = with_leaves(like, [jnp.where(holds, x, y) for x, y in pairs])
            value = mine
            number = jnp.where(holds, jnp.int32(i), number)
        return [value, number]


_NAMES = frozenset(("Identity", "RefIdentity", "Switch", "RefSwitch", "LoopCond"))
_OF_LOOPS = dataflow.ENTERS | dataflow.EXITS | dataflow.NEXT_ITERATIONS  # the loop sees to them


def outputs_of(item: Item) -> list[Tensor]:
    """The tensors that others may read of ``item``: of a loop, what leaves it."""
    ops = item.exits if isinstance(item, Loop) else [item]
    return [t for op in ops for t in op.outputs]


def chosen(pred: Tensor, scope: Scope) -> Any:
    """What ``pred`` says: of the number of a merge's input, whether there is one."""
    value = scope[pred]
    return value >= 0 if pred.op.type in dataflow.MERGES and pred.value_index else value


def touches_variables(ops: Iterable[Operation], written: Mapping[Operation, Any]) -> tuple[bool, bool]:
    """Whether any of ``ops`` reads a variable, or writes one."""
    reads = writes = False
    for op in ops:
        effect = op.definition.effect
        writes = writes or effect is Effect.WRITE or op.definition.body is not None
        reads = reads or effect is Effect.READ or op in written or any(t.dtype.is_ref for t in op.inputs)
    return reads, writes
