"""When an op runs: the predicates that a branch it stands in has chosen.

An op runs if all of its inputs are there, so what it waits for follows from the ``Switch``es behind it.
Inside of a loop only what an iteration decides counts; what decides whether the loop runs at all is said
of its exits.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor
from retrograd.ops import dataflow


class Literal(NamedTuple):
    """A condition on a predicate: that it is False or True, or, ``None``, that it has a value at all."""

    pred: Tensor
    branch: bool | None


Guard = tuple[Literal, ...]  # all must hold; one that decides whether another has a value stands before it

ALWAYS: Guard = ()


def within_iteration(guard: Guard) -> Guard:
    """``guard`` without what the condition of a loop decides: what is left to an iteration that goes on."""
    return tuple(literal for literal in guard if literal.pred.op.type != "LoopCond")


class Guards:
    """The guards of ops, worked out as they are asked for.

    Args:
      enters_of: the ops that bring values into the loop that an exit leaves.
      fed: tensors that have a value in any case.
    """

    def __init__(
        self, enters_of: Callable[[Operation], Iterable[Operation]], fed: Collection[Tensor] = frozenset()
    ) -> None:
        self.enters_of = enters_of
        self.fed = fed
        self.known: dict[Operation, Guard] = {}

    def of(self, op: Operation) -> Guard:
        """The guard of ``op``."""
        waiting = [op]
        while waiting:
            op = waiting[-1]
            if op in self.known:
                waiting.pop()
                continue
            missing = [x for x in self._behind(op) if x not in self.known]
            if missing:
                waiting += missing
            else:
                self.known[op] = self._joined(op)
                waiting.pop()
        return self.known[op]

    def of_tensor(self, tensor: Tensor) -> Guard:
        """The guard under which ``tensor`` has a value."""
        if tensor in self.fed:
            return ALWAYS
        guard = self.of(tensor.op)
        if tensor.op.type in dataflow.SWITCHES:
            return _union([guard, (Literal(self._origin(tensor.op.inputs[1]), bool(tensor.value_index)),)])
        return guard

    def _origin(self, pred: Tensor) -> Tensor:
        """What ``pred`` is another name of."""
        while pred.op.type == "Identity" and pred not in self.fed and not pred.op.inputs[0].dtype.is_ref:
            (pred,) = pred.op.inputs
        return pred

    def of_loop(self, enters: Iterable[Operation]) -> Guard:
        """The guard of a loop: all that is brought into it must be there."""
        return _union([self._of_sources(op) for op in enters])

    def _behind(self, op: Operation) -> list[Operation]:
        if op.type in dataflow.EXITS:
            return [x for enter in self.enters_of(op) for x in _sources(enter, self.fed)]
        if op.type in dataflow.ENTERS or dataflow.is_loop_merge(op) or op.type == "ControlTrigger":
            return []
        return _sources(op, self.fed)

    def _joined(self, op: Operation) -> Guard:
        if op.type in dataflow.EXITS:
            return self.of_loop(self.enters_of(op))
        if op.type in dataflow.ENTERS or dataflow.is_loop_merge(op) or op.type == "ControlTrigger":
            return ALWAYS  # a trigger runs when what it waits for has run, or will not
        if op.type in dataflow.MERGES:
            waits = _union([self.of(x) for x in op.control_inputs])
            return _union([waits, _merged(op, [self.of_tensor(t) for t in op.inputs])])
        return self._of_sources(op)

    def _of_sources(self, op: Operation) -> Guard:
        return _union([*[self.of_tensor(t) for t in op.inputs], *[self.of(x) for x in op.control_inputs]])


def _sources(op: Operation, fed: Collection[Tensor]) -> list[Operation]:
    return [t.op for t in op.inputs if t not in fed] + op.control_inputs


def _union(guards: Iterable[Guard]) -> Guard:
    return tuple(dict.fromkeys(literal for guard in guards for literal in guard))


def _merged(op: Operation, guards: list[Guard]) -> Guard:
    """What holds whichever input is there: without the literals of branches of which one is taken in any case."""
    common = tuple(x for x in guards[0] if all(x in other for other in guards[1:]))
    rests = [[x for x in guard if x not in common] for guard in guards]
    return common if _one_holds(rests) else (*common, Literal(op.outputs[1], None))


def _one_holds(guards: Sequence[Sequence[Literal]]) -> bool:
    """Whether one of ``guards`` holds whatever the predicates are; it is seen where they nest as branches do."""
    if any(not guard for guard in guards):
        return True
    pred = guards[0][0].pred if guards else None
    if pred is None or any(guard[0].pred is not pred or guard[0].branch is None for guard in guards):
        return False
    return all(_one_holds([guard[1:] for guard in guards if guard[0].branch is b]) for b in (False, True))
