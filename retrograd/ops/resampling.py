"""``Resampler``: images read between their pixels, at points given one by one."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import define, not_differentiable
from retrograd.graph.errors import UnimplementedError, invalid
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape, shape_text
from retrograd.graph.tensor import Tensor
from retrograd.ops.placing import add_at

_FLOATS = (dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64)


def _resampled_shape(data: Tensor, warp: Tensor) -> RawShape:
    if warp.dims is None:
        return None
    return (*warp.dims[:-1], data.dims[3] if data.dims is not None and len(data.dims) == 4 else None)


def _corners(xp: Any, data: Any, warp: Any) -> tuple[list[Any], Any, Any]:
    """Of each point its four pixels (index, whether it is in the image, dx, dy), how near it is to the low ones."""
    height, width = data.shape[1:3]
    x, y = warp.reshape(len(data), -1, 2).transpose(2, 0, 1)
    seen = (x > -1) & (y > -1) & (x < width) & (y < height)
    low_x, low_y = xp.floor(x), xp.floor(y)
    near_x, near_y = low_x + 1 - x, low_y + 1 - y
    batch = np.arange(len(data))[:, None]
    found = []
    for dy in (0, 1):
        for dx in (0, 1):
            column, row = xp.where(seen, low_x, 0).astype(np.int32) + dx, xp.where(seen, low_y, 0).astype(np.int32) + dy
            inside = seen & (column >= 0) & (column < width) & (row >= 0) & (row < height)
            place = (batch, xp.clip(row, 0, height - 1), xp.clip(column, 0, width - 1))
            found.append((place, inside[..., None], dx, dy))
    return found, near_x[..., None], near_y[..., None]


def _check(data: Any, warp: Any, words: str) -> None:
    """Raise unless each image has its points; ``words`` are of images that are none."""
    shown, points = shape_text(data.shape), shape_text(warp.shape)
    if data.ndim != 4:
        words += f"[batch_size, data_height, data_width, data_channels], but is: {shown}"
        raise UnimplementedError(None, None, f"Only bilinear interpolation is {words}")
    if warp.ndim < 2:
        raise invalid(f"warp should be at least a matrix, got shape {points}")
    if warp.shape[-1] != 2:
        raise UnimplementedError(
            None, None,
            "Only bilinear interpolation is supported, warping coordinates must be 2D; warp shape last entry should be "
            f"2, but shape vector is: {points}",
        )  # fmt: skip
    if len(warp) != len(data):
        raise invalid(f"Batch size of data and warp tensor must be the same, but input shapes are: {shown}, {points}")


def _share(near: Any, high: int) -> Any:
    return 1 - near if high else near


def _resample(xp: Any, data: Any, warp: Any) -> Any:
    """The mean of the four pixels around ``(x, y)``, weighted by nearness; pixels outside of the image are 0."""
    _check(data, warp, "currently supported. The input data shape must be ")
    corners, near_x, near_y = _corners(xp, data, warp)
    zero = data.dtype.type(0)
    y = sum(
        _share(near_x, dx) * _share(near_y, dy) * xp.where(inside, data[place], zero)
        for place, inside, dx, dy in corners
    )
    return y.reshape(*warp.shape[:-1], data.shape[3]).astype(data.dtype)


def _resample_gradient(xp: Any, data: Any, warp: Any, dy: Any) -> list[Any]:
    """Each pixel gets its weights' part of ``dy``; a point the slope between the pixels around it."""
    _check(
        data, warp, "supported, the input data tensor must be a batch of 2d data; data shape should have 4 entries "
        "corresponding to ",
    )  # fmt: skip
    wanted = (*warp.shape[:-1], data.shape[3])
    if dy.shape != wanted:
        words = "grad_output shape is not consistent with data and warp shapes; it should be "
        raise invalid(f"{words}{shape_text(wanted)} but is {shape_text(dy.shape)}")
    corners, near_x, near_y = _corners(xp, data, warp)
    dy = dy.reshape(len(data), -1, data.shape[3])
    zero = data.dtype.type(0)
    d_data = xp.zeros(data.shape, data.dtype)
    slopes_x: Any = zero
    slopes_y: Any = zero
    for place, inside, high_x, high_y in corners:
        part_x, part_y = _share(near_x, high_x), _share(near_y, high_y)
        d_data = add_at(xp, d_data, place, xp.where(inside, part_x * part_y * dy, zero))
        pixel = xp.where(inside, data[place], zero) * dy
        slopes_x = slopes_x + (1 if high_x else -1) * part_y * pixel
        slopes_y = slopes_y + (1 if high_y else -1) * part_x * pixel
    d_warp = xp.stack([xp.sum(slopes_x, axis=-1), xp.sum(slopes_y, axis=-1)], axis=-1)
    return [d_data, d_warp.reshape(warp.shape).astype(data.dtype)]


def _gradient(op: Any, dy: Any) -> Any:
    data, warp = op.inputs
    return apply(RESAMPLER_GRAD, data, warp, as_tensor(dy, name="grad_output"))


RESAMPLER = define(
    "Resampler", "data: T, warp: T", "output: T", types={"T": _FLOATS},
    shape=_resampled_shape, kernel=_resample, gradient=_gradient,
)  # fmt: skip

RESAMPLER_GRAD = define(
    "ResamplerGrad", "data: T, warp: T, grad_output: T", "grad_data: T, grad_warp: T", types={"T": _FLOATS},
    shape=lambda data, warp, grad_output: [data.dims, warp.dims],
    kernel=_resample_gradient, gradient=not_differentiable,
)  # fmt: skip


def resampler(data: Any, warp: Any, name: str = "resampler") -> Tensor:
    """``data[b, y, x]`` between its pixels, for each ``(x, y)`` of ``warp[b]``; 0 outside.

    Args:
      data: ``[batch, height, width, channels]``.
      warp: ``[batch, ..., 2]``.

    Returns:
      ``[batch, ..., channels]``.
    """
    with name_scope(name, "resampler", [data, warp]):
        return apply(RESAMPLER, as_tensor(data, name="data"), as_tensor(warp, name="warp"))
