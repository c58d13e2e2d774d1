"""Changing rows or elements of a variable: the scatter ops, for references and for resources.

``ref[indices[i]] op= updates[i]``; where an index comes twice, both updates take place in their order.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from retrograd.graph import dtypes, errors, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REGISTRY, Effect, OpDef, define, not_differentiable
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, casts, constants, joining, kinds, resources, scattering, shape_rules
from retrograd.ops.placing import join_at

_EXTREMUM = (dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64)
_BLOCKED = ("Add", "Sub", "Mul", "Div")  # no derivative flows through these; through the others none is defined


def _put(array: Any, where: Any, updates: Any) -> None:
    array[where] = updates


Change = Callable[[Any, Any, Any], None]  # change(array, where, updates), in place, repeated places in order
_CHANGES: dict[str, tuple[Change, Any]] = {
    "Update": (_put, None),
    "Add": (partial(join_at, np.add), kinds.NUMERIC),
    "Sub": (partial(join_at, np.subtract), kinds.NUMERIC),
    "Mul": (partial(join_at, np.multiply), kinds.NUMERIC),
    "Div": (lambda array, where, updates: _divide(array, where, updates), kinds.NUMERIC),
    "Min": (partial(join_at, np.minimum), _EXTREMUM),
    "Max": (partial(join_at, np.maximum), _EXTREMUM),
}
_FUNCTIONAL = {  # what JAX calls them; repeated places come in order there too
    "Update": "set", "Add": "add", "Sub": "subtract", "Mul": "multiply", "Div": "divide", "Min": "min", "Max": "max",
}  # fmt: skip


def _divide(array: Any, where: Any, updates: Any) -> None:
    """Integers are divided as C does: towards zero."""
    if array.dtype.kind not in "iu":
        np.divide.at(array, where, updates)
        return
    updates = np.broadcast_to(updates, array[where].shape)
    for place in np.ndindex(updates.shape[: np.ndim(where) if np.ndim(where) else 0] or (1,)):
        row = np.asarray(where)[place] if np.ndim(where) else where
        divisor = updates[place] if np.ndim(where) else updates
        if not np.all(divisor):
            raise ZeroDivisionError
        array[row] = np.trunc(array[row] / divisor).astype(array.dtype)


def _scattered(ref: Tensor, indices: Tensor, updates: Tensor) -> RawShape:
    _check_rows_shape(ref.dims, indices.dims, updates.dims)
    return ref.dims


def _scattered_resource(resource: Tensor, indices: Tensor, updates: Tensor) -> list[RawShape]:
    dims = resources.checked_shape_of(resource, updates.dtype.base_dtype)
    _check_rows_shape(dims, indices.dims, updates.dims)
    return []


def _check_rows_shape(ref: RawShape, indices: RawShape, updates: RawShape) -> None:
    if ref is not None and not ref:
        raise ValueError("Shape must be at least rank 1 but is rank 0")
    if updates != () and ref is not None and indices is not None:
        shapes.merge(updates, indices + ref[1:])


def _change_of(xp: Any, suffix: str, value_dtype: Any) -> Callable[[Any, Any, Any], Any]:
    """``change(value, where, updates)``: in place with NumPy; else the new value, without what lies outside."""
    if xp is np:
        return _CHANGES[suffix][0]
    if suffix == "Div" and value_dtype.kind in "iu":
        raise NotImplementedError("integers are divided one update after the other")

    def changed(value: Any, where: Any, updates: Any) -> Any:
        return getattr(value.at[where], _FUNCTIONAL[suffix])(updates, mode="drop")

    return changed


def _scatter_rows(xp: Any, cell: Any, suffix: str, indices: Any, updates: Any) -> None:
    old = np.shape(cell.value)
    wanted = np.shape(indices) + old[1:]
    if np.shape(updates) and np.shape(updates) != wanted:
        raise errors.InvalidArgumentError(
            None, None,
            "Must have updates.shape = indices.shape + params.shape[1:] or updates.shape = [], got "
            f"updates.shape {shapes.shape_text(np.shape(updates))}, indices.shape "
            f"{shapes.shape_text(np.shape(indices))}, "
            f"params.shape {shapes.shape_text(old)}",
        )  # fmt: skip
    resources.check_rows(xp, "indices", indices, old[0])
    change = _change_of(xp, suffix, cell.value.dtype)
    cell.change_rows(indices, lambda value, rows: change(value, rows, updates))


def _row_ops(suffix: str) -> tuple[OpDef, OpDef]:
    _, allowed = _CHANGES[suffix]

    def on_reference(xp: Any, ref: Any, indices: Any, updates: Any) -> Any:
        ref.read()
        _scatter_rows(xp, ref, suffix, indices, updates)
        return ref

    def on_resource(xp: Any, cell: Any, indices: Any, updates: Any) -> list[Any]:
        resources.value_of(cell)
        _scatter_rows(xp, cell, suffix, indices, updates)
        return []

    types: dict[str, Any] = {"Tindices": kinds.INDEX}
    reference = define(
        f"Scatter{suffix}", "ref: ref T, indices: Tindices, updates: T", "output_ref: ref T",
        attrs={"use_locking": suffix == "Update"}, types=types | ({"T": allowed} if allowed else {}),
        shape=_scattered,
        kernel=on_reference, effect=Effect.WRITE, gradient=not_differentiable if suffix in _BLOCKED else None,
    )  # fmt: skip
    resource = define(
        f"ResourceScatter{suffix}", "resource: resource, indices: Tindices, updates: dtype", "",
        types=types | ({"dtype": kinds.NUMERIC} if allowed else {}),
        shape=_scattered_resource,
        kernel=on_resource, effect=Effect.WRITE,
    )  # fmt: skip
    return reference, resource


_ROW_OPS = {suffix: _row_ops(suffix) for suffix in _CHANGES}


def _row_update(suffix: str, ref: Any, indices: Any, updates: Any, use_locking: bool, name: str | None) -> Any:
    on_reference, on_resource = _ROW_OPS[suffix]
    if ref.dtype.is_ref:
        return apply(on_reference, ref, indices, updates, use_locking=use_locking, name=name)
    return ref._lazy_read(resource_scatter(on_resource, ref, indices, updates, name))


def resource_scatter(definition: OpDef, variable: Any, indices: Any, updates: Any, name: str | None = None) -> Any:
    """The op ``definition`` on a resource variable; ``updates`` take its dtype."""
    return apply(definition, variable.handle, indices, as_tensor(updates, variable.dtype), name=name)


def scattered(op: str, variable: Any, indices: Any, updates: Any) -> Tensor:
    """The value of a resource variable after the op called ``op`` on some of its rows."""
    with control_dependencies([resource_scatter(REGISTRY[op], variable, indices, updates)]):
        value: Tensor = variable.value()
        return value


def scatter_update(ref: Any, indices: Any, updates: Any, use_locking: bool = True, name: str | None = None) -> Any:
    """Let ``ref[indices]`` be ``updates``; the result reads the variable."""
    return _row_update("Update", ref, indices, updates, use_locking, name)


def scatter_add(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Add ``updates`` to ``ref[indices]``."""
    return _row_update("Add", ref, indices, updates, use_locking, name)


