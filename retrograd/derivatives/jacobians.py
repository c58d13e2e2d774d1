"""Jacobians, and products with Hessians."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.derivatives.mapping import the_piece_built, vectorized
from retrograd.grad.gradients import gradients
from retrograd.graph import nest, shapes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, arrays, constants, grids, joining, permuting, reductions


def jacobian(ys: Any, xs: Any, unconnected_gradients: str = "none", name: str = "jacobian") -> Any:
    """J[i.., j..] = d ys[i..] / d xs[j..], all rows in one backward pass.

    Args:
      ys: a tensor, or a nesting of tensors.
      xs: a tensor or variable, or a nesting of them.
      unconnected_gradients: ``"none"`` or ``"zero"``, the result for an x that a y does not depend on.

    Returns:
      For a tensor ``ys`` a nesting like ``xs``, of tensors of shape ``ys.shape + xs.shape``; else one for each y.

    >>> import retrograd
    >>> from retrograd import tf
    >>> x = tf.constant([1.0, 2.0])
    >>> with tf.Session() as sess:
    ...     print(sess.run(retrograd.jacobian(x[0] * x, x)))
    [[2. 0.]
     [2. 1.]]
    """
    if nest.is_nested(ys):
        return nest.map_structure(lambda y: jacobian(y, xs, unconnected_gradients, name), ys)
    with name_scope(name, "jacobian", [ys]):
        y = as_tensor(ys)
        dims = arrays.shape(y)
        rows = _gradients_by_row(y, xs, lambda seed: seed, dims, y.dims, unconnected_gradients)
        return nest.map_structure(lambda r: None if r is None else _without_axis(r, 0, dims, y.dims), rows)


def batch_jacobian(ys: Any, xs: Any, name: str = "batch_jacobian") -> Any:
    """J[b, i.., j..] = d ys[b, i..] / d xs[b, j..], where ``ys[b]`` depends on no row of ``xs`` but ``xs[b]``.

    Args:
      ys: a tensor whose first dimension is the batch.
      xs: a tensor with the same first dimension, or a nesting of them.

    Returns:
      A nesting like ``xs`` of tensors of shape ``[batch] + ys.shape[1:] + xs.shape[1:]``; None for an x that ``ys``
      does not depend on.

    Raises:
      ValueError: the first dimensions differ, or there is none.

    >>> import retrograd
    >>> from retrograd import tf
    >>> x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    >>> with tf.Session() as sess:
    ...     print(sess.run(retrograd.batch_jacobian(x * x, x)))
    [[[2. 0.]
      [0. 4.]]
    <BLANKLINE>
     [[6. 0.]
      [0. 8.]]]
    """
    with name_scope(name, "batch_jacobian", [ys]):
        y = as_tensor(ys)
        for x in nest.flatten(xs):
            if y.dims == () or x.shape.rank == 0 or not _first(y).is_compatible_with(_first(x)):
                raise _no_batch(y, x)
        like_y = constants.zeros_like(y)
        dims, known = arrays.shape(y)[1:], None if y.dims is None else y.dims[1:]
        rows = _gradients_by_row(y, xs, lambda seed: like_y + seed, dims, known, "none")
        return nest.map_structure(lambda r: None if r is None else _without_axis(_swapped(r), 1, dims, known), rows)


def hessian_vector_product(ys: Any, xs: Any, v: Any) -> list[Any]:
    """H v, with H the second derivative of ``sum(ys)`` by ``xs``, in two backward passes and without H.

    Args:
      ys: a tensor or a list of tensors.
      xs: a list of tensors or variables.
      v: for each x a tensor of its shape, taken as a constant.

    Returns:
      A list like ``xs``; None for an x that the first derivative does not depend on.

    Raises:
      ValueError: there are not as many ``v`` as ``xs``.

    >>> import retrograd
    >>> from retrograd import tf
    >>> x = tf.constant([1.0, 2.0])
    >>> with tf.Session() as sess:
    ...     print(sess.run(retrograd.hessian_vector_product(x ** 3, [x], [tf.constant([1.0, 10.0])])))
    [array([  6., 120.], dtype=float32)]
    """
    if len(v) != len(xs):
        error = ValueError("xs and v must have the same length.")
        error.add_note("  Fix:   hessian_vector_product(ys, [x], [v])  # lists, one v for each x")
        raise error
    dxs = gradients(ys, xs)
    products = [
        arithmetic.multiply(dx, arrays.stop_gradient(u)) for dx, u in zip(dxs, v, strict=True) if dx is not None
    ]
    return gradients(products, xs)


# -- rows --------------------------------------------------------------------------------------


def _gradients_by_row(
    y: Tensor, xs: Any, seeded: Callable[[Tensor], Tensor], shape: Tensor, dims: RawShape, unconnected: str
) -> Any:
    """For each x the gradients of ``y`` for every unit seed of a shape, in rows; ``seeded`` makes grad_ys of a seed."""
    with the_piece_built("row"):
        seed = constants.placeholder(y.dtype.base_dtype, dims, name="seed")
        dxs = gradients(y, nest.flatten(xs), seeded(seed), unconnected_gradients=unconnected)
        known = {x: as_tensor(dx) for x, dx in enumerate(dxs) if dx is not None}
    if known:
        known = dict(zip(known, vectorized(list(known.values()), [(seed, _units(shape, dims, y))]), strict=True))
    return nest.pack_sequence_as(xs, [known.get(i) for i in range(len(dxs))])


def _units(shape: Tensor, dims: RawShape, y: Tensor) -> Tensor:
    """All the tensors of a shape that are 1 in one place and 0 elsewhere, in rows."""
    count = shapes.element_count(dims)
    number = reductions.reduce_prod(shape) if count is None else constants.constant(count)
    matrix = grids.eye(number if count is None else count, dtype=y.dtype.base_dtype)
    units = arrays.reshape(matrix, joining.concat([number[None], shape], 0))
    units.set_shape(None if dims is None else (count, *dims))
    return units


def _without_axis(rows: Tensor, axis: int, shape: Tensor, dims: RawShape) -> Tensor:
    """``rows`` with the shape of the seeds in the place of the axis that counts them."""
    whole = arrays.shape(rows)
    result = arrays.reshape(rows, joining.concat([whole[:axis], shape, whole[axis + 1 :]], 0))
    if dims is not None and rows.dims is not None:
        result.set_shape((*rows.dims[:axis], *dims, *rows.dims[axis + 1 :]))
    return result


def _swapped(rows: Tensor) -> Tensor:
    """The first two axes exchanged."""
    return permuting.transpose(rows, joining.concat([[1, 0], constants.range_(2, arrays.rank(rows))], 0))


def _first(x: Any) -> Any:
    return x.shape[:1]


def _no_batch(y: Tensor, x: Any) -> ValueError:
    error = ValueError(f"batch_jacobian needs ys and xs with the same first dimension, got {y.shape} and {x.shape}")
    error.add_note("  Fix:   retrograd.jacobian(ys, xs)  # for tensors without a batch")
    return error
