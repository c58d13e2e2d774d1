"""Ways through a graph, found for error messages and put into words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor

_LONGEST = 7  # ops of a way that are shown


def dependents(xs: Iterable[Tensor]) -> set[Tensor]:
    """``xs`` and every tensor that is computed from one of them."""
    found = set(xs)
    stack = list(found)
    while stack:
        for reader in stack.pop().readers:
            fresh = [y for y in reader.outputs if y not in found]
            found.update(fresh)
            stack += fresh
    return found


def distances(op: Operation) -> dict[Operation, int]:
    """``op`` and every op that it is computed from, with the number of steps back to it."""
    steps = {op: 0}
    queue = [op]
    for op in queue:
        for x in op.inputs:
            if x.op not in steps:
                steps[x.op] = steps[op] + 1
                queue.append(x.op)
    return steps


def shortest_way(
    start: Operation, is_goal: Callable[[Operation], bool], following: Callable[[Operation], Iterable[Operation]]
) -> list[Operation] | None:
    """The ops of a shortest way from ``start``, which is the first, to a goal, which is the last."""
    came_from: dict[Operation, Operation | None] = {start: None}
    queue = [start]
    for op in queue:
        if is_goal(op):
            way = [op]
            while (before := came_from[way[-1]]) is not None:
                way.append(before)
            return way[::-1]
        for other in following(op):
            if other not in came_from:
                came_from[other] = op
                queue.append(other)
    return None


def in_words(way: Sequence[Operation], shown: Iterable[Operation] = ()) -> str:
    """``a -> b -> c``, with ``...`` for what is between if the way is long; ops of ``shown`` stay."""
    kept = {0, 1, len(way) - 2, len(way) - 1}
    for op in shown:
        place = list(way).index(op)
        kept.update((place - 1, place, place + 1))
    words: list[str] = []
    for i, op in enumerate(way):
        if len(way) <= _LONGEST or i in kept:
            words.append(op.name)
        elif words[-1] != "...":
            words.append("...")
    return " -> ".join(words)


def with_places(way: Sequence[Operation]) -> str:
    """The ops of a way, one a line, with the lines of the program that built them."""
    rows = list(way) if len(way) <= 2 * _LONGEST else [*way[:_LONGEST], None, *way[-_LONGEST:]]
    width = max(len(op.name) for op in rows if op is not None)
    lines = ["..." if op is None else f"{op.name:{width}}  {op.place or ''}".rstrip() for op in rows]
    return "\n         ".join(lines)
