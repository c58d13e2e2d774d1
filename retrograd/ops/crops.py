"""Pieces of images: boxes cut out and resized, glimpses.

A box is ``(y1, x1, y2, x2)``, where 0 is the first pixel of an image and 1 the last.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.definition import Demands, Effect, OpDef, define, not_differentiable
from retrograd.graph.errors import OutOfRangeError, invalid
from retrograd.graph.shapes import RawShape, merge_dim
from retrograd.graph.static import shape_value, static_value
from retrograd.graph.tensor import Tensor
from retrograd.graph.text import as_text
from retrograd.ops import arrays, placing, shape_rules

_F = np.float32

# -- boxes, resized ------------------------------------------------------------------------------


def _places(xp: Any, low: Any, high: Any, size: int, count: int) -> Any:
    """``count`` evenly spaced places from ``low`` to ``high``, or the one between them, in pixels."""
    if count > 1:
        scale = (high - low) * _F(size - 1) / _F(count - 1)
        return low[:, None] * _F(size - 1) + np.arange(count, dtype=_F) * scale[:, None]
    return _F(0.5) * (low + high)[:, None] * _F(size - 1)


def _around(xp: Any, x: Any, size: int) -> tuple[Any, Any, Any, Any]:
    """The pixels below and above the places, how far they are from the lower, whether they lie in the image."""
    inside = (x >= 0) & (x <= size - 1)
    kept = xp.where(inside, x, _F(0))
    low = xp.floor(kept)
    return low.astype(np.int32), xp.ceil(kept).astype(np.int32), kept - low, inside


def _checked(xp: Any, boxes: Any, box_ind: Any, batch: int) -> None:
    if box_ind.shape != boxes.shape[:1]:
        raise invalid("box_index has incompatible shape")
    if xp is np and box_ind.size and not (box_ind.min() >= 0 and box_ind.max() < batch):
        raise OutOfRangeError(None, None, "box_index has values outside [0, batch_size)")


def _check_sides(what: str, height: int, width: int) -> None:
    if height <= 0 or width <= 0:
        raise invalid(f"{what} dimensions must be positive")


def _check_grads(grads: Any, boxes: Any) -> None:
    if len(grads) != len(boxes):
        raise invalid("boxes and grads have incompatible shape")
    _check_sides("grads", *grads.shape[1:3])


def _rounded(xp: Any, x: Any) -> Any:
    """To the nearest integer, halves away from zero."""
    return (xp.sign(x) * xp.floor(xp.abs(x) + _F(0.5))).astype(np.int32)


def _crop_and_resize(
    xp: Any, image: Any, boxes: Any, box_ind: Any, crop_size: Any, *, method: Any, extrapolation_value: float
) -> Any:
    _checked(xp, boxes, box_ind, image.shape[0])
    _check_sides("image", *image.shape[1:3])
    height, width = (int(n) for n in np.asarray(crop_size))
    y = _places(xp, boxes[:, 0], boxes[:, 2], image.shape[1], height)
    x = _places(xp, boxes[:, 1], boxes[:, 3], image.shape[2], width)
    top, bottom, dy, above = _around(xp, y, image.shape[1])
    left, right, dx, beside = _around(xp, x, image.shape[2])
    seen = _pixels_of(xp, image, box_ind)
    if as_text(method) == "nearest":
        crops = seen(xp.where(above, _rounded(xp, y), 0), xp.where(beside, _rounded(xp, x), 0))
    else:
        along = dx[:, None, :, None]
        upper = _between(seen(top, left), seen(top, right), along)
        crops = _between(upper, _between(seen(bottom, left), seen(bottom, right), along), dy[:, :, None, None])
    inside = (above[:, :, None] & beside[:, None, :])[..., None]
    return crops if xp is np and inside.all() else xp.where(inside, crops, _F(extrapolation_value)).astype(_F)


def _between(low: Any, high: Any, part: Any) -> Any:
    """low + (high - low) * part, in the array of ``high``."""
    high -= low
    high *= part
    high += low
    return high


def _pixels_of(xp: Any, image: Any, box_ind: Any) -> Any:
    """A function of rows and columns of boxes: the pixels where these cross, in the image that each box is of."""
    _, height, width, depth = image.shape
    pixels, first = xp.reshape(image, (-1, depth)), (box_ind * (height * width))[:, None, None]

    def seen(rows: Any, columns: Any) -> Any:
        return xp.take(pixels, first + (rows * width)[:, :, None] + columns[:, None, :], 0, mode="clip").astype(_F)

    return seen


def _image_gradient(
    xp: Any, grads: Any, boxes: Any, box_ind: Any, image_size: Any, *, T: dtypes.DType, method: Any
) -> Any:
    """Each pixel of a crop gives its gradient to the four pixels that it lies between, by their weights."""
    sizes = tuple(int(n) for n in np.asarray(image_size))
    _checked(xp, boxes, box_ind, sizes[0])
    _check_grads(grads, boxes)
    _check_sides("image", *sizes[1:3])
    if grads.shape[3] != sizes[3]:
        raise invalid("image_size and grads are incompatible")
    y = _places(xp, boxes[:, 0], boxes[:, 2], sizes[1], grads.shape[1])
    x = _places(xp, boxes[:, 1], boxes[:, 3], sizes[2], grads.shape[2])
    top, bottom, dy, above = _around(xp, y, sizes[1])
    left, right, dx, beside = _around(xp, x, sizes[2])
    which = box_ind[:, None, None]
    given = xp.where((above[:, :, None] & beside[:, None, :])[..., None], grads, _F(0))
    result = xp.zeros(sizes, _F)
    if as_text(method) == "nearest":
        rows, columns = xp.where(above, _rounded(xp, y), 0), xp.where(beside, _rounded(xp, x), 0)
        corners = [(rows, columns, given)]
    else:
        down, along = dy[:, :, None, None], dx[:, None, :, None]
        corners = [
            (top, left, given * (1 - down) * (1 - along)),
            (top, right, given * (1 - down) * along),
            (bottom, left, given * down * (1 - along)),
            (bottom, right, given * down * along),
        ]
    for rows, columns, part in corners:
        result = placing.add_at(xp, result, (which, rows[:, :, None], columns[:, None, :]), part)
    return result.astype(T.np)


def _boxes_gradient(xp: Any, grads: Any, image: Any, boxes: Any, box_ind: Any) -> Any:
    """How the crop changes as its places move, which move as the box does."""
    _checked(xp, boxes, box_ind, image.shape[0])
    _check_grads(grads, boxes)
    _check_sides("image", *image.shape[1:3])
    if grads.shape[3] != image.shape[3]:
        raise invalid("image, grads depth differ")
    (height, width), (tall, wide) = grads.shape[1:3], image.shape[1:3]
    y = _places(xp, boxes[:, 0], boxes[:, 2], tall, height)
    x = _places(xp, boxes[:, 1], boxes[:, 3], wide, width)
    top, bottom, dy, above = _around(xp, y, tall)
    left, right, dx, beside = _around(xp, x, wide)
    which = box_ind[:, None, None]

    def seen(rows: Any, columns: Any) -> Any:
        return image[which, rows[:, :, None], columns[:, None, :]].astype(_F)

    down, along = dy[:, :, None, None], dx[:, None, :, None]
    by_y = (1 - along) * (seen(bottom, left) - seen(top, left)) + along * (seen(bottom, right) - seen(top, right))
    by_x = (1 - down) * (seen(top, right) - seen(top, left)) + down * (seen(bottom, right) - seen(bottom, left))
    given = xp.where((above[:, :, None] & beside[:, None, :])[..., None], grads, _F(0))
    by_row = xp.sum(given * by_y, axis=(2, 3))
    by_column = xp.sum(given * by_x, axis=(1, 3))

    def of_ends(by_place: Any, size: int, count: int) -> tuple[Any, Any]:
        part = np.arange(count, dtype=_F) / _F(count - 1) if count > 1 else np.full(1, _F(0.5))
        moved = by_place * _F(size - 1)
        return xp.sum(moved * (1 - part), axis=1), xp.sum(moved * part, axis=1)

    (dy1, dy2), (dx1, dx2) = of_ends(by_row, tall, height), of_ends(by_column, wide, width)
    return xp.stack([dy1, dx1, dy2, dx2], axis=1).astype(_F)


def _cropped(image: Tensor, boxes: Tensor, box_ind: Tensor, crop_size: Tensor) -> RawShape:
    dims, rows = shape_rules.with_rank(image, 4), shape_rules.with_rank(boxes, 2)
    count = merge_dim(rows[0], shape_rules.with_rank(box_ind, 1)[0])
    merge_dim(rows[1], 4)
    merge_dim(shape_rules.with_rank(crop_size, 1)[0], 2)
    value = static_value(crop_size)
    height, width = (None, None) if value is None else (int(n) for n in value)
    return (count, height, width, dims[3])


def _gradient(op: Any, dy: Any) -> list[Any]:
    image, boxes, box_ind, _ = op.inputs
    known = image.dims is not None and None not in image.dims
    size = list(image.dims) if known else arrays.shape(image)
    to_image = None
    if image.dtype.base_dtype in CROP_GRAD_IMAGE.types["T"]:
        to_image = apply(CROP_GRAD_IMAGE, dy, boxes, box_ind, size, T=image.dtype.base_dtype, method=op.attrs["method"])
    return [to_image, apply(CROP_GRAD_BOXES, dy, image, boxes, box_ind), None, None]


_PIXELS = (
    dtypes.uint8, dtypes.uint16, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64, dtypes.float16,
    dtypes.float32, dtypes.float64,
)  # fmt: skip
_BOXES: Demands = {
    "boxes": ("2: boxes must be 2-D{}", "[?,4]: boxes must have 4 columns"), "box_ind": "1: box_index must be 1-D{}",
}  # fmt: skip
CROP_AND_RESIZE = define(
    "CropAndResize", "image: T, boxes: float32, box_ind: int32, crop_size: int32", "crops: float32",
    attrs={"method": "bilinear", "extrapolation_value": 0.0}, types={"T": _PIXELS},
    choices={"method": ("bilinear", "nearest")}, static=("crop_size",), ranks={
        "image": "4: input image must be 4-D{}", **_BOXES,
        "crop_size": ("1: crop_size must be 1-D{}", "[2]: crop_size must have two elements{}"),
    },
    shape=_cropped, kernel=_crop_and_resize,
    gradient=_gradient,
)  # fmt: skip
CROP_GRAD_IMAGE: OpDef = define(
    "CropAndResizeGradImage", "grads: float32, boxes: float32, box_ind: int32, image_size: int32", "output: T",
    attrs={"method": "bilinear"}, types={"T": (dtypes.float32, dtypes.float16, dtypes.float64)},
    choices={"method": ("bilinear", "nearest")}, static=("image_size",),
    ranks={
        "grads": "4: grads image must be 4-D{}", **_BOXES,
        "image_size": ("1: image_size must be 1-D{}", "[4]: image_size must have 4 elements{}"),
    },
    shape=lambda grads, boxes, box_ind, size: shape_value(size) or (None,) * 4, kernel=_image_gradient,
)  # fmt: skip
CROP_GRAD_BOXES: OpDef = define(
    "CropAndResizeGradBoxes", "grads: float32, image: T, boxes: float32, box_ind: int32", "output: float32",
    attrs={"method": "bilinear"}, types={"T": _PIXELS}, choices={"method": ("bilinear",)},
    ranks={"grads": "4: grads image must be 4-D{}", "image": "4: input image must be 4-D{}", **_BOXES},
    shape=lambda grads, image, boxes, box_ind: boxes.dims, kernel=_boxes_gradient,
)  # fmt: skip


def crop_and_resize(
    image: Any,
    boxes: Any,
    box_ind: Any = None,
    crop_size: Any = None,
    method: str = "bilinear",
    extrapolation_value: float = 0,
    name: str | None = None,
    box_indices: Any = None,
) -> Tensor:
    """The ``boxes`` of the images ``box_ind``, each resized to ``crop_size``, as float32.

    Places outside of an image are ``extrapolation_value``; the derivative by the boxes flows too.

    Raises:
      OutOfRangeError: when it runs, ``box_ind`` names an image that is not there.
    """
    box_ind = box_indices if box_indices is not None else box_ind
    value = float(np.float32(extrapolation_value))
    return apply(CROP_AND_RESIZE, image, boxes, box_ind, crop_size, method=method, extrapolation_value=value, name=name)


# -- glimpses ------------------------------------------------------------------------------------


def _extract_glimpse(
    xp: Any, memory: dict[str, Any], x: Any, size: Any, offsets: Any, *, centered: bool, normalized: bool,
    uniform_noise: bool, noise: Any,
) -> Any:  # fmt: skip
    """A window of each image; where it lies outside there is noise."""
    height, width = (int(n) for n in size)
    generator = np.random.default_rng(0)  # the same noise in every run, as in TensorFlow
    shape = (x.shape[0], height, width, x.shape[3])
    kind = "uniform" if uniform_noise else as_text(noise)
    if kind == "zero":
        result = np.zeros(shape, _F)
    elif kind == "uniform":
        result = generator.random(shape, _F) * (x.max() if x.size else _F(1))
    else:
        result = generator.normal(x.mean(), x.std() or 1, shape).astype(_F)
    for image, offset, glimpse in zip(x, offsets.astype(_F), result, strict=True):
        start = []
        for place, inner, outer in zip(offset, (height, width), x.shape[1:3], strict=True):
            place = place * _F(outer) if normalized else place
            place = place / _F(2) + _F(outer) / _F(2) if centered else place
            start.append(int(place - _F(inner) / _F(2)))
        (y, left) = start
        rows, columns = _overlap(y, height, x.shape[1]), _overlap(left, width, x.shape[2])
        glimpse[rows, columns] = image[_moved(rows, y), _moved(columns, left)]
    return result


def _overlap(start: int, length: int, size: int) -> slice:
    """The part of a window that lies in the image."""
    low = min(max(-start, 0), length)
    return slice(low, max(min(size - start, length), low))


def _moved(part: slice, by: int) -> slice:
    return slice(max(part.start + by, 0), max(part.stop + by, 0))


def _glimpsed(x: Tensor, size: Tensor, offsets: Tensor, *, uniform_noise: bool, noise: Any) -> RawShape:
    dims, places = shape_rules.with_rank(x, 4), shape_rules.with_rank(offsets, 2)
    if uniform_noise and as_text(noise) not in ("uniform", ""):
        raise ValueError("The uniform_noise and noise should not be specified at the same time")
    batch = merge_dim(dims[0], places[0])
    merge_dim(places[1], 2)
    value = static_value(size)
    height, width = (None, None) if value is None else (int(n) for n in value)
    return (batch, height, width, dims[3])


EXTRACT_GLIMPSE = define(
    "ExtractGlimpse", "input: float32, size: int32, offsets: float32", "glimpse: float32",
    attrs={"centered": True, "normalized": True, "uniform_noise": True, "noise": "uniform"}, static=("size",),
    shape=_glimpsed, kernel=_extract_glimpse, effect=Effect.HOST, gradient=not_differentiable,
)  # fmt: skip


def extract_glimpse(
    input: Any, size: Any, offsets: Any, centered: bool = True, normalized: bool = True, uniform_noise: bool = True,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """A window of ``size`` of each image at its offset ``(y, x)``; noise where the window lies outside.

    Args:
      centered: offsets are those of the window's middle, and 0 is the middle of the image.
      normalized: offsets count images, not pixels.
    """
    return apply(
        EXTRACT_GLIMPSE, input, size, offsets, centered=centered, normalized=normalized, uniform_noise=uniform_noise,
        name=name,
    )  # fmt: skip
