"""Which part of a branch or a loop an op is."""

from __future__ import annotations

from collections.abc import Callable

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


def _innermost(
    context: ControlFlowContext | None, wanted: Callable[[ControlFlowContext], bool]
) -> ControlFlowContext | None:
    """The first of ``context`` and those that it is in which is ``wanted``."""
    while context is not None and not wanted(context):
        context = context.outer
    return context


def GetContainingWhileContext(
    ctxt: ControlFlowContext | None, stop_ctxt: ControlFlowContext | None = None
) -> ControlFlowContext | None:
    """The innermost loop that ``ctxt`` is, or is in; or ``stop_ctxt``, where that comes first."""
    return _innermost(ctxt, lambda context: context.IsWhileContext() or context is stop_ctxt)


def GetContainingXLAContext(ctxt: ControlFlowContext | None) -> ControlFlowContext | None:
    """The innermost block built for XLA alone that ``ctxt`` is, or is in."""
    return _innermost(ctxt, lambda context: context.IsXLAContext())


def GetContainingCondContext(ctxt: ControlFlowContext | None) -> ControlFlowContext | None:
    """The innermost branch that ``ctxt`` is, or is in."""
    return _innermost(ctxt, lambda context: context.IsCondContext())


def IsContainingContext(ctxt: ControlFlowContext | None, maybe_containing_ctxt: ControlFlowContext | None) -> bool:
    """Whether ``ctxt`` is ``maybe_containing_ctxt``, or is in it."""
    return _innermost(ctxt, lambda context: context is maybe_containing_ctxt) is maybe_containing_ctxt


def OpInContext(op: Operation, ctxt: ControlFlowContext | None) -> bool:
    """Whether ``op`` stands in ``ctxt``."""
    return IsContainingContext(op.context, ctxt)


def IsInXLAContext(op: Operation) -> bool:
    """Whether ``op`` is built for XLA alone."""
    return GetContainingXLAContext(op.context) is not None


def IsInCond(op: Operation) -> bool:
    """Whether ``op`` stands in a branch."""
    return GetContainingCondContext(op.context) is not None


def IsInWhileLoop(op: Operation) -> bool:
    """Whether ``op`` stands in a loop."""
    return op.context is not None and op.context.loop is not None


def GetOutputContext(op: Operation) -> ControlFlowContext | None:
    """The branch or loop that the outputs of ``op`` are in."""
    return output_context(op)


def graph_or_parents_in_xla_context(graph: object) -> bool:
    """Whether ``graph`` is built for XLA alone: none is; what is compiled is decided when it runs."""
    return False
