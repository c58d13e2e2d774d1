"""Images at another size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.errors import taught
from retrograd.graph.scopes import name_scope
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.nn.image.geometry import pad_to_bounding_box
from retrograd.nn.image.shapes import dimensions, image_checks, require
from retrograd.ops import arithmetic, arrays, casts, control, resizing, rounding


class ResizeMethod:
    """How to resize: between four pixels, the nearest, by sixteen pixels, or by what is covered."""

    BILINEAR = 0
    NEAREST_NEIGHBOR = 1
    BICUBIC = 2
    AREA = 3


_METHODS: dict[int, Callable[..., Tensor]] = {
    ResizeMethod.BILINEAR: resizing.resize_bilinear,
    ResizeMethod.NEAREST_NEIGHBOR: resizing.resize_nearest_neighbor,
    ResizeMethod.BICUBIC: resizing.resize_bicubic,
    ResizeMethod.AREA: resizing.resize_area,
}


def resize_images(
    images: Any,
    size: Any,
    method: Any = ResizeMethod.BILINEAR,
    align_corners: bool = False,
    preserve_aspect_ratio: bool = False,
    name: str | None = None,
) -> Tensor:
    """``images`` at ``size`` (height, width), by one of ``ResizeMethod``; as float32, unless pixels are only chosen.

    Args:
      align_corners: the middles of corner pixels stay where they are.
      preserve_aspect_ratio: ``size`` is a bound that one side reaches.

    Raises:
      ValueError: nothing is known of the shape, or there is no such method.
    """
    with name_scope(name, "resize", [images, size]):
        images = as_tensor(images, name="images")
        rank = images.rank
        if rank is None:
            error = ValueError("'images' contains no shape.")
            raise taught(error, fix="images.set_shape([None, None, None, 3]), with the sizes that are known")
        if rank == 3:
            images = arrays.expand_dims(images, 0)
        elif rank != 4:
            raise ValueError("'images' must have either 3 or 4 dimensions.")
        _, height, width, _ = images.shape.as_list()
        size = _as_size(size)
        if preserve_aspect_ratio:
            size = _within(images, size)
        wanted = _known(size)
        if None not in wanted and wanted == (height, width):
            return arrays.squeeze(images, axis=[0]) if rank == 3 else images
        if method not in _METHODS:
            raise ValueError("Resize method is not implemented.")
        images = _METHODS[method](images, size, align_corners=align_corners)
        images.set_shape([None, *wanted, None])
        return arrays.squeeze(images, axis=[0]) if rank == 3 else images


def _as_size(size: Any) -> Tensor:
    try:
        size = as_tensor(size, dtypes.int32, name="size")
    except (TypeError, ValueError):
        raise ValueError("'size' must be a 1-D int32 Tensor") from None
    if not size.shape.is_compatible_with([2]):
        raise ValueError("'size' must be a 1-D Tensor of 2 elements: new_height, new_width")
    return size


def _known(size: Tensor) -> tuple[int | None, int | None]:
    value = constant_value(size)
    if value is not None:
        return int(value[0]), int(value[1])
    if size.op.type == "Pack":
        height, width = (constant_value(x) for x in size.op.inputs)
        return (None if height is None else int(height)), (None if width is None else int(width))
    return None, None


def _within(images: Tensor, size: Tensor) -> Tensor:
    """The largest size within ``size`` of the images' shape."""
    _, height, width, _ = dimensions(images, 4)
    wanted = constant_value(size)
    new_height, new_width = size[0] if wanted is None else int(wanted[0]), None
    by_height = casts.cast(new_height, dtypes.float32) / casts.cast(height, dtypes.float32)
    new_width = size[1] if wanted is None else int(wanted[1])
    by_width = casts.cast(new_width, dtypes.float32) / casts.cast(width, dtypes.float32)
    scale = arithmetic.minimum(by_height, by_width)
    sides = [casts.cast(rounding.round_(scale * casts.cast(n, dtypes.float32)), dtypes.int32) for n in (height, width)]
    return as_tensor(sides, dtypes.int32, name="size")


def resize_image_with_pad(
    image: Any,
    target_height: Any,
    target_width: Any,
    method: Any = ResizeMethod.BILINEAR,
    align_corners: bool = False,
) -> Tensor:
    """``image`` resized to fit in this size, its aspect ratio kept, with zeros around.

    Raises:
      ValueError: a size is not positive.
    """
    with name_scope(None, "resize_image_with_pad", [image]):
        image = as_tensor(image, name="image")
        rank, is_batch = image.rank, True
        if rank == 3:
            image, is_batch = arrays.expand_dims(image, 0), False
        elif rank is None:
            image, is_batch = arrays.expand_dims(image, 0), False
            image.set_shape([None] * 4)
        elif rank != 4:
            raise ValueError("'image' must have either 3 or 4 dimensions.")
        waiting = image_checks(image)
        waiting += require(target_width > 0, "target_width must be > 0.")
        waiting += require(target_height > 0, "target_height must be > 0.")
        image = control.with_dependencies(waiting, image)
        _, height, width, _ = dimensions(image, 4)
        high, wide, target_high, target_wide = (
            casts.cast(n, dtypes.float64) for n in (height, width, target_height, target_width)
        )
        ratio = arithmetic.maximum(wide / target_wide, high / target_high)
        new_high, new_wide = high / ratio, wide / ratio
        new_size = [casts.cast(rounding.floor(n), dtypes.int32) for n in (new_high, new_wide)]
        borders = (target_high - new_high) / 2, (target_wide - new_wide) / 2
        top, left = [rounding.floor(n) for n in borders]
        top, left = (arithmetic.maximum(0, casts.cast(n, dtypes.int32)) for n in (top, left))
        resized = resize_images(image, new_size, method, align_corners)
        padded = pad_to_bounding_box(resized, top, left, target_height, target_width)
        if padded.shape.ndims is None:
            raise ValueError("padded contains no shape.")
        dimensions(padded, 4)  # TensorFlow makes these nodes though nothing reads them
        return padded if is_batch else arrays.squeeze(padded, axis=[0])
