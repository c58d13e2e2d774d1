"""The loops of a graph that says nothing of them, found by the frames that values enter and leave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from retrograd.flow.contexts import LoopVariable, WhileContext
from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor
from retrograd.ops import dataflow

_DEEPEST = 64  # of a file that may say anything; plans are made frame by frame inside each other


@dataclass(eq=False)
class _Frame:
    """The ops that stand in one frame, those of frames inside aside."""

    name: str
    parent: _Frame | None
    ops: list[Operation] = field(default_factory=list)
    context: WhileContext | None = None
    depth: int = field(init=False)

    def __post_init__(self) -> None:
        self.depth = 0 if self.parent is None else self.parent.depth + 1
        if self.depth == _DEEPEST:
            raise ValueError(f"Frame {self.name!r} is more than {_DEEPEST} loops deep")


def close_loop(merge: Operation, place: int, value: Tensor) -> None:
    """Let ``merge`` read ``value`` there, what the next iteration brings.

    Raises:
      ValueError: no value enters a loop at this node.
    """
    if not any(t.op.type in dataflow.ENTERS for t in merge.inputs):
        raise ValueError(f"Node '{merge.name}' has a back edge, but no value enters a loop there.")
    merge._rewire((*merge.inputs[:place], value, *merge.inputs[place + 1 :]), merge.control_inputs)


def find_loops(ops: Sequence[Operation]) -> None:
    """Let each of ``ops``, which are in order and in no loop yet, know the innermost loop that it is in.

    A frame that ``while_loop`` would not build is left alone: it runs, and cannot be differentiated.

    Raises:
      ValueError: frames stand too deep inside each other.
    """
    if not any(op.type in dataflow.ENTERS for op in ops):
        return
    for frame in _frames(ops):
        if frame.parent is None or frame.parent.context is not None:
            frame.context = _context(frame)


def _frames(ops: Sequence[Operation]) -> list[_Frame]:
    """The frames, each behind that around it."""
    frames: dict[tuple[_Frame | None, str], _Frame] = {}
    frame_of: dict[Operation, _Frame] = {}
    for op in ops:
        inner: _Frame | None = None
        for source in [t.op for t in op.inputs] + op.control_inputs:
            frame = frame_of.get(source)
            if frame is not None and source.type in dataflow.EXITS:
                frame = frame.parent
            if frame is not None and (inner is None or frame.depth > inner.depth):
                inner = frame
        if op.type in dataflow.ENTERS:
            key = (inner, str(op.attrs["frame_name"]))
            inner = frames.setdefault(key, _Frame(key[1], inner))
        if inner is not None:
            frame_of[op] = inner
            inner.ops.append(op)
    return list(frames.values())


def _context(frame: _Frame) -> WhileContext | None:
    """The loop of a frame; None if it has not the form of one."""
    enters = [op for op in frame.ops if op.type in dataflow.ENTERS]
    conditions = [op.outputs[0] for op in frame.ops if op.type == "LoopCond"]
    try:
        variables = [LoopVariable.found(op.outputs[0], None) for op in enters if not dataflow.is_invariant(op)]
    except ValueError:
        return None
    if not variables or len(conditions) != 1 or any(v.switch.inputs[1] is not conditions[0] for v in variables):
        return None
    context = WhileContext(enters[0].attrs.get("parallel_iterations", 10), name="")
    context.name = frame.name
    context.outer = context.outer if frame.parent is None else frame.parent.context
    context.variables, context.condition = variables, conditions[0]
    for op in enters:
        if dataflow.is_invariant(op) and context.seen_as.setdefault(op.inputs[0], op.outputs[0]).op is not op:
            context.more_enters.append(op)
    for op in frame.ops:
        op.context = context
    context.graph._has_loops_or_branches = True
    return context
