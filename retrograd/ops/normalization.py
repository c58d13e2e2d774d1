"""Normalizing images: by the statistics of each channel over a batch, and by neighbouring channels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import OpDef, define
from retrograd.graph.errors import invalid
from retrograd.graph.shapes import RawShape, merge_dim, shape_text
from retrograd.graph.tensor import Tensor
from retrograd.ops import constants, onednn_arrays, permuting, shape_rules, windows
from retrograd.ops.folding import summed

_HALF_OR_SINGLE = (dtypes.float16, dtypes.bfloat16, dtypes.float32)
_LEAST_EPSILON = 1.001e-5

# -- batch normalization -----------------------------------------------------------------------


def _images(xp: Any, x: Any, data_format: Any) -> Any:
    """With the channels last, in float32."""
    x = windows.channels_last(xp, x, data_format)
    return x.astype(np.float32, copy=False)


def _rows(xp: Any, images: Any) -> Any:
    """One row of channels for each pixel."""
    return xp.reshape(images, (-1, images.shape[-1]))


def _total(xp: Any, rows: Any) -> Any:
    """The sum of all rows; NumPy's is faster as a product, and rounds less, than row by row."""
    return xp.ones(rows.shape[0], rows.dtype) @ rows if xp is np else summed(xp, rows, [0])


def _as_given(xp: Any, rows: Any, images: Any, like: Any, data_format: Any) -> Any:
    """Rows, or images, in the shape of ``images`` and then as ``like`` came."""
    return windows.as_given(xp, xp.reshape(rows, images.shape), data_format).astype(like.dtype, copy=False)


def _normalized(x: Tensor, data_format: Any, is_training: bool, *vectors: Tensor) -> tuple[RawShape, RawShape]:
    """The shapes of images and of channels: the scale and offset (elsewhere also the statistics) agree on these."""
    dims = list(shape_rules.with_rank(x, 4))
    axis = 1 if windows.has_channels_first(data_format) else 3
    for vector in vectors[: 2 if is_training else 4]:
        dims[axis] = merge_dim(dims[axis], shape_rules.with_rank(vector, 1)[0])
    return tuple(dims), (dims[axis],)


def _batch_norm_shape(
    x: Tensor, scale: Tensor, offset: Tensor, mean: Tensor, variance: Tensor, *, data_format: Any, is_training: bool
) -> list[RawShape]:
    images, channels = _normalized(x, data_format, is_training, scale, offset, mean, variance)
    return [images, *[channels] * 4]


def _batch_norm(
    xp: Any, x: Any, scale: Any, offset: Any, mean: Any, variance: Any, *, epsilon: float, data_format: Any,
    is_training: bool,
) -> list[Any]:  # fmt: skip
    """y = (x - m) / sqrt(v + epsilon) * scale + offset, with the m and v of the batch, or those that are given.

    The second output of the variance is over n, the first over n - 1.
    """
    _check_channels(x, data_format, scale, offset, *(() if is_training else (mean, variance)))
    estimate, count = variance, x.size // max(scale.size, 1)
    ratio = np.float32(count / max(count - 1, 1))
    images = _images(xp, x, data_format)
    if xp is np:
        done = onednn_arrays.normalized(images, scale, offset, [] if is_training else [mean, variance], epsilon)
        if done is not None:
            y, mean, variance = done
            estimate = variance * ratio if is_training else variance
            return [_as_given(np, y, images, x, data_format), mean, estimate, mean, variance]
    rows = _rows(xp, images)
    if is_training:
        mean = _total(xp, rows) / np.float32(count)
        variance = _total(xp, xp.square(rows - mean)) / np.float32(count)
        estimate = variance * ratio
    factor = scale / xp.sqrt(variance + np.float32(epsilon))
    y = (rows - mean) * factor + offset
    return [_as_given(xp, y, images, x, data_format), mean, estimate, mean, variance]


def _check_channels(x: Any, data_format: Any, *vectors: Any) -> None:
    channels = windows.of_channels(x.shape, data_format)
    for vector in vectors:
        if vector.shape != (channels,):
            raise invalid(f"Dimensions must be equal, but are {channels} and {vector.shape[0]}")


def _batch_norm_grad_shape(
    dy: Tensor, x: Tensor, scale: Tensor, mean: Tensor, variance: Tensor, *, data_format: Any, is_training: bool
) -> list[RawShape]:
    dims = list(shape_rules.with_rank(dy, 4))
    axis = 1 if windows.has_channels_first(data_format) else 3
    dims[axis] = merge_dim(dims[axis], shape_rules.with_rank(x, 4)[axis])
    for vector in (scale, mean, variance):
        dims[axis] = merge_dim(dims[axis], shape_rules.with_rank(vector, 1)[0])
    channels = (dims[axis],)
    return [tuple(dims), channels, channels, *[(0,) if is_training else channels] * 2]


