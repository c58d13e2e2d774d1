"""The gradient of a loop: a loop that goes through the iterations backwards.

With m the loop variables, c the invariants, and m' = body(m, c):

    dm = dm' d(body)/dm,    dc = sum over the iterations of dm' d(body)/dc

What the derivative of the body reads of the body is kept by the loop, a history of each value.  A history is
differentiable as everything is: its gradient is a history of the gradient loop.  So there are gradients of
any order.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from retrograd.flow.contexts import LoopVariable, WhileContext
from retrograd.grad.aggregation import total
from retrograd.graph import dtypes, shapes
from retrograd.graph.contexts import ControlFlowContext
from retrograd.graph.convert import as_tensor
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import name_scope
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, comparison, constants, dataflow, resources, sums

Arrived = dict[Tensor, list[Any]]
Inner = Callable[[list[Tensor], list[Any], Collection[Operation]], Arrived]


def outermost_loop(op: Operation, region: ControlFlowContext | None) -> ControlFlowContext | None:
    """The loop around ``op`` that is passed as a whole by a gradient that is taken in ``region``; None if none."""
    loop = None if op.context is None else op.context.loop
    if loop is None:
        return None
    around: list[ControlFlowContext | None] = [None]
    while region is not None:
        around.append(region)
        region = _loop_around(region)
    if loop in around:
        return None
    while _loop_around(loop) not in around:
        loop = _loop_around(loop)
        assert loop is not None
    return loop


def _loop_around(loop: ControlFlowContext) -> ControlFlowContext | None:
    return None if loop.outer is None else loop.outer.loop


def loop_gradients(loop: WhileContext, members: Collection[Operation], dys: dict[Tensor, Any], inner: Inner) -> Any:
    """(tensor that a loop reads, its gradient) for each that has one, from the gradients of what leaves the loop.

    Args:
      members: the ops of the loop that lie between the xs and the ys.
      dys: the gradients of its exits and histories.
      inner: the gradient pass over ops of one iteration: ``inner(ys, dys, ops)``.
    """
    if not loop.back_prop:
        return []
    variables = [v for v in loop.variables if v.merge.op in members and v.merge.dtype.base_dtype in SMOOTH]
    kept = {value: dys[h] for value, h in loop.histories.items() if h in dys}
    if not kept and not any(v.exit in dys for v in variables):
        return []
    return _backwards(loop, variables, members, dys, kept, inner)


SMOOTH = (
    dtypes.float16, dtypes.float32, dtypes.float64, dtypes.bfloat16, dtypes.complex64, dtypes.complex128,
)  # fmt: skip


def _backwards(
    loop: WhileContext,
    variables: list[LoopVariable],
    members: Collection[Operation],
    dys: dict[Tensor, Any],
    kept: dict[Tensor, Any],
    inner: Inner,
) -> list[tuple[Tensor, Any]]:
    firsts = [as_tensor(dys[v.exit]) if v.exit in dys else constants.zeros_like(loop.exit_of(v)) for v in variables]
    backward = WhileContext(loop.parallel_iterations, True, loop.swap_memory, forward=loop, name=loop.name)
    invariants = None
    if any(v.merge.dims is None or not shapes.is_known(v.merge.dims) for v in variables):
        invariants = [shapes.TensorShape([]), *[v.merge.shape for v in variables]]
    (counter, *carried) = backward.begin([loop.counted(), *firsts], invariants, names=["b_count"])
    with backward.entered():
        backward.decide(comparison.greater(counter.merge, 0))
        ys = [v.following.op.inputs[0] for v in variables] + list(kept)
        arriving = [c.value for c in carried] + [backward.recalled(dh, value) for value, dh in kept.items()]
        arrived = inner(ys, arriving, _of_one_iteration(loop, members))
        following = [_next(v, arrived) for v in variables]
        scopes = [v.enter.op.name + "_grad/Exit" for v in variables]
        backward.end([counter, *carried], [counter.value - 1, *following], ["b_count", *scopes])
        results: list[tuple[Tensor, Any]] = [
            (v.enter.op.inputs[0], backward.exit_of(c)) for v, c in zip(variables, carried, strict=True)
        ]
        for op in loop.enters:
            dx = total(arrived[op.outputs[0]], op.name, None) if op.outputs[0] in arrived else None
            if dx is None or op not in members:
                continue
            if op.type == "LoopRecall":
                results.append((op.inputs[0], backward.history_of(as_tensor(dx))))
            elif isinstance(dx, IndexedSlices):
                results.append((op.inputs[0], _all_slices(backward, op.inputs[0], dx)))
            else:
                with name_scope(op.name + "_grad"):
                    results.append((op.inputs[0], _sum(backward, op.inputs[0], dx)))
    return results


def _of_one_iteration(loop: WhileContext, members: Collection[Operation]) -> list[Operation]:
    """The ops between what an iteration is given and what it gives."""
    edges = {v.switch for v in loop.variables} | {v.merge.op for v in loop.variables}
    kinds = dataflow.ENTERS | dataflow.EXITS | dataflow.NEXT_ITERATIONS | {"LoopCond"}
    return [
        op
        for op in members
        if op not in edges and not (op.type in kinds and op.context is not None and op.context.loop is loop)
    ]


def _next(variable: LoopVariable, arrived: Arrived) -> Any:
    """The gradient of a loop variable before the iteration."""
    terms = arrived.get(variable.switch.outputs[1], []) + arrived.get(variable.merge, [])
    dx = total(terms, variable.merge.op.name, None)
    return constants.zeros_like(variable.value) if dx is None else as_tensor(dx)


def _sum(backward: WhileContext, x: Tensor, dx: Tensor) -> Tensor:
    """The sum over the iterations of ``dx``, the gradient of an invariant ``x``."""
    with backward.around():
        zero = _zeros(x, dx)
    variable = backward.carry(zero, "b_acc")
    backward.end([variable], [sums.add_n([variable.value, dx])], ["b_acc"])
    result = backward.exit_of(variable)
    result.set_shape(variable.merge.shape)
    return result


def _zeros(x: Tensor, dx: Tensor) -> Tensor:
    if shapes.is_known(dx.dims):
        return constants.zeros(dx.shape, dx.dtype, name="b_acc")
    if x.dtype is dtypes.resource:
        return constants.zeros(resources.variable_shape(x), dx.dtype)
    return constants.zeros_like(x)


def _all_slices(backward: WhileContext, x: Tensor, dx: IndexedSlices) -> IndexedSlices:
    """The slices of all iterations, which add up."""
    values, indices = backward.history_of(as_tensor(dx.values)), backward.history_of(as_tensor(dx.indices))
    with backward.around():
        is_handle = x.dtype is dtypes.resource
        shape = resources.variable_shape(x) if is_handle else arrays.shape_internal(x, optimize=False)
        return IndexedSlices(
            dataflow.join_history(values, dx.values), dataflow.join_history(indices, dx.indices), shape
        )
