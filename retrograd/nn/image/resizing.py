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
from retrograd.ops import arithmetic, arrays, casts, constants, control, resizing, rounding, scaling


class ResizeMethodV1:
    """How to resize: between four pixels, the nearest, by sixteen pixels, or by what is covered."""

    BILINEAR = 0
    NEAREST_NEIGHBOR = 1
    BICUBIC = 2
    AREA = 3


class ResizeMethod:
    """The same by names, and those that weight the pixels around by a kernel."""

    BILINEAR = "bilinear"
    NEAREST_NEIGHBOR = "nearest"
    BICUBIC = "bicubic"
    AREA = "area"
    LANCZOS3 = "lanczos3"
    LANCZOS5 = "lanczos5"
    GAUSSIAN = "gaussian"
    MITCHELLCUBIC = "mitchellcubic"


_METHODS: dict[Any, Callable[..., Tensor]] = {
    ResizeMethodV1.BILINEAR: resizing.resize_bilinear,
    ResizeMethodV1.NEAREST_NEIGHBOR: resizing.resize_nearest_neighbor,
    ResizeMethodV1.BICUBIC: resizing.resize_bicubic,
    ResizeMethodV1.AREA: resizing.resize_area,
    ResizeMethod.BILINEAR: resizing.resize_bilinear,
    ResizeMethod.NEAREST_NEIGHBOR: resizing.resize_nearest_neighbor,
    ResizeMethod.BICUBIC: resizing.resize_bicubic,
    ResizeMethod.AREA: resizing.resize_area,
}
_SMOOTH = {ResizeMethod.BILINEAR: "triangle", ResizeMethod.BICUBIC: "keyscubic"}  # with antialias
_KERNELS = (ResizeMethod.LANCZOS3, ResizeMethod.LANCZOS5, ResizeMethod.GAUSSIAN, ResizeMethod.MITCHELLCUBIC)


def resize_images(
    images: Any,
    size: Any,
    method: Any = ResizeMethodV1.BILINEAR,
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

    def resized(images: Tensor, size: Tensor) -> Tensor:
        if method not in _METHODS:
            raise ValueError("Resize method is not implemented.")
        return _METHODS[method](images, size, align_corners=align_corners)

    return _resized(resized, images, size, preserve_aspect_ratio, name, stays=True)


def resize_images_v2(
    images: Any,
    size: Any,
    method: Any = ResizeMethod.BILINEAR,
    preserve_aspect_ratio: bool = False,
    antialias: bool = False,
    name: str | None = None,
) -> Tensor:
    """``images`` at ``size`` (height, width), by one of ``ResizeMethod``, with the pixels' places at their middles.

    Args:
      preserve_aspect_ratio: ``size`` is a bound that one side reaches.
      antialias: a smaller image is made of all pixels.

    Raises:
      ValueError: nothing is known of the shape, or there is no such method.
    """

    def resized(images: Tensor, size: Tensor) -> Tensor:
        kernel = method if method in _KERNELS else _SMOOTH.get(method) if antialias else None
        if kernel is not None:
            floats = casts.cast(size, dtypes.float32)
            scale = floats / casts.cast(arrays.shape(images)[1:3], dtypes.float32)
            return scaling.scale_and_translate(images, size, scale, constants.zeros([2]), kernel, antialias)
        if not isinstance(method, str) or method not in _METHODS:
            raise ValueError("Resize method is not implemented.")
        if method == ResizeMethod.AREA:
            return resizing.resize_area(images, size)
        return _METHODS[method](images, size, half_pixel_centers=True)

    return _resized(resized, images, size, preserve_aspect_ratio, name, stays=False)


def _resized(
    resizer: Callable[[Tensor, Tensor], Tensor], images: Any, size: Any, preserve_aspect_ratio: bool,
    name: str | None, stays: bool,
) -> Tensor:  # fmt: skip
    """``resizer`` of a batch of images; of images that have this size already only if they do not stay."""
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
        if stays and None not in wanted and wanted == (height, width):
            return arrays.squeeze(images, axis=[0]) if rank == 3 else images
        images = resizer(images, size)
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


def resize_image_with_pad_v1(
    image: Any,
    target_height: Any,
    target_width: Any,
    method: Any = ResizeMethodV1.BILINEAR,
    align_corners: bool = False,
) -> Tensor:
    """``image`` resized to fit in this size, its aspect ratio kept, with zeros around.

    Raises:
      ValueError: a size is not positive.
    """
    return _padded(
        lambda image, size: resize_images(image, size, method, align_corners), image, target_height, target_width
    )


def resize_image_with_pad_v2(
    image: Any,
    target_height: Any,
    target_width: Any,
    method: Any = ResizeMethod.BILINEAR,
    antialias: bool = False,
) -> Tensor:
    """``image`` resized to fit in this size as ``resize_images_v2`` does, with zeros around.

    Raises:
      ValueError: a size is not positive.
    """
    return _padded(
        lambda image, size: resize_images_v2(image, size, method, antialias=antialias),
        image, target_height, target_width,
    )  # fmt: skip


def _padded(
    resizer: Callable[[Tensor, list[Tensor]], Tensor], image: Any, target_height: Any, target_width: Any
) -> Tensor:
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
        resized = resizer(image, new_size)
        padded = pad_to_bounding_box(resized, top, left, target_height, target_width)
        if padded.shape.ndims is None:
            raise ValueError("padded contains no shape.")
        dimensions(padded, 4)  # TensorFlow makes these nodes though nothing reads them
        return padded if is_batch else arrays.squeeze(padded, axis=[0])