def _batch_norm_grad(
    xp: Any, dy: Any, x: Any, scale: Any, mean: Any, variance: Any, *, epsilon: float, data_format: Any,
    is_training: bool,
) -> list[Any]:  # fmt: skip
    """dx, dscale and doffset; in training the mean and the variance depend on x.

    With c = x - m and k = 1 / sqrt(v + epsilon):  dscale = k * sum(dy * c),  doffset = sum(dy),
    dx = scale * k * (dy - mean(dy) - k^2 * mean(dy * c) * c), or elsewhere dx = scale * k * dy.
    """
    if dy.shape != x.shape:
        raise invalid(f"x and y_backprop must have same shape, got {shape_text(x.shape)} and {shape_text(dy.shape)}")
    _check_channels(x, data_format, scale, mean, variance)
    unused = xp.zeros(0, np.float32) if is_training else xp.zeros_like(mean)
    slopes, images = _images(xp, dy, data_format), _images(xp, x, data_format)
    if xp is np:
        done = onednn_arrays.normalization_gradients(slopes, images, scale, mean, variance, epsilon, is_training)
        if done is not None:
            return [_as_given(np, done[0], images, x, data_format), *done[1:], unused, unused]
    if not x.size:  # there are no statistics, but nothing moves either
        nothing = xp.zeros(scale.shape, np.float32)
        return [xp.zeros_like(x), nothing, nothing, *[xp.zeros(0, np.float32) if is_training else nothing] * 2]

    def gradients(slopes: Any, rows: Any, scale: Any, mean: Any, variance: Any) -> tuple[Any, Any, Any]:
        centred = rows - mean
        k = 1 / xp.sqrt(variance + np.float32(epsilon))
        doffset, product = _total(xp, slopes), _total(xp, slopes * centred)
        if not is_training:
            return slopes * (scale * k), product * k, doffset
        count = np.float32(slopes.shape[0])
        dx = (slopes - doffset / count - centred * (k * k * product / count)) * (scale * k)
        return dx, product * k, doffset

    if is_training and xp is not np:
        gradients = _with_statistics_of_rows(xp, gradients)
    dx, dscale, doffset = gradients(_rows(xp, slopes), _rows(xp, images), scale, mean, variance)
    return [_as_given(xp, dx, images, x, data_format), dscale, doffset, unused, unused]


def _with_statistics_of_rows(xp: Any, gradients: Callable[..., Any]) -> Callable[..., Any]:
    """``gradients``; where they are differentiated the mean and the variance are functions of the rows."""
    from retrograd.ops.jax_start import jax

    def of_rows(slopes: Any, rows: Any, scale: Any, *_: Any) -> Any:
        mean = rows.mean(0)
        return gradients(slopes, rows, scale, mean, xp.square(rows - mean).mean(0))

    given = jax.custom_jvp(gradients)
    given.defjvp(lambda primals, tangents: jax.jvp(of_rows, primals, tangents))
    return given  # type: ignore[no-any-return]


def _gradient(op: Any, dy: Any, *_: Any) -> list[Any]:
    """The statistics that the op kept serve its gradient; elsewhere those that it was given."""
    x, scale, _, mean, variance = op.inputs
    attrs = {k: op.attrs[k] for k in ("epsilon", "data_format", "is_training")}
    _, _, _, *kept = op.outputs
    record = _GRADIENTS[op.type]
    if attrs["is_training"]:
        return list(apply(record, dy, x, scale, *kept, **attrs))
    first = windows.has_channels_first(attrs["data_format"])
    if first:
        x, dy = permuting.transpose(x, [0, 2, 3, 1]), permuting.transpose(dy, [0, 2, 3, 1])
    attrs["data_format"] = "NHWC"
    dx, dscale, doffset, *_ = apply(record, dy, x, scale, mean, variance, *kept[2:], **attrs)
    return [permuting.transpose(dx, [0, 3, 1, 2]) if first else dx, dscale, doffset, None, None]


_VECTORS = {
    "scale": "1: scale must be 1-dimensional{}", "offset": "1: offset must be 1-dimensional{}",
    "mean": "1: estimated_mean must be 1-dimensional{}", "variance": "1: estimated_variance must be 1-dimensional{}",
    "reserve_space_1": "1: saved mean must be 1-dimensional{}",
    "reserve_space_2": "1: saved variance must be 1-dimensional{}",
}  # fmt: skip
_RANKS = {"y_backprop": "4: input must be 4-dimensional{}", "x": "4: input must be 4-dimensional{}", **_VECTORS}
_RECORD: dict[str, Any] = {
    "attrs": {"epsilon": float(np.float32(1e-4)), "data_format": "NHWC", "is_training": True},
    "choices": {"data_format": windows.IMAGE_FORMATS},
    "ranks": _RANKS,
}
_MIXED = {"T": _HALF_OR_SINGLE, "U": (dtypes.float32,)}
_IN_MIXED = "x: T, scale: U, offset: U, mean: U, variance: U"
_OUT_MIXED = "y: T, batch_mean: U, batch_variance: U, reserve_space_1: U, reserve_space_2: U"
_GRAD_IN = "y_backprop: T, x: T, scale: float32, reserve_space_1: U, reserve_space_2: U"


