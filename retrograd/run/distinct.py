"""Row numbers without repetition, where how many there are need not be known.

TensorFlow's optimizers add up the gradients of a row that is named more than once: ``Unique`` lists the rows,
``UnsortedSegmentSum`` adds, and what changes the variables takes both.  How many rows there are follows from values,
which XLA does not have while it compiles.  But nobody asks: so the list stays as long as it was, each row counts
where it is named first, and the changes leave out the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from retrograd.graph.operation import Operation
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import resources
from retrograd.run.plan import Plan, variable_of

_PER_ROW = 64  # elements that are searched for each row that is named, before sorting is faster

# What keeps rows apart: an absent row makes nothing but another absent row.
_BY_ROW = frozenset((
    "Identity", "Cast", "Neg", "Square", "Sqrt", "Rsqrt", "Abs", "Sign", "Exp", "Log", "Reciprocal", "Add", "AddV2",
    "Sub", "Mul", "RealDiv", "Div", "Pow", "Maximum", "Minimum", "SquaredDifference",
))  # fmt: skip
_GATHERS = ("Gather", "GatherV2", "ResourceGather")
_CHANGES = ("ScatterAdd", "ScatterSub", "ScatterUpdate", "ScatterMul", "ScatterDiv", "ScatterMin", "ScatterMax")


class Distinct:
    """The ``Unique`` ops among ``ops`` whose number of rows nobody asks for, and what changes rows by them.

    ``alone`` are the ops that change rows by what ``Unique`` has listed in another part of the run.
    """

    def __init__(self, ops: Sequence[Operation], plan: Plan) -> None:
        self.unique_of: dict[Operation, Operation] = {}  # of each op that changes rows
        self.uniques: set[Operation] = set()
        candidates = [op for op in ops if op.type == "Unique" and op not in plan.loop_of]
        for unique in candidates:
            changes = _changes(unique, ops, plan)
            if changes:
                self.uniques.add(unique)
                self.unique_of.update(dict.fromkeys(changes, unique))
        self.alone = {op for op in ops if _is_change(op) and _are_listed(_rows_given(op), plan)}
        self._counts = {unique: _rows_of(change) for change, unique in self.unique_of.items()}

    def results(self, unique: Operation, rows: Any) -> list[Any]:
        """The outputs of ``unique``: the rows as they are, and where each is named first; traced."""
        count = self._counts[unique]
        if count is not None and count <= _PER_ROW * (len(rows) + 1024):
            first = _first_by_search(rows, count)
        else:
            first = _first_by_order(rows)
        return [rows, first.astype(unique.attrs["out_idx"].np)]


def are_first(positions: Any) -> Any:
    """Which elements of the list are named there first, by the second output of ``Unique``."""
    return positions == np.arange(len(positions), dtype=positions.dtype)


def _first_by_search(rows: Any, count: int) -> Any:
    from retrograd.ops.jax_start import jnp

    places = jnp.arange(len(rows), dtype=np.int32)
    return jnp.full(count, len(rows), np.int32).at[rows].min(places, mode="drop").at[rows].get(mode="clip")


def _first_by_order(rows: Any) -> Any:
    from retrograd.ops.jax_start import jnp, lax

    order = jnp.argsort(rows, stable=True).astype(np.int32)
    ordered = rows[order]
    is_start = jnp.concatenate([jnp.ones(1, bool), ordered[1:] != ordered[:-1]])[: len(rows)]
    start = lax.cummax(jnp.where(is_start, jnp.arange(len(rows), dtype=np.int32), 0))
    return jnp.zeros(len(rows), np.int32).at[order].set(order[start], unique_indices=True)


def _rows_of(change: Operation) -> int | None:
    variable = variable_of(change.inputs[0]).outputs[0]
    dims = resources.shape_of(variable) if variable.dtype == "resource" else variable.dims
    return dims[0] if dims else None


def _changes(unique: Operation, ops: Sequence[Operation], plan: Plan) -> list[Operation]:
    """What changes rows by ``unique``; nothing if somebody else reads what follows from it."""
    rows, places = unique.outputs
    are = {rows: "rows", places: "places"}
    changes = []
    for op in ops:
        kinds = [are.get(t) for t in op.inputs]
        if op is unique or not any(kinds):
            continue
        if _is_change(op):
            if not _is_by_rows(op, kinds):
                return []
            changes.append(op)
            continue
        kind = _kind_of_result(op, kinds)
        if kind is None:
            return []
        are[op.outputs[0]] = kind
    return [] if any(t in are for t in plan.fetches) else changes


def _is_change(op: Operation) -> bool:
    name = op.type.removeprefix("Resource")
    return name.startswith("SparseApply") or name in _CHANGES


def _rows_given(op: Operation) -> Tensor:
    names = [a.name for a in op.definition.of_inputs(op.attrs)]
    return op.inputs[names.index("indices")]


def _are_listed(rows: Tensor, plan: Plan) -> bool:
    """Whether ``rows`` come from another part of a run, which has left out what is named again."""
    while rows.op.type == "Identity" and rows not in plan.feeds:
        (rows,) = rows.op.inputs
    return rows in plan.handed and rows is rows.op.outputs[0] and rows.op.type in ("Unique", "UniqueV2")


def _is_by_rows(op: Operation, kinds: list[str | None]) -> bool:
    """Whether the row numbers of a change are the list, and all that has a row for each are values."""
    names = [a.name for a in op.definition.of_inputs(op.attrs)]
    wanted = {"indices": "rows", "grad": "values", "updates": "values"}
    return all(kind == wanted.get(name) for name, kind in zip(names, kinds, strict=True))


def _kind_of_result(op: Operation, kinds: list[str | None]) -> str | None:
    """What the result of an op is that reads the list, or something of the kinds that follow from it."""
    if op.type == "Shape":
        return "shape" if kinds[0] in ("rows", "values") else None
    if op.type == "StridedSlice":
        return "count" if kinds[0] == "shape" and op.outputs[0].dims == () else None
    if op.type == "UnsortedSegmentSum":
        return "values" if kinds == [None, "places", "count"] else None
    if op.type in _GATHERS:
        is_first_axis = op.type != "GatherV2" or static_value(op.inputs[2]) == 0
        return "values" if kinds[:2] == [None, "rows"] and is_first_axis and not op.attrs.get("batch_dims") else None
    if op.type in _BY_ROW and set(kinds) <= {None, "values"}:
        rank = max((len(t.dims) for t, k in zip(op.inputs, kinds, strict=True) if k and t.dims is not None), default=1)
        others = [t.dims for t, kind in zip(op.inputs, kinds, strict=True) if kind is None]
        return "values" if all(dims is not None and len(dims) < rank for dims in others) else None
    return None
