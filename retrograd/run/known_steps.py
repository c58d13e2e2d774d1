"""What is known of the iterations of a loop while tracing: how many there are, and what counters are in each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor
from retrograd.ops import dataflow
from retrograd.run.held import is_known
from retrograd.run.histories import Steps

if TYPE_CHECKING:
    from retrograd.run.lowered_loops import LoweredLoop
    from retrograd.run.walking import Walk

_MOST = 1 << 14  # iterations that are worth going through with NumPy
_LARGEST = 16  # elements of a value that is computed for each of them
_FEW, _LARGEST_OF_FEW = 1 << 10, 1 << 12  # elements if there are no more iterations than these


@dataclass
class KnownSteps:
    """``count`` iterations, or at most ``bound``; the values of tensors in each, and of variables in the end."""

    count: int | None = None
    bound: int | None = None
    sequences: dict[Tensor, list[Any]] = field(default_factory=dict)
    final: dict[Tensor, Any] = field(default_factory=dict)


class _Unfit(Exception):
    def __init__(self, op: Operation) -> None:
        self.op = op


def steps_of(walk: Walk, loop: LoweredLoop, histories: Mapping[Operation, Any]) -> KnownSteps:
    """What follows for ``loop`` from known values."""
    unfit: set[Operation] = set()
    while True:
        try:
            return _simulated(walk, loop, histories, unfit)
        except _Unfit as error:
            unfit.add(error.op)


def _simulated(walk: Walk, loop: LoweredLoop, histories: Mapping[Operation, Any], unfit: set[Operation]) -> KnownSteps:
    variables = {v for v in loop.variables if _is_small(loop.inner.found(v.first)) and v.merge not in unfit}
    recalled = {op.outputs[0]: h.values for op, h in histories.items() if isinstance(h, Steps) and op not in unfit}
    while True:
        varying = {v.tensor for v in variables} | set(recalled)
        before = _computable(walk, loop, loop.before, varying, unfit)
        behind = _computable(walk, loop, loop.behind, varying, unfit)
        stuck = {v for v in variables if v.following not in varying and not is_known(loop.inner.found(v.following))}
        if not stuck:
            break
        variables -= stuck
    condition = loop.condition.inputs[0]
    decided, is_whole = _decided(loop, condition, varying)
    if decided is None:
        return KnownSteps()
    steps = KnownSteps()
    values: dict[Tensor, Any] = {v.tensor: loop.inner[v.first] for v in variables}
    recorded: dict[Tensor, list[Any]] = {t: [] for t in varying}

    def value_of(tensor: Tensor) -> Any:
        return values[tensor] if tensor in values else loop.inner[tensor]

    for k in range(_MOST + 1):
        _compute(before, values, value_of, k)
        if not bool(value_of(decided)):
            break
        if k == _MOST:
            return KnownSteps()
        for tensor, sequence in recalled.items():
            if k < len(sequence):
                values[tensor] = sequence[len(sequence) - 1 - k]
        _compute(behind, values, value_of, k)
        for tensor, sequence in recorded.items():
            sequence.append(values.get(tensor))
        values = {v.tensor: value_of(v.following) for v in variables}
    count = k
    if not is_whole:
        return KnownSteps(bound=count)
    steps.count = count
    complete = {t: s for t, s in recorded.items() if all(x is not None for x in s)}
    steps.sequences = complete
    steps.final = {v.tensor: values[v.tensor] for v in variables}
    return steps


def _is_small(value: Any, k: int = 0) -> bool:
    most = _LARGEST if k > _FEW else _LARGEST_OF_FEW
    return is_known(value) and np.size(value) <= most and np.asarray(value).dtype.kind in "biuf"


def _computable(
    walk: Walk, loop: LoweredLoop, items: list[Any], varying: set[Tensor], unfit: set[Operation]
) -> list[Operation]:
    """The ops among ``items`` that follow from ``varying`` tensors, to which theirs are added, and known values."""
    ops = []
    for op in items:
        if not isinstance(op, Operation) or op in unfit or op.type in dataflow.MERGES | dataflow.ENTERS:
            continue
        if op.type in _NAMES:
            if op.inputs and op.inputs[0] in varying and not op.inputs[0].dtype.is_ref:
                varying.update(op.outputs)
                ops.append(op)
            continue
        if not op.definition.is_pure or op.definition.kernel is None or walk.guard_of(op):
            continue
        if any(t in varying for t in op.inputs) and all(
            t in varying or is_known(loop.inner.found(t)) for t in op.inputs
        ):
            varying.update(op.outputs)
            ops.append(op)
    return ops


_NAMES = ("Identity", "Switch", "LoopCond", "NextIteration", "Exit", "LoopHistory")


def _decided(loop: LoweredLoop, condition: Tensor, varying: set[Tensor]) -> tuple[Tensor | None, bool]:
    """A tensor that is False at the end of the loop, and whether the loop goes on for as long as it is True."""
    if condition in varying or is_known(loop.inner.found(condition)):
        return condition, True
    if condition.op.type == "LogicalAnd":
        for part in condition.op.inputs:
            if part in varying:
                return part, False
    return None, False


def _compute(ops: list[Operation], values: dict[Tensor, Any], value_of: Any, k: int) -> None:
    from retrograd.run.lowering import kernel_on

    for op in ops:
        try:
            inputs = [value_of(t) for t in op.inputs[:1]] if op.type in _NAMES else [value_of(t) for t in op.inputs]
            if op.type in _NAMES:
                results = inputs * len(op.outputs)
            else:
                with np.errstate(all="ignore"):
                    results = kernel_on(op, np, inputs)
        except Exception:
            raise _Unfit(op) from None
        for tensor, value in zip(op.outputs, results, strict=True):
            if not _is_small(value, k):
                raise _Unfit(op)
            values[tensor] = value
