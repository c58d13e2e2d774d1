"""Splines through scattered points, and images warped by what happens to a few points of them.

s(x) = sum_i w_i phi(|x - c_i|) + v x + v_0, where the weights solve s(c_i) = f_i with sums of w_i and w_i c_i of 0.
Sources: Iske, "Multiresolution methods in scattered data modelling", 2004; TensorFlow 1.15.5's order of nodes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.nn.contrib.images import dense_image_warp
from retrograd.ops import (
    arithmetic,
    arrays,
    constants,
    diagonals,
    exponentials,
    grids,
    joining,
    matrices,
    permuting,
    powers,
    reductions,
    solving,
)

EPSILON = 1e-10  # squared distances count as no less where a root or a logarithm is taken


def interpolate_spline(
    train_points: Any,
    train_values: Any,
    query_points: Any,
    order: int,
    regularization_weight: float = 0.0,
    name: str = "interpolate_spline",
) -> Tensor:
    """The values at ``query_points`` of the polyharmonic spline that has ``train_values`` at ``train_points``.

    Points are (batch, number, dimensions), values (batch, number, outputs).  ``order``: 1 for phi(r) = r, 2 for
    thin plates r^2 log r, 3 for cubes, ...  The weight is added to the diagonal of the phi(|c_i - c_j|).

    Raises:
      ValueError: the number of dimensions or of outputs is not known.
    """
    with name_scope(name):
        points, values, queries = as_tensor(train_points), as_tensor(train_values), as_tensor(query_points)
        with name_scope("solve"):
            weights, plane = _solved(points, values, order, regularization_weight)
        with name_scope("predict"):
            radial = matrices.matmul(_phi(_squared_distances(queries, points), order), weights)
            ones = constants.ones_like(queries[..., :1], points.dtype)
            return radial + matrices.matmul(joining.concat([queries, ones], 2), plane)


def _solved(c: Tensor, f: Tensor, order: int, weight: float) -> tuple[Tensor, Tensor]:
    """The weights of the points, and those of the coordinates and of 1."""
    batch, n, _ = joining.unstack(arrays.shape(c), num=3)
    dimensions, outputs = c.shape.as_list()[-1], f.shape.as_list()[-1]
    if dimensions is None:
        raise ValueError("The dimensionality of the input points (d) must be statically-inferrable.")
    if outputs is None:
        raise ValueError("The dimensionality of the output values (k) must be statically-inferrable.")
    with name_scope("construct_linear_system"):
        a = _phi(_squared_distances_within(c), order)
        if weight > 0:
            a += weight * arrays.expand_dims(grids.eye(n, dtype=c.dtype), 0)
        b = joining.concat([c, constants.ones_like(c[..., :1], dtype=c.dtype)], 2)
        left = joining.concat([a, permuting.transpose(b, [0, 2, 1])], 1)
        columns = b.shape[2]
        right = joining.concat([b, constants.zeros([batch, columns, columns], c.dtype)], 1)
        lhs = joining.concat([left, right], 2)
        rhs = joining.concat([f, constants.zeros([batch, dimensions + 1, outputs], c.dtype)], 1)
    with name_scope("solve_linear_system"):
        both = solving.matrix_solve(lhs, rhs)
        return both[:, :n, :], both[:, n:, :]


def _squared_distances(x: Tensor, y: Tensor) -> Tensor:
    """|x_i|^2 - 2 x_i y_j + |y_j|^2."""
    of_x = reductions.reduce_sum(powers.square(x), 2)
    of_y = reductions.reduce_sum(powers.square(y), 2)
    rows, columns = arrays.expand_dims(of_x, 2), arrays.expand_dims(of_y, 1)
    products = matrices.matmul(x, y, adjoint_b=True)
    return rows - 2 * products + columns


def _squared_distances_within(x: Tensor) -> Tensor:
    """The same of ``x`` and itself: the squares stand on the diagonal of the products."""
    products = matrices.matmul(x, x, adjoint_b=True)
    squares = arrays.expand_dims(diagonals.matrix_diag_part(products), 2)
    return squares - 2 * products + permuting.transpose(squares, [0, 2, 1])


def _phi(r: Tensor, order: int) -> Tensor:
    """r^order of distances, of which the squares are given, times their logarithm if the order is even."""
    with name_scope("phi"):
        if order == 2:
            return 0.5 * r * exponentials.log(arithmetic.maximum(r, EPSILON))
        if order == 4:
            return 0.5 * powers.square(r) * exponentials.log(arithmetic.maximum(r, EPSILON))
        r = arithmetic.maximum(r, EPSILON)
        if order == 1:
            return powers.sqrt(r)
        if order % 2 == 0:
            return 0.5 * powers.pow_(r, 0.5 * order) * exponentials.log(r)
        return powers.pow_(r, 0.5 * order)


def sparse_image_warp(
    image: Any,
    source_control_point_locations: Any,
    dest_control_point_locations: Any,
    interpolation_order: int = 2,
    regularization_weight: float = 0.0,
    num_boundary_points: int = 0,
    name: str = "sparse_image_warp",
) -> tuple[Tensor, Tensor]:
    """Images in which the source points, [y, x], come to lie at the destinations, and how far each pixel was moved.

    ``num_boundary_points``: so many points of each edge stay where they are.
    """
    image, source = as_tensor(image), as_tensor(source_control_point_locations)
    places = as_tensor(dest_control_point_locations)
    flows = places - source
    with name_scope(name):
        batch, height, width, _ = image.shape.as_list()
        grid = constants.constant(_for_each(_pixels(height, width).reshape(-1, 2), batch), image.dtype)
        if num_boundary_points > 0:
            fixed = _boundary(height, width, num_boundary_points - 1)
            number = places.shape.as_list()[0]
            where = constants.constant(_for_each(fixed, number), dtype=places.dtype)
            still = constants.constant(_for_each(np.zeros_like(fixed), number), dtype=places.dtype)
            places = joining.concat([places, where], 1)
            flows = joining.concat([flows, still], 1)
        moved = interpolate_spline(places, flows, grid, interpolation_order, regularization_weight)
        dense = arrays.reshape(moved, [batch, height, width, 2])
        return dense_image_warp(image, dense), dense


def _for_each(points: Any, batch: Any) -> Any:
    """The same points for each image."""
    return np.tile(points.astype(np.float64)[None], [batch, 1, 1])


def _pixels(height: int, width: int) -> Any:
    """[y, x] of each pixel, ``[height, width, 2]``."""
    return np.stack(np.meshgrid(np.arange(height), np.arange(width), indexing="ij"), -1)


def _boundary(height: int, width: int, between: int) -> Any:
    """The corners, and so many points between them on each edge."""
    ys = np.linspace(0, height - 1, between + 2)
    xs = np.linspace(0, width - 1, between + 2)
    y, x = np.meshgrid(ys, xs, indexing="ij")
    outside = (x == 0) | (x == width - 1) | (y == 0) | (y == height - 1)
    return np.stack([y[outside], x[outside]], axis=-1)
