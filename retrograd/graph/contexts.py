"""The branches and loops that ops are built in.

An op inside of a branch or a loop sees a tensor from outside through an op of its own: a ``Switch`` or an
``Enter``.  A context makes those as they are needed, and lets ops that read nothing inside wait for the
branch or the iteration to begin.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from retrograd.graph.operation import Operation
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor

if TYPE_CHECKING:
    from retrograd.graph.graph import Graph

_EXITS = frozenset(("Exit", "RefExit", "LoopHistory"))


class ControlFlowContext:
    """One branch of a ``cond``, or the frame of a ``while_loop``, while building."""

    pivot: Operation  # ops that read nothing inside run after it

    def __init__(self, name: str) -> None:
        self.graph: Graph = default_graph()
        self.name = self.graph.unique_name(name)
        self.outer: ControlFlowContext | None = self.graph._scopes.context
        self.seen_as: dict[Tensor, Tensor] = {}  # tensors from outside, as they are seen inside

    @property
    def outer_context(self) -> ControlFlowContext | None:
        return self.outer

    @property
    def grad_state(self) -> Any:
        """None: what the gradient of a loop needs is saved by the loop itself."""
        return None

    @property
    def loop(self) -> ControlFlowContext | None:
        """The innermost loop that this is, or is in."""
        return None if self.outer is None else self.outer.loop

    def GetWhileContext(self) -> ControlFlowContext | None:
        return self.loop

    def IsWhileContext(self) -> bool:
        return self.loop is self

    def IsCondContext(self) -> bool:
        return self.loop is not self

    def IsXLAContext(self) -> bool:
        return False

    def GetControlPivot(self) -> Operation:
        return self.pivot

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Build the block's ops inside."""
        scopes = self.graph._scopes
        outer = scopes.context
        scopes.context = self
        try:
            yield
        finally:
            scopes.context = outer

    def holds(self, op: Operation) -> bool:
        """Whether the outputs of ``op`` are inside."""
        context = output_context(op)
        while context is not None and context is not self:
            context = context.outer
        return context is self

    def inside(self, tensor: Tensor) -> Tensor:
        """``tensor`` as ops inside read it."""
        if self.holds(tensor.op):
            return tensor
        seen = self.seen_as.get(tensor)
        if seen is None:
            seen = self.seen_as[tensor] = self.brought_in(tensor)
        return seen

    def brought_in(self, tensor: Tensor) -> Tensor:
        """Build what brings a tensor from outside in."""
        raise NotImplementedError

    def adopt(self, inputs: tuple[Tensor, ...], waits: list[Operation]) -> tuple[tuple[Tensor, ...], list[Operation]]:
        """The inputs and control inputs that an op inside has in the place of these."""
        inner = tuple(self.inside(t) for t in inputs)
        loop = self.loop
        outside = [op for op in waits if loop is not None and _loop_around(op) is not loop]
        waits = [op for op in waits if op not in outside]
        if self.must_wait(inner, waits):
            waits.append(self.pivot)
        return inner, waits + self._through_data(outside)

    def must_wait(self, inputs: Iterable[Tensor], waits: list[Operation]) -> bool:
        """Whether an op with these edges could run before the branch or iteration has begun."""
        raise NotImplementedError

    def _through_data(self, ops: list[Operation]) -> list[Operation]:
        """Ops in this loop that wait for ``ops``, which are outside: no control edge may enter a loop."""
        if not ops or self.loop is not self:
            return []
        from retrograd.graph.apply import apply
        from retrograd.graph.definition import REGISTRY

        with control_inputs_cleared(self.graph), self.entered():
            return [apply(REGISTRY["Identity"], op.outputs[0], name="Identity").op for op in ops if op.outputs]


def output_context(op: Operation) -> ControlFlowContext | None:
    """The context that the outputs of ``op`` are in: those of an exit are outside of its loop."""
    context = op.context
    if context is not None and op.type in _EXITS:
        assert context.loop is not None
        return context.loop.outer
    return context


def _loop_around(op: Operation) -> ControlFlowContext | None:
    context = output_context(op)
    return None if context is None else context.loop


@contextmanager
def control_inputs_cleared(graph: Graph) -> Iterator[None]:
    """Build the block's ops without the control inputs of the blocks around, but in the same context."""
    scopes = graph._scopes
    outer = scopes.waiting
    scopes.waiting = []
    try:
        yield
    finally:
        scopes.waiting = outer
