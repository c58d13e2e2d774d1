"""Resizing of images: each output pixel is a weighted mean of input pixels near its place.

Along one dimension, output i stands at ``x = i * scale``, with ``scale = inputs / outputs``,
or ``(inputs - 1) / (outputs - 1)`` if corners are aligned; with half-pixel centers at
``x = (i + 0.5) * scale - 0.5``.  A resize is linear: ``y = rows @ image @ columns.T``, and the
gradient is ``dx = rows.T @ dy @ columns``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.definition import OpDef, define
from retrograd.graph.errors import invalid
from retrograd.graph.shapes import RawShape, shape_text
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, kinds, shape_rules
from retrograd.ops.parallel import slices

_F = np.float32


# -- places along one dimension ----------------------------------------------------------------


def _scale(inputs: int, outputs: int, align_corners: bool) -> np.float32:
    if align_corners and outputs > 1:
        return _F(inputs - 1) / _F(outputs - 1)
    return _F(inputs) / _F(outputs)


def _places(inputs: int, outputs: int, align_corners: bool, half_pixel_centers: bool) -> np.ndarray:
    """Where the outputs stand among the inputs."""
    scale, i = _scale(inputs, outputs, align_corners), np.arange(outputs, dtype=_F)
    return (i + _F(0.5)) * scale - _F(0.5) if half_pixel_centers else i * scale


@lru_cache(64)
def _between(
    inputs: int, outputs: int, align_corners: bool, half_pixel_centers: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each output the inputs below and above its place, and how far it is from the lower."""
    x = _places(inputs, outputs, align_corners, half_pixel_centers)
    below = np.floor(x)
    low = np.maximum(below.astype(np.int64), 0)
    high = np.minimum(np.ceil(x).astype(np.int64), inputs - 1)
    return low, high, x - below


def _nearest(inputs: int, outputs: int, align_corners: bool, half_pixel_centers: bool) -> np.ndarray:
    """For each output the input that it takes."""
    scale, i = _scale(inputs, outputs, align_corners), np.arange(outputs, dtype=_F)
    x = (i + _F(0.5)) * scale if half_pixel_centers else i * scale
    x = np.floor(x + _F(0.5)) if align_corners else np.floor(x)
    return np.clip(x.astype(np.int64), 0, inputs - 1)


# -- weights along one dimension: a matrix [outputs, inputs] ---------------------------------------


