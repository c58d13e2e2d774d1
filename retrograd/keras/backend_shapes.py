"""Ops that change shapes under the names of ``tf.keras.backend``."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.keras.backend_math import cast, prod
from retrograd.keras.backend_state import image_data_format, int_shape, ndim, shape, to_dense
from retrograd.nn.layers.session import batch_get_value as batch_get_value
from retrograd.nn.layers.session import batch_set_value as batch_set_value
from retrograd.nn.layers.session import get_session as get_session
from retrograd.nn.layers.session import manual_variable_initialization as manual_variable_initialization
from retrograd.nn.layers.session import set_session as set_session
from retrograd.nn.layers.session import track_variable as track_variable
from retrograd.ops import (
    arrays,
    constants,
    indexing,
    joining,
    padding,
    permuting,
    repeating,
    resizing,
)
from retrograd.ragged import rows
from retrograd.ragged.tensor import RaggedTensor

# -- shapes -----------------------------------------------------------------------------------------


def concatenate(tensors: Any, axis: int = -1) -> Any:
    """The tensors one after the other along ``axis``; of ragged tensors, a ragged one."""
    if axis < 0:
        rank = ndim(tensors[0])
        axis = axis % rank if rank else 0
    if all(isinstance(x, RaggedTensor) for x in tensors):
        return rows.concat(tensors, axis)
    return joining.concat([to_dense(x) for x in tensors], axis)


def reshape(x: Any, shape: Any) -> Tensor:
    """``x`` in another shape."""
    return arrays.reshape(x, shape)


def permute_dimensions(x: Any, pattern: Any) -> Tensor:
    """``x`` with its dimensions in another order."""
    return permuting.transpose(x, perm=pattern)


def resize_images(
    x: Any, height_factor: int, width_factor: int, data_format: str, interpolation: str = "nearest"
) -> Tensor:
    """Images so many times as high and as wide."""
    first = data_format == "channels_first"
    if not first and data_format != "channels_last":
        raise ValueError("Invalid `data_format` argument: %s" % (data_format,))  # noqa: UP031
    rows, columns = (2, 3) if first else (1, 2)
    known = int_shape(x)
    new_shape = arrays.shape(x)[rows : columns + 1]
    new_shape = new_shape * constants.constant(np.array([height_factor, width_factor], np.int32))
    if first:
        x = permute_dimensions(x, [0, 2, 3, 1])
    methods = {"nearest": resizing.resize_nearest_neighbor, "bilinear": resizing.resize_bilinear}
    if interpolation not in methods:
        raise ValueError('interpolation should be one of "nearest" or "bilinear".')
    with name_scope("resize"):
        x = methods[interpolation](x, new_shape, half_pixel_centers=True)
    if first:
        x = permute_dimensions(x, [0, 3, 1, 2])
    height, width = known[rows], known[columns]
    sides = [None if n is None else n * k for n, k in ((height, height_factor), (width, width_factor))]
    x.set_shape((None, None, *sides) if first else (None, *sides, None))
    return x


def resize_volumes(x: Any, depth_factor: int, height_factor: int, width_factor: int, data_format: str) -> Tensor:
    """Volumes so many times as deep, high and wide.

    Raises:
      ValueError: ``data_format`` is none.
    """
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError(f"Invalid data_format: {data_format}")
    first = data_format == "channels_first"
    axis = 2 if first else 1
    for i, factor in enumerate((depth_factor, height_factor, width_factor)):
        x = repeat_elements(x, factor, axis=axis + i)
    return x


def repeat_elements(x: Any, rep: int, axis: int) -> Tensor:
    """Each slice along ``axis`` so many times."""
    known = x.shape.as_list()
    if known[axis] is not None:
        parts = joining.split(value=x, num_or_size_splits=known[axis], axis=axis)
        return concatenate([part for part in parts for _ in range(rep)], axis)
    return repeating.repeat(x, rep, axis=axis)


def repeat(x: Any, n: int) -> Tensor:
    """Each row ``n`` times, in a new dimension."""
    return repeating.tile(arrays.expand_dims(x, 1), joining.stack([1, n, 1]))


def arange(start: Any, stop: Any = None, step: Any = 1, dtype: str = "int32") -> Tensor:
    """Numbers from ``start`` to ``stop``."""
    if stop is None and start < 0:
        start = 0
    result = constants.range_(start, limit=stop, delta=step, name="arange")
    return result if dtype == "int32" else cast(result, dtype)


def tile(x: Any, n: Any) -> Tensor:
    """``x`` so many times along each dimension."""
    return repeating.tile(x, [n] if isinstance(n, int) else n)


def flatten(x: Any) -> Tensor:
    """``x`` as a vector."""
    return arrays.reshape(x, [-1])


def batch_flatten(x: Any) -> Tensor:
    """Each example as a vector."""
    return arrays.reshape(x, joining.stack([-1, prod(shape(x)[1:])]))


def expand_dims(x: Any, axis: int = -1) -> Tensor:
    """``x`` with a new dimension of 1."""
    return arrays.expand_dims(x, axis)


def squeeze(x: Any, axis: int) -> Tensor:
    """``x`` without a dimension of 1."""
    return arrays.squeeze(x, [axis])


def temporal_padding(x: Any, padding: Any = (1, 1)) -> Tensor:
    """Zeros before and after, in time."""
    return _padded(x, [[0, 0], list(padding), [0, 0]])


def spatial_2d_padding(x: Any, padding: Any = ((1, 1), (1, 1)), data_format: str | None = None) -> Tensor:
    """Zeros around images."""
    sides = [list(p) for p in padding]
    first = (data_format or image_data_format()) == "channels_first"
    return _padded(x, [[0, 0], [0, 0], *sides] if first else [[0, 0], *sides, [0, 0]])


def spatial_3d_padding(x: Any, padding: Any = ((1, 1), (1, 1), (1, 1)), data_format: str | None = None) -> Tensor:
    """Zeros around volumes."""
    return spatial_2d_padding(x, padding, data_format)


def _padded(x: Any, sides: Any) -> Tensor:
    return padding.pad(x, sides)


def stack(x: Any, axis: int = 0) -> Tensor:
    """Tensors as slices of one."""
    return joining.stack(x, axis=axis)


def one_hot(indices: Any, num_classes: int) -> Tensor:
    """1 at the index of each row."""
    return indexing.one_hot(indices, depth=num_classes, axis=-1)


def reverse(x: Any, axes: Any) -> Tensor:
    """``x`` turned round along ``axes``."""
    return permuting.reverse(x, [axes] if isinstance(axes, int) else axes)