def _grad_out(first: int, kind: str = "U") -> str:
    names = ("scale_backprop", "offset_backprop", f"reserve_space_{first}", f"reserve_space_{first + 1}")
    return ", ".join(["x_backprop: T", *(f"{name}: {kind}" for name in names)])


FUSED_BATCH_NORM = define(
    "FusedBatchNorm", _IN_MIXED.replace("U", "T"), _OUT_MIXED.replace("U", "T"), types={"T": (dtypes.float32,)},
    shape=_batch_norm_shape, kernel=_batch_norm, gradient=_gradient, **_RECORD,
)  # fmt: skip
FUSED_BATCH_NORM_GRAD = define(
    "FusedBatchNormGrad", "y_backprop: T, x: T, scale: T, reserve_space_1: T, reserve_space_2: T", _grad_out(3, "T"),
    types={"T": (dtypes.float32,)}, shape=_batch_norm_grad_shape, kernel=_batch_norm_grad, **_RECORD,
)  # fmt: skip
FUSED_BATCH_NORM_V2 = define(
    "FusedBatchNormV2", _IN_MIXED, _OUT_MIXED, types=_MIXED, shape=_batch_norm_shape, kernel=_batch_norm,
    gradient=_gradient, **_RECORD,
)  # fmt: skip
FUSED_BATCH_NORM_GRAD_V2 = define(
    "FusedBatchNormGradV2", _GRAD_IN, _grad_out(3), types=_MIXED, shape=_batch_norm_grad_shape,
    kernel=_batch_norm_grad, **_RECORD,
)  # fmt: skip


def _batch_norm_v3_shape(*inputs: Tensor, data_format: Any, is_training: bool) -> list[RawShape]:
    return [*_batch_norm_shape(*inputs, data_format=data_format, is_training=is_training), None]


def _batch_norm_v3(xp: Any, *inputs: Any, epsilon: float, data_format: Any, is_training: bool) -> list[Any]:
    """One more output: room for what some devices keep."""
    outputs = _batch_norm(xp, *inputs, epsilon=epsilon, data_format=data_format, is_training=is_training)
    return [*outputs, xp.zeros((), np.float32)]


def _batch_norm_grad_v3_shape(*inputs: Tensor, data_format: Any, is_training: bool) -> list[RawShape]:
    return _batch_norm_grad_shape(*inputs[:-1], data_format=data_format, is_training=is_training)


def _batch_norm_grad_v3(xp: Any, *inputs: Any, epsilon: float, data_format: Any, is_training: bool) -> list[Any]:
    return _batch_norm_grad(xp, *inputs[:-1], epsilon=epsilon, data_format=data_format, is_training=is_training)


FUSED_BATCH_NORM_V3 = define(
    "FusedBatchNormV3", _IN_MIXED, f"{_OUT_MIXED}, reserve_space_3: U", types=_MIXED, shape=_batch_norm_v3_shape,
    kernel=_batch_norm_v3, gradient=_gradient, **_RECORD,
)  # fmt: skip
FUSED_BATCH_NORM_GRAD_V3 = define(
    "FusedBatchNormGradV3", f"{_GRAD_IN}, reserve_space_3: U", _grad_out(4), types=_MIXED,
    shape=_batch_norm_grad_v3_shape, kernel=_batch_norm_grad_v3, **_RECORD,
)  # fmt: skip
_GRADIENTS: dict[str, OpDef] = {
    "FusedBatchNorm": FUSED_BATCH_NORM_GRAD,
    "FusedBatchNormV2": FUSED_BATCH_NORM_GRAD_V2,
    "FusedBatchNormV3": FUSED_BATCH_NORM_GRAD_V3,
}


