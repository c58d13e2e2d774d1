"""What a piece of graph reads from the graph around it, in and out of branches and loops.

A piece is all that depends on its placeholders, and what is computed for it inside of branches and loops.  A value
from inside of a branch that must not be computed again, random numbers say, is brought out, with zeros in its place
for the runs in which the branch is not taken: then the piece does not need it either.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retrograd.flow.guards import Guard, Guards, Literal
from retrograd.grad.gradients import is_trainable
from retrograd.graph.contexts import ControlFlowContext, control_inputs_cleared, output_context
from retrograd.graph.operation import Operation
from retrograd.graph.order import computed_from
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, constants, dataflow, resources


def reached(placeholders: Sequence[Tensor]) -> set[Operation]:
    """The ops that depend on or wait for ``placeholders``; from here on they wait for nothing that does not."""
    found: set[Operation] = set()
    stack = [t.op for t in placeholders]
    while stack:
        op = stack.pop()
        if op not in found:
            found.add(op)
            stack += [reader for t in op.outputs for reader in t.readers] + op.control_readers
    for op in found:
        for source in [c for c in op.control_inputs if c not in found and c.context is None]:
            op.control_inputs.remove(source)
            source.control_readers.remove(op)
    return found


def behind(tensors: Sequence[Tensor]) -> set[Tensor]:
    """``tensors`` and all that they are computed from."""
    return set(tensors).union(*[op.inputs for op in computed_from(tensors)])


def read_from_around(outputs: Sequence[Tensor], inside: set[Operation], given: Sequence[Tensor]) -> list[Tensor]:
    """What ``outputs`` are computed from: what the ops ``inside`` read from elsewhere, constant integers apart."""
    found: dict[Tensor, None] = {}
    seen: set[Tensor] = set()
    stack = list(outputs)
    while stack:
        tensor = stack.pop()
        op = tensor.op
        if tensor in seen:
            continue
        seen.add(tensor)
        if tensor in given:
            found[tensor] = None
        elif (
            op in inside
            or _is_made_anew(op)
            or _is_in_a_loop(tensor)
            or (_is_repeatable(op) and _may_be_absent(tensor))
        ):
            for t in op.inputs:
                is_choice = op.type in dataflow.SWITCHES and t is op.inputs[1] and contexts_around(t)
                if is_choice and t.op not in inside and not _is_in_a_loop(t):
                    found[t] = None  # computed in its branch, not again from what the piece is given
                else:
                    stack.append(t)
            stack += [t for c in op.control_inputs if c.context is not None for t in c.outputs]
        elif op.type != "Const" or op.control_inputs or is_trainable(tensor.dtype):
            found[tensor] = None
    return sorted(found, key=lambda t: (t.op.index, t.value_index))


def contexts_around(tensor: Tensor) -> list[ControlFlowContext]:
    """The branches and loops that ``tensor`` is in, and that nothing is built in at present, innermost first."""
    here: set[ControlFlowContext] = set()
    context = default_graph()._scopes.context
    while context is not None:
        here.add(context)
        context = context.outer
    around = []
    context = output_context(tensor.op)
    while context is not None and context not in here:
        around.append(context)
        context = context.outer
    return around


def _is_in_a_loop(tensor: Tensor) -> bool:
    return any(context.IsWhileContext() for context in contexts_around(tensor))


def _is_repeatable(op: Operation) -> bool:
    return op.definition.is_pure or op.type in dataflow.IS_FLOW


def _is_made_anew(op: Operation) -> bool:
    """Whether each row has its own: an empty TensorArray is read and written as one value."""
    return op.type == "TensorArrayV3" and not op.inputs[0].op.inputs


def _may_be_absent(tensor: Tensor) -> bool:
    """Whether there are runs of what is built at present in which ``tensor`` has no value."""
    here: set[Literal] = set()
    context = tensor.graph._scopes.context
    while context is not None:
        here.update(_guard_of(context.GetControlPivot().outputs[0]))
        context = context.outer
    return not here.issuperset(_guard_of(tensor))


def _guard_of(tensor: Tensor) -> Guard:
    """The branches that must be taken for ``tensor`` to have a value."""
    guards = tensor.graph.notes.get("guards")
    if guards is None:
        guards = tensor.graph.notes["guards"] = Guards(_entered_before)
    return guards.of_tensor(tensor)


def _entered_before(left: Operation) -> list[Operation]:
    loop: Any = None if left.context is None else left.context.loop
    return [] if loop is None else loop.enters


def brought_out(tensor: Tensor, branches: Sequence[Any]) -> Tensor:
    """``tensor``, which exists if all of ``branches`` are taken, or else zeros."""
    graph = default_graph()
    dims = tensor.dims if tensor.dims is not None and None not in tensor.dims else ()
    here = graph._scopes.context
    for branch in branches:
        graph._scopes.context = branch.outer
        try:
            with control_inputs_cleared(graph):
                other = dataflow.switch(constants.zeros(dims, tensor.dtype.base_dtype), branch.pred)[1 - branch.branch]
                tensor = dataflow.merge([tensor, other])[0]
        finally:
            graph._scopes.context = here
    return tensor


def always_there(dx: Tensor, x: Tensor) -> Tensor:
    """A gradient by ``x``: zeros where the branch that reads ``x`` is not taken."""
    guard = [literal for literal in _guard_of(dx) if literal.branch is not None]  # a merge is there
    if not guard or dx.dtype == "variant":
        return dx
    dims = x.dims if x.dims is not None and None not in x.dims else ()
    zero = constants.zeros(dims, dx.dtype) if contexts_around(x) else constants.zeros_like(_read(x))
    for pred, branch in reversed(guard):
        dx = dataflow.merge([dx, dataflow.switch(zero, pred)[int(not branch)]])[0]
    return dx


def value_of(tensor: Tensor) -> Tensor:
    """A captured tensor as the piece is given it: for a variable's handle or reference, the value."""
    value = _read(tensor)
    return value if tensor.dtype == "resource" else brought_out(value, contexts_around(tensor))


def _read(tensor: Tensor) -> Tensor:
    if tensor.dtype == "resource":
        dtype = resources.dtype_of(tensor)
        return tensor if dtype is None else resources.read_variable_op(tensor, dtype)
    return arrays.identity(tensor) if tensor.dtype.is_ref else tensor
