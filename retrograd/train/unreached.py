"""Why no variable has a gradient: the note that the error carries."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from retrograd.grad.gradients import carries_gradient
from retrograd.grad.registry import gradient_of
from retrograd.graph.apply import build
from retrograd.graph.graph import Graph
from retrograd.graph.operation import Operation
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import constants
from retrograd.run.plan import ancestors


def explain_missing_gradients(error: ValueError, loss: Any, var_list: list[Any]) -> None:
    """Add to ``error`` where the way from ``loss`` back to the variables breaks."""
    way = _way_back(loss, var_list)
    if way is None:
        error.add_note(_not_reached(loss))
        return
    flat = next((op for op, before in pairwise(way) if _is_flat(op, before)), way[0])
    chain = " -> ".join(op.name for op in reversed(way))
    error.add_note(
        f"  Why:   the loss depends on '{way[-1].name}' by  {chain}\n"
        f"         but no derivative passes '{flat.name}' (op type: {flat.type})\n"
        + (f"  Where: {flat.place}\n" if flat.place else "")
        + f"  Fix:   train a loss without {flat.type} on this way, or give it a derivative:\n"
        "         with tf.get_default_graph().gradient_override_map("
        f'{{"{flat.type}": "Identity"}}):  # build it here'
    )


def _way_back(loss: Any, var_list: list[Any]) -> list[Operation] | None:
    """The ops of a shortest way from ``loss`` to a variable, loss first; None if there is none."""
    goals = {v.op for v in var_list}
    came_from: dict[Operation, Operation | None] = {loss.op: None}
    queue = [loss.op]
    for op in queue:
        if op in goals:
            way = [op]
            while (before := came_from[way[-1]]) is not None:
                way.append(before)
            return way[::-1]
        for x in op.inputs:
            if x.op not in came_from:
                came_from[x.op] = op
                queue.append(x.op)
    return None


def _is_flat(op: Operation, before: Operation) -> bool:
    """Whether no derivative passes ``op`` back to ``before``.

    The rule is asked on a twin of ``op`` in a graph of its own: the program's graph stays as it is.
    """
    rule = gradient_of(op)
    if rule is None or not any(carries_gradient(y.dtype) for y in op.outputs):
        return True
    attrs = {key: value for key, value in op.attrs.items() if key != "_class"}
    with Graph().as_default() as graph:
        try:
            twin = build(graph, op.definition, "twin", tuple(_stand_in(x) for x in op.inputs), attrs)
            dxs = rule(twin, *[constants.placeholder(y.dtype.base_dtype, y.shape) for y in op.outputs])
        except Exception:  # an op that cannot stand alone; the error that is being explained matters more
            return False
    dxs = dxs if isinstance(dxs, list | tuple) else [dxs]
    return all(dx is None for x, dx in zip(op.inputs, dxs, strict=True) if x.op is before)


def _stand_in(x: Tensor) -> Tensor:
    value = static_value(x)
    if value is not None:
        return constants.constant(value, x.dtype.base_dtype)
    return constants.placeholder(x.dtype.base_dtype, x.shape)


def _not_reached(loss: Any) -> str:
    sources = sorted({op.name for op in ancestors([loss.op], ()) if not op.inputs})[:6]
    place = loss.op.place
    return (
        f"  Why:   the loss does not depend on any of them; it is computed from {', '.join(sources)}\n"
        + (f"  Where: {place}\n" if place else "")
        + "  Fix:   compute the loss from them, or pass what it uses:  minimize(loss, var_list=[...])"
    )
