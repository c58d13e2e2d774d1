"""Effects in the order in which a function builds them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from retrograd.graph import nest
from retrograd.graph.definition import Effect
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, dataflow

_SEEN = (Effect.WRITE, Effect.HOST, Effect.CHECK)


def in_turn(ops: list[Operation], context: Any) -> list[Operation]:
    """The ops that do something, each made to wait for the one before; reads wait for what was done before them.

    A branch or loop that does something stands for it with the values that come out of it: these wait for what is
    done inside.

    Args:
      ops: all that were built, in the order of their creation.
      context: the branch or loop whose ops are to be put in turn; those further inside are in their places.
    """
    lifted = {i for places in default_graph().lifted for i in places}
    return _in_turn([op for op in ops if op.index not in lifted] if lifted else ops, context)


def _in_turn(ops: list[Operation], context: Any, before: Sequence[Operation] = ()) -> list[Operation]:
    """The same for ops that are all to be put in turn, behind ``before``."""
    inside = _inside(ops, context)
    ends: dict[Operation, None] = {}
    effects: list[Operation] = []
    reads: list[Operation] = []
    for op in ops:
        last = effects[-1:] or list(before)
        inner = _child(op.context, context)
        if inner is not None and inner in inside:
            for end in _region_in_turn(inner, inside.pop(inner), [*last, *reads]):
                ends[end] = None
                if end.context is not context:  # the exit of a loop
                    effects.append(end)
        effect = op.definition.effect
        if op.context is not context:
            continue
        if op in ends:
            effects.append(op)
        elif effect in _SEEN:
            op._add_control_inputs([*last, *reads])
            effects.append(op)
            reads = []
        elif effect is Effect.READ and op.inputs:
            op._add_control_inputs(last)
            reads.append(op)
    return effects


def _inside(ops: list[Operation], context: Any) -> dict[Any, list[Operation]]:
    """The branches and loops directly in ``context`` in which something is done or read, with their ops."""
    found: dict[Any, list[Operation]] = {}
    for op in ops:
        inner = _child(op.context, context)
        if inner is not None:
            found.setdefault(inner, []).append(op)
    return {inner: own for inner, own in found.items() if any(_has_turn(op) for op in own)}


def _has_turn(op: Operation) -> bool:
    effect = op.definition.effect
    return effect in _SEEN or (effect is Effect.READ and bool(op.inputs))


def _child(inner: Any, context: Any) -> Any:
    """The branch or loop directly in ``context`` that ``inner`` is or is in; None if there is none."""
    while inner is not None and inner.outer is not context:
        inner = inner.outer
    return inner


def _region_in_turn(region: Any, own: list[Operation], before: list[Operation]) -> list[Operation]:
    """Put what a branch or loop does in turn, behind ``before``; the ops through which its results come out."""
    if region.IsWhileContext():
        firsts = [variable.enter.op for variable in region.variables]
        for first in firsts if before else ():
            first._add_control_inputs(before)
        effects = _in_turn(own, region)
        if not effects:
            return []
        for variable in region.variables:
            variable.following.op._add_control_inputs(effects[-1:])
        return [op for op in own if op.type in dataflow.EXITS and op.context is region]
    effects = _in_turn(own, region, before)
    if not effects:
        return []
    read = [tensor for op in own if op.context is region for tensor in op.outputs]
    merges = {reader: None for tensor in read for reader in tensor.readers if reader.type in dataflow.MERGES}
    ends = sorted((op for op in merges if op.context is region.outer), key=lambda op: op.index)
    for merge in ends:
        for i, tensor in enumerate(merge.inputs):
            if tensor.op.context is region:
                _wait(merge, i, region, effects[-1:])
    return ends


def _wait(merge: Operation, i: int, branch: Any, effects: list[Operation]) -> None:
    """Let what a branch gives wait for what is done in it."""
    tensor = merge.inputs[i]
    readers = [reader for output in tensor.op.outputs for reader in output.readers]
    only_given = tensor.op not in effects and all(reader.type in dataflow.MERGES for reader in readers)
    if only_given and tensor.op.type not in dataflow.SWITCHES:  # else what is done may read it
        tensor.op._add_control_inputs(effects)
        return
    with branch.entered(), control_dependencies(effects):
        merge._update_input(i, arrays.identity(tensor))


def with_effects_in_turn(function: Callable[..., Any]) -> Callable[..., Any]:
    """``function``, whose results wait for all that its call does."""

    @functools.wraps(function)
    def ordered(*args: Any, **kwargs: Any) -> Any:
        graph = default_graph()
        first = graph.version
        result = function(*args, **kwargs)
        if graph.is_eager:
            return result
        with control_dependencies(in_turn(graph.get_operations()[first:], graph._scopes.context)):
            return nest.map_structure(lambda x: arrays.identity(x) if isinstance(x, Tensor) else x, result)

    return ordered
