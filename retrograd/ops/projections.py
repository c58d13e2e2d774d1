"""Images seen through projective transformations: ``ImageProjectiveTransformV2`` and its first form."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REQUIRED, define
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape
from retrograd.graph.static import constant_value, shape_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, constants, joining, shape_rules, solving

IMAGE_DTYPES = (dtypes.uint8, dtypes.int32, dtypes.int64, dtypes.float16, dtypes.float32, dtypes.float64)


def _projected_shape(images: Tensor, transforms: Tensor, output_shape: Tensor) -> RawShape:
    batch, _, _, channels = shape_rules.with_rank(images, 4)
    height, width = shape_value(output_shape) or (None, None)
    return batch, height, width, channels


def _project(xp: Any, images: Any, transforms: Any, output_shape: Any, *, interpolation: Any) -> Any:
    """``y[r, c] = x[(b0 c + b1 r + b2) / k, (a0 c + a1 r + a2) / k]`` with ``k = c0 c + c1 r + 1``; 0 outside."""
    height, width = (int(n) for n in output_shape)
    rows = xp.arange(height, dtype=np.float32)[None, :, None]
    columns = xp.arange(width, dtype=np.float32)[None, None, :]
    t = transforms.astype(np.float32).reshape(-1, 8, 1, 1)
    a0, a1, a2, b0, b1, b2, c0, c1 = (t[:, i] for i in range(8))
    k = c0 * columns + c1 * rows + np.float32(1)
    is_seen = k != 0
    k = xp.where(is_seen, k, np.float32(1))
    x = xp.broadcast_to((a0 * columns + a1 * rows + a2) / k, (len(images), height, width))
    y = xp.broadcast_to((b0 * columns + b1 * rows + b2) / k, (len(images), height, width))
    batch = np.arange(len(images))[:, None, None]

    def read(at_y: Any, at_x: Any) -> Any:
        inside = (at_y >= 0) & (at_y < images.shape[1]) & (at_x >= 0) & (at_x < images.shape[2]) & is_seen
        i = xp.where(inside, at_y, 0).astype(np.int64)
        j = xp.where(inside, at_x, 0).astype(np.int64)
        return xp.where(inside[..., None], images[batch, i, j], images.dtype.type(0))

    if interpolation in ("NEAREST", b"NEAREST"):
        return read(*(xp.sign(v) * xp.floor(xp.abs(v) + np.float32(0.5)) for v in (y, x)))
    top, left = xp.floor(y), xp.floor(x)
    low, right = top + 1, left + 1
    kind = np.float64 if images.dtype == np.float64 else np.float32
    across, down = (x - left)[..., None].astype(kind), (y - top)[..., None].astype(kind)
    upper = (1 - across) * read(top, left).astype(kind) + across * read(top, right).astype(kind)
    lower = (1 - across) * read(low, left).astype(kind) + across * read(low, right).astype(kind)
    return ((1 - down) * upper + down * lower).astype(images.dtype)


def _project_gradient(op: Any, dy: Any) -> list[Any]:
    """dx is dy, seen through the inverse transformation, as in TensorFlow: exact where pixels meet pixels."""
    images, transforms = as_tensor(op.inputs[0], name="images"), op.inputs[1]
    back = matrices_to_flat_transforms(solving.matrix_inverse(flat_transforms_to_matrices(transforms)))
    size = arrays.shape(images)[1:3]
    return [apply(PROJECTIVE_TRANSFORM, dy, back, size, interpolation=op.attrs["interpolation"]), None, None]


PROJECTIVE_TRANSFORM = define(
    "ImageProjectiveTransformV2", "images: dtype, transforms: float32, output_shape: int32",
    "transformed_images: dtype", attrs={"interpolation": REQUIRED}, types={"dtype": IMAGE_DTYPES},
    static=("output_shape",), shape=_projected_shape, kernel=_project,
    ranks={"output_shape": "1: output shape must be 1-dimensional{}", "images": "4: input images must have rank 4"},
    gradient=_project_gradient,
)  # fmt: skip


def _projected_same(images: Tensor, transforms: Tensor) -> RawShape:
    return shape_rules.with_rank(images, 4)


def _project_same(xp: Any, images: Any, transforms: Any, *, interpolation: Any) -> Any:
    """``_project``, with outputs as large as the images."""
    return _project(xp, images, transforms, images.shape[1:3], interpolation=interpolation)


PROJECTIVE_TRANSFORM_V1 = define(
    "ImageProjectiveTransform", "images: dtype, transforms: float32", "transformed_images: dtype",
    attrs={"interpolation": REQUIRED}, types={"dtype": IMAGE_DTYPES}, shape=_projected_same, kernel=_project_same,
    ranks={"images": "4: input images must have rank 4"},
)  # fmt: skip


def image_projective_transform(images: Any, transforms: Any, interpolation: Any, name: str | None = None) -> Tensor:
    """The bare op of TensorFlow's first versions: images through transformations, as large as they are."""
    return apply(PROJECTIVE_TRANSFORM_V1, images, transforms, interpolation=interpolation, name=name)


