"""Why no variable has a gradient: the note that the error carries."""

from __future__ import annotations

from typing import Any

from retrograd.grad.ways import distances
from retrograd.grad.why_none import best_of


def explain_missing_gradients(error: ValueError, loss: Any, var_list: list[Any]) -> None:
    """Add to ``error`` where the way from ``loss`` back to the variables breaks."""
    way = best_of(loss, var_list)
    error.add_note(_not_reached(loss) if way is None else way.in_words())


def _not_reached(loss: Any) -> str:
    sources = sorted({op.name for op in distances(loss.op) if not op.inputs})[:6]
    place = loss.op.place
    return (
        f"  Why:   the loss does not depend on any of them; it is computed from {', '.join(sources)}\n"
        + (f"  Where: {place}\n" if place else "")
        + "  Fix:   compute the loss from them, or pass what it uses:  minimize(loss, var_list=[...])"
    )
