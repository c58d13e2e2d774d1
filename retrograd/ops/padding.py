"""Putting borders around tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, OpDef, define
from retrograd.graph.errors import invalid
from retrograd.graph.shapes import RawShape, shape_text
from retrograd.graph.static import constant_value, static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, joining, kinds, shape_rules, slicing


def _padded(x: Tensor, paddings: Tensor, *rest: Any) -> RawShape:
    rows, columns = shape_rules.with_rank(paddings, 2)
    if columns not in (None, 2):
        raise ValueError(f"Dimension must be 2 but is {columns}")
    widths = static_value(paddings)
    if x.dims is None and rows is None:
        return None
    dims = shape_rules.with_rank(x, len(x.dims or ()) if rows is None else rows)
    if widths is None:
        return (None,) * len(dims)
    if (widths < 0).any():
        raise ValueError("Paddings must be non-negative")
    return tuple(None if n is None else n + int(a) + int(b) for n, (a, b) in zip(dims, widths, strict=True))


def _widths(paddings: Any, shape: tuple[int, ...], between: str = " ") -> list[tuple[int, int]]:
    """Rows before and behind of each dimension; ``between`` what Pad's message, and MirrorPad's, has two shapes."""
    widths, rank, dims = np.asarray(paddings), len(shape), shape_text(shape)
    if widths.ndim != 2 or widths.shape[1] != 2:
        raise invalid(f"paddings must be a matrix with 2 columns: {shape_text(widths.shape)}")
    if len(widths) != rank:
        raise invalid(f"The first dimension of paddings must be the rank of inputs[{len(widths)},2]{between}{dims}")
    for a, b in widths.tolist():
        if a < 0 or b < 0:
            raise invalid(f"Paddings must be non-negative: {a} {b}")
    return [(a, b) for a, b in widths.tolist()]


def _pad(xp: Any, x: Any, paddings: Any, constant_values: Any = None) -> Any:
    x = xp.asarray(x)
    if constant_values is None:
        constant_values = b"" if x.dtype == object else x.dtype.type(0) if xp is np else 0
    return xp.pad(x, _widths(paddings, x.shape), constant_values=constant_values) if x.ndim or np.size(paddings) else x


def _pad_gradient(op: Any, dy: Any) -> list[Any]:
    """dx is the middle of dy."""
    x, paddings = op.inputs[:2]
    before = slicing.slice_(paddings, [0, 0], joining.stack([arrays.rank(x), 1]))
    begin = arrays.reshape(before, [-1])
    dx = slicing.slice_(dy, begin, arrays.shape(x))
    return [dx, None, None][: len(op.inputs)]


PAD = define(
    "Pad", "input: T, paddings: Tpaddings", "output: T", attrs={"Tpaddings": dtypes.int32},
    types={"Tpaddings": kinds.INDEX}, static=("paddings",), shape=_padded, kernel=_pad, gradient=_pad_gradient,
)  # fmt: skip

PAD_V2 = define(
    "PadV2", "input: T, paddings: Tpaddings, constant_values: T", "output: T", attrs={"Tpaddings": dtypes.int32},
    types={"Tpaddings": kinds.INDEX},
    ranks={"constant_values": "0: constant_values must be a scalar. Found: {}"},
    static=("paddings",), shape=_padded, kernel=_pad, gradient=_pad_gradient,
)  # fmt: skip


# -- mirrors -----------------------------------------------------------------------------------


def _mirror_padded(x: Tensor, paddings: Tensor, *, mode: str) -> RawShape:
    return _padded(x, paddings)


def _mirror_pad(xp: Any, x: Any, paddings: Any, *, mode: str) -> Any:
    x = xp.asarray(x)
    widths = _widths(paddings, x.shape, ", ")
    most = _text(mode) == "SYMMETRIC"
    for (a, b), n in zip(widths, x.shape, strict=True):
        if max(a, b) > (n if most else n - 1) and max(a, b):
            raise invalid(
                f"paddings must be {'no greater' if most else 'less'} than the dimension size: {a}, {b} "
                f"{'greater' if most else 'not less'} than {n}",
            )
    return xp.pad(x, widths, mode="symmetric" if most else "reflect") if x.ndim else x


def _text(mode: Any) -> str:
    return mode.decode() if isinstance(mode, bytes) else mode


def _mirror_unpadded(dy: Tensor, paddings: Tensor, *, mode: str) -> RawShape:
    widths = static_value(paddings)
    if widths is None or dy.dims is None:
        return None if dy.dims is None else (None,) * len(dy.dims)
    return tuple(None if n is None else n - int(a) - int(b) for n, (a, b) in zip(dy.dims, widths, strict=True))


def _mirror_pad_grad(xp: Any, dy: Any, paddings: Any, *, mode: str) -> Any:
    """The middle of dy, with its borders folded back onto the elements that they mirror."""
    dx = xp.asarray(dy)
    skip = 0 if _text(mode) == "SYMMETRIC" else 1
    for axis, (a, b) in enumerate(_widths(paddings, dx.shape)):
        rows = xp.moveaxis(dx, axis, 0)
        n = rows.shape[0] - a - b
        for width in (a, b):
            if width > n - skip:
                than = "no greater than" if not skip else "less than"
                word = "greater than" if not skip else "not less than"
                raise invalid(f"paddings must be {than} the output dimension size: {a}, {b} {word} {n}")
        middle = rows[a : a + n]
        before = xp.flip(rows[:a], 0)
        after = xp.flip(rows[a + n :], 0)
        middle = middle + _placed(xp, before, skip, n - skip - a) + _placed(xp, after, n - skip - b, skip)
        dx = xp.moveaxis(middle, 0, axis)
    return dx


def _placed(xp: Any, rows: Any, before: int, after: int) -> Any:
    return xp.pad(rows, [(before, after)] + [(0, 0)] * (rows.ndim - 1))


MIRROR_PAD = define(
    "MirrorPad", "input: T, paddings: Tpaddings", "output: T", attrs={"mode": REQUIRED, "Tpaddings": dtypes.int32},
    types={"Tpaddings": kinds.INDEX}, static=("paddings",), shape=_mirror_padded, kernel=_mirror_pad,
    gradient=lambda op, dy: [apply(MIRROR_PAD_GRAD, dy, op.inputs[1], mode=op.attrs["mode"]), None],
)  # fmt: skip

MIRROR_PAD_GRAD: OpDef = define(
    "MirrorPadGrad", "input: T, paddings: Tpaddings", "output: T",
    attrs={"mode": REQUIRED, "Tpaddings": dtypes.int32}, types={"Tpaddings": kinds.INDEX}, static=("paddings",),
    shape=_mirror_unpadded, kernel=_mirror_pad_grad,
    gradient=lambda op, d: [apply(MIRROR_PAD, d, op.inputs[1], mode=op.attrs["mode"]), None],
)  # fmt: skip


def pad(
    tensor: Any, paddings: Any, mode: str = "CONSTANT", name: str | None = None, constant_values: Any = 0
) -> Tensor:
    """``tensor`` with ``paddings[i]`` = (before, after) more elements along each dimension i.

    ``mode`` is CONSTANT (``constant_values``), REFLECT (mirrored, without the edge) or SYMMETRIC (with it).

    Raises:
      ValueError: the mode is unknown.
    """
    mode = mode.upper()
    if mode == "CONSTANT":
        if isinstance(constant_values, Tensor) or constant_values != 0:
            result = apply(PAD_V2, tensor, paddings, constant_values, name=name)
        else:
            result = apply(PAD, tensor, paddings, name=name)
    elif mode in ("REFLECT", "SYMMETRIC"):
        result = apply(MIRROR_PAD, tensor, paddings, mode=mode, name=name)
    else:
        raise ValueError(f"Unknown padding mode: {mode}")
    if result.dims is None or None in result.dims:
        _refine(result)
    return result


def _refine(result: Tensor) -> None:
    """Where some paddings are known only in the graph, keep the sizes of which both are constant."""
    x, paddings = result.op.inputs[:2]
    widths = constant_value(paddings, partial=True)
    if widths is not None and x.dims is not None:
        rows = [[None, None] if row is None else np.ravel(row).tolist() for row in widths]
        if len(rows) == len(x.dims) and all(len(r) == 2 for r in rows):
            result.set_shape([
                None if n is None or None in row else n + sum(row) for n, row in zip(x.dims, rows, strict=True)
            ])  # fmt: skip