def scatter_sub(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Take ``updates`` from ``ref[indices]``."""
    return _row_update("Sub", ref, indices, updates, use_locking, name)


def scatter_mul(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Multiply ``ref[indices]`` by ``updates``."""
    return _row_update("Mul", ref, indices, updates, use_locking, name)


def scatter_div(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Divide ``ref[indices]`` by ``updates``."""
    return _row_update("Div", ref, indices, updates, use_locking, name)


def scatter_min(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Let ``ref[indices]`` be the minimum of itself and ``updates``."""
    return _row_update("Min", ref, indices, updates, use_locking, name)


def scatter_max(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Let ``ref[indices]`` be the maximum of itself and ``updates``."""
    return _row_update("Max", ref, indices, updates, use_locking, name)


# -- by coordinates ----------------------------------------------------------------------------


def _check_nd_shape(ref: RawShape, indices: Tensor, updates: Tensor) -> None:
    shape_rules.with_rank_at_least(indices, 1)
    shape_rules.with_rank_at_least(updates, 1)
    given = (shapes.element_count(indices.dims), shapes.element_count(updates.dims))
    if shapes.element_count(ref) == 0 and any(given):
        raise ValueError("Indices and updates specified for empty output shape")
    scattering.check_updates(indices.dims, updates.dims, ref, "input.shape=")


def _scattered_nd(ref: Tensor, indices: Tensor, updates: Tensor) -> RawShape:
    _check_nd_shape(ref.dims, indices, updates)
    return ref.dims


def _scattered_nd_resource(resource: Tensor, indices: Tensor, updates: Tensor) -> list[RawShape]:
    _check_nd_shape(resources.checked_shape_of(resource, updates.dtype.base_dtype), indices, updates)
    return []


def _scatter_elements(xp: Any, cell: Any, suffix: str, indices: Any, updates: Any) -> None:
    old = cell.value
    if not old.ndim:
        raise errors.InvalidArgumentError(None, None, "Output must be at least 1-D, got shape: []")
    if np.shape(updates)[: indices.ndim - 1] != indices.shape[:-1]:
        raise errors.InvalidArgumentError(
            None, None,
            "The outermost dimension of updates and indices must match. Got "
            f"indices.shape {shapes.shape_text(indices.shape)}, updates.shape "
            f"{shapes.shape_text(np.shape(updates))}",
        )  # fmt: skip
    resources.check_coordinates(xp, "indices", indices, old.shape)
    change = _change_of(xp, suffix, old.dtype)
    places = tuple(xp.moveaxis(indices, -1, 0))
    if xp is np:
        new = old.copy()
        change(new, places, updates)
        cell.write(new)
    elif not places:
        raise NotImplementedError("every update is one of the whole variable")
    else:
        cell.change_rows(places[0], lambda value, rows: change(value, (rows, *places[1:]), updates))


def _element_ops(suffix: str) -> tuple[OpDef, OpDef]:
    _, allowed = _CHANGES[suffix]

    def on_reference(xp: Any, ref: Any, indices: Any, updates: Any) -> Any:
        ref.read()
        _scatter_elements(xp, ref, suffix, indices, updates)
        return ref

    def on_resource(xp: Any, cell: Any, indices: Any, updates: Any) -> list[Any]:
        resources.value_of(cell)
        _scatter_elements(xp, cell, suffix, indices, updates)
        return []

    types: dict[str, Any] = {"Tindices": kinds.INDEX}
    reference = define(
        f"ScatterNd{suffix}", "ref: ref T, indices: Tindices, updates: T", "output_ref: ref T",
        attrs={"use_locking": suffix == "Update"}, types=types | ({"T": allowed} if allowed else {}),
        shape=_scattered_nd, kernel=on_reference, effect=Effect.WRITE, gradient=not_differentiable,
    )  # fmt: skip
    resource = define(
        f"ResourceScatterNd{suffix}", "ref: resource, indices: Tindices, updates: T", "",
        attrs={"use_locking": True},
        types=types,
        shape=_scattered_nd_resource,
        kernel=on_resource, effect=Effect.WRITE,
    )  # fmt: skip
    return reference, resource


_ELEMENT_OPS = {suffix: _element_ops(suffix) for suffix in ("Update", "Add", "Sub")}


def _element_update(suffix: str, ref: Any, indices: Any, updates: Any, use_locking: bool, name: str | None) -> Any:
    on_reference, on_resource = _ELEMENT_OPS[suffix]
    if ref.dtype.is_ref:
        return apply(on_reference, ref, indices, updates, use_locking=use_locking, name=name)
    return ref._lazy_read(resource_scatter(on_resource, ref, indices, updates, name))


def scatter_nd_update(ref: Any, indices: Any, updates: Any, use_locking: bool = True, name: str | None = None) -> Any:
    """Let the elements or slices of ``ref`` at the coordinates ``indices`` be ``updates``."""
    return _element_update("Update", ref, indices, updates, use_locking, name)


def scatter_nd_add(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Add ``updates`` to the elements or slices of ``ref`` at ``indices``."""
    return _element_update("Add", ref, indices, updates, use_locking, name)


def scatter_nd_sub(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Take ``updates`` from the elements or slices of ``ref`` at ``indices``."""
    return _element_update("Sub", ref, indices, updates, use_locking, name)


def batch_scatter_update(
    ref: Any, indices: Any, updates: Any, use_locking: bool = True, name: str | None = None
) -> Any:
    """``ref[i..., indices[i..., j], :] = updates[i..., j, :]``: ``scatter_update`` for each of a batch.

    Raises:
      ValueError: the rank of ``indices`` is unknown.
    """
    with name_scope(name):
        indices = as_tensor(indices, name="indices")
        sizes = arrays.shape(indices)
        rank = indices.rank
        if rank is None:
            raise ValueError("batch_gather does not allow indices with unknown shape.")
        last = arrays.expand_dims(indices, axis=-1)
        coordinates = []
        for axis in range(rank - 1):
            size = sizes[axis]
            shape: list[Any] = [1] * (rank + 1)
            shape[axis] = size
            numbers: Any = arrays.reshape(apply(constants.RANGE, 0, size, 1), shape)
            if numbers.dtype.base_dtype != last.dtype:
                numbers = apply(casts.CAST, numbers, DstT=last.dtype)
            coordinates.append(numbers * constants.ones_like(last))
        places = joining.concat([*coordinates, last], axis=-1)
        return scatter_nd_update(ref, places, updates, use_locking=use_locking)
