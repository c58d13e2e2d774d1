"""Why no variable has a gradient: the note that the error carries."""

from __future__ import annotations

from typing import Any

from retrograd.grad.gradients import carries_gradient
from retrograd.grad.registry import gradient_of
from retrograd.graph.operation import Operation


def explain_missing_gradients(error: ValueError, loss: Any, var_list: list[Any]) -> None:
    """Add to ``error`` where the way from ``loss`` back to the variables breaks."""
    way = _way_back(loss, var_list)
    if way is None:
        error.add_note(_not_reached(loss))
        return
    break_at = next((op for op in way[:-1] if _is_flat(op)), way[0])
    chain = " -> ".join(op.name for op in reversed(way))
    error.add_note(
        f"  Why:   the loss depends on '{way[-1].name}' by  {chain}\n"
        f"         but '{break_at.name}' (op type: {break_at.type}) has no derivative there\n"
        + (f"  Where: {break_at.place}\n" if break_at.place else "")
        + f"  Fix:   train a loss that does not pass through {break_at.type}, or give it a derivative:\n"
        "         @tf.custom_gradient around it, or graph.gradient_override_map({"
        f'"{break_at.type}": "Identity"}})'
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


def _is_flat(op: Operation) -> bool:
    """Whether no derivative passes ``op``."""
    return gradient_of(op) is None or not all(carries_gradient(y.dtype) for y in op.outputs)


def _not_reached(loss: Any) -> str:
    sources = sorted({op.name for op in _ancestors(loss.op) if not op.inputs})[:6]
    place = loss.op.place
    return (
        f"  Why:   the loss does not depend on any of them; it is computed from {', '.join(sources)}\n"
        + (f"  Where: {place}\n" if place else "")
        + "  Fix:   compute the loss from them, or pass what it uses:  minimize(loss, var_list=[...])"
    )


def _ancestors(op: Operation) -> list[Operation]:
    found = {op: None}
    queue = [op]
    for op in queue:
        for x in op.inputs:
            if x.op not in found:
                found[x.op] = None
                queue.append(x.op)
    return queue
