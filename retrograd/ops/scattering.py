"""Putting elements into tensors by position."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import shapes
from retrograd.graph.apply import apply
from retrograd.graph.definition import define
from retrograd.graph.errors import InvalidArgumentError, invalid
from retrograd.graph.shapes import RawShape
from retrograd.graph.static import shape_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, constants, indexing, kinds, placing, shape_rules


def check_updates(indices: Any, updates: Any, dims: RawShape, target: str = "input.shape=") -> None:
    """``updates`` has one slice of ``dims`` per row of ``indices``.

    Raises:
      ValueError: it has another shape.
    """
    if indices is None or updates is None or dims is None or not indices or indices[-1] is None:
        return
    outer, depth = len(indices) - 1, indices[-1]
    try:
        shapes.merge(updates[:outer], indices[:-1])
    except ValueError:
        raise ValueError(
            f"The outer {outer} dimensions of indices.shape={shapes.shape_text(indices)} must match the outer {outer} "
            f"dimensions of updates.shape={shapes.shape_text(updates)}: {_mismatch(indices[:-1], updates[:outer])}"
        ) from None
    try:
        shapes.merge(updates[outer:], dims[depth:])
    except ValueError:
        inner = len(dims) - depth
        raise ValueError(
            f"The inner {inner} dimensions of {target}{shapes.shape_text(dims)} must match the inner "
            f"{len(updates) - outer} dimensions of updates.shape={shapes.shape_text(updates)}: "
            f"{_mismatch(dims[depth:], updates[outer:])}"
        ) from None


def _mismatch(a: Any, b: Any) -> str:
    try:
        shapes.merge(tuple(a), tuple(b))
    except ValueError as error:
        return str(error)
    return ""


def _check_not_empty(dims: RawShape, indices: Tensor, updates: Tensor) -> None:
    counts = [shapes.element_count(t.dims) for t in (indices, updates)]
    if shapes.element_count(dims) == 0 and None not in counts and any(counts):
        raise ValueError("Indices and updates specified for empty output shape")


def _scattered(indices: Tensor, updates: Tensor, shape: Tensor) -> RawShape:
    rank = shape_rules.with_rank(shape, 1)[0]
    check_updates(indices.dims, updates.dims, None if rank is None else (None,) * rank, "output.shape=")
    dims = shape_value(shape)
    _check_not_empty(dims, indices, updates)
    check_updates(indices.dims, updates.dims, dims, "output.shape=")
    return dims


def checked_index(xp: Any, indices: Any, dims: Any, words: str) -> Any:
    """The index tuple of the coordinates ``indices[..., :]``, which must lie within ``dims``."""
    indices = xp.asarray(indices)
    if xp is np:
        sizes = np.array(dims[: indices.shape[-1]])
        wrong = ((indices < 0) | (indices >= sizes)).any(axis=-1)
        if wrong.any():
            place = np.argwhere(wrong)[0]
            raise InvalidArgumentError(
                None, None,
                words.format(
                    place=",".join(map(str, place)), index=", ".join(map(str, indices[tuple(place)])),
                    shape=shapes.shape_text(tuple(dims)),
                ),
            )  # fmt: skip
    return tuple(xp.moveaxis(indices, -1, 0))


_OUTSIDE = "indices[{place}] = [{index}] does not index into shape {shape}"


def _scatter_nd(xp: Any, indices: Any, updates: Any, shape: Any) -> Any:
    """Zeros of ``shape``, with each update added at its coordinates."""
    shape_rules.check_rank(shape, 1, "Shape must be a vector")
    if not np.ndim(indices):
        raise InvalidArgumentError(None, None, "Indices shape must have rank at least one. Found:[]")
    dims = tuple(np.asarray(shape).tolist())
    updates = xp.asarray(updates)
    check_runtime(indices, updates, dims)
    return placing.add_at(xp, placing.zeros(xp, dims, updates), checked_index(xp, indices, dims, _OUTSIDE), updates)


def check_runtime(indices: Any, updates: Any, dims: tuple[int, ...]) -> None:
    """In a run: ``updates`` has one slice of ``dims`` per row of ``indices``.

    Raises:
      InvalidArgumentError: it has another shape.
    """
    at, given = np.shape(indices), np.shape(updates)
    if not given:
        raise invalid("Updates shape must have rank at least one. Found:[]")
    if _is_of_nothing(at, given, dims):
        raise invalid("Indices and updates specified for empty output shape")
    outer, depth = len(at) - 1, at[-1]
    if given[:outer] != at[:-1]:
        raise invalid(
            "Outer dimensions of indices and update must match. "
            f"Indices shape: {shapes.shape_text(at)}, updates shape:{shapes.shape_text(given)}"
        )
    if len(given) - outer != len(dims) - depth:
        raise invalid(
            "Inner dimensions of output shape must match inner dimensions of updates shape. "
            f"Output: {shapes.shape_text(dims)} updates: {shapes.shape_text(given)}"
        )
    if given[outer:] != dims[depth:]:
        inner = len(dims) - depth
        raise invalid(
            f"The inner {inner} dimensions of output.shape={shapes.shape_text(dims)} must match the inner {inner} "
            f"dimensions of updates.shape={shapes.shape_text(given)}"
        )


def _is_of_nothing(at: tuple[int, ...], given: tuple[int, ...], dims: tuple[int, ...]) -> bool:
    """Whether something is empty, but not all that must be then."""
    if 0 in at and 0 in given:
        return False
    return not dims or 0 in (*at, *given, *dims)


SCATTER_ND = define(
    "ScatterNd", "indices: Tindices, updates: T, shape: Tindices", "output: T", types={"Tindices": kinds.INDEX},
    static=("shape",), shape=_scattered, kernel=_scatter_nd,
    gradient=lambda op, dy: [None, indexing.gather_nd(dy, op.inputs[0]), None],
)  # fmt: skip


def scatter_nd(indices: Any, updates: Any, shape: Any, name: str | None = None) -> Tensor:
    """A tensor of ``shape`` with ``updates`` at the coordinates ``indices[..., :]``, zero elsewhere; repeats add up."""
    return apply(SCATTER_ND, indices, updates, shape, name=name)


# -- into a tensor that is there ---------------------------------------------------------------


def _same_checked(tensor: Tensor, indices: Tensor, updates: Tensor) -> RawShape:
    _check_not_empty(tensor.dims, indices, updates)
    check_updates(indices.dims, updates.dims, tensor.dims)
    return tensor.dims


def _changed(write: Any, check: Any = check_runtime) -> Any:
    def kernel(xp: Any, tensor: Any, indices: Any, updates: Any) -> Any:
        tensor, updates = xp.asarray(tensor), xp.asarray(updates)
        check(indices, updates, tensor.shape)
        return write(xp, tensor, checked_index(xp, indices, tensor.shape, _OUTSIDE), updates)

    return kernel


def _update_gradient(op: Any, dy: Any) -> list[Any]:
    """dx is dy with zeros at the places written; the updates take dy from there."""
    _, indices, updates = op.inputs
    d_updates = indexing.gather_nd(dy, indices)
    dx = tensor_scatter_update(arrays.identity(dy), indices, constants.zeros_like(updates, dtype=dy.dtype))
    return [dx, None, d_updates]


def _add_gradient(op: Any, dy: Any) -> list[Any]:
    d_updates = indexing.gather_nd(dy, op.inputs[1])
    return [arrays.identity(dy), None, d_updates]


def _sub_gradient(op: Any, dy: Any) -> list[Any]:
    d_updates = indexing.gather_nd(dy, op.inputs[1])
    return [arrays.identity(dy), None, -d_updates]


def _define(name: str, write: Any, gradient: Any) -> Any:
    return define(
        name, "tensor: T, indices: Tindices, updates: T", "output: T", types={"Tindices": kinds.INDEX},
        shape=_same_checked, kernel=_changed(write), gradient=gradient,
    )  # fmt: skip


TENSOR_SCATTER_UPDATE = _define("TensorScatterUpdate", placing.set_at, _update_gradient)
TENSOR_SCATTER_ADD = _define("TensorScatterAdd", placing.add_at, _add_gradient)
TENSOR_SCATTER_SUB = _define("TensorScatterSub", lambda xp, x, at, y: placing.add_at(xp, x, at, -y), _sub_gradient)


def tensor_scatter_update(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Tensor:
    """``tensor`` with ``updates`` written at the coordinates ``indices[..., :]``."""
    return apply(TENSOR_SCATTER_UPDATE, tensor, indices, updates, name=name)


tensor_scatter_nd_update = tensor_scatter_update


def tensor_scatter_add(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Tensor:
    """``tensor`` with ``updates`` added at the coordinates ``indices[..., :]``."""
    return apply(TENSOR_SCATTER_ADD, tensor, indices, updates, name=name)


tensor_scatter_nd_add = tensor_scatter_add


def tensor_scatter_sub(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Tensor:
    """``tensor`` with ``updates`` taken away at the coordinates ``indices[..., :]``."""
    return apply(TENSOR_SCATTER_SUB, tensor, indices, updates, name=name)


tensor_scatter_nd_sub = tensor_scatter_sub


def _check_added(indices: Any, updates: Any, dims: tuple[int, ...]) -> None:
    at, given = np.shape(indices), np.shape(updates)
    if _is_of_nothing(at, given, dims):
        raise invalid(f"Indices and updates specified for empty output.  indices shape: {shapes.shape_text(at)}")
    if given[:1] != at[:1]:
        raise invalid(
            "The outermost dimension of updates and indices must match. "
            f"Got indices.shape {shapes.shape_text(at)}, updates.shape {shapes.shape_text(given)}"
        )
    depth, outer = at[-1], max(len(at) - 1, 1)
    if given != (*at[:-1], *dims[depth:]) or depth > len(dims):
        raise invalid(
            "Must have updates.shape = indices.shape[:batch_dim] + params_shape[slice_dim:], got "
            f"updates.shape: {shapes.shape_text(given)}, indices.shape: {shapes.shape_text(at)}, "
            f"params_shape: {shapes.shape_text(dims)}, slice_dim: {depth}, and batch_dim: {outer}"
        )


SCATTER_ND_NON_ALIASING_ADD = define(
    "ScatterNdNonAliasingAdd", "input: T, indices: Tindices, updates: T", "output: T",
    types={"Tindices": kinds.INDEX}, shape=_same_checked, kernel=_changed(placing.add_at, _check_added),
    gradient=lambda op, dy: [dy, None, indexing.gather_nd(dy, op.inputs[1])],
)  # fmt: skip


def scatter_nd_non_aliasing_add(input: Any, indices: Any, updates: Any, name: str | None = None) -> Tensor:
    """The same as ``tensor_scatter_add``."""
    return apply(SCATTER_ND_NON_ALIASING_ADD, input, indices, updates, name=name)