def _matrix(inputs: int, places: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Rows of ``weights`` at ``places``: those of one place are added."""
    matrix = np.zeros((len(places), inputs), _F)
    np.add.at(matrix, (np.arange(len(places))[:, None], places), weights.astype(_F))
    return matrix


@lru_cache(64)
def _bilinear_weights(inputs: int, outputs: int, align_corners: bool, half_pixel_centers: bool) -> np.ndarray:
    low, high, part = _between(inputs, outputs, align_corners, half_pixel_centers)
    return _matrix(inputs, np.stack([low, high], 1), np.stack([_F(1) - part, part], 1))


@lru_cache(64)
def _nearest_weights(inputs: int, outputs: int, align_corners: bool, half_pixel_centers: bool) -> np.ndarray:
    near = _nearest(inputs, outputs, align_corners, half_pixel_centers)
    return _matrix(inputs, near[:, None], np.ones((outputs, 1), _F))


_STEPS = 1024  # TensorFlow reads cubic weights from a table with so many rows


def _cubic(x: np.ndarray, a: float) -> np.ndarray:
    """Keys' kernel: ``(a+2)x^3 - (a+3)x^2 + 1`` up to 1, then ``ax^3 - 5ax^2 + 8ax - 4a`` up to 2."""
    x = x.astype(np.float64)
    inner = ((a + 2) * x - (a + 3)) * x * x + 1
    outer = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
    return np.where(x <= 1, inner, outer).astype(_F)


@lru_cache(64)
def _bicubic_weights(inputs: int, outputs: int, align_corners: bool, half_pixel_centers: bool) -> np.ndarray:
    """Four inputs each; with half-pixel centers those outside of the image have no weight."""
    x = _places(inputs, outputs, align_corners, half_pixel_centers)
    below = np.floor(x)
    step = np.rint((x - below) * _F(_STEPS)) / _F(_STEPS)
    distances = np.stack([step + 1, step, 1 - step, 2 - step], 1).astype(_F)
    weights = _cubic(distances, -0.5 if half_pixel_centers else -0.75)
    places = below.astype(np.int64)[:, None] + np.arange(-1, 3)
    inside = np.clip(places, 0, inputs - 1)
    if half_pixel_centers:
        weights = np.where(places == inside, weights, _F(0))
        weights = weights / weights.sum(1, keepdims=True)
    return _matrix(inputs, inside, weights)


@lru_cache(64)
def _area_weights(inputs: int, outputs: int, align_corners: bool) -> np.ndarray:
    """How much of each input lies in the output's stretch ``[i * scale, (i + 1) * scale)``, over its length."""
    scale, i = _scale(inputs, outputs, align_corners), np.arange(outputs, dtype=_F)[:, None]
    start, end = i * scale, (i + 1) * scale
    count = int((np.ceil(end) - np.floor(start)).max())
    pixel = np.floor(start) + np.arange(count, dtype=_F)
    covered = np.minimum(pixel + 1, end) - np.maximum(pixel, start)
    places = np.clip(pixel.astype(np.int64), 0, inputs - 1)
    return _matrix(inputs, places, np.maximum(covered, 0) / scale)


# -- kernels -------------------------------------------------------------------------------------


def _sizes(x: Any, size: Any) -> tuple[int, int]:
    if x.ndim != 4:
        raise invalid(f"input must be 4-dimensional{shape_text(x.shape)}")
    height, width = (int(n) for n in np.asarray(size))
    if 0 in x.shape[1:3]:
        raise invalid("input image must be of non-zero size")
    if not x.shape[3]:
        raise invalid("image must have at least one channel")
    if height <= 0 or width <= 0:
        raise invalid("output dimensions must be positive")
    shape = (x.shape[0], height, width, x.shape[3])
    if math.prod(shape) >= 1 << 63:
        raise invalid(f"Shape [{','.join(map(str, shape))}] would have more than 2**63 - 1 elements")
    if math.prod(shape) >= 1 << 32:
        np.empty(shape, _F)  # a MemoryError, before all else is worked out for a result that has no place
    return height, width


def _weighted(xp: Any, rows: np.ndarray, columns: np.ndarray, x: Any) -> Any:
    """``rows @ x @ columns.T`` for each image and channel of ``x``."""
    x = x.astype(rows.dtype)
    ways = [(_inputs_of_each(matrix), axis) for matrix, axis in ((rows, 1), (columns, 2))]
    if all(len(places) <= (_FEW_INPUTS if xp is np else _FEW_TRACED) for (places, _), _ in ways):
        is_smaller = len(rows) <= x.shape[1]
        ways = ways if is_smaller else ways[::-1]
        if xp is np:
            whole = np.empty((len(x), len(rows), len(columns), x.shape[3]), x.dtype)
            for some in slices(len(x), whole.nbytes // max(len(x), 1)):
                whole[some] = _summed_in_place(x[some], ways)
            return whole
        for way, axis in ways:
            x = _summed(xp, x, *way, axis)
        return x
    y = xp.tensordot(xp.asarray(columns), x, ((1,), (2,)))  # width, batch, height, channels
    y = xp.tensordot(xp.asarray(rows), y, ((1,), (2,)))  # height, width, batch, channels
    return xp.transpose(y, (2, 0, 1, 3))


# inputs of an output: where one has more, a product of matrices takes less
_FEW_INPUTS = 32
_FEW_TRACED = 4  # by XLA


def _inputs_of_each(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(places, weights) of the inputs that each output has: the first of all outputs, then the second."""
    has = matrix != 0
    count = max(1, int(has.sum(1).max(initial=0)))
    if count > _FEW_INPUTS:
        return np.empty((count, 0)), np.empty((count, 0))
    rows, places = np.nonzero(has)
    nth = np.arange(len(rows)) - np.searchsorted(rows, rows)
    found = np.zeros((count, len(matrix)), np.int64), np.zeros((count, len(matrix)), matrix.dtype)
    for to, values in zip(found, (places, matrix[rows, places]), strict=True):
        to[nth, rows] = values
    return found


def _summed(xp: Any, x: Any, places: np.ndarray, weights: np.ndarray, axis: int) -> Any:
    """Along ``axis``, the sum of the inputs of each output times their weights."""
    of_each = weights.reshape(*weights.shape, *[1] * (x.ndim - axis - 1))
    y = xp.take(x, places[0], axis) * of_each[0]
    for place, weight in zip(places[1:], of_each[1:], strict=True):
        y = y + xp.take(x, place, axis) * weight
    return y


def _summed_in_place(x: Any, ways: Any) -> Any:
    """The same along each axis in turn, on few arrays: pixels of a line stand side by side there."""
    for (places, weights), axis in ways:
        batch, height, width, depth = x.shape
        lines = x.reshape(batch, height, width * depth)
        if axis == 1:
            weights = weights[..., None]
        else:
            weights = np.repeat(weights, depth, 1)
            places = (places[..., None] * depth + np.arange(depth)).reshape(len(places), -1)
        y = lines.take(places[0], axis)
        y *= weights[0]
        for place, weight in zip(places[1:], weights[1:], strict=True):
            part = lines.take(place, axis)
            part *= weight
            y += part
        x = y.reshape(batch, -1, width, depth) if axis == 1 else y.reshape(batch, height, -1, depth)
    return x


def _bilinear(xp: Any, x: Any, size: Any, *, align_corners: bool, half_pixel_centers: bool) -> Any:
    """Between the four nearest pixels, first along the width."""
    height, width = _sizes(x, size)
    rows = _between(x.shape[1], height, align_corners, half_pixel_centers)
    if xp is np:
        columns = _between_of_channels(x.shape[2], width, x.shape[3], align_corners, half_pixel_centers)
        return _bilinear_in_place(x, rows, columns).reshape(x.shape[0], height, width, x.shape[3])
    left, right, dx = _between(x.shape[2], width, align_corners, half_pixel_centers)
    if height * width > x.shape[1] * x.shape[2]:
        x = x.astype(_F)  # of a large image fewer pixels are converted once they are chosen

    def along_width(rows: Any) -> Any:
        near = rows[:, :, left].astype(_F)
        return near + (rows[:, :, right].astype(_F) - near) * dx[:, None]

    (top, bottom, dy) = rows
    upper = along_width(x[:, top])
    return upper + (along_width(x[:, bottom]) - upper) * dy[:, None, None]


@lru_cache(64)
def _between_of_channels(inputs: int, outputs: int, channels: int, *options: bool) -> tuple[np.ndarray, ...]:
    """``_between`` for pixels of so many numbers, side by side in a line."""
    left, right, part = _between(inputs, outputs, *options)
    channel = np.arange(channels)
    return (*((i[:, None] * channels + channel).ravel() for i in (left, right)), np.repeat(part, channels))


def _bilinear_in_place(x: np.ndarray, rows: Any, columns: Any) -> np.ndarray:
    """The same on few arrays: lines are chosen before or after the work along the width, where they are fewer."""
    (top, bottom, dy), (left, right, dx) = rows, columns
    is_reduced = 2 * len(top) < x.shape[1]
    x = x.reshape(*x.shape[:2], x.shape[2] * x.shape[3])
    if is_reduced:
        x = x.take(np.concatenate([top, bottom]), 1)
    if 2 * len(left) > x.shape[2]:
        x = x.astype(_F, copy=False)
    near, y = x.take(left, 2).astype(_F, copy=False), x.take(right, 2).astype(_F, copy=False)
    y -= near
    y *= dx
    y += near
    upper, y = (y[:, : len(top)], y[:, len(top) :]) if is_reduced else (y.take(top, 1), y.take(bottom, 1))
    y -= upper
    y *= dy[:, None]
    y += upper
    return y


def _bicubic(xp: Any, x: Any, size: Any, *, align_corners: bool, half_pixel_centers: bool) -> Any:
    height, width = _sizes(x, size)
    rows = _bicubic_weights(x.shape[1], height, align_corners, half_pixel_centers)
    return _weighted(xp, rows, _bicubic_weights(x.shape[2], width, align_corners, half_pixel_centers), x)


def _area(xp: Any, x: Any, size: Any, *, align_corners: bool) -> Any:
    height, width = _sizes(x, size)
    rows = _area_weights(x.shape[1], height, align_corners)
    return _weighted(xp, rows, _area_weights(x.shape[2], width, align_corners), x)


def _nearest_pixels(xp: Any, x: Any, size: Any, *, align_corners: bool, half_pixel_centers: bool) -> Any:
    height, width = _sizes(x, size)
    rows = _nearest(x.shape[1], height, align_corners, half_pixel_centers)
    return x[:, rows][:, :, _nearest(x.shape[2], width, align_corners, half_pixel_centers)]


def _spread(xp: Any, weights: Callable[..., np.ndarray], dy: Any, size: Any, dtype: Any, *options: bool) -> Any:
    """``dx = rows.T @ dy @ columns`` for images of ``size``."""
    if 0 in dy.shape:
        return xp.zeros((dy.shape[0], int(size[0]), int(size[1]), dy.shape[3]), dtype)
    rows = weights(int(size[0]), dy.shape[1], *options).astype(dy.dtype)
    columns = weights(int(size[1]), dy.shape[2], *options).astype(dy.dtype)
    return _weighted(xp, rows.T, columns.T, dy).astype(dtype)


def _bilinear_grad(xp: Any, dy: Any, x: Any, *, align_corners: bool, half_pixel_centers: bool) -> Any:
    return _spread(xp, _bilinear_weights, dy, x.shape[1:3], x.dtype, align_corners, half_pixel_centers)


def _bicubic_grad(xp: Any, dy: Any, x: Any, *, align_corners: bool, half_pixel_centers: bool) -> Any:
    return _spread(xp, _bicubic_weights, dy, x.shape[1:3], x.dtype, align_corners, half_pixel_centers)


def _nearest_grad(xp: Any, dy: Any, size: Any, *, align_corners: bool, half_pixel_centers: bool) -> Any:
    return _spread(xp, _nearest_weights, dy, np.asarray(size), dy.dtype, align_corners, half_pixel_centers)


# -- records -------------------------------------------------------------------------------------


def _resized(x: Tensor, size: Tensor) -> RawShape:
    dims = shape_rules.with_rank(x, 4)
    length = shape_rules.with_rank(size, 1)[0]
    if length not in (None, 2):
        raise ValueError(f"Dimension must be 2 but is {length}")
    value = static_value(size)
    height, width = (None, None) if value is None else (int(n) for n in value)
    return (dims[0], height, width, dims[3])


def _gradient(op: Any, dy: Any) -> list[Any]:
    options = {k: op.attrs[k] for k in ("align_corners", "half_pixel_centers")}
    record = RESIZE_BILINEAR_GRAD if op.type == "ResizeBilinear" else RESIZE_BICUBIC_GRAD
    x = op.inputs[0]
    allowed = record.types["T"]
    return [apply(record, dy, x, **options) if x.dtype.base_dtype in allowed else None, None]


def _nearest_gradient(op: Any, dy: Any) -> list[Any]:
    x = op.inputs[0]
    known = x.dims is not None and None not in x.dims[1:3]
    size = list(x.dims[1:3]) if known else arrays.shape(x)[1:3]
    options = {k: op.attrs[k] for k in ("align_corners", "half_pixel_centers")}
    return [apply(RESIZE_NEAREST_GRAD, dy, size, **options), None]


_PIXELS = (
    dtypes.int8, dtypes.uint8, dtypes.int16, dtypes.uint16, dtypes.int32, dtypes.int64, dtypes.float16,
    dtypes.float32, dtypes.float64,
)  # fmt: skip
_SIZE = {"size": ("1: shape_t must be 1-dimensional{}", "[2]: shape_t must have two elements{}")}
_SLOPES = {
    "grads": "4: input_grad must be 4-dimensional{}", "original_image": "4: original_image must be 4-dimensional{}",
}  # fmt: skip
_OPTIONS = {"align_corners": False, "half_pixel_centers": False}
RESIZE_BILINEAR = define(
    "ResizeBilinear", "images: T, size: int32", "resized_images: float32", attrs=_OPTIONS,
    types={"T": (*_PIXELS[:6], dtypes.bfloat16, *_PIXELS[6:])}, static=("size",), ranks=_SIZE,
    shape=_resized, kernel=_bilinear, gradient=_gradient,
)  # fmt: skip
RESIZE_BICUBIC = define(
    "ResizeBicubic", "images: T, size: int32", "resized_images: float32", attrs=_OPTIONS, types={"T": _PIXELS},
    static=("size",), ranks=_SIZE, shape=_resized, kernel=_bicubic, gradient=_gradient,
)  # fmt: skip
RESIZE_NEAREST = define(
    "ResizeNearestNeighbor", "images: T, size: int32", "resized_images: T", attrs=_OPTIONS, types={"T": _PIXELS},
    static=("size",), ranks=_SIZE, shape=_resized, kernel=_nearest_pixels, gradient=_nearest_gradient,
)  # fmt: skip
RESIZE_AREA = define(
    "ResizeArea", "images: T, size: int32", "resized_images: float32", attrs={"align_corners": False},
    types={"T": _PIXELS}, static=("size",), ranks=_SIZE, shape=_resized, kernel=_area,
)  # fmt: skip
RESIZE_BILINEAR_GRAD: OpDef = define(
    "ResizeBilinearGrad", "grads: float32, original_image: T", "output: T", attrs=_OPTIONS,
    types={"T": (dtypes.float32, dtypes.bfloat16, dtypes.float16, dtypes.float64)},
    ranks=_SLOPES,
    shape=lambda dy, x: x.dims,
    kernel=_bilinear_grad,
)  # fmt: skip
RESIZE_BICUBIC_GRAD: OpDef = define(
    "ResizeBicubicGrad", "grads: float32, original_image: T", "output: T", attrs=_OPTIONS,
    types={"T": kinds.PRECISE}, ranks=_SLOPES,
    shape=lambda dy, x: x.dims, kernel=_bicubic_grad,
)  # fmt: skip
RESIZE_NEAREST_GRAD: OpDef = define(
    "ResizeNearestNeighborGrad", "grads: T, size: int32", "output: T", attrs=_OPTIONS,
    types={"T": (dtypes.uint8, dtypes.int8, dtypes.int32, dtypes.float16, dtypes.float32, dtypes.float64)},
    static=("size",), ranks={"grads": "4: input must be 4-dimensional{}", **_SIZE},
    shape=_resized, kernel=_nearest_grad,
)  # fmt: skip


def resize_bilinear(
    images: Any, size: Any, align_corners: bool = False, name: str | None = None, half_pixel_centers: bool = False
) -> Tensor:
    """``images`` (batch, height, width, channels) at ``size``, between the four nearest pixels, as float32."""
    return apply(
        RESIZE_BILINEAR, images, size, align_corners=align_corners, half_pixel_centers=half_pixel_centers, name=name
    )


def resize_bicubic(
    images: Any, size: Any, align_corners: bool = False, name: str | None = None, half_pixel_centers: bool = False
) -> Tensor:
    """``images`` at ``size``, by cubic weights of the sixteen nearest pixels, as float32."""
    return apply(
        RESIZE_BICUBIC, images, size, align_corners=align_corners, half_pixel_centers=half_pixel_centers, name=name
    )


def resize_nearest_neighbor(
    images: Any, size: Any, align_corners: bool = False, name: str | None = None, half_pixel_centers: bool = False
) -> Tensor:
    """``images`` at ``size``, each pixel that of the nearest place."""
    return apply(
        RESIZE_NEAREST, images, size, align_corners=align_corners, half_pixel_centers=half_pixel_centers, name=name
    )


def resize_area(images: Any, size: Any, align_corners: bool = False, name: str | None = None) -> Tensor:
    """``images`` at ``size``, each pixel the mean of what it covers, as float32."""
    return apply(RESIZE_AREA, images, size, align_corners=align_corners, name=name)