def transform(
    images: Any, transforms: Any, interpolation: str = "NEAREST", output_shape: Any = None, name: str | None = None
) -> Tensor:
    """Images through projective transformations, which map places of the output onto places of the input.

    Args:
      images: one without or with channels, or a batch.
      transforms: ``[a0, a1, a2, b0, b1, b2, c0, c1]``, one for all or one for each image.
      interpolation: ``NEAREST`` or ``BILINEAR``.
      output_shape: height and width of the output; by default those of the input.

    Raises:
      TypeError: a dtype or a rank that is not possible.
      ValueError: ``output_shape`` is not two numbers.
    """
    with name_scope(name, "transform"):
        given = as_tensor(images, name="images")
        transforms = as_tensor(transforms, name="transforms", dtype=dtypes.float32)
        batch = as_batch(given)
        if output_shape is None:
            size = arrays.shape(batch)[1:3]
            known = constant_value(size)
            output_shape = size if known is None else known
        output_shape = as_tensor(output_shape, dtypes.int32, name="output_shape")
        if not output_shape.shape.is_compatible_with([2]):
            raise ValueError("output_shape must be a 1-D Tensor of 2 elements: new_height, new_width")
        if transforms.rank is None:
            raise TypeError("transform_or_transforms rank must be statically known")
        if transforms.rank == 1:
            transforms = transforms[None]
        elif transforms.rank != 2:
            raise TypeError("Transforms should have rank 1 or 2.")
        word = interpolation.upper()
        return as_given(given, apply(PROJECTIVE_TRANSFORM, batch, transforms, output_shape, interpolation=word))


def as_batch(images: Tensor) -> Tensor:
    """One image, with or without channels, as a batch of one."""
    if images.dtype.base_dtype not in IMAGE_DTYPES:
        raise TypeError(f"Invalid dtype {images.dtype}.")
    if images.rank is None:
        raise TypeError("image_or_images rank must be statically known")
    if images.rank == 2:
        return images[None, :, :, None]
    if images.rank == 3:
        return images[None, :, :, :]
    if images.rank == 4:
        return images
    raise TypeError("Images should have rank between 2 and 4.")


def as_given(given: Tensor, batch: Tensor) -> Tensor:
    """The reverse of ``as_batch``."""
    if given.rank == 2:
        return batch[0, :, :, 0]
    return batch[0, :, :, :] if given.rank == 3 else batch


def flat_transforms_to_matrices(transforms: Any) -> Tensor:
    """Eight numbers and a 1 as matrices of three rows.

    Raises:
      ValueError: they are of another rank than 1 or 2.
    """
    with name_scope("flat_transforms_to_matrices"):
        transforms = as_tensor(transforms, name="transforms")
        if transforms.rank not in (1, 2):
            raise ValueError(f"Transforms should be 1D or 2D, got: {transforms}")
        transforms = arrays.reshape(transforms, constants.constant([-1, 8]))
        number = arrays.shape(transforms)[0]
        whole = joining.concat([transforms, constants.ones([number, 1])], axis=1)
        return arrays.reshape(whole, constants.constant([-1, 3, 3]))


def matrices_to_flat_transforms(transform_matrices: Any) -> Tensor:
    """The reverse; matrices are scaled so that their last element is 1.

    Raises:
      ValueError: they are of another rank than 2 or 3.
    """
    with name_scope("matrices_to_flat_transforms"):
        given = as_tensor(transform_matrices, name="transform_matrices")
        if given.rank not in (2, 3):
            raise ValueError(f"Matrices should be 2D or 3D, got: {given}")
        flat = arrays.reshape(given, constants.constant([-1, 9]))
        flat = flat / flat[:, 8:9]
        return flat[:, :8]
