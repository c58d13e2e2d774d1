"""Running sums and products along an axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import dtypes, errors
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import OpDef, define
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops import comparison, exponentials, kinds, shape_rules


def _scan(
    name: str,
    running: Callable[..., Any],
    start: Callable[[Any], Any],
    gradient: Callable[..., Any],
    types: Any = kinds.NUMERIC,
) -> OpDef:
    """The record of a scan: ``y[i]`` combines ``x[0..i]``, without ``x[i]`` if exclusive, from the end if reverse."""

    def kernel(xp: Any, x: Any, axis: Any, *, exclusive: bool, reverse: bool) -> Any:
        if np.ndim(axis):
            raise errors.InvalidArgumentError(
                None, None, f"ScanOp: axis must be a scalar, not [{','.join(map(str, np.shape(axis)))}]"
            )
        rank, place = np.ndim(x), int(axis)
        if not -rank <= place < rank:
            raise errors.InvalidArgumentError(
                None, None, f"ScanOp: Expected scan axis in the range [{-rank}, {rank}), but got {place}"
            )
        if reverse:
            x = xp.flip(x, place)
        y = running(xp, x, axis=place, dtype=x.dtype)
        if exclusive and x.shape[place]:
            y = xp.moveaxis(y, place, 0)
            y = xp.moveaxis(xp.concatenate([xp.full_like(y[:1], start(x.dtype)), y[:-1]]), 0, place)
        return xp.flip(y, place) if reverse else y

    return define(
        name, "x: T, axis: Tidx", "out: T", attrs={"exclusive": False, "reverse": False, "Tidx": dtypes.int32},
        types={"T": types, "Tidx": kinds.INDEX}, static=("axis",), shape=shape_rules.same, kernel=kernel,
        gradient=gradient,
    )  # fmt: skip


def _running_log_sum(xp: Any, x: Any, axis: int, dtype: Any) -> Any:
    """log(exp(x[0]) + ... + exp(x[i])), at least the lowest finite number."""
    if xp is np:
        return np.maximum(np.logaddexp.accumulate(x, axis), np.finfo(dtype).min)
    from retrograd.ops.jax_start import lax

    return xp.maximum(lax.cumlogsumexp(x, axis % x.ndim), xp.finfo(dtype).min)


def _cumulative_logsumexp_gradient(op: Any, dy: Any) -> list[Any]:
    """dx[i] = sum_j exp(log dy[j] - y[j] + x[i]), for the positive and the negative dy apart."""
    x, axis = op.inputs
    y = op.outputs[0]
    options = {"exclusive": op.attrs["exclusive"], "reverse": not op.attrs["reverse"]}
    lowest = x.dtype.min
    positive = comparison.where_v2(comparison.greater(dy, 0), exponentials.log(dy), lowest)
    negative = comparison.where_v2(comparison.less(dy, 0), exponentials.log(-dy), lowest)
    parts = [exponentials.exp(cumulative_logsumexp(part - y, axis, **options) + x) for part in (positive, negative)]
    return [parts[0] - parts[1], None]


def _cumsum_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = the running sum of dy from the other end."""
    axis, exclusive, reverse = op.inputs[1], op.attrs["exclusive"], op.attrs["reverse"]
    return [cumsum(dy, axis, exclusive=exclusive, reverse=not reverse), None]


def _cumprod_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = the running sum of y * dy from the other end, over x: not defined where x is 0, as in TensorFlow."""
    x, axis = op.inputs
    exclusive, reverse = op.attrs["exclusive"], op.attrs["reverse"]
    y = cumprod(x, axis, exclusive=exclusive, reverse=reverse)
    return [cumsum(y * dy, axis, exclusive=exclusive, reverse=not reverse) / x, None]


CUMSUM = _scan("Cumsum", lambda xp, *args, **options: xp.cumsum(*args, **options), lambda _: 0, _cumsum_gradient)
CUMPROD = _scan("Cumprod", lambda xp, *args, **options: xp.cumprod(*args, **options), lambda _: 1, _cumprod_gradient)

CUMULATIVE_LOGSUMEXP = _scan(
    "CumulativeLogsumexp", _running_log_sum, lambda dtype: np.finfo(dtype).min, _cumulative_logsumexp_gradient,
    (dtypes.float16, dtypes.float32, dtypes.float64),
)  # fmt: skip


def cumsum(x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Tensor:
    """``y[i] = x[0] + ... + x[i]`` along ``axis``; exclusive: without ``x[i]``; reverse: from the end."""
    with name_scope(name, "Cumsum", [x]) as name:
        return apply(CUMSUM, as_tensor(x, name="x"), axis, exclusive=exclusive, reverse=reverse, name=name)


def cumprod(x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Tensor:
    """``y[i] = x[0] * ... * x[i]`` along ``axis``; exclusive: without ``x[i]``; reverse: from the end."""
    with name_scope(name, "Cumprod", [x]) as name:
        return apply(CUMPROD, as_tensor(x, name="x"), axis, exclusive=exclusive, reverse=reverse, name=name)


def cumulative_logsumexp(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Tensor:
    """``y[i] = log(exp(x[0]) + ... + exp(x[i]))`` along ``axis``, without overflow; -inf is the lowest number."""
    with name_scope(name, "CumulativeLogsumexp", [x]) as name:
        return apply(
            CUMULATIVE_LOGSUMEXP, as_tensor(x, name="x"), axis, exclusive=exclusive, reverse=reverse, name=name
        )