def fused_batch_norm(
    x: Any,
    scale: Any,
    offset: Any,
    mean: Any = None,
    variance: Any = None,
    epsilon: float = 0.001,
    data_format: str = "NHWC",
    is_training: bool = True,
    name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Images with each channel normalized, scaled and moved; the mean and the variance of the channels.

    In training these are the batch's own (the variance over n - 1), elsewhere ``mean`` and ``variance``.
    An ``epsilon`` below 1.001e-5 is taken as that.

    Raises:
      ValueError: statistics are given in training, or the shapes do not fit.
    """
    x = as_tensor(x, name="input")
    scale, offset = as_tensor(scale, name="scale"), as_tensor(offset, name="offset")
    if is_training and not (mean is None and variance is None):
        raise ValueError("Both 'mean' and 'variance' must be None if is_training is True.")
    mean = constants.constant([]) if mean is None else mean
    variance = constants.constant([]) if variance is None else variance
    epsilon = max(epsilon, _LEAST_EPSILON)
    y, batch_mean, batch_variance, *_ = apply(
        FUSED_BATCH_NORM_V3, x, scale, offset, mean, variance, epsilon=epsilon, data_format=data_format,
        is_training=is_training, name=name,
    )  # fmt: skip
    return y, batch_mean, batch_variance


# -- by neighbouring channels ------------------------------------------------------------------


_NEAR = 8  # channels to each side that XLA adds up in less time than a product takes


def _neighbours(xp: Any, x: Any, radius: int) -> Any:
    """The sum of each channel and those within ``radius`` of it."""
    channels = x.shape[-1]
    if xp is not np and radius <= _NEAR:
        wide = xp.pad(x, [(0, 0)] * 3 + [(radius, radius)])
        return sum(wide[..., k : k + channels] for k in range(2 * radius + 1))
    place = np.arange(channels)
    near = np.abs(place[:, None] - place) <= radius
    return xp.matmul(x, near.astype(x.dtype))


def _inverse(xp: Any, norm: Any, beta: float) -> Any:
    """norm^-beta, in the forms that TensorFlow takes: powers take several times as long."""
    if beta == 0.5:
        return 1 / xp.sqrt(norm)
    return 1 / norm if beta == 1 else xp.exp(np.float32(-beta) * xp.log(norm))


def _lrn(xp: Any, x: Any, *, depth_radius: int, bias: float, alpha: float, beta: float) -> Any:
    """y = x / (bias + alpha * sum of x^2 over neighbouring channels)^beta."""
    if x.ndim != 4:
        raise invalid("in must be 4-dimensional")
    wide = x.astype(np.float32)
    norm = np.float32(bias) + np.float32(alpha) * _neighbours(xp, xp.square(wide), depth_radius)
    return (wide * _inverse(xp, norm, beta)).astype(x.dtype)


def _lrn_grad(xp: Any, dy: Any, x: Any, y: Any, *, depth_radius: int, bias: float, alpha: float, beta: float) -> Any:
    """With n the base of the power:  dx = dy * n^-beta - 2 * alpha * beta * x * sum of dy * x * n^(-beta - 1)."""
    for value in (dy, x, y):
        shape_rules.check_rank(value, 4, "inputs must be 4-dimensional")
    if not dy.shape == x.shape == y.shape:
        words = "input_grads, input_image, and out_image should have the same shape"
        raise invalid(words)
    wide, slope = x.astype(np.float32), dy.astype(np.float32)
    norm = np.float32(bias) + np.float32(alpha) * _neighbours(xp, xp.square(wide), depth_radius)
    factor = _inverse(xp, norm, beta)
    spread = _neighbours(xp, slope * wide * factor / norm, depth_radius)
    return (slope * factor - np.float32(2 * alpha * beta) * wide * spread).astype(x.dtype)


_NEIGHBOURING: dict[str, Any] = {
    "attrs": {"depth_radius": 5, "bias": 1.0, "alpha": 1.0, "beta": 0.5, "T": dtypes.float32},
    "types": {"T": _HALF_OR_SINGLE},
}
LRN = define(
    "LRN", "input: T", "output: T", shape=lambda x: shape_rules.with_rank(x, 4), kernel=_lrn,
    gradient=lambda op, dy: [
        apply(
            LRN_GRAD, dy, op.inputs[0], op.outputs[0],
            **{k: op.attrs[k] for k in ("depth_radius", "bias", "alpha", "beta")},
        )
    ],
    **_NEIGHBOURING,
)  # fmt: skip
LRN_GRAD: OpDef = define(
    "LRNGrad", "input_grads: T, input_image: T, output_image: T", "output: T", kernel=_lrn_grad,
    shape=lambda dy, x, y: shape_rules.with_rank(x, 4), **_NEIGHBOURING,
)  # fmt: skip


def local_response_normalization(
    input: Any,
    depth_radius: int = 5,
    bias: float = 1,
    alpha: float = 1,
    beta: float = 0.5,
    name: str | None = None,
) -> Tensor:
    """``x / (bias + alpha * s)^beta`` with s the sum of x^2 over the channels within ``depth_radius``."""
    return apply(
        LRN, input, depth_radius=depth_radius, bias=bias, alpha=alpha, beta=beta, name=name
    )  # fmt: skip


lrn = local_response_normalization
