"""Windows that slide over the spatial dimensions of a tensor: where they stand, and what they see.

With stride s, dilation d and ``before`` elements of padding, element k of the window at o
lies at ``o * s + k * d - before`` of the input.  Arrays are channels-last inside kernels.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.shapes import RawShape
from retrograd.graph.text import as_text

SAME_OR_VALID = ("SAME", "VALID")
CONVOLUTION_PADDINGS = (*SAME_OR_VALID, "EXPLICIT")
IMAGE_FORMATS = ("NHWC", "NCHW")
VOLUME_FORMATS = ("NDHWC", "NCDHW")


# -- formats -----------------------------------------------------------------------------------


def has_channels_first(data_format: Any) -> bool:
    """Whether channels come right after the batch, as in NCHW."""
    return as_text(data_format)[1] == "C"


def spatial(values: Sequence[Any], data_format: Any) -> tuple[Any, ...]:
    """Those of one value per dimension that are for the spatial dimensions."""
    return tuple(values[2:] if has_channels_first(data_format) else values[1:-1])


def of_channels(values: Sequence[Any], data_format: Any) -> Any:
    """That of one value per dimension which is for the channels."""
    return values[1 if has_channels_first(data_format) else -1]


def in_format(batch: Any, sides: Sequence[Any], channels: Any, data_format: Any) -> tuple[Any, ...]:
    """One value per dimension, in the order of ``data_format``."""
    return (batch, channels, *sides) if has_channels_first(data_format) else (batch, *sides, channels)


def channels_last(xp: Any, x: Any, data_format: Any) -> Any:
    """``x`` with its channels moved to the end."""
    return xp.moveaxis(x, 1, -1) if has_channels_first(data_format) else x


def as_given(xp: Any, x: Any, data_format: Any) -> Any:
    """A channels-last array in ``data_format``."""
    if not has_channels_first(data_format):
        return x
    y = xp.moveaxis(x, -1, 1)
    return np.ascontiguousarray(y) if xp is np else y


# -- sizes -------------------------------------------------------------------------------------


def extent(window: int, dilation: int) -> int:
    """How many elements a dilated window spans."""
    return (window - 1) * dilation + 1


def windowed(
    sizes: Sequence[int | None],
    windows: Sequence[int | None],
    strides: Sequence[int],
    padding: Any,
    dilations: Sequence[int] | None = None,
    explicit: Sequence[tuple[int, int]] = (),
) -> list[int | None]:
    """How many windows fit along each dimension; None where a size is unknown.

    Raises:
      ValueError: a stride or a dilation is not positive, or a window is larger than what it slides over.
    """
    counts: list[int | None] = []
    for i, (size, window, stride) in enumerate(zip(sizes, windows, strides, strict=True)):
        dilation = dilations[i] if dilations is not None else 1
        if stride <= 0:
            raise ValueError(f"Stride must be > 0, but got {stride}")
        if dilation < 1:
            raise ValueError(f"Dilation rate must be >= 1, but got {dilation}")
        if size is None or window is None:
            counts.append(None)
            continue
        if as_text(padding) == "SAME":
            counts.append(-(-size // stride))
            continue
        size += sum(explicit[i]) if explicit else 0
        span = extent(window, dilation)
        if span > size:
            raise ValueError(f"Negative dimension size caused by subtracting {span} from {size}")
        counts.append((size - span) // stride + 1)
    return counts


def pooled(x_dims: RawShape, ksize: Sequence[int], strides: Sequence[int], padding: Any) -> RawShape:
    """The shape of what windows over any dimensions of ``x_dims`` give."""
    if x_dims is None:
        return None
    return tuple(windowed(x_dims, ksize, strides, padding))


# -- windows in arrays -------------------------------------------------------------------------


@dataclass(frozen=True)
class Axis:
    """The windows along one dimension."""

    size: int
    window: int
    stride: int
    dilation: int
    before: int
    after: int
    count: int

    def seen(self, offset: int) -> slice:
        """What element ``offset`` of every window sees of the padded dimension."""
        first = offset * self.dilation
        return slice(first, first + (self.count - 1) * self.stride + 1 if self.count else first, self.stride)


class Windows:
    """The windows over the spatial dimensions of a channels-last array (batch, ..., channels)."""

    def __init__(self, axes: Sequence[Axis]) -> None:
        self.axes = tuple(axes)
        self.counts = tuple(a.count for a in axes)
        self.is_padded = any(a.before or a.after for a in axes)

    @classmethod
    def over(
        cls,
        sizes: Sequence[int],
        windows: Sequence[int],
        strides: Sequence[int],
        padding: Any,
        dilations: Sequence[int] | None = None,
        explicit: Sequence[tuple[int, int]] = (),
    ) -> Windows:
        """The windows that ``padding`` puts over dimensions of these sizes.

        Raises:
          InvalidArgumentError: a window is larger than what it slides over.
        """
        axes = []
        for i, (size, window, stride) in enumerate(zip(sizes, windows, strides, strict=True)):
            dilation = dilations[i] if dilations is not None else 1
            span = extent(window, dilation)
            if as_text(padding) == "SAME":
                count = -(-size // stride)
                total = max((count - 1) * stride + span - size, 0) if count else 0
                before, after = total // 2, total - total // 2
            else:
                before, after = explicit[i] if explicit else (0, 0)
                count = int((size + before + after - span + stride) / stride)
                if count < 0:
                    raise InvalidArgumentError(
                        None, None,
                        f"Computed output size would be negative: {count} [input_size: {size}, "
                        f"effective_filter_size: {span}, stride: {stride}]",
                    )  # fmt: skip
            axes.append(Axis(size, window, stride, dilation, before, after, count))
        return cls(axes)

    @property
    def are_small(self) -> bool:
        """Whether a computation may treat each element of a window by itself, without becoming too long."""
        return math.prod(a.window for a in self.axes) <= 64

    @property
    def are_tiles(self) -> bool:
        """Whether they lie side by side, so that no two see the same element."""
        return all(a.dilation == 1 and (a.count == 1 or (a.count and a.window == a.stride)) for a in self.axes)

    def offsets(self) -> Iterator[tuple[int, ...]]:
        """The elements of a window, in row-major order."""
        return itertools.product(*(range(a.window) for a in self.axes))

    def seen(self, offset: Sequence[int]) -> tuple[slice, ...]:
        """What element ``offset`` of every window sees of the padded array."""
        return (slice(None), *(a.seen(k) for a, k in zip(self.axes, offset, strict=True)))

    def padded(self, xp: Any, x: Any, fill: Any = 0) -> Any:
        """``x`` within its borders."""
        if not self.is_padded:
            return x
        if xp is not np:
            widths = [(0, 0), *((a.before, a.after) for a in self.axes), *[(0, 0)] * (x.ndim - len(self.axes) - 1)]
            return xp.pad(x, widths, constant_values=fill)
        y = np.empty(self.padded_shape(x.shape), x.dtype)
        inner = self._inner()
        for axis, a in enumerate(self.axes, 1):  # the borders alone are filled
            if a.before or a.after:
                edge = (*inner[:axis], slice(0, a.before)), (*inner[:axis], slice(a.before + a.size, None))
                y[edge[0]] = fill
                y[edge[1]] = fill
        y[inner] = x
        return y

    def padded_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """The shape of an array with its borders."""
        rest = shape[len(self.axes) + 1 :]
        return (shape[0], *(a.before + a.size + a.after for a in self.axes), *rest)

    def _inner(self) -> tuple[slice, ...]:
        return (slice(None), *(slice(a.before, a.before + a.size) for a in self.axes))

    def cropped(self, x: Any) -> Any:
        """A padded array without its borders."""
        return x[self._inner()] if self.is_padded else x

    def added(self, xp: Any, total: Any, offset: Sequence[int], piece: Any) -> Any:
        """``total``, a padded array, with ``piece`` added where element ``offset`` of the windows looks."""
        seen = self.seen(offset)
        if xp is np:
            total[seen] += piece
            return total
        from retrograd.ops.jax_start import lax

        widths = [(0, 0, 0)]
        for n, a, place in zip(total.shape[1:], self.axes, seen[1:], strict=False):
            widths.append((place.start, n - place.stop, a.stride - 1))
        widths += [(0, 0, 0)] * (total.ndim - len(widths))
        if 0 in piece.shape:
            return total
        return total + lax.pad(piece, piece.dtype.type(0), widths)


# -- phases: the elements that lie alike under the windows -------------------------------------


def interleaved(
    xp: Any, parts: Mapping[tuple[int, ...], Any], strides: Sequence[int], shape: Sequence[int], dtype: Any
) -> Any:
    """An array of ``shape`` with ``parts[r]`` at the places r, r + stride, ...; zeros where there is no part."""
    rank = len(strides)
    batch, sizes, rest = shape[0], shape[1 : rank + 1], tuple(shape[rank + 1 :])
    if max(strides) == 1:
        return parts[(0,) * rank]
    counts = [-(-n // s) for n, s in zip(sizes, strides, strict=True)]
    whole = []
    for corner in itertools.product(*map(range, strides)):
        part = parts.get(corner)
        if part is None:
            whole.append(xp.zeros((batch, *counts, *rest), dtype))
        else:
            missing = [(0, n - m) for n, m in zip(counts, part.shape[1:], strict=False)]
            whole.append(xp.pad(part, [(0, 0), *missing, *[(0, 0)] * len(rest)]))
    stacked = xp.stack(whole).reshape(*strides, batch, *counts, *rest)
    order = [rank, *(i for k in range(rank) for i in (rank + 1 + k, k)), *range(2 * rank + 1, stacked.ndim)]
    y = stacked.transpose(order).reshape(batch, *(n * s for n, s in zip(counts, strides, strict=True)), *rest)
    return y[(slice(None), *map(slice, sizes))]


def collected(
    xp: Any, share: Callable[..., Any], windows: Windows, arrays: Sequence[Any], shape: Sequence[int], dtype: Any
) -> Any:
    """An array of ``shape``: at each place the sum over the windows that see it as their element k
    of ``share(k, *a)``, with a what the traced ``arrays``, one element for each window, hold for that window.

    Each part of k is a number, or an array of numbers.  Where there is no window the arrays are taken as zero.
    """
    from retrograd.ops.jax_start import lax

    if windows.are_tiles:
        return _laid(xp, share, windows, arrays, shape, dtype)
    parts = {}
    for corner in itertools.product(*(range(min(a.stride, a.size)) for a in windows.axes)):
        taps, cuts, margins = [], [], []
        for a, r in zip(windows.axes, corner, strict=True):
            first, ahead = (r + a.before) % a.stride, (r + a.before) // a.stride
            ks = range(first, a.window, a.stride)
            count = len(range(r, a.size, a.stride))
            low = max(0, len(ks) - 1 - ahead)
            margins.append((low, max(0, ahead + count - a.count)))
            starts = [ahead - t + low for t in range(len(ks))]
            taps.append(list(ks))
            cuts.append([slice(n, n + count) for n in starts])
        widths = [(0, 0), *margins]
        wide = lax.optimization_barrier([xp.pad(a, [*widths, *[(0, 0)] * (a.ndim - len(widths))]) for a in arrays])
        total = None
        for k, cut in zip(itertools.product(*taps), itertools.product(*cuts), strict=True):
            term = share(k, *(a[(slice(None), *cut)] for a in wide))
            total = term if total is None else total + term
        if total is not None:
            parts[corner] = total
    return interleaved(xp, parts, [a.stride for a in windows.axes], shape, dtype)


def _laid(
    xp: Any, share: Callable[..., Any], windows: Windows, arrays: Sequence[Any], shape: Sequence[int], dtype: Any
) -> Any:
    """What ``collected`` gives, of tiles: each axis is cut in two, the tiles and what is in them."""
    axes, rest = windows.axes, shape[len(windows.axes) + 1 :]
    lone = [1] * (1 + 2 * len(axes) + len(rest))
    k = [np.arange(a.window).reshape([*lone[: 2 * i + 2], -1, *lone[2 * i + 3 :]]) for i, a in enumerate(axes)]
    wide = [x.reshape(x.shape[0], *itertools.chain.from_iterable((a.count, 1) for a in axes), *rest) for x in arrays]
    halves = itertools.chain.from_iterable((a.count, a.window) for a in axes)
    y = xp.broadcast_to(share(tuple(k), *wide).astype(dtype), (shape[0], *halves, *rest))
    y = y.reshape(shape[0], *(a.count * a.window for a in axes), *rest)
    missing = [(0, n - m) for n, m in zip(windows.padded_shape(shape), y.shape, strict=True)]
    return windows.cropped(xp.pad(y, missing) if any(map(any, missing)) else y)
