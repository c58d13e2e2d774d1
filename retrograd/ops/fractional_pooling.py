"""Pooling by a ratio that is no whole number (Graham, 2015).

Along each side the windows are ``k`` or ``k + 1`` elements long, k = floor(n / windows), in an order drawn at random.
A *sequence* is where they begin, with the end behind: window i reads ``[s_i, s_i+1)``, and with overlapping windows
the element ``s_i+1`` too.  The order of the lengths is a shuffle, or with ``pseudo_random`` that of
``ceil(n / windows * (i + u))`` for one uniform number u.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply, apply_named
from retrograd.graph.definition import REQUIRED, Effect, define
from retrograd.graph.deprecation import deprecated
from retrograd.graph.errors import InvalidArgumentError, invalid
from retrograd.graph.shapes import RawShape, shape_text
from retrograd.graph.static import shape_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import convolution, draws, philox, shape_rules
from retrograd.ops.random import get_seed
from retrograd.ops.streams import Stream

_NUMBERS = (dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64)

# -- sequences -----------------------------------------------------------------------------------


def _windows(n: int, ratio: float) -> int:
    return int(np.floor(np.float32(n) / np.float32(ratio)))


def _sequence(stream: Stream, n: int, windows: int, pseudo_random: bool) -> Any:
    """Where ``windows`` windows over ``n`` elements begin, and ``n``."""
    k = n // windows
    if pseudo_random:
        alpha = n / windows
        largest = min((k + 2) / alpha - 1, (n + 1 - k) / alpha - (windows - 1))
        u = draws.uniform(np, *stream.take(np, 1), (1,), np.float64)[0] * largest
        inner = [math.ceil(alpha * (i + u)) - 1 for i in range(1, windows)]
        return np.array([0, *inner, n], np.int64)
    lengths = [k + 1] * (n % windows) + [k] * (windows - n % windows)
    words = philox.philox_blocks(np, *stream.take(np, -(-windows // 4)), -(-windows // 4)).reshape(-1).tolist()
    for i, word in enumerate(words[: windows - 1]):
        j = i + word % (windows - i)
        lengths[i], lengths[j] = lengths[j], lengths[i]
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


@cache
def _arbitrary_seeds() -> tuple[int, int]:
    """The seeds of this process for what is deterministic without having any."""
    return secrets.randbits(63) | 1, secrets.randbits(63)


def _drawn(
    dims: Sequence[int], pooling_ratio: Any, pseudo_random: bool, deterministic: bool, seed: int, seed2: int
) -> list[Any]:
    """The sequences of rows and of columns: the same in each run if they are deterministic."""
    if not deterministic and (seed or seed2):
        raise InvalidArgumentError(None, None, "Both seed and seed2 should be 0 if deterministic is false.")
    stream = Stream.of(*_arbitrary_seeds()) if deterministic and not (seed or seed2) else Stream.of(seed, seed2)
    return [_sequence(stream, dims[i], _windows(dims[i], pooling_ratio[i]), pseudo_random) for i in (1, 2)]


# -- windows -------------------------------------------------------------------------------------


def _seen(xp: Any, sequence: Any, n: int, overlapping: bool) -> tuple[Any, Any]:
    """For each window the elements that it may see, as (windows, longest), and whether it sees them."""
    starts, ends = sequence[:-1], sequence[1:] + bool(overlapping)
    longest = int(np.max(ends - starts, initial=1)) if xp is np else n // (len(sequence) - 1) + 1 + bool(overlapping)
    places = starts[:, None] + xp.arange(longest, dtype=starts.dtype)
    return xp.minimum(places, n - 1), (places < ends[:, None]) & (places < n)


def _gathered(xp: Any, x: Any, rows: Any, columns: Any) -> Any:
    """What each window may see: (images, window rows, window columns, places in the window, channels)."""
    (r, a), (c, b) = rows.shape, columns.shape
    seen = x[:, rows.reshape(-1)][:, :, columns.reshape(-1)].reshape(x.shape[0], r, a, c, b, x.shape[3])
    return xp.swapaxes(seen, 2, 3).reshape(x.shape[0], r, c, a * b, x.shape[3])


def _grid(xp: Any, dims: Any, rows: Any, columns: Any, overlapping: bool) -> tuple[Any, Any, Any]:
    """The places of all windows along each side, and which places of each window count."""
    (down, in_rows), (across, in_columns) = (
        _seen(xp, s, n, overlapping) for s, n in ((rows, dims[1]), (columns, dims[2]))
    )
    counted = in_rows[:, None, :, None] & in_columns[None, :, None, :]
    return down, across, counted.reshape(*counted.shape[:2], -1, 1)


def _spread(xp: Any, dims: Any, shares: Any, down: Any, across: Any) -> Any:
    """The reverse of ``_gathered``: the sum of what the windows give to each element."""
    (r, a), (c, b) = down.shape, across.shape
    shares = xp.swapaxes(shares.reshape(dims[0], r, c, a, b, dims[3]), 2, 3).reshape(dims[0], r * a, c * b, dims[3])
    if xp is not np:
        zeros = xp.zeros(dims, shares.dtype)
        return zeros.at[:, down.reshape(-1)[:, None], across.reshape(-1)[None]].add(shares)
    dx = np.zeros(dims, shares.dtype)
    places: Any = slice(None), down.reshape(-1)[:, None], across.reshape(-1)[None]
    np.add.at(dx, places, shares)
    return dx


def _lowest(dtype: Any) -> Any:
    return dtype.type(-np.inf) if dtype.kind == "f" else np.iinfo(dtype).min


# -- kernels -------------------------------------------------------------------------------------


def _max(xp: Any, x: Any, rows: Any, columns: Any, overlapping: bool) -> Any:
    """y = the largest of what a window sees."""
    down, across, counted = _grid(xp, x.shape, rows, columns, overlapping)
    return xp.max(xp.where(counted, _gathered(xp, x, down, across), _lowest(x.dtype)), axis=3)


def _mean(xp: Any, x: Any, rows: Any, columns: Any, overlapping: bool) -> Any:
    """y = the mean of what a window sees; of integers, rounded towards 0."""
    down, across, counted = _grid(xp, x.shape, rows, columns, overlapping)
    total = xp.sum(xp.where(counted, _gathered(xp, x, down, across), x.dtype.type(0)), axis=3, dtype=x.dtype)
    count = xp.sum(counted, axis=2)
    if x.dtype.kind == "i":
        return (xp.sign(total) * (xp.abs(total) // count)).astype(x.dtype)
    return total / count.astype(x.dtype)


_WRONG_SIZES = "original input tensor shape must be1-dimensional and 4 elements"


def _check_sequences(dims: Any, rows: Any, columns: Any, *outputs: Any) -> None:
    """Rows and columns are split as the sequences say, and outputs have an element for each window."""
    for what, sequence in (("row", rows), ("col", columns)):
        if np.ndim(sequence) != 1 or len(sequence) < 2:
            raise invalid(f"{what}_pooling_sequence must be a vector of two numbers or more")
    shape = (dims[0], len(rows) - 1, len(columns) - 1, dims[3])
    for output in outputs:
        if output.shape != shape:
            raise invalid(f"Expected grad shape to be {shape_text(shape)}, but got {shape_text(output.shape)}")


def _max_slope(xp: Any, x: Any, y: Any, dy: Any, rows: Any, columns: Any, *, overlapping: bool) -> Any:
    """dx = the sum of dy over the windows whose first maximum an element is."""
    _check_sequences(x.shape, rows, columns, y, dy)
    down, across, counted = _grid(xp, x.shape, rows, columns, overlapping)
    seen = xp.where(counted, _gathered(xp, x, down, across), _lowest(x.dtype))
    first = xp.argmax(seen, axis=3)[:, :, :, None]
    places = np.arange(seen.shape[3])[:, None]
    return _spread(xp, x.shape, xp.where(places == first, dy[:, :, :, None], dy.dtype.type(0)), down, across)


def _mean_slope(xp: Any, sizes: Any, dy: Any, rows: Any, columns: Any, *, overlapping: bool) -> Any:
    """dx = the sum of dy / (how many elements the window sees) over the windows that see an element."""
    dims = tuple(np.asarray(sizes).tolist())
    if len(dims) != 4:
        raise invalid(_WRONG_SIZES)
    _check_sequences(dims, rows, columns, dy)
    down, across, counted = _grid(xp, dims, rows, columns, overlapping)
    shares = (dy / xp.sum(counted, axis=2))[:, :, :, None]
    return _spread(xp, dims, xp.where(counted, shares, 0), down, across).astype(dy.dtype)


# -- ops -----------------------------------------------------------------------------------------


def _shapes(x: Tensor, *, pooling_ratio: Any) -> list[RawShape]:
    dims = shape_rules.with_rank(x, 4)
    sizes = [None if n is None else _windows(n, r) for n, r in zip(dims, pooling_ratio, strict=True)]
    return [tuple(sizes), (sizes[1],), (sizes[2],)]


def _forward(name: str, kernel: Callable[..., Any], gradient: Callable[..., Any]) -> Any:
    def pooled(
        xp: Any, host: Any, x: Any, *, pooling_ratio: Any, pseudo_random: bool, overlapping: bool,
        deterministic: bool, seed: int, seed2: int,
    ) -> list[Any]:  # fmt: skip
        rows, columns = _drawn(x.shape, pooling_ratio, pseudo_random, deterministic, seed, seed2)
        return [kernel(xp, x, rows, columns, overlapping), rows, columns]

    return define(
        name, "value: T", "output: T, row_pooling_sequence: int64, col_pooling_sequence: int64",
        attrs={
            "pooling_ratio": REQUIRED, "pseudo_random": False, "overlapping": False, "deterministic": False,
            "seed": 0, "seed2": 0,
        },
        types={"T": _NUMBERS}, lengths={"pooling_ratio": 4}, shape=_shapes, kernel=pooled, gradient=gradient,
        effect=Effect.HOST,
    )  # fmt: skip


def _max_gradient(op: Any, dy: Any, *_: Any) -> list[Any]:
    y, rows, columns = op.outputs
    return [apply(FRACTIONAL_MAX_POOL_GRAD, op.inputs[0], y, dy, rows, columns, overlapping=op.attrs["overlapping"])]


def _mean_gradient(op: Any, dy: Any, *_: Any) -> list[Any]:
    _, rows, columns = op.outputs
    return [apply(FRACTIONAL_AVG_POOL_GRAD, op.inputs[0].shape, dy, rows, columns, overlapping=op.attrs["overlapping"])]


FRACTIONAL_MAX_POOL = _forward("FractionalMaxPool", _max, _max_gradient)
FRACTIONAL_AVG_POOL = _forward("FractionalAvgPool", _mean, _mean_gradient)
FRACTIONAL_MAX_POOL_GRAD = define(
    "FractionalMaxPoolGrad",
    "orig_input: T, orig_output: T, out_backprop: T, row_pooling_sequence: int64, col_pooling_sequence: int64",
    "output: T", attrs={"overlapping": False}, types={"T": _NUMBERS},
    shape=lambda x, *_: shape_rules.with_rank(x, 4), kernel=_max_slope,
    ranks={
        "orig_input": "4: orig_input must be 4-dimensional", "orig_output": "4: orig_output must be 4-dimensional",
        "out_backprop": "4: out_backprop must be 4-dimensional",
    },
)  # fmt: skip
FRACTIONAL_AVG_POOL_GRAD = define(
    "FractionalAvgPoolGrad",
    "orig_input_tensor_shape: int64, out_backprop: T, row_pooling_sequence: int64, col_pooling_sequence: int64",
    "output: T", attrs={"overlapping": False}, types={"T": _NUMBERS}, static=("orig_input_tensor_shape",),
    shape=lambda sizes, *_: shape_rules.with_rank(shape_value(sizes), 4), kernel=_mean_slope,
    ranks={
        "orig_input_tensor_shape": f"1: {_WRONG_SIZES}", "out_backprop": "4: out_backprop must be 4-dimensional",
    },
)  # fmt: skip


_OLD_SEEDS = "`seed2` and `deterministic` args are deprecated.  Use {}_v2."


def _single(ratios: Any) -> list[float]:
    """The ratios as an attribute holds them: rounded to float32."""
    return [float(np.float32(ratio)) for ratio in ratios]


@deprecated(None, _OLD_SEEDS.format("fractional_max_pool"))
def fractional_max_pool(
    value: Any, pooling_ratio: Any, pseudo_random: bool = False, overlapping: bool = False,
    deterministic: bool = False, seed: int = 0, seed2: int = 0, name: str | None = None,
) -> Any:  # fmt: skip
    """Maxima of images over windows whose mean size is ``pooling_ratio``, and the sequences of rows and columns."""
    return apply_named(
        FRACTIONAL_MAX_POOL, value, pooling_ratio=_single(pooling_ratio), pseudo_random=pseudo_random,
        overlapping=overlapping, deterministic=deterministic, seed=seed, seed2=seed2, name=name,
    )  # fmt: skip


@deprecated(None, _OLD_SEEDS.format("fractional_avg_pool"))
def fractional_avg_pool(
    value: Any, pooling_ratio: Any, pseudo_random: bool = False, overlapping: bool = False,
    deterministic: bool = False, seed: int = 0, seed2: int = 0, name: str | None = None,
) -> Any:  # fmt: skip
    """Means of images over windows whose mean size is ``pooling_ratio``, and the sequences of rows and columns."""
    return apply_named(
        FRACTIONAL_AVG_POOL, value, pooling_ratio=_single(pooling_ratio), pseudo_random=pseudo_random,
        overlapping=overlapping, deterministic=deterministic, seed=seed, seed2=seed2, name=name,
    )  # fmt: skip


def _seeded(
    definition: Any, value: Any, pooling_ratio: Any, pseudo_random: bool, overlapping: bool, seed: int, name: str | None
) -> Any:
    """The op of the second version: a seed makes it deterministic."""
    first, second = get_seed(seed) if seed else (0, 0)
    return apply_named(
        definition, value, pooling_ratio=_single(pooling_ratio), pseudo_random=pseudo_random, overlapping=overlapping,
        deterministic=bool(seed), seed=first, seed2=second, name=name,
    )  # fmt: skip


def fractional_max_pool_v2(
    value: Any, pooling_ratio: Any, pseudo_random: bool = False, overlapping: bool = False, seed: int = 0,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Maxima over windows whose mean size is ``pooling_ratio``: one number, one for each side, or four."""
    ratios = convolution.per_dimension(pooling_ratio, 2, 3, "pooling_ratio")
    return _seeded(FRACTIONAL_MAX_POOL, value, ratios, pseudo_random, overlapping, seed, name)


def fractional_avg_pool_v2(
    value: Any, pooling_ratio: Any, pseudo_random: bool = False, overlapping: bool = False, seed: int = 0,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Means over windows whose mean size is ``pooling_ratio``, of four numbers."""
    return _seeded(FRACTIONAL_AVG_POOL, value, pooling_ratio, pseudo_random, overlapping, seed, name)
