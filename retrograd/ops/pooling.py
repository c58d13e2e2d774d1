"""Means over windows, and what all kinds of pooling share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np

from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, OpDef, define
from retrograd.graph.deprecation import deprecated_argument_lookup
from retrograd.graph.errors import UnimplementedError, invalid
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape, shape_text
from retrograd.graph.static import shape_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, parallel, shape_rules, windows
from retrograd.ops.convolution import FLOATS, per_dimension
from retrograd.ops.windows import Windows, collected

# -- what all pooling shares -------------------------------------------------------------------


def attributes(rank: int) -> dict[str, Any]:
    """The attributes of an op that pools tensors of ``rank`` dimensions, and what they allow."""
    formats = windows.IMAGE_FORMATS if rank == 4 else windows.VOLUME_FORMATS
    return {
        "attrs": {"ksize": REQUIRED, "strides": REQUIRED, "padding": REQUIRED, "data_format": formats[0]},
        "choices": {"padding": windows.SAME_OR_VALID, "data_format": formats},
        "lengths": {"ksize": rank, "strides": rank},
    }


def attrs_of(op: Any) -> dict[str, Any]:
    """The attributes that an op shares with the ops of its gradients."""
    return {k: v for k, v in op.attrs.items() if not k.startswith("_") and k not in ("T", "TInput")}


def pooled(x: Tensor, *, ksize: Any, strides: Any, padding: Any) -> RawShape:
    """The shape rule of pooling: one element for each window, along every dimension."""
    return tuple(windows.windowed(shape_rules.with_rank(x, len(ksize)), ksize, strides, padding))


class Pool:
    """The windows of one pooling op over arrays of ``shape``, and the way to them from the given format.

    Inside, arrays are channels-last; where windows span channels too, they have one more dimension.
    """

    def __init__(
        self, shape: Sequence[int], ksize: Sequence[int], strides: Sequence[int], padding: Any, data_format: Any
    ) -> None:
        if len(shape) != len(ksize):
            raise invalid(f"tensor_in_shape must have {len(ksize) - 2} spatial dimensions. {len(shape)} 0")
        if ksize[0] != 1 or strides[0] != 1:
            raise UnimplementedError(None, None, "Pooling is not yet supported on the batch dimension.")
        self.data_format = data_format
        self.spans_channels = windows.of_channels(ksize, data_format) != 1 or (
            windows.of_channels(strides, data_format) != 1
        )
        sides = [list(windows.spatial(v, data_format)) for v in (shape, ksize, strides)]
        if self.spans_channels:
            for values, given in zip(sides, (shape, ksize, strides), strict=True):
                values.append(windows.of_channels(given, data_format))
        self.windows = Windows.over(sides[0], sides[1], sides[2], padding)
        counts = self.windows.counts
        channels = counts[-1] if self.spans_channels else windows.of_channels(shape, data_format)
        self.outputs = windows.in_format(shape[0], counts[: len(shape) - 2], channels, data_format)

    def check_outputs(self, *values: Any) -> None:
        """Raise if values are not of the shape of what is pooled."""
        for value in values:
            if value.shape != self.outputs:
                raise invalid(
                    f"Expected grad shape to be {shape_text(self.outputs)}, but got {shape_text(value.shape)}"
                )

    def inside(self, xp: Any, x: Any) -> Any:
        """A given array as it is inside."""
        x = windows.channels_last(xp, x, self.data_format)
        return x[..., None] if self.spans_channels else x

    def given(self, xp: Any, x: Any) -> Any:
        """The reverse of ``inside``."""
        return windows.as_given(xp, x[..., 0] if self.spans_channels else x, self.data_format)


def along(axis: int, place: slice) -> tuple[slice, ...]:
    """An index that cuts ``place`` out of one axis."""
    return (*(slice(None),) * axis, place)


def reduced(xp: Any, combine: Callable[..., Any], x: Any, slid: Windows) -> Any:
    """The elements of every window of a padded array, combined along one axis after the other."""
    for axis, a in enumerate(slid.axes, 1):
        x = reduce(combine, [x[along(axis, a.seen(k))] for k in range(a.window)])
    return x


def by_images(xp: Any, function: Callable[..., Any], *inputs: Any, share: float = 0.25) -> Any:
    """``function`` of some images at a time, with NumPy; of all of them otherwise.

    ``share`` tells the smaller pieces the larger it is: how much cache an image takes, in its own size.
    """
    largest = max(inputs, key=lambda x: x.size)
    if xp is not np or not largest.size:
        return function(*inputs)
    first, *rest = parallel.slices(largest.shape[0], share * largest[0].nbytes)
    part = function(*(x[first] for x in inputs))
    if not rest:
        return part
    result = np.empty((largest.shape[0], *part.shape[1:]), part.dtype)
    result[first] = part

    def fill(images: slice) -> None:
        result[images] = function(*(x[images] for x in inputs))

    parallel.mapped(fill, rest)
    return result


# -- means -------------------------------------------------------------------------------------


def counts(slid: Windows, dtype: Any) -> Any:
    """How many elements of the input each window sees, with a last axis for the channels."""
    total = np.ones((), np.int64)
    for a in slid.axes:
        first = np.arange(a.count) * a.stride - a.before
        seen = np.minimum(first + a.window, a.size) - np.maximum(first, 0)
        total = total[..., None] * seen
    return total[..., None].astype(dtype)


def _wide(x: Any) -> Any:
    return x.astype(np.float32) if x.dtype.itemsize == 2 else x


def _check_channels(pool: Pool) -> None:
    if pool.spans_channels:
        volume = len(pool.windows.axes) == 4
        words = "Pooling is not yet supported on the depth dimension."
        raise UnimplementedError(None, None, words if volume else "Non-spatial pooling is not yet supported.")


def _mean(xp: Any, x: Any, *, ksize: Any, strides: Any, padding: Any, data_format: Any) -> Any:
    """y = the mean of what a window sees of the input; borders do not count."""
    pool = Pool(x.shape, ksize, strides, padding, data_format)
    _check_channels(pool)
    slid, shown = pool.windows, counts(pool.windows, _wide(x[:0]).dtype)

    def of_images(images: Any) -> Any:
        return reduced(xp, xp.add, slid.padded(xp, images), slid) / shown

    return pool.given(xp, by_images(xp, of_images, pool.inside(xp, _wide(x)))).astype(x.dtype)


_WRONG_SIZES = {
    4: "out_backprop must be 1-dimensional and 4 elements", 5: "tensor_in must be 1-dimensional and 5 elements",
}  # fmt: skip


def _mean_gradient(xp: Any, sizes: Any, dy: Any, *, ksize: Any, strides: Any, padding: Any, data_format: Any) -> Any:
    """dx = the sum over the windows that see an element of dy / (how many elements that window sees)."""
    rank, shape = len(ksize), tuple(np.asarray(sizes).tolist())
    if len(shape) != rank:
        raise invalid(_WRONG_SIZES[rank])
    pool = Pool(shape, ksize, strides, padding, data_format)
    _check_channels(pool)
    pool.check_outputs(dy)
    slid, shown = pool.windows, counts(pool.windows, _wide(dy[:0]).dtype)

    if xp is not np and slid.are_small:
        shares = pool.inside(xp, _wide(dy)) / shown
        whole = (shares.shape[0], *(a.size for a in slid.axes), shares.shape[-1])
        dx = collected(xp, lambda _, share: share, slid, [shares], whole, shares.dtype)
        return pool.given(xp, dx).astype(dy.dtype)

    def of_images(part: Any) -> Any:
        return slid.cropped(spread(xp, part / shown, slid))

    return pool.given(xp, by_images(xp, of_images, pool.inside(xp, _wide(dy)))).astype(dy.dtype)


def spread(xp: Any, dy: Any, slid: Windows) -> Any:
    """The reverse of ``reduced`` with sums: a padded array in which each window added its ``dy`` to all it sees."""
    for axis in reversed(range(1, len(slid.axes) + 1)):
        a = slid.axes[axis - 1]
        pieces = [dy] * a.window
        dy = gathered(xp, pieces, axis, slid)
    return dy


def gathered(xp: Any, pieces: Sequence[Any], axis: int, slid: Windows) -> Any:
    """Along one axis, the sum of ``pieces[k]`` where element k of the windows looks; borders included."""
    a = slid.axes[axis - 1]
    shape = list(pieces[0].shape)
    shape[axis] = a.before + a.size + a.after
    total = xp.zeros(shape, pieces[0].dtype)
    line = Windows([a])
    if xp is np:
        for k, piece in enumerate(pieces):
            total[along(axis, a.seen(k))] += piece
        return total
    moved = xp.moveaxis(total, axis, 1)
    for k, piece in enumerate(pieces):
        moved = line.added(xp, moved, (k,), xp.moveaxis(piece, axis, 1))
    return xp.moveaxis(moved, 1, axis)


def _means(name: str, argument: str, rank: int) -> tuple[OpDef, OpDef]:
    """The op of means over windows of tensors of ``rank`` dimensions, and the op of its gradient."""

    def gradient(op: Any, dy: Any) -> list[Any]:
        return [apply(backward, arrays.shape(op.inputs[0]), dy, **attrs_of(op))]

    def gradient_of_gradient(op: Any, d: Any) -> list[Any]:
        return [arrays.stop_gradient(op.inputs[0]), apply(forward, d, **attrs_of(op))]

    forward = define(
        name, f"{argument}: T", "output: T", types={"T": FLOATS}, shape=pooled, kernel=_mean, gradient=gradient,
        ranks={argument: "5: tensor_in must be 5-dimensional"} if rank == 5 else None, **attributes(rank),
    )  # fmt: skip
    backward = define(
        name + "Grad", "orig_input_shape: int32, grad: T", "output: T", types={"T": FLOATS},
        static=("orig_input_shape",), shape=lambda sizes, dy: shape_rules.with_rank(shape_value(sizes), rank),
        kernel=_mean_gradient, gradient=gradient_of_gradient, **attributes(rank),
        ranks={
            "orig_input_shape": f"1: {_WRONG_SIZES[rank]}", "grad": f"{rank}: out_backprop must be {rank}-dimensional",
        },
    )  # fmt: skip
    return forward, backward


AVG_POOL, AVG_POOL_GRAD = _means("AvgPool", "value", 4)
AVG_POOL_3D, AVG_POOL_3D_GRAD = _means("AvgPool3D", "input", 5)


def sides(rank: int, data_format: Any, ksize: Any, strides: Any) -> dict[str, Any]:
    """The attributes of an op from sizes as users give them: one, one per side, or one per dimension."""
    first = rank - 2 if data_format is None else 1 if data_format.startswith("NC") else rank - 1
    return {
        "ksize": per_dimension(ksize, rank - 2, first, "ksize"),
        "strides": per_dimension(strides, rank - 2, first, "strides"),
    }


def avg_pool(
    value: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    name: str | None = None,
    input: Any = None,
) -> Tensor:
    """The mean of each window of images; with SAME padding, of the elements that are not padding.

    Raises:
      ValueError: a size is missing, or a window is larger than the image.
    """
    with name_scope(name, "AvgPool", [value]) as name:
        data_format = "NHWC" if data_format is None else data_format
        value = deprecated_argument_lookup("input", input, "value", value)
        attrs = sides(4, data_format, ksize, strides)
        return apply(AVG_POOL, value, **attrs, padding=padding, data_format=data_format, name=name)


avg_pool2d = avg_pool


def avg_pool3d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NDHWC", name: str | None = None
) -> Tensor:
    """The mean of each window of volumes."""
    with name_scope(name, "AvgPool3D", [input]) as name:
        data_format = "NDHWC" if data_format is None else data_format
        attrs = sides(5, data_format, ksize, strides)
        return apply(AVG_POOL_3D, input, **attrs, padding=padding, data_format=data_format, name=name)
