"""How long values live: steps that nobody needs, and slots that nobody reads any more."""

from __future__ import annotations

from collections.abc import Container

from retrograd.graph.operation import Operation
from retrograd.run.steps import Block, Repeated, Step, read_reference, slots_of


def read_ones(steps: list[Step], read: set[int], has_readers: Container[Operation]) -> list[Step]:
    """The steps whose results are read by one another or are among ``read``, to which their arguments are added.

    An op without readers in the plan is there to be run, and a read of a variable to find that it has a value.
    """
    kept = []
    for step in reversed(steps):
        function, sources, results, _, op = step
        if function is None:
            read.update(op.own_slots())
            if isinstance(op, Repeated):
                read.update(op.slots())  # an iteration reads what the one before has left
            for body in op.bodies:
                body[:] = read_ones(body, read, has_readers)
            kept.append(step)
            continue
        is_read = not read.isdisjoint(results if isinstance(results, tuple) else (results,))
        if is_read or function is read_reference or op.definition.effect is not None or op not in has_readers:
            read.update(sources)
            kept.append(step)
    return kept[::-1]


def releasing(steps: list[Step], kept: set[int]) -> list[Step]:
    """``steps``, each with the slots that it is the last to touch, those in ``kept`` aside."""
    last: dict[int, int] = {}
    touching: dict[int, int] = {}  # how many of the steps touch a slot
    for i, step in enumerate(steps):
        for slot in slots_of(step):
            last[slot] = i
            touching[slot] = touching.get(slot, 0) + 1
    released: list[list[int]] = [[] for _ in steps]
    for slot, i in last.items():
        if slot not in kept:
            block = steps[i][-1] if steps[i][0] is None else None
            if block is None or touching[slot] > 1 or slot in block.own_slots():
                released[i].append(slot)
    shared = {slot for slot, count in touching.items() if count > 1}
    for step in steps:
        if step[0] is None:
            _release_inside(step[-1], kept | shared)
    return [(f, s, r, tuple(d), op) for (f, s, r, _, op), d in zip(steps, released, strict=True)]


def _release_inside(block: Block, kept: set[int]) -> None:
    kept = kept | block.own_slots()
    touched = [set().union(*map(slots_of, body)) for body in block.bodies]
    for i, body in enumerate(block.bodies):
        elsewhere = set().union(*touched[:i], *touched[i + 1 :])
        body[:] = releasing(body, kept | elsewhere)
