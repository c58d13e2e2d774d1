"""Which part of a branch or a loop an op is."""

from __future__ import annotations

from retrograd.graph.contexts import ControlFlowContext, output_context
from retrograd.graph.operation import Operation
from retrograd.ops import dataflow


def IsSwitch(op: Operation) -> bool:
    """Whether ``op`` gives its input to one of two outputs."""
    return op.type in dataflow.SWITCHES


def IsMerge(op: Operation) -> bool:
    """Whether ``op`` takes the one of its inputs that is there."""
    return op.type in dataflow.MERGES


def IsLoopEnter(op: Operation) -> bool:
    """Whether ``op`` brings a value into a loop."""
    return op.type in dataflow.ENTERS


def IsLoopConstantEnter(op: Operation) -> bool:
    """Whether ``op`` brings a value into all iterations of a loop."""
    return dataflow.is_invariant(op)


def IsLoopExit(op: Operation) -> bool:
    """Whether ``op`` brings a value out of a loop."""
    return op.type in dataflow.EXITS


def IsLoopSwitch(op: Operation) -> bool:
    """Whether ``op`` gives a loop variable to the body or to the exit."""
    return IsSwitch(op) and op.inputs[1].op.type == "LoopCond"


def IsLoopMerge(op: Operation) -> bool:
    """Whether ``op`` holds a loop variable."""
    return dataflow.is_loop_merge(op)


def IsCondSwitch(op: Operation) -> bool:
    """Whether ``op`` gives its input to a branch."""
    return IsSwitch(op) and not IsLoopSwitch(op)


def IsCondMerge(op: Operation) -> bool:
    """Whether ``op`` gives what the chosen branch gave."""
    return IsMerge(op) and not IsLoopMerge(op)


def IsInCond(op: Operation) -> bool:
    """Whether ``op`` stands in a branch."""
    context = op.context
    while context is not None and not context.IsCondContext():
        context = context.outer
    return context is not None


def IsInWhileLoop(op: Operation) -> bool:
    """Whether ``op`` stands in a loop."""
    return op.context is not None and op.context.loop is not None


def GetOutputContext(op: Operation) -> ControlFlowContext | None:
    """The branch or loop that the outputs of ``op`` are in."""
    return output_context(op)


def graph_or_parents_in_xla_context(graph: object) -> bool:
    """Whether ``graph`` is built for XLA alone: none is; what is compiled is decided when it runs."""
    return False
