"""Images scaled and moved, each output pixel a sum of input pixels weighted by a kernel: ``ScaleAndTranslate``.

Along one dimension output i stands at ``x = (i + 0.5 - translation) / scale`` among the inputs, the middle of input
j at ``j + 0.5``; its weight is ``kernel(|j + 0.5 - x| / width)``, divided by the sum of the weights.  ``width`` is 1,
and with antialias ``max(1, 1 / scale)``.  An output that stands outside of the image is 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.definition import define
from retrograd.graph.errors import invalid
from retrograd.graph.shapes import RawShape
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import shape_rules

# -- kernels: each a radius and a function of the distance, which is not negative -----------------


def _lanczos(radius: int) -> Callable[[Any, Any], Any]:
    def kernel(xp: Any, x: Any) -> Any:
        y = xp.where(x <= 1e-3, np.float32(1), x) * np.float32(math.pi)
        return xp.where(x <= 1e-3, np.float32(1), radius * xp.sin(y) * xp.sin(y / radius) / (y * y))

    return kernel


def _gaussian(xp: Any, x: Any) -> Any:
    return xp.exp(-x * x / np.float32(0.5))  # the deviation is a third of the radius


def _box(xp: Any, x: Any) -> Any:
    return xp.where(x < 0.5, np.float32(1), xp.where(x == 0.5, np.float32(0.5), np.float32(0)))


def _triangle(xp: Any, x: Any) -> Any:
    return xp.maximum(np.float32(1) - x, np.float32(0))


def _cubic(b: float, c: float) -> Callable[[Any, Any], Any]:
    """Mitchell and Netravali's cubic of ``b`` and ``c``."""
    inner = np.array([12 - 9 * b - 6 * c, -18 + 12 * b + 6 * c, 0, 6 - 2 * b]) / 6
    outer = np.array([-b - 6 * c, 6 * b + 30 * c, -12 * b - 48 * c, 8 * b + 24 * c]) / 6

    def kernel(xp: Any, x: Any) -> Any:
        near, far = (
            ((np.float32(k[0]) * x + np.float32(k[1])) * x + np.float32(k[2])) * x + np.float32(k[3])
            for k in (inner, outer)
        )
        return xp.where(x < 1, near, far)

    return kernel


_KERNELS: dict[str, tuple[float, Callable[[Any, Any], Any]]] = {
    "lanczos1": (1.0, _lanczos(1)),
    "lanczos3": (3.0, _lanczos(3)),
    "lanczos5": (5.0, _lanczos(5)),
    "gaussian": (1.5, _gaussian),
    "box": (1.0, _box),
    "triangle": (1.0, _triangle),
    "keyscubic": (2.0, _cubic(0, 0.5)),
    "mitchellcubic": (2.0, _cubic(1 / 3, 1 / 3)),
}


def _weights(
    xp: Any, kernel_type: Any, antialias: bool, inputs: int, outputs: int, scale: Any, translation: Any
) -> Any:
    """The matrix [outputs, inputs] of one dimension."""
    kind = kernel_type.decode() if isinstance(kernel_type, bytes) else kernel_type
    if kind not in _KERNELS:
        raise invalid(f"Unrecognized kernel type: {kind}")
    radius, kernel = _KERNELS[kind]
    inverse = np.float32(1) / scale
    width = xp.maximum(inverse, np.float32(1)) if antialias else np.float32(1)
    x = (np.arange(outputs, dtype=np.float32) + np.float32(0.5)) * inverse - inverse * translation
    x = x[:, None]
    pixels = np.arange(inputs, dtype=np.float32)[None, :]
    first = xp.ceil(x - radius * width - np.float32(0.5))
    last = xp.floor(x + radius * width - np.float32(0.5))
    distance = xp.abs(pixels + np.float32(0.5) - x) / width
    weights = xp.where((pixels >= first) & (pixels <= last) & (distance < radius), kernel(xp, distance), np.float32(0))
    total = xp.sum(weights, 1, keepdims=True)
    counts = (x >= 0) & (x <= inputs) & (xp.abs(total) >= 1000 * np.finfo(np.float32).tiny)
    return xp.where(counts, weights / xp.where(counts, total, np.float32(1)), np.float32(0)).astype(np.float32)


def _pair(xp: Any, options: dict[str, Any], inputs: Any, outputs: Any, scale: Any, translation: Any) -> tuple[Any, Any]:
    """The matrices of rows and columns."""
    kind, antialias = options["kernel_type"], options["antialias"]
    rows, columns = (
        _weights(xp, kind, antialias, int(inputs[i]), int(outputs[i]), scale[i], translation[i]) for i in (0, 1)
    )
    return rows, columns


