"""Patches: what each window over images or volumes sees, as the channels of one pixel.

y[n, i, j, (di, dj, c)] = x[n, i * s + di * r, j * s + dj * r, c], and 0 where that is outside of the image.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, define
from retrograd.graph.deprecation import deprecated_argument_lookup
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.graph.text import as_text
from retrograd.ops import kinds, shape_rules, windows
from retrograd.ops.windows import Windows


def _seen_shape(x: Tensor, ksizes: Any, strides: Any, rates: Any, padding: Any) -> RawShape:
    rank = len(ksizes)
    dims = shape_rules.with_rank(x, rank)
    count = int(np.prod(ksizes[1:-1]))
    channels = None if dims[-1] is None else dims[-1] * count
    counts = windows.windowed(dims[1:-1], ksizes[1:-1], strides[1:-1], padding, rates[1:-1])
    return (dims[0], *counts, channels)


def _seen(xp: Any, x: Any, ksizes: Any, strides: Any, rates: Any, padding: Any) -> Any:
    if any(v[0] != 1 or v[-1] != 1 for v in (ksizes, strides, rates)):
        raise InvalidArgumentError(
            None, None, "Current implementation does not support patches in the batch or the depth dimension."
        )
    slid = Windows.over(x.shape[1:-1], ksizes[1:-1], strides[1:-1], as_text(padding), rates[1:-1])
    inner = slid.padded(xp, x, x.dtype.type(0))
    return xp.concatenate([inner[slid.seen(offset)] for offset in slid.offsets()], axis=-1)


_RECORD: dict[str, Any] = {"choices": {"padding": windows.SAME_OR_VALID}, "types": {"T": kinds.REAL}}
IMAGE_PATCHES = define(
    "ExtractImagePatches", "images: T", "patches: T",
    attrs={"ksizes": REQUIRED, "strides": REQUIRED, "rates": REQUIRED, "padding": REQUIRED},
    lengths={"ksizes": 4, "strides": 4, "rates": 4},
    ranks={"images": "4: input must be 4-dimensional{}"},
    shape=lambda x, *, ksizes, strides, rates, padding: _seen_shape(x, ksizes, strides, rates, padding),
    kernel=lambda xp, x, *, ksizes, strides, rates, padding: _seen(xp, x, ksizes, strides, rates, padding), **_RECORD,
)  # fmt: skip
VOLUME_PATCHES = define(
    "ExtractVolumePatches", "input: T", "patches: T",
    attrs={"ksizes": REQUIRED, "strides": REQUIRED, "padding": REQUIRED}, lengths={"ksizes": 5, "strides": 5},
    ranks={"input": "5: input must be 5-dimensional{}"},
    shape=lambda x, *, ksizes, strides, padding: _seen_shape(x, ksizes, strides, [1] * 5, padding),
    kernel=lambda xp, x, *, ksizes, strides, padding: _seen(xp, x, ksizes, strides, [1] * 5, padding), **_RECORD,
)  # fmt: skip


def extract_image_patches(
    images: Any,
    ksizes: Any = None,
    strides: Any = None,
    rates: Any = None,
    padding: Any = None,
    name: str | None = None,
    sizes: Any = None,
) -> Tensor:
    """What windows of ``ksizes`` over images see, with every ``rates``-th pixel, as channels.

    Raises:
      ValueError: the images have not 4 dimensions.
    """
    ksizes = deprecated_argument_lookup("sizes", sizes, "ksizes", ksizes)
    return apply(IMAGE_PATCHES, images, ksizes=ksizes, strides=strides, rates=rates, padding=padding, name=name)


def extract_patches(images: Any, sizes: Any, strides: Any, rates: Any, padding: Any, name: str | None = None) -> Tensor:
    """The same as ``extract_image_patches``."""
    return apply(IMAGE_PATCHES, images, ksizes=sizes, strides=strides, rates=rates, padding=padding, name=name)


def extract_volume_patches(
    input: Any, ksizes: Any, strides: Any, padding: Any, name: str | None = None
) -> Tensor:  # fmt: skip
    """What windows of ``ksizes`` over volumes see, as channels."""
    return apply(VOLUME_PATCHES, input, ksizes=ksizes, strides=strides, padding=padding, name=name)
