"""``Plan``: which ops a run needs, and in which order."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable

from retrograd.graph.definition import Effect
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor


class Plan:
    """The ops that compute ``fetches`` and run ``targets`` when ``feeds`` are given, in order.

    Ops stand in the order of their creation, except that whatever waits for a write of a
    variable stands behind all that does not: reads come before writes unless a dependency
    says otherwise.
    """

    def __init__(self, fetches: Iterable[Tensor], targets: Iterable[Operation], feeds: Collection[Tensor]) -> None:
        self.fetches = tuple(fetches)
        self.targets = tuple(targets)
        self.feeds = tuple(feeds)
        fed = frozenset(feeds)
        needed = ancestors([t.op for t in self.fetches if t not in fed] + list(self.targets), fed)
        self.ops = _reads_first(_in_order(needed, fed), fed)
        self.writes = any(op.definition.effect is Effect.WRITE for op in self.ops)
        self.written = written_before(self.ops, fed) if self.writes else {}
        self.unfed = [op for op in self.ops if op.type == "Placeholder" and op.outputs[0] not in fed]


def ancestors(ops: Iterable[Operation], fed: Collection[Tensor]) -> set[Operation]:
    """``ops`` and every op that they wait for; fed tensors need nothing."""
    needed: set[Operation] = set()
    stack = list(ops)
    while stack:
        op = stack.pop()
        if op not in needed:
            needed.add(op)
            stack += [t.op for t in op.inputs if t not in fed]
            stack += op.control_inputs
    return needed


def _waits_for(op: Operation, fed: Collection[Tensor]) -> list[Operation]:
    return [t.op for t in op.inputs if t not in fed] + op.control_inputs


def written_before(order: list[Operation], fed: Collection[Tensor]) -> dict[Operation, frozenset[Operation]]:
    """For each op that waits for a write of reference variables, the ops of those variables."""
    before: dict[Operation, frozenset[Operation]] = {}
    after: dict[Operation, frozenset[Operation]] = {}
    for op in order:
        written = frozenset().union(*{after[source] for source in _waits_for(op, fed) if source in after})
        if written:
            before[op] = after[op] = written
        if op.definition.effect is Effect.WRITE and op.outputs and op.outputs[0].dtype.is_ref:
            after[op] = written | {variable_of(op.outputs[0])}
    return before


def variable_of(reference: Tensor) -> Operation:
    """The op of the variable that ``reference`` refers to."""
    while reference.op.inputs:
        reference = reference.op.inputs[0]
    return reference.op


def _in_order(needed: set[Operation], fed: Collection[Tensor]) -> list[Operation]:
    """``needed`` in the order of creation, or where edges were rewired, the nearest order that they allow."""
    order = sorted(needed, key=lambda op: op.index)
    if not order or not order[0].graph.version_of_edges:
        return order
    waiting = {op: len(set(_waits_for(op, fed))) for op in order}
    readers: dict[Operation, list[Operation]] = {op: [] for op in order}
    for op in order:
        for source in set(_waits_for(op, fed)):
            readers[source].append(op)
    ready = [(op.index, op) for op in order if not waiting[op]]
    result = []
    while ready:
        _, op = heapq.heappop(ready)
        result.append(op)
        for reader in readers[op]:
            waiting[reader] -= 1
            if not waiting[reader]:
                heapq.heappush(ready, (reader.index, reader))
    if len(result) < len(order):
        error = InvalidArgumentError(
            None, None, f"Graph is invalid, contains a cycle with {len(order) - len(result)} nodes"
        )
        error.add_note("  Where: through " + next(op.name for op in order if waiting[op]))
        raise error
    return result


def _reads_first(order: list[Operation], fed: Collection[Tensor]) -> list[Operation]:
    after: set[Operation] = set()
    for op in order:
        if op.definition.effect is Effect.WRITE or not after.isdisjoint(_waits_for(op, fed)):
            after.add(op)
    return [op for op in order if op not in after] + [op for op in order if op in after] if after else order
