"""Where the dimensions of images stand in another layout: ``NHWC`` as ``NCHW``."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import errors, shapes
from retrograd.graph.apply import apply
from retrograd.graph.definition import define, not_differentiable
from retrograd.graph.dtypes import int32
from retrograd.graph.tensor import Tensor
from retrograd.graph.text import as_text
from retrograd.ops import kinds, shape_rules


def _layouts(src_format: Any, dst_format: Any) -> tuple[str, str]:
    found = as_text(src_format), as_text(dst_format)
    for what, name, layout in zip(("Source", "Destination"), ("src_format", "dst_format"), found, strict=True):
        if len(layout) not in (4, 5):
            raise errors.InvalidArgumentError(
                None, None, f"{what} format must be of length 4 or 5, received {name} = {layout}"
            )
    if not len(set(found[0])) == len(found[0]) == len(found[1]) or set(found[0]) != set(found[1]):
        raise errors.InvalidArgumentError(
            None, None, f"Destination and source format must determine a permutation, got {found[0]} and {found[1]}"
        )
    return found


def _axis_in_other_layout(xp: Any, x: Any, *, src_format: Any, dst_format: Any) -> Any:
    """y = the place in ``dst_format`` of the dimension that is ``x``-th in ``src_format``."""
    source, target = _layouts(src_format, dst_format)
    places = np.array([target.index(letter) for letter in source], x.dtype)
    return xp.take(places, x % len(source)).astype(x.dtype)


DATA_FORMAT_DIM_MAP = define(
    "DataFormatDimMap", "x: T", "y: T", attrs={"src_format": b"NHWC", "dst_format": b"NCHW", "T": int32},
    types={"T": kinds.INDEX}, shape=shape_rules.same, kernel=_axis_in_other_layout, gradient=not_differentiable,
)  # fmt: skip


def data_format_dim_map(x: Any, src_format: str = "NHWC", dst_format: str = "NCHW", name: str | None = None) -> Tensor:
    """The place in ``dst_format`` of each dimension ``x`` of ``src_format``."""
    return apply(DATA_FORMAT_DIM_MAP, x, src_format=src_format, dst_format=dst_format, name=name)


def _permuted(xp: Any, x: Any, *, src_format: Any, dst_format: Any) -> Any:
    """y[i] = x[j] where dimension i of ``dst_format`` is dimension j of ``src_format``."""
    source, target = _layouts(src_format, dst_format)
    dims = shapes.shape_text(np.shape(x))
    if np.ndim(x) not in (1, 2):
        raise errors.InvalidArgumentError(None, None, f"input must be a vector or 2D tensor, but got shape {dims}")
    if np.shape(x)[0] != len(source):
        what = "1D input" if np.ndim(x) == 1 else "First dimension of 2D input"
        raise errors.InvalidArgumentError(None, None, f"{what} must be of size {len(source)}, but got shape {dims}")
    if np.ndim(x) == 2 and np.shape(x)[1] != 2:
        raise errors.InvalidArgumentError(
            None, None, f"Second dimension of 2D input must be of size 2, but got shape {dims}"
        )
    return x[np.array([source.index(letter) for letter in target])]


DATA_FORMAT_VEC_PERMUTE = define(
    "DataFormatVecPermute", "x: T", "y: T", attrs={"src_format": b"NHWC", "dst_format": b"NCHW", "T": int32},
    types={"T": kinds.INDEX}, shape=shape_rules.same, kernel=_permuted, gradient=not_differentiable,
)  # fmt: skip


def data_format_vec_permute(
    x: Any, src_format: str = "NHWC", dst_format: str = "NCHW", name: str | None = None
) -> Tensor:
    """``x``, one number or pair per dimension in the order of ``src_format``, in that of ``dst_format``."""
    return apply(DATA_FORMAT_VEC_PERMUTE, x, src_format=src_format, dst_format=dst_format, name=name)
