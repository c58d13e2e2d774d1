"""Vectors and shapes, known or not: what distributions and linear operators put together from them."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import Dimension, TensorShape
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    checks,
    comparison,
    conditions,
    constants,
    diagonals,
    indexing,
    joining,
    padding,
    permuting,
    powers,
    reductions,
    repeating,
    slicing,
)


def maybe_get_static_value(x: Any, dtype: Any = None) -> Any:
    """The value of a tensor if it is known; what is no tensor is its own value."""
    if x is None:
        return x
    value = constant_value(x)
    return value if value is None or dtype is None else np.array(value, dtype)


def prefer_static_value(x: Any) -> Any:
    """The value of ``x`` if it is known, else ``x``."""
    value = constant_value(x)
    return x if value is None else value


def prefer_static_rank(x: Any) -> Any:
    """The rank of ``x``, known or when it runs."""
    return prefer_static_value(arrays.rank(x))


def prefer_static_shape(x: Any) -> Any:
    """The shape of ``x``, known or when it runs."""
    return prefer_static_value(arrays.shape(x))


def prefer_static_broadcast_shape(shape1: Any, shape2: Any, name: str = "prefer_static_broadcast_shape") -> Any:
    """What two shapes broadcast to: a ``TensorShape`` if both are known, else a tensor.

    Raises:
      ValueError: a shape is a ``TensorShape`` that is known in part, and the other one is a tensor.
    """
    with name_scope(name, values=[shape1, shape2]):
        known = [_known_shape(s) for s in (shape1, shape2)]
        if known[0] is not None and known[1] is not None:
            return repeating.broadcast_static_shape(known[0], known[1])
        return repeating.broadcast_dynamic_shape(_shape_vector(shape1), _shape_vector(shape2))


def _known_shape(shape: Any) -> TensorShape | None:
    if isinstance(shape, TensorShape):
        return shape
    value = constant_value(as_tensor(shape, name="shape", dtype=dtypes.int32))
    return None if value is None else TensorShape(value)


def _shape_vector(shape: Any) -> Tensor:
    if isinstance(shape, TensorShape):
        if not shape.is_fully_defined():
            raise ValueError("Cannot broadcast from partially defined `TensorShape`.")
        shape = shape.as_list()
    return as_tensor(shape, name="shape", dtype=dtypes.int32)


def pick_vector(cond: Any, true_vector: Any, false_vector: Any, name: str = "pick_vector") -> Any:
    """``true_vector`` or ``false_vector``, as ``cond`` says.

    Raises:
      TypeError: ``cond`` is no boolean, or the vectors are of different types.
    """
    with name_scope(name, values=(cond, true_vector, false_vector)):
        cond = as_tensor(cond, name="cond")
        if cond.dtype != dtypes.bool:
            raise TypeError(f"{cond}.dtype={cond.dtype} which is not {dtypes.bool}")
        known = constant_value(cond)
        if known is not None:
            return true_vector if known else false_vector
        true_vector = as_tensor(true_vector, name="true_vector")
        false_vector = as_tensor(false_vector, name="false_vector")
        if true_vector.dtype != false_vector.dtype:
            raise TypeError(
                f"{true_vector}.dtype={true_vector.dtype} does not match {false_vector}.dtype={false_vector.dtype}"
            )
        n = arrays.shape(true_vector)[0]
        return slicing.slice_(
            joining.concat([true_vector, false_vector], 0),
            [comparison.where_v2(cond, 0, n)],
            [comparison.where(cond, n, -1)],
        )


def same_dynamic_shape(a: Any, b: Any) -> Any:
    """Whether two tensors have the same shape."""
    a, b = as_tensor(a, name="a"), as_tensor(b, name="b")

    def equal() -> Any:
        return reductions.reduce_all(
            comparison.equal(
                joining.concat([arrays.shape(a), arrays.shape(b)], 0),
                joining.concat([arrays.shape(b), arrays.shape(a)], 0),
            )
        )

    return conditions.cond(comparison.equal(arrays.rank(a), arrays.rank(b)), equal, lambda: constants.constant(False))


def rotate_transpose(x: Any, shift: Any, name: str = "rotate_transpose") -> Tensor:
    """``x`` with its axes moved ``shift`` places to the right, round the end."""
    with name_scope(name, values=[x, shift]):
        x, shift = as_tensor(x, name="x"), as_tensor(shift, name="shift")
        checks.assert_integer(shift)
        places, rank = constant_value(shift), x.shape.ndims
        if rank is not None and places is not None:
            if rank < 2:
                return x
            places = np.sign(places) * (abs(places) % rank)
            return x if places == 0 else permuting.transpose(x, perm=np.roll(np.arange(rank), places))
        rank = arrays.rank(x)
        shift = comparison.where_v2(
            comparison.less(shift, 0), arithmetic.floormod(-shift, rank), rank - arithmetic.floormod(shift, rank)
        )
        first, last = constants.range_(0, shift), constants.range_(shift, rank)
        return permuting.transpose(x, perm=joining.concat([last, first], 0))


def move_dimension(x: Any, source_idx: Any, dest_idx: Any) -> Tensor:
    """``x`` with its axis ``source_idx`` at ``dest_idx``; the others keep their order."""
    rank = prefer_static_rank(x)
    source, dest = (i + rank if isinstance(i, int) and i < 0 else i for i in (source_idx, dest_idx))
    axes = constants.range_(rank)
    others = indexing.boolean_mask(axes, comparison.not_equal(axes, source))
    order = joining.concat([others[:dest], [source], others[dest:]], axis=0)
    known = constant_value(order)
    return permuting.transpose(x, perm=order if known is None else known)


def dimension_size(x: Tensor, axis: int) -> Any:
    """The size of an axis, known or when it runs."""
    size = x.shape.with_rank_at_least(abs(axis))[axis].value
    return arrays.shape(x)[axis] if size is None else size


def matrix_diag_transform(matrix: Any, transform: Any = None, name: str | None = None) -> Tensor:
    """The matrices with ``transform`` of their diagonals in the place of these."""
    with name_scope(name, "matrix_diag_transform", [matrix]):
        matrix = as_tensor(matrix, name="matrix")
        if transform is None:
            return matrix
        return diagonals.matrix_set_diag(matrix, transform(diagonals.matrix_diag_part(matrix)))


def fill_triangular(x: Any, upper: bool = False, name: str | None = None) -> Tensor:
    """Triangular matrices of ``n * (n + 1) / 2`` numbers each, filled from the end in a spiral.

    Raises:
      ValueError: no triangle has as many numbers.
    """
    with name_scope(name, "fill_triangular", values=[x]):
        x = as_tensor(x, name="x")
        size = x.shape.with_rank_at_least(1)[-1].value
        n: Any
        if size is not None:
            root = np.sqrt(0.25 + 2.0 * np.int32(size)) - 0.5
            if root != np.floor(root):
                raise ValueError(f"Input right-most shape ({size}) does not correspond to a triangular matrix.")
            n = np.int32(root)
            static = x.shape[:-1].concatenate([n, n])
        else:
            m = arrays.shape(x)[-1]
            n = casts.cast(powers.sqrt(0.25 + casts.cast(2 * m, dtype=dtypes.float32)), dtype=dtypes.int32)
            static = x.shape.with_rank_at_least(1)[:-1].concatenate([None, None])
        rank = prefer_static_rank(x)
        if upper:
            parts = [x, permuting.reverse(x[..., n:], axis=[rank - 1])]
        else:
            parts = [x[..., n:], permuting.reverse(x, axis=[rank - 1])]
        if static.is_fully_defined():
            shape: Any = static.as_list()
        else:
            shape = joining.concat([arrays.shape(x)[:-1], [n, n]], axis=0)
        square = arrays.reshape(joining.concat(parts, axis=-1), shape)
        square = diagonals.matrix_band_part(square, num_lower=0 if upper else -1, num_upper=-1 if upper else 0)
        square.set_shape(static)
        return square


def fill_triangular_inverse(x: Any, upper: bool = False, name: str | None = None) -> Tensor:
    """The numbers of which ``fill_triangular`` makes ``x``."""
    with name_scope(name, "fill_triangular_inverse", values=[x]):
        x = as_tensor(x, name="x")
        size = x.shape.with_rank_at_least(2)[-1].value
        n: Any
        m: Any
        if size is not None:
            n = np.int32(size)
            m = np.int32(n * (n + 1) // 2)
            static = x.shape[:-2].concatenate([m])
        else:
            n = arrays.shape(x)[-1]
            m = n * (n + 1) // 2
            static = x.shape.with_rank_at_least(2)[:-2].concatenate([None])
        rank = prefer_static_rank(x)
        if upper:
            first, triangle = x[..., 0, :], x[..., 1:, :]
        else:
            first, triangle = permuting.reverse(x[..., -1, :], axis=[rank - 2]), x[..., :-1, :]
        turned = permuting.reverse(permuting.reverse(triangle, axis=[rank - 1]), axis=[rank - 2])
        rest = arrays.reshape(triangle + turned, joining.concat([arrays.shape(x)[:-2], [n * (n - 1)]], axis=0))
        y = joining.concat([first, rest[..., : m - n]], axis=-1)
        y.set_shape(static)
        return y


def tridiag(below: Any = None, diag: Any = None, above: Any = None, name: str | None = None) -> Tensor:
    """Matrices with up to three diagonals.

    Raises:
      ValueError: there is none.
    """

    def padded(x: Tensor) -> Tensor:
        z = constants.zeros(joining.concat([arrays.shape(x)[:-1], [1]], axis=0), dtype=x.dtype)
        return joining.concat([z, x, z], axis=-1)

    with name_scope(name, "tridiag", [below, diag, above]):
        terms = []
        if below is not None:
            terms.append(diagonals.matrix_diag(padded(as_tensor(below, name="below")))[..., :-1, 1:])
        if diag is not None:
            terms.append(diagonals.matrix_diag(as_tensor(diag, name="diag")))
        if above is not None:
            terms.append(diagonals.matrix_diag(padded(as_tensor(above, name="above")))[..., 1:, :-1])
        if not terms:
            raise ValueError("Must specify at least one of `below`, `diag`, `above`.")
        total = terms[0]
        for term in terms[1:]:
            total += term
        return total


def pad(
    x: Any,
    axis: Any,
    front: bool = False,
    back: bool = False,
    value: Any = 0,
    count: Any = 1,
    name: str | None = None,
) -> Tensor:
    """``x`` with ``count`` times ``value`` before or behind it along ``axis``.

    Raises:
      ValueError: neither ``front`` nor ``back``.
      TypeError: ``count`` is no integer.
    """
    with name_scope(name, "pad", [x, value, count]):
        x = as_tensor(x, name="x")
        value = as_tensor(value, dtype=x.dtype, name="value")
        count = as_tensor(count, name="count")
        if not count.dtype.is_integer:
            raise TypeError(f"`count.dtype` (`{count.dtype.name}`) must be `int`-like.")
        if not front and not back:
            raise ValueError("At least one of `front`, `back` must be `True`.")
        rank = x.shape.ndims if x.shape.ndims is not None else arrays.rank(x, name="ndims")
        axis = as_tensor(axis, name="axis")
        known, final = constant_value(axis), None
        if known is not None:
            axis = rank + known if known < 0 else known
            if known >= 0 or x.shape.ndims is not None:
                times, shape = constant_value(count), x.shape
                size = Dimension(None) if shape.ndims is None else shape[int(axis)]
                middle = TensorShape(None if times is None else [size + times * (front + back)])
                final = shape[: int(axis)].concatenate(middle.concatenate(shape[int(axis) + 1 :]))
        else:
            axis = comparison.where_v2(axis < 0, rank + axis, axis)
        ends = joining.stack([axis if front else -1, axis if back else -1])
        paddings = indexing.one_hot(indices=ends, depth=rank, axis=0, on_value=count, dtype=dtypes.int32)
        x = padding.pad(x, paddings=paddings, constant_values=value)
        if final is not None:
            x.set_shape(final)
        return x
