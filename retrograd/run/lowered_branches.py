"""Branches of which the predicate is traced: the ops of both are collected, and become one ``lax.cond``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor
from retrograd.ops import dataflow
from retrograd.ops.requirements import require
from retrograd.run.held import (
    ABSENT,
    NotLowered,
    Traced,
    as_array,
    common,
    leaves,
    traced,
    turned,
    with_leaves,
    zeros_like,
)
from retrograd.run.plan import Item, flat

if TYPE_CHECKING:
    from retrograd.run.walking import Scope, Walk


class Region:
    """The items that a predicate decides about: each of one branch or, merges, of both."""

    def __init__(self, pred: Tensor) -> None:
        self.pred = pred
        self.items: list[tuple[Item, bool | None]] = []
        self.ops: set[Operation] = set()
        self.reads = False
        self.writes = False

    def add(self, walk: Walk, item: Item, branch: bool | None) -> None:
        """Let ``item`` be computed in ``branch``; in both if that is None."""
        from retrograd.run.walking import touches_variables

        ops = flat([item])
        self.items.append((item, branch))
        self.ops.update(ops)
        reads, writes = touches_variables(ops, walk.plan.written)
        self.reads, self.writes = self.reads or reads or writes, self.writes or writes

    def comes_before(self, walk: Walk, item: Item) -> bool:
        """Whether ``item`` needs what is computed here, or must see the variables as they are after it."""
        from retrograd.run.walking import touches_variables

        ops = flat([item])
        for op in ops:
            if any(t.op in self.ops for t in op.inputs) or any(x in self.ops for x in op.control_inputs):
                return True
        reads, writes = touches_variables(ops, walk.plan.written)
        return (self.writes and (reads or writes)) or (self.reads and writes)

    def run(self, walk: Walk, scope: Scope) -> None:
        """Compute the branch that the predicate chooses; what the other one has computed is zero."""
        from retrograd.ops.jax_start import jnp, lax
        from retrograd.run.walking import chosen

        exports = self._exports(walk)
        branches = {b: self._branch(walk, scope, exports, b) for b in (False, True)}
        places = [p for p in walk.places if any(p in t.changed for t in branches.values())]
        kinds = [self._joined(t, branches, i) for i, t in enumerate(exports)]
        checks = any(t.checks for t in branches.values())
        if not places and not checks and not any(leaves(v) for v in kinds):
            functions = None
        else:
            functions = [self._function(branches[b], kinds, places, checks) for b in (False, True)]
        arrays: list[Any] = []
        if functions is not None:
            pred = chosen(self.pred, scope)
            if jnp.ndim(pred):
                raise NotLowered(self.pred.op, "a branch is chosen by what is no scalar")
            arrays = list(lax.cond(pred, functions[1], functions[0]))
        for tensor, like in zip(exports, kinds, strict=True):
            scope[tensor] = with_leaves(like, arrays)
        for place in places:
            place.value = arrays.pop(0)
        if checks:
            require(arrays.pop(0))

    def _exports(self, walk: Walk) -> list[Tensor]:
        """What is read of the region by others."""
        from retrograd.run.walking import outputs_of

        return [
            t
            for item, _ in self.items
            for t in outputs_of(item)
            if t in walk.asked or any(r in walk.needed and r not in self.ops for r in t.readers)
        ]

    def _branch(self, walk: Walk, scope: Scope, exports: list[Tensor], branch: bool) -> Traced:
        from retrograd.run.walking import Scope

        def body(_: list[Any]) -> list[Any]:
            inner = Scope(scope)
            inner.settled[self.pred] = branch
            walk.through([item for item, b in self.items if b in (branch, None)], inner)
            values = [inner.get(t, ABSENT) for t in exports]
            numbers = [t.op.type in dataflow.MERGES and t.value_index == 1 for t in exports]
            return [np.int32(-1) if v is ABSENT and n else v for v, n in zip(values, numbers, strict=True)]

        return traced(body, [], walk.places, [])

    def _joined(self, tensor: Tensor, branches: dict[bool, Traced], i: int) -> Any:
        """What is known of an export, with something in the place of each array that follows from the predicate."""
        values = [branches[b].results[i] for b in (False, True)]
        there = [v for v in values if v is not ABSENT]
        if not there:
            return ABSENT
        try:
            return common(there[0], there[-1])
        except ValueError as error:
            raise NotLowered(tensor.op, f"of its branches, {error}") from None

    def _function(self, branch: Traced, kinds: list[Any], places: list[Any], checks: bool) -> Any:
        def function() -> list[Any]:
            arrays = branch([])
            out: list[Any] = []
            for like, mine in zip(kinds, branch.results, strict=True):
                if mine is ABSENT:
                    out += leaves(zeros_like(like))
                else:
                    out += leaves(turned(with_leaves(mine, arrays), like))
            changed = dict(zip(map(id, branch.changed), arrays, strict=False))
            out += [changed.get(id(p), as_array(p.value)) for p in places]
            if checks:
                out.append(arrays[-1] if branch.checks else np.bool_(True))
            return [as_array(x) for x in out]

        return function
