"""The largest element of each window.

Of equal elements the first in row-major order counts, and takes the gradient.  The search goes along
one axis after the other, the last first: the first row that holds the maximum, and in it the first place.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from math import prod
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply, apply_named
from retrograd.graph.definition import REQUIRED, OpDef, define
from retrograd.graph.deprecation import deprecated_argument_lookup
from retrograd.graph.errors import UnimplementedError, invalid
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape, shape_text
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, constants, kinds, onednn_arrays, shape_rules, windows
from retrograd.ops.apart import apart
from retrograd.ops.pooling import Pool, along, attributes, attrs_of, by_images, gathered, pooled, reduced, sides
from retrograd.ops.requirements import require
from retrograd.ops.windows import Axis, Windows, collected

_POOLED = (
    dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64, dtypes.uint8,
    dtypes.int16, dtypes.int8, dtypes.uint16, dtypes.qint8,
)  # fmt: skip
_VOLUMES = (dtypes.float16, dtypes.bfloat16, dtypes.float32)

# -- kernels -----------------------------------------------------------------------------------


def _lowest(dtype: Any) -> Any:
    return np.iinfo(dtype).min if dtype.kind in "iu" else dtype.type(-np.inf)


def _pool(shape: Any, ksize: Any, strides: Any, padding: Any, data_format: Any) -> Pool:
    """The windows of an op that looks for maxima.

    Raises:
      UnimplementedError: they span channels in another way than TensorFlow's do.
    """
    pool = Pool(shape, ksize, strides, padding, data_format)
    if pool.spans_channels:
        depth, window = windows.of_channels(shape, data_format), windows.of_channels(ksize, data_format)
        wrong = ""
        if any(n != 1 for n in windows.spatial(ksize, data_format)):
            wrong = "MaxPooling supports exactly one of pooling across depth or pooling across width/height."
        elif depth % window:
            wrong = "Depthwise max pooling requires the depth window to evenly divide the input depth"
        elif window != windows.of_channels(strides, data_format):
            wrong = "Depthwise max pooling requires the depth window to equal the depth stride"
        if wrong:
            raise UnimplementedError(None, None, wrong)
    return pool


def _max(xp: Any, x: Any, *, ksize: Any, strides: Any, padding: Any, data_format: Any) -> Any:
    """y = the largest of what a window sees; nan is passed over."""
    pool = _pool(x.shape, ksize, strides, padding, data_format)
    larger = xp.maximum if x.dtype.kind in "iu" else xp.fmax

    def of_images(images: Any) -> Any:
        return reduced(xp, larger, pool.windows.padded(xp, images, _lowest(x.dtype)), pool.windows)

    return pool.given(xp, by_images(xp, of_images, pool.inside(xp, x)))


def _comparable(xp: Any, x: Any) -> Any:
    """``x`` with nan as the lowest number: a maximum passes over it."""
    return x if x.dtype.kind in "iu" else xp.fmax(x, _lowest(x.dtype))


def _first(xp: Any, x: Any, axis: int, a: Axis) -> tuple[Any, Any]:
    """The largest element of each window along one axis, and its first place in the window."""
    best = x[along(axis, a.seen(0))]
    place = xp.zeros(best.shape, np.min_scalar_type(a.window))
    for k in range(1, a.window):
        here = x[along(axis, a.seen(k))]
        place = xp.maximum(place, (here > best) * place.dtype.type(k))
        best = xp.maximum(here, best)
    return best, place


def _sent(xp: Any, x: Any, dy: Any, slid: Windows, axis: int) -> Any:
    """A padded array with each element of ``dy`` added at the place of the maximum of its window."""
    if not axis:
        return dy
    a = slid.axes[axis - 1]
    best, place = _first(xp, x, axis, a)
    dy = _sent(xp, best, dy, slid, axis - 1)
    return gathered(xp, [_where(xp, place == k, dy) for k in range(a.window)], axis, slid)


def _where(xp: Any, mask: Any, dy: Any) -> Any:
    """dy where the mask is true, else 0; with NumPy a product is several times as fast where it gives the same."""
    return dy * mask if xp is np and np.isfinite(dy).all() else xp.where(mask, dy, dy.dtype.type(0))


def _sent_by_phases(xp: Any, x: Any, dy: Any, slid: Windows) -> Any:
    """dx for XLA: one search for the number of the first maximum of each window, then a choice for each element.

    Without the barrier XLA pads for each reader; tiles have one.  Where the place does not stand apart, XLA searches
    for each element again, and computes what stands before the pooling for each place that it looks at.
    """
    from retrograd.ops.jax_start import lax

    inner = slid.padded(xp, _comparable(xp, x), _lowest(x.dtype))
    inner = inner if slid.are_tiles else lax.optimization_barrier(inner)
    best = inner[slid.seen((0,) * len(slid.axes))]
    place = xp.zeros(best.shape, np.uint8)
    for k in slid.offsets():
        here = inner[slid.seen(k)]
        place = xp.where(here > best, np.uint8(_number(k, slid)), place)
        best = xp.maximum(here, best)
    place = apart(place)

    def share(k: tuple[Any, ...], place: Any, dy: Any) -> Any:
        return xp.where(place == np.uint8(_number(k, slid)), dy, dy.dtype.type(0))

    return collected(xp, share, slid, (place, dy), x.shape, dy.dtype)


def _number(k: tuple[Any, ...], slid: Windows) -> Any:
    """How many elements of a window stand before its element ``k``, in row-major order."""
    return reduce(lambda number, at: number * at[1].window + at[0], zip(k, slid.axes, strict=True), 0)


def _picked(xp: Any, x: Any, values: Any, slid: Windows, axis: int) -> Any:
    """The elements of ``values`` at the places of the maxima of ``x``; both are padded."""
    if not axis:
        return values
    a = slid.axes[axis - 1]
    best, place = _first(xp, x, axis, a)
    picked = values[along(axis, a.seen(0))]
    for k in range(1, a.window):
        picked = xp.where(place == k, values[along(axis, a.seen(k))], picked)
    return _picked(xp, best, picked, slid, axis - 1)


def _max_gradient(xp: Any, x: Any, y: Any, dy: Any, *, ksize: Any, strides: Any, padding: Any, data_format: Any) -> Any:
    """dx = the sum of dy over the windows whose first maximum an element is."""
    pool = _pool(x.shape, ksize, strides, padding, data_format)
    pool.check_outputs(dy)
    slid = pool.windows
    if xp is not np and slid.are_small:
        return pool.given(xp, _sent_by_phases(xp, pool.inside(xp, x), pool.inside(xp, dy), slid))

    def of_images(images: Any, part: Any) -> Any:
        images = slid.padded(xp, _comparable(xp, images), _lowest(x.dtype))
        return slid.cropped(_sent(xp, images, part, slid, len(slid.axes)))

    images, part = pool.inside(xp, x), pool.inside(xp, dy)
    dx = onednn_arrays.max_gradient(images, part, slid) if xp is np else None
    return pool.given(xp, by_images(xp, of_images, images, part) if dx is None else dx)


def _max_gradient_gradient(
    xp: Any, x: Any, y: Any, d: Any, *, ksize: Any, strides: Any, padding: Any, data_format: Any
) -> Any:
    """The elements of d at the first maximum of each window of x."""
    pool = _pool(x.shape, ksize, strides, padding, data_format)
    pool.check_outputs(y)
    if d.shape != x.shape:
        raise invalid(f"Expected grad shape to be {shape_text(x.shape)}, but got {shape_text(d.shape)}")
    slid = pool.windows

    def of_images(images: Any, part: Any) -> Any:
        images = slid.padded(xp, _comparable(xp, images), _lowest(x.dtype))
        return _picked(xp, images, slid.padded(xp, part), slid, len(slid.axes))

    return pool.given(xp, by_images(xp, of_images, pool.inside(xp, x), pool.inside(xp, d)))


# -- records -----------------------------------------------------------------------------------


def _ranks(rank: int, grad: str = "out_backprop") -> dict[str, str]:
    """What the ops of gradients say of inputs of other ranks."""
    named = {"orig_input": "tensor_in", "orig_output": "tensor_out", "grad": grad}
    return {argument: f"{rank}: {name} must be {rank}-dimensional" for argument, name in named.items()}


def _zeros_of(x: Tensor) -> Tensor:
    return constants.zeros(arrays.shape(x), dtype=x.dtype)


def _gradient(op: Any, dy: Any) -> list[Any]:
    return [apply(_BACKWARD[op.type], op.inputs[0], op.outputs[0], dy, **attrs_of(op))]


def _gradient_of_gradient(op: Any, d: Any) -> list[Any]:
    """Linear in dy alone: a small change of the input moves no maximum."""
    x, y = op.inputs[:2]
    return [_zeros_of(x), _zeros_of(y), apply(_BACKWARD[op.type], x, y, d, **attrs_of(op))]


def _images(types: Any, *formats: str) -> dict[str, Any]:
    record = attributes(4)
    choices = {**record["choices"], "data_format": (*windows.IMAGE_FORMATS, *formats)}
    return {**record, "attrs": {**record["attrs"], "T": dtypes.float32}, "choices": choices, "types": {"T": types}}


MAX_POOL = define(
    "MaxPool", "input: T", "output: T", shape=pooled, kernel=_max, gradient=_gradient,
    **_images(_POOLED, "NCHW_VECT_C"),
)  # fmt: skip
MAX_POOL_GRAD = define(
    "MaxPoolGrad", "orig_input: T, orig_output: T, grad: T", "output: T", kernel=_max_gradient,
    shape=lambda x, y, dy: shape_rules.with_rank(x, 4), gradient=_gradient_of_gradient, ranks=_ranks(4),
    **_images(kinds.REAL),
)  # fmt: skip
MAX_POOL_GRAD_GRAD = define(
    "MaxPoolGradGrad", "orig_input: T, orig_output: T, grad: T", "output: T", kernel=_max_gradient_gradient,
    shape=lambda x, y, d: shape_rules.with_rank(y, 4), gradient=_gradient_of_gradient, types={"T": kinds.REAL},
    ranks=_ranks(4, "out_grad_backprop"), **attributes(4),
)  # fmt: skip


# -- volumes -----------------------------------------------------------------------------------


def _volume_gradient(
    xp: Any, x: Any, y: Any, dy: Any, *, ksize: Any, strides: Any, padding: Any, data_format: Any
) -> Any:
    """dx = the sum of dy over the windows whose maximum y the element equals: here equal elements all take it."""
    pool = Pool(x.shape, ksize, strides, padding, data_format)
    pool.check_outputs(y, dy)
    slid = pool.windows
    x, y, dy = (pool.inside(xp, v) for v in (x, y, dy))
    inner = slid.padded(xp, x, _lowest(x.dtype))
    dx = xp.zeros(inner.shape, dy.dtype)
    for offset in slid.offsets():
        dx = slid.added(xp, dx, offset, xp.where(inner[slid.seen(offset)] == y, dy, dy.dtype.type(0)))
    return pool.given(xp, slid.cropped(dx))


MAX_POOL_3D = define(
    "MaxPool3D", "input: T", "output: T", types={"T": _VOLUMES}, shape=pooled, kernel=_max, gradient=_gradient,
    ranks={"input": "5: tensor_in must be 5-dimensional"}, **attributes(5),
)  # fmt: skip
MAX_POOL_3D_GRAD = define(
    "MaxPool3DGrad", "orig_input: TInput, orig_output: TInput, grad: T", "output: T", kernel=_volume_gradient,
    types={"T": _VOLUMES, "TInput": _VOLUMES}, shape=lambda x, y, dy: shape_rules.with_rank(x, 5),
    gradient=_gradient_of_gradient, ranks=_ranks(5),
    **{**attributes(5), "attrs": {**attributes(5)["attrs"], "T": dtypes.float32, "TInput": dtypes.float32}},
)  # fmt: skip
MAX_POOL_3D_GRAD_GRAD = define(
    "MaxPool3DGradGrad", "orig_input: T, orig_output: T, grad: T", "output: T", kernel=_max_gradient_gradient,
    types={"T": kinds.REAL}, shape=lambda x, y, d: shape_rules.with_rank(y, 5), gradient=_gradient_of_gradient,
    ranks=_ranks(5, "out_grad_backprop"), **attributes(5),
)  # fmt: skip


# -- sizes as tensors --------------------------------------------------------------------------


def _with_sizes(function: Callable[..., Any]) -> Callable[..., Any]:
    """``function`` where the windows and strides come as the last two inputs."""

    def sized(*inputs: Any, padding: Any, data_format: Any) -> Any:
        ksize, strides = (np.ravel(v).tolist() for v in inputs[-2:])
        for what, sizes in (("ksize", ksize), ("stride" if len(inputs) == 4 else "strides", strides)):
            if np.ndim(inputs[-2 if sizes is ksize else -1]) == 0 or len(sizes) != 4:
                raise invalid(f"Sliding window {what} field must specify 4 dimensions")
        return function(*inputs[:-2], ksize=ksize, strides=strides, padding=padding, data_format=data_format)

    return sized


def _pooled_by_tensors(x: Tensor, ksize: Tensor, strides: Tensor, *, padding: Any) -> RawShape:
    shape_rules.with_rank(x, 4)
    known = [static_value(t) for t in (ksize, strides)]
    if any(v is None for v in known):
        return (None,) * 4
    return pooled(x, ksize=known[0].tolist(), strides=known[1].tolist(), padding=padding)  # type: ignore[union-attr]


def _by_tensors(types: Any) -> dict[str, Any]:
    record = _images(types)
    attrs = {k: v for k, v in record["attrs"].items() if k not in ("ksize", "strides")}
    return {"attrs": attrs, "types": record["types"], "choices": record["choices"], "static": ("ksize", "strides")}


def _gradient_by_tensors(op: Any, dy: Any) -> list[Any]:
    x, *sizes = op.inputs
    return [apply(_BACKWARD[op.type], x, op.outputs[0], dy, *sizes, **attrs_of(op)), None, None]


def _gradient_of_gradient_by_tensors(op: Any, d: Any) -> list[Any]:
    x, y, _, *sizes = op.inputs
    return [_zeros_of(x), _zeros_of(y), apply(_BACKWARD[op.type], x, y, d, *sizes, **attrs_of(op)), None, None]


_GRAD_INPUTS = "orig_input: T, orig_output: T, grad: T, ksize: int32, strides: int32"
MAX_POOL_V2 = define(
    "MaxPoolV2", "input: T, ksize: int32, strides: int32", "output: T", shape=_pooled_by_tensors,
    kernel=_with_sizes(_max), gradient=_gradient_by_tensors, **_by_tensors(_POOLED),
)  # fmt: skip
MAX_POOL_GRAD_V2 = define(
    "MaxPoolGradV2", _GRAD_INPUTS, "output: T", shape=lambda x, *rest: shape_rules.with_rank(x, 4),
    kernel=_with_sizes(_max_gradient), gradient=_gradient_of_gradient_by_tensors, ranks=_ranks(4),
    **_by_tensors(kinds.REAL),
)  # fmt: skip
MAX_POOL_GRAD_GRAD_V2 = define(
    "MaxPoolGradGradV2", _GRAD_INPUTS, "output: T", shape=lambda x, y, *rest: shape_rules.with_rank(y, 4),
    kernel=_with_sizes(_max_gradient_gradient), gradient=_gradient_of_gradient_by_tensors,
    ranks=_ranks(4, "out_grad_backprop"),
    **_by_tensors(kinds.REAL),
)  # fmt: skip

_BACKWARD = {  # of each op, the op of its gradient
    "MaxPool": MAX_POOL_GRAD,
    "MaxPoolGrad": MAX_POOL_GRAD_GRAD,
    "MaxPoolGradGrad": MAX_POOL_GRAD,
    "MaxPool3D": MAX_POOL_3D_GRAD,
    "MaxPool3DGrad": MAX_POOL_3D_GRAD_GRAD,
    "MaxPool3DGradGrad": MAX_POOL_3D_GRAD,
    "MaxPoolV2": MAX_POOL_GRAD_V2,
    "MaxPoolGradV2": MAX_POOL_GRAD_GRAD_V2,
    "MaxPoolGradGradV2": MAX_POOL_GRAD_V2,
}


# -- places of the maxima ----------------------------------------------------------------------


def _max_and_place(
    xp: Any, x: Any, *, ksize: Any, strides: Any, padding: Any, include_batch_in_index: bool, Targmax: Any
) -> list[Any]:
    """The first maximum of each window, and where it lies in its image (or in the batch), counted through."""
    pool = Pool(x.shape, ksize, strides, padding, "NHWC")
    if pool.spans_channels:
        raise UnimplementedError(None, None, "Pooling is not yet supported on the depth dimension.")
    slid = pool.windows
    shape = x.shape if include_batch_in_index else (1, *x.shape[1:])
    places = np.broadcast_to(np.arange(np.prod(shape), dtype=np.int64).reshape(shape), x.shape)
    inner = slid.padded(xp, _comparable(xp, x), _lowest(x.dtype))
    y = _picked(xp, inner, slid.padded(xp, x, _lowest(x.dtype)), slid, len(slid.axes))
    argmax = _picked(xp, inner, slid.padded(xp, xp.asarray(places), -1), slid, len(slid.axes))
    return [xp.asarray(y), argmax.astype(Targmax.np)]


def _rows_of(argmax: Any, x_shape: Any, include_batch_in_index: bool) -> Any:
    """Places counted through the whole batch."""
    if include_batch_in_index:
        return argmax
    return argmax + (np.arange(x_shape[0]) * int(np.prod(x_shape[1:]))).reshape(-1, 1, 1, 1)


def _check_places(
    xp: Any, x: Any, values: tuple[Any, ...], argmax: Any, ksize: Any, strides: Any, padding: Any, with_batch: bool
) -> None:
    Pool(x.shape, ksize, strides, padding, "NHWC").check_outputs(argmax, *values)
    size = prod(x.shape if with_batch else x.shape[1:])
    if xp is not np:
        require((argmax >= 0) & (argmax < size))
    elif argmax.size and not 0 <= argmax.min() <= argmax.max() < size:
        raise invalid(f"argmax must be in [0, {size}), but is from {argmax.min()} to {argmax.max()}")


def _gradient_by_place(
    xp: Any, x: Any, dy: Any, argmax: Any, *, ksize: Any, strides: Any, padding: Any, include_batch_in_index: bool
) -> Any:
    _check_places(xp, x, (dy,), argmax, ksize, strides, padding, include_batch_in_index)
    places = _rows_of(argmax, x.shape, include_batch_in_index).ravel()
    dx = xp.zeros(int(np.prod(x.shape)), dy.dtype)
    if xp is np:
        np.add.at(dx, places, dy.ravel())
    else:
        dx = dx.at[places].add(dy.ravel())
    return dx.reshape(x.shape)


def _by_place(
    xp: Any, x: Any, d: Any, argmax: Any, *, ksize: Any, strides: Any, padding: Any, include_batch_in_index: bool
) -> Any:
    _check_places(xp, x, (), argmax, ksize, strides, padding, include_batch_in_index)
    if d.shape != x.shape:
        raise invalid(f"Expected grad shape to be {shape_text(x.shape)}, but got {shape_text(d.shape)}")
    return xp.take(d.ravel(), _rows_of(argmax, x.shape, include_batch_in_index))


def _argmax_gradient(op: Any, dy: Any, _: Any) -> list[Any]:
    return [apply(MAX_POOL_GRAD_WITH_ARGMAX, op.inputs[0], dy, op.outputs[1], **_argmax_attrs(op))]


def _argmax_attrs(op: Any) -> dict[str, Any]:
    return {k: op.attrs[k] for k in ("ksize", "strides", "padding", "include_batch_in_index")}


_PLACED: dict[str, Any] = {
    "attrs": {"ksize": REQUIRED, "strides": REQUIRED, "padding": REQUIRED, "include_batch_in_index": False},
    "types": {"T": kinds.REAL, "Targmax": kinds.INDEX},
    "choices": {"padding": windows.SAME_OR_VALID},
    "lengths": {"ksize": 4, "strides": 4},
}
MAX_POOL_WITH_ARGMAX = define(
    "MaxPoolWithArgmax", "input: T", "output: T, argmax: Targmax",
    shape=lambda x, *, ksize, strides, padding: [pooled(x, ksize=ksize, strides=strides, padding=padding)] * 2,
    kernel=_max_and_place, gradient=_argmax_gradient,
    **{**_PLACED, "attrs": {"Targmax": dtypes.int64, **_PLACED["attrs"]}},
)  # fmt: skip
MAX_POOL_GRAD_WITH_ARGMAX: OpDef = define(
    "MaxPoolGradWithArgmax", "input: T, grad: T, argmax: Targmax", "output: T",
    shape=lambda x, dy, argmax: shape_rules.with_rank(x, 4), kernel=_gradient_by_place,
    ranks={"input": "4: tensor_in_shape must have 2 spatial dimensions. {rank} 0"},
    gradient=lambda op, d: [
        None, apply(MAX_POOL_GRAD_GRAD_WITH_ARGMAX, op.inputs[0], d, op.inputs[2], **_argmax_attrs(op)), None,
    ],
    **_PLACED,
)  # fmt: skip
MAX_POOL_GRAD_GRAD_WITH_ARGMAX: OpDef = define(
    "MaxPoolGradGradWithArgmax", "input: T, grad: T, argmax: Targmax", "output: T",
    shape=lambda x, d, argmax, *, ksize, strides, padding: pooled(x, ksize=ksize, strides=strides, padding=padding),
    kernel=_by_place,
    gradient=lambda op, dy: [
        None, apply(MAX_POOL_GRAD_WITH_ARGMAX, op.inputs[0], dy, op.inputs[2], **_argmax_attrs(op)), None,
    ],
    **_PLACED,
)  # fmt: skip


# -- public functions --------------------------------------------------------------------------


def max_pool(
    value: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    name: str | None = None,
    input: Any = None,
) -> Tensor:
    """The largest element of each window of images.

    Raises:
      ValueError: a size is zero or missing, or a window is larger than the image.
    """
    value = deprecated_argument_lookup("input", input, "value", value)
    with name_scope(name, "MaxPool", [value]) as name:
        data_format = "NHWC" if data_format is None else data_format
        attrs = sides(4, data_format, ksize, strides)
        if 0 in attrs["ksize"]:
            raise ValueError("ksize cannot be zero.")
        return apply(MAX_POOL, value, **attrs, padding=padding, data_format=data_format, name=name)


def max_pool2d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NHWC", name: str | None = None
) -> Tensor:
    """The largest element of each window of images."""
    with name_scope(name, "MaxPool2d", [input]) as name:
        data_format = "NHWC" if data_format is None else data_format
        attrs = sides(4, data_format, ksize, strides)
        return apply(MAX_POOL, input, **attrs, padding=padding, data_format=data_format, name=name)


def max_pool3d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NDHWC", name: str | None = None
) -> Tensor:
    """The largest element of each window of volumes; of equal elements all take the gradient."""
    with name_scope(name, "MaxPool3D", [input]) as name:
        data_format = "NDHWC" if data_format is None else data_format
        attrs = sides(5, data_format, ksize, strides)
        return apply(MAX_POOL_3D, input, **attrs, padding=padding, data_format=data_format, name=name)


def max_pool_with_argmax(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    Targmax: Any = None,
    name: str | None = None,
    output_dtype: Any = None,
    include_batch_in_index: bool = False,
) -> Any:
    """The largest element of each window, and its place: ``(y * width + x) * channels + channel``.

    With ``include_batch_in_index`` the place counts through the batch.

    Raises:
      ValueError: ``data_format`` is not NHWC.
    """
    if data_format != "NHWC":
        raise ValueError("Data formats other than 'NHWC' are not yet supported")
    dtype = deprecated_argument_lookup("output_dtype", output_dtype, "Targmax", Targmax)
    return apply_named(
        MAX_POOL_WITH_ARGMAX, input, ksize=ksize, strides=strides, padding=padding,
        Targmax=dtypes.int64 if dtype is None else dtype, include_batch_in_index=include_batch_in_index, name=name,
    )  # fmt: skip