def _scaled(xp: Any, images: Any, size: Any, scale: Any, translation: Any, *, kernel_type: Any, antialias: bool) -> Any:
    """``rows @ x @ columns.T`` for each image and channel."""
    height, width = (int(n) for n in np.asarray(size))
    if not images.shape[3]:
        raise invalid("image must have at least one channel")
    if 0 in images.shape[1:3]:
        raise invalid("input image must be of non-zero size")
    if height <= 0 or width <= 0:
        raise invalid(f"output_height = {height}, output_width = {width} must be positive")
    options = {"kernel_type": kernel_type, "antialias": antialias}
    rows, columns = _pair(xp, options, images.shape[1:3], (height, width), scale, translation)
    return xp.einsum("hi,bijc,wj->bhwc", rows, images.astype(np.float32), columns, optimize=True)


def _scaled_back(xp: Any, dy: Any, x: Any, scale: Any, translation: Any, *, kernel_type: Any, antialias: bool) -> Any:
    """``dx = rows.T @ dy @ columns``."""
    options = {"kernel_type": kernel_type, "antialias": antialias}
    rows, columns = _pair(xp, options, x.shape[1:3], dy.shape[1:3], scale, translation)
    return xp.einsum("hi,bhwc,wj->bijc", rows, dy, columns, optimize=True)


def _scaled_shape(images: Tensor, size: Tensor, scale: Tensor, translation: Tensor) -> RawShape:
    dims = shape_rules.with_rank(images, 4)
    for t in (scale, translation):
        length = shape_rules.with_rank(t, 1)[0]
        if length not in (None, 2):
            raise ValueError(f"Dimension must be 2 but is {length}")
    value = static_value(size)
    height, width = (None, None) if value is None else (int(n) for n in value)
    return (dims[0], height, width, dims[3])


def _scaled_gradient(op: Any, dy: Any) -> list[Any]:
    options = {k: op.attrs[k] for k in ("kernel_type", "antialias")}
    x, _, scale, translation = op.inputs
    return [apply(SCALE_AND_TRANSLATE_GRAD, dy, x, scale, translation, **options), None, None, None]


_OPTIONS = {"kernel_type": "lanczos3", "antialias": True}
SCALE_AND_TRANSLATE = define(
    "ScaleAndTranslate", "images: T, size: int32, scale: float32, translation: float32", "resized_images: float32",
    ranks={
        "images": "4: input must be 4-dimensional{}",
        "size": ("1: output_shape_t must be 1-dimensional{}", "[2]: output_shape_t must have two elements{}"),
        "scale": ("1: t must be 1-dimensional{}", "[2]: t must have two elements{}"),
        "translation": ("1: t must be 1-dimensional{}", "[2]: t must have two elements{}"),
    },
    attrs=_OPTIONS, static=("size",), shape=_scaled_shape, kernel=_scaled, gradient=_scaled_gradient,
    types={"T": (
        dtypes.int8, dtypes.uint8, dtypes.int16, dtypes.uint16, dtypes.int32, dtypes.int64, dtypes.bfloat16,
        dtypes.float16, dtypes.float32, dtypes.float64,
    )},
)  # fmt: skip
SCALE_AND_TRANSLATE_GRAD = define(
    "ScaleAndTranslateGrad", "grads: T, original_image: T, scale: float32, translation: float32", "output: T",
    ranks={
        "grads": "4: input_grad must be 4-dimensional{}",
        "original_image": "4: original_image must be 4-dimensional{}",
        "scale": ("1: t must be 1-dimensional{}", "[2]: t must have two elements{}"),
        "translation": ("1: t must be 1-dimensional{}", "[2]: t must have two elements{}"),
    },
    attrs=_OPTIONS, types={"T": (dtypes.float32,)}, shape=lambda dy, x, scale, translation: x.dims, kernel=_scaled_back,
)  # fmt: skip


def scale_and_translate(
    images: Any, size: Any, scale: Any, translation: Any, kernel_type: str = "lanczos3", antialias: bool = True,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """``images`` (batch, height, width, channels) times ``scale``, moved by ``translation``, cut to ``size``.

    Args:
      kernel_type: one of ``lanczos1``, ``lanczos3``, ``lanczos5``, ``gaussian``, ``box``, ``triangle``,
        ``keyscubic`` and ``mitchellcubic``.
      antialias: the kernel covers what becomes one pixel where images become smaller.
    """
    return apply(
        SCALE_AND_TRANSLATE, images, size, scale, translation, kernel_type=kernel_type, antialias=antialias, name=name
    )
