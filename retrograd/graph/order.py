"""What ops wait for, and an order in which they can be computed."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor


def ancestors(ops: Iterable[Operation], fed: Collection[Tensor] = ()) -> set[Operation]:
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


def computed_from(tensors: Iterable[Tensor]) -> set[Operation]:
    """The ops that values come from, whatever they wait for besides."""
    found: set[Operation] = set()
    stack = [t.op for t in tensors]
    while stack:
        op = stack.pop()
        if op not in found:
            found.add(op)
            stack += [t.op for t in op.inputs]
    return found


def in_order(ops: Iterable[Operation]) -> list[Operation]:
    """``ops``, each behind those of them that it waits for, and otherwise the oldest first.

    An op may be younger than its reader: what brings a tensor into a branch or a loop is built after the op
    that reads it.  The edge by which a loop variable takes its next value is no wait.

    Raises:
      InvalidArgumentError: ops wait for each other.
    """
    wanted, begun = set(ops), set[Operation]()
    order: dict[Operation, None] = {}
    for first in sorted(wanted, key=lambda op: op.index):
        stack = [(first, False)]
        while stack:
            op, is_ready = stack.pop()
            if is_ready:
                order[op] = None
            elif op not in order:
                if op in begun:
                    raise InvalidArgumentError(None, None, f"Graph is invalid, contains a cycle, including: {op.name}")
                begun.add(op)
                stack.append((op, True))
                stack += [(x, False) for x in reversed(_waits_for(op)) if x in wanted and x not in order]
    return list(order)


def _waits_for(op: Operation) -> list[Operation]:
    sources = [t.op for t in op.inputs if t.op.type not in ("NextIteration", "RefNextIteration")]
    return [*sources, *op.control_inputs]
