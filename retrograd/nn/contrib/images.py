"""``tf.contrib.image``: images turned, moved and warped.  Source: TensorFlow 1.15.5's names and order of nodes."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    checks,
    constants,
    grids,
    joining,
    matrices,
    projections,
    rounding,
    trigonometry,
)
from retrograd.ops import indexing as indexing_ops

# -- turned and moved ----------------------------------------------------------------------------


def rotate(images: Any, angles: Any, interpolation: str = "NEAREST", name: str | None = None) -> Tensor:
    """Images turned counterclockwise around their middle, by angles in radians; what comes from outside is 0.

    Raises:
      TypeError: a dtype or a rank that is not possible.
    """
    with name_scope(name, "rotate"):
        given = as_tensor(images)
        batch = projections.as_batch(given)
        height = casts.cast(arrays.shape(batch)[1], dtypes.float32)[None]
        width = casts.cast(arrays.shape(batch)[2], dtypes.float32)[None]
        turned = angles_to_projective_transforms(angles, height, width)
        return projections.as_given(given, projections.transform(batch, turned, interpolation=interpolation))


def translate(images: Any, translations: Any, interpolation: str = "NEAREST", name: str | None = None) -> Tensor:
    """Images moved by ``[dx, dy]`` pixels; what comes from outside is 0."""
    with name_scope(name, "translate"):
        moved = translations_to_projective_transforms(translations)
        return projections.transform(images, moved, interpolation=interpolation)


def angles_to_projective_transforms(
    angles: Any, image_height: Any, image_width: Any, name: str | None = None
) -> Tensor:
    """The transformations that turn images of a size.

    Raises:
      TypeError: the angles are of a rank above 1.
    """
    with name_scope(name, "angles_to_projective_transforms"):
        angles = as_tensor(angles, name="angles", dtype=dtypes.float32)
        if angles.rank == 0:
            angles = angles[None]
        elif angles.rank != 1:
            raise TypeError("Angles should have rank 0 or 1.")
        cos, sin = trigonometry.cos, trigonometry.sin
        w, h = image_width, image_height
        dx = (w - 1 - (cos(angles) * (w - 1) - sin(angles) * (h - 1))) / 2.0
        dy = (h - 1 - (sin(angles) * (w - 1) + cos(angles) * (h - 1))) / 2.0
        number = arrays.shape(angles)[0]
        columns = [
            cos(angles)[:, None], -sin(angles)[:, None], dx[:, None], sin(angles)[:, None], cos(angles)[:, None],
            dy[:, None], constants.zeros((number, 2), dtypes.float32),
        ]  # fmt: skip
        return joining.concat(columns, axis=1)


def translations_to_projective_transforms(translations: Any, name: str | None = None) -> Tensor:
    """The transformations that move images.

    Raises:
      TypeError: the translations are of another rank than 1 or 2.
    """
    with name_scope(name, "translations_to_projective_transforms"):
        moves = as_tensor(translations, name="translations", dtype=dtypes.float32)
        if moves.rank is None:
            raise TypeError("translation_or_translations rank must be statically known")
        if moves.rank == 1:
            moves = moves[None]
        elif moves.rank != 2:
            raise TypeError("Translations should have rank 1 or 2.")
        number = arrays.shape(moves)[0]

        def column(make: Any, width: int = 1) -> Tensor:
            made: Tensor = make((number, width), dtypes.float32)
            return made

        zeros, ones = constants.zeros, constants.ones
        columns = [
            column(ones), column(zeros), -moves[:, 0, None], column(zeros), column(ones), -moves[:, 1, None],
            column(zeros, 2),
        ]  # fmt: skip
        return joining.concat(columns, axis=1)


def compose_transforms(*transforms: Any) -> Tensor:
    """The transformations one after the other, as one."""
    assert transforms, "transforms cannot be empty"
    with name_scope("compose_transforms"):
        composed = projections.flat_transforms_to_matrices(transforms[0])
        for other in transforms[1:]:
            composed = matrices.matmul(composed, projections.flat_transforms_to_matrices(other))
        return projections.matrices_to_flat_transforms(composed)


# -- warped --------------------------------------------------------------------------------------


def dense_image_warp(image: Any, flow: Any, name: str = "dense_image_warp") -> Tensor:
    """``y[b, r, c] = x[b, r - flow[b, r, c, 0], c - flow[b, r, c, 1]]``, between pixels by bilinear interpolation."""
    with name_scope(name):
        batch, height, width, channels = (arrays.shape(image)[i] for i in range(4))
        grid_x, grid_y = grids.meshgrid(constants.range_(width), constants.range_(height))
        grid = casts.cast(joining.stack([grid_y, grid_x], axis=2), flow.dtype)
        places = arrays.expand_dims(grid, axis=0) - flow
        places = arrays.reshape(places, [batch, height * width, 2])
        return arrays.reshape(_interpolate_bilinear(image, places), [batch, height, width, channels])


def _interpolate_bilinear(
    grid: Any, query_points: Any, name: str = "interpolate_bilinear", indexing: str = "ij"
) -> Any:
    """What ``grid`` has at the points: rows and columns, or with ``xy`` columns and rows.

    Raises:
      ValueError: a rank or an ``indexing`` that is not possible.
    """
    if indexing not in ("ij", "xy"):
        raise ValueError("Indexing mode must be 'ij' or 'xy'")
    with name_scope(name):
        grid, points = as_tensor(grid), as_tensor(query_points)
        if grid.rank != 4:
            raise ValueError(f"Grid must be 4 dimensional. Received size: {grid.shape}")
        sizes = [arrays.shape(grid)[i] for i in range(4)]
        batch, height, width, channels = sizes
        are_points = [
            checks.assert_equal(len(points.shape), 3, message="Query points must be 3 dimensional."),
            checks.assert_equal(arrays.shape(points)[2], 2, message="Query points must be size 2 in dim 2."),
        ]
        with control_dependencies(are_points):
            number = arrays.shape(points)[1]
        is_grid = [
            checks.assert_greater_equal(height, 2, message="Grid height must be at least 2."),
            checks.assert_greater_equal(width, 2, message="Grid width must be at least 2."),
        ]
        with control_dependencies(is_grid):
            along = joining.unstack(points, axis=2)
        parts, lower, upper = [], [], []
        for axis in [0, 1] if indexing == "ij" else [1, 0]:
            with name_scope(f"dim-{axis}"):
                last = casts.cast(sizes[axis + 1] - 2, points.dtype)
                first = constants.constant(0.0, dtype=points.dtype)
                floor = arithmetic.minimum(arithmetic.maximum(first, rounding.floor(along[axis])), last)
                whole = casts.cast(floor, dtypes.int32)
                lower.append(whole)
                upper.append(whole + 1)
                part = casts.cast(along[axis] - floor, grid.dtype)
                least, most = constants.constant(0.0, dtype=grid.dtype), constants.constant(1.0, dtype=grid.dtype)
                part = arithmetic.minimum(arithmetic.maximum(least, part), most)
                parts.append(arrays.expand_dims(part, 2))
        pieces = (
            "The image size or batch size is sufficiently large",
            "that the linearized addresses used by array_ops.gather",
            "may exceed the int32 limit.",
        )
        text = ("\n" + 23 * " ").join(pieces)  # as TensorFlow's, with the margin of its source
        count = casts.cast(batch * height * width, dtype=dtypes.float32)
        with control_dependencies([checks.assert_less_equal(count, np.iinfo(np.int32).max / 8, message=text)]):
            flat = arrays.reshape(grid, [batch * height * width, channels])
            starts = arrays.reshape(constants.range_(batch) * height * width, [batch, 1])

        def read(y: Any, x: Any, word: str) -> Any:
            with name_scope(f"gather-{word}"):
                return arrays.reshape(indexing_ops.gather(flat, starts + y * width + x), [batch, number, channels])

        top_left = read(lower[0], lower[1], "top_left")
        top_right = read(lower[0], upper[1], "top_right")
        bottom_left = read(upper[0], lower[1], "bottom_left")
        bottom_right = read(upper[0], upper[1], "bottom_right")
        with name_scope("interpolate"):
            top = parts[1] * (top_right - top_left) + top_left
            bottom = parts[1] * (bottom_right - bottom_left) + bottom_left
            return parts[0] * (bottom - top) + top
