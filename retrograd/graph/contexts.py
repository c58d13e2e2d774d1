"""The branches and loops that ops are built in.

An op inside of a branch or a loop sees a tensor from outside through an op of its own: a ``Switch`` or an
``Enter``.  A context makes those as they are needed, and lets ops that read nothing inside wait for the
branch or the iteration to begin.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from retrograd.graph import context_protos
from retrograd.graph.operation import Operation
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor

if TYPE_CHECKING:
    from retrograd.graph.graph import Graph

_EXITS = frozenset(("Exit", "RefExit", "LoopHistory"))


class ControlFlowContext:
    """One branch of a ``cond``, or the frame of a ``while_loop``, while building."""

    pivot: Operation  # ops that read nothing inside run after it
    pred: Tensor  # of a branch: what it depends on
    branch: int  # and which of the two it is
    forward: Any = None  # of the gradient of a loop: that loop
    message_field: str | None = None  # of ControlFlowContextDef: the one that describes its kind

    def __init__(self, values_def: Any = None, import_scope: str | None = None, name: str = "") -> None:
        self.graph: Graph = default_graph()
        self.name = self.graph.unique_name(name) if name else ""
        self._named: set[str] | None = None  # the names of what is inside, where those are given
        self._named_outside: dict[str, Tensor] | None = None
        if values_def is not None:
            self._named, self._named_outside = context_protos.names_of(values_def, self, import_scope)
        self.outer: ControlFlowContext | None = self.graph._scopes.context
        self.seen_as: dict[Tensor, Tensor] = {}  # tensors from outside, as they are seen inside
        self._left: list[ControlFlowContext | None] = []  # where each Enter found the graph

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

    # -- as protocol buffers -------------------------------------------------------------------

    @property
    def _values(self) -> set[str]:
        return context_protos.names_inside(self) if self._named is None else self._named

    @_values.setter
    def _values(self, names: Iterable[str]) -> None:
        self._named = set(names)

    @property
    def _external_values(self) -> dict[str, Tensor]:
        return context_protos.seen_names(self) if self._named_outside is None else self._named_outside

    @_external_values.setter
    def _external_values(self, seen: dict[str, Tensor]) -> None:
        self._named_outside = dict(seen)

    def _to_values_def(self, export_scope: str | None = None) -> Any:
        return context_protos.values_def(self, export_scope)

    def to_proto(self, export_scope: str | None = None) -> Any:
        """The message that describes it, with names below ``export_scope``; None if it is not in that scope."""
        raise NotImplementedError("Abstract method")

    @classmethod
    def from_proto(cls, proto: Any, import_scope: str | None = None) -> Any:
        """What such a message describes, in the default graph, whose ops have names below ``import_scope``."""
        raise NotImplementedError("Abstract method")

    def to_control_flow_context_def(self, context_def: Any, export_scope: str | None = None) -> None:
        """Write it into ``context_def``."""
        if self.message_field is None:
            raise NotImplementedError("Abstract method")
        getattr(context_def, self.message_field).CopyFrom(self.to_proto(export_scope))

    # -- building inside -----------------------------------------------------------------------

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

    def Enter(self) -> None:
        """Build inside from now on, until ``Exit``."""
        self._left.append(self.graph._scopes.context)
        self.graph._scopes.context = self

    def Exit(self) -> None:
        """Build where ``Enter`` found the graph."""
        self.graph._scopes.context = self._left.pop()

    def AddValue(self, val: Tensor) -> Tensor:
        """``val`` as ops inside read it."""
        return self.inside(val)

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
        with self.graph._lock:
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


_BRING_IN_OR_OUT = frozenset(("Switch", "RefSwitch", "Merge", "RefMerge", "Enter", "RefEnter", "LoopRecall", *_EXITS))


def check_reach(op_type: str, name: str, inputs: tuple[Tensor, ...], context: ControlFlowContext | None) -> None:
    """Raise if an op to be built in ``context`` would read a tensor of a loop that it is not in."""
    if op_type in _BRING_IN_OR_OUT:
        return
    reached: list[ControlFlowContext | None] = [None]
    loop = None if context is None else context.loop
    inner = loop
    while inner is not None:
        reached += [inner, inner.forward]
        inner = None if inner.outer is None else inner.outer.loop
    for tensor in inputs:
        if _loop_around(tensor.op) not in reached:
            source = tensor.op.name
            why = "they are in different while loops" if loop is not None else f"'{source}' is in a while loop"
            error = ValueError(
                f"Cannot use '{source}' as input to '{name}' because {why}. See info log for more details."
            )
            error.add_note(
                "  Why:   a tensor of a loop's body has a value in each iteration, and none outside\n"
                + (f"  Where: it was built at {tensor.op.place}\n" if tensor.op.place else "")
                + "  Fix:   make it a loop variable: let the body return it, and use what tf.while_loop returns"
            )
            raise error


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
