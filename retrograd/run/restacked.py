"""A jaxpr in which the rows of an array are not taken apart where they are put together again.

Unrolled networks take their inputs apart by ``unstack`` or ``split`` and put their outputs together by ``stack`` or
``concat``.  XLA would compile a kernel with a branch for each row, in twice the time and memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from retrograd.run.equations import evaluate, is_literal, value_of, values_at

_FEWEST = 4  # rows, of fewer a kernel is small


class _Row(NamedTuple):
    """One of the equal parts of ``array`` along ``axis``, with or without that axis."""

    array: Any
    axis: int
    total: int
    number: int
    has_axis: bool


def restacked(closed: Any) -> Any:
    """``closed``, a closed jaxpr; itself if no rows are put together again."""
    from retrograd.ops.jax_start import jax
    from retrograd.run.held import array_kind

    rows: dict[Any, _Row] = {}
    pieces: dict[Any, list[list[Any]]] = {}
    for eqn in closed.jaxpr.eqns:
        rows.update(_taken(eqn, rows))
        if eqn.primitive.name in ("concatenate", "stack") and len(eqn.invars) >= _FEWEST:
            runs = _runs(eqn.invars, rows)
            if any(len(run) >= _FEWEST for run in runs):
                pieces[eqn] = runs
    if not pieces:
        return closed
    kinds = [array_kind(a.shape, a.dtype) for a in closed.in_avals]

    def results(*arguments: Any) -> list[Any]:
        values = values_at(closed.jaxpr, closed.consts, arguments)
        for eqn in closed.jaxpr.eqns:
            if eqn in pieces:
                values[eqn.outvars[0]] = _put_together(eqn, pieces[eqn], rows, values)
            else:
                evaluate(eqn, values)
        return [value_of(values, v) for v in closed.jaxpr.outvars]

    return jax.make_jaxpr(results)(*kinds)


def _taken(eqn: Any, rows: dict[Any, _Row]) -> dict[Any, _Row]:
    """The rows that an equation takes out of an array."""
    name, params = eqn.primitive.name, eqn.params
    array = eqn.invars[0] if eqn.invars else None
    if array is None or is_literal(array):
        return {}
    if name == "squeeze":
        row = rows.get(array)
        is_row = row is not None and row.has_axis and params["dimensions"] == (row.axis,) and _size(row) == 1
        return {eqn.outvars[0]: row._replace(has_axis=False)} if row is not None and is_row else {}
    if name == "split":
        sizes, axis = params["sizes"], params["axis"]
        if len(set(sizes)) != 1:
            return {}
        return {v: _Row(array, axis, len(sizes), i, True) for i, v in enumerate(eqn.outvars)}
    if name != "slice" or any(s != 1 for s in params["strides"] or ()):
        return {}
    begins, ends, shape = params["start_indices"], params["limit_indices"], array.aval.shape
    cut = [i for i, n in enumerate(shape) if (begins[i], ends[i]) != (0, n)]
    if len(cut) != 1:
        return {}
    (axis,) = cut
    size = ends[axis] - begins[axis]
    if not size or shape[axis] % size or begins[axis] % size:
        return {}
    return {eqn.outvars[0]: _Row(array, axis, shape[axis] // size, begins[axis] // size, True)}


def _size(row: _Row) -> int:
    return row.array.aval.shape[row.axis] // row.total  # type: ignore[no-any-return]


def _runs(variables: Sequence[Any], rows: dict[Any, _Row]) -> list[list[Any]]:
    """The variables, those together that are rows of an array which follow each other, upwards or downwards."""
    runs: list[list[Any]] = []
    step = 0
    for v in variables:
        before = rows.get(runs[-1][-1]) if runs and not is_literal(runs[-1][-1]) else None
        row = None if is_literal(v) else rows.get(v)
        if before is not None and row is not None and row == before._replace(number=row.number):
            apart = row.number - before.number
            if apart in (1, -1) and (len(runs[-1]) == 1 or apart == step):
                runs[-1].append(v)
                step = apart
                continue
        runs.append([v])
    return runs


def _put_together(eqn: Any, runs: Sequence[Sequence[Any]], rows: dict[Any, _Row], values: dict[Any, Any]) -> Any:
    """What ``concatenate`` or ``stack`` makes."""
    from retrograd.ops.jax_start import jnp

    is_stack = eqn.primitive.name == "stack"
    axis = eqn.params["axis" if is_stack else "dimension"]
    parts: list[Any] = []
    for run in runs:
        if len(run) < _FEWEST:
            parts += [jnp.expand_dims(value_of(values, v), axis) if is_stack else value_of(values, v) for v in run]
            continue
        first, last = rows[run[0]], rows[run[-1]]
        part = jnp.moveaxis(_block(first, last, value_of(values, first.array)), first.axis, axis)
        if not is_stack:
            part = part.reshape((*part.shape[:axis], -1, *part.shape[axis + 2 :]))
        parts.append(part)
    return parts[0] if len(parts) == 1 else jnp.concatenate(parts, axis)


def _block(first: _Row, last: _Row, array: Any) -> Any:
    """The rows from one to another, which are counted along their axis, and have that axis behind it."""
    from retrograd.ops.jax_start import jax, jnp

    shape = list(array.shape)
    shape[first.axis : first.axis + 1] = [first.total, _size(first)] if first.has_axis else [first.total]
    low, high = sorted((first.number, last.number))
    block = jax.lax.slice_in_dim(array.reshape(shape), low, high + 1, axis=first.axis)
    return block if first.number == low else jnp.flip(block, first.axis)
