"""Whole steps of recurrent cells as one op: ``LSTMBlockCell``, ``BlockLSTM`` over all steps, ``GRUBlockCell``.

The gates of an LSTM stand in the order i, c, f, o: of the input, of what is new, of forgetting, of the output.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, define, no_derivative, renamed
from retrograd.graph.errors import invalid
from retrograd.graph.shapes import RawShape, merge_dim
from retrograd.graph.tensor import Tensor
from retrograd.ops import cell_sizes, constants, joining, matrices, shape_rules, slicing
from retrograd.ops.biases import BIAS_ADD_GRAD

_TYPES = (dtypes.float16, dtypes.float32)


def _sigmoid(xp: Any, x: Any) -> Any:
    half = x.dtype.type(0.5)
    return half * xp.tanh(half * x) + half


# -- one step of an LSTM -----------------------------------------------------------------------


def _cell_shapes(x: Tensor, cs_prev: Tensor, h_prev: Tensor, *weights: Tensor) -> list[RawShape]:
    batch = merge_dim(shape_rules.with_rank(x, 2)[0], shape_rules.with_rank(cs_prev, 2)[0])
    return [(batch, shape_rules.with_rank(cs_prev, 2)[1])] * 7


def _cell(
    xp: Any, x: Any, cs_prev: Any, h_prev: Any, w: Any, wci: Any, wcf: Any, wco: Any, b: Any,
    *, forget_bias: float, cell_clip: float, use_peephole: bool,
) -> list[Any]:  # fmt: skip
    """``cs = sigmoid(i) tanh(c) + cs_prev sigmoid(f + forget_bias)``; ``h = sigmoid(o) tanh(cs)``."""
    i, ci, f, o = xp.split(xp.concatenate([x, h_prev], 1) @ w + b, 4, axis=1)
    f = f + x.dtype.type(forget_bias)
    if use_peephole:
        i, f = i + cs_prev * wci, f + cs_prev * wcf
    i, ci, f = _sigmoid(xp, i), xp.tanh(ci), _sigmoid(xp, f)
    cs = ci * i + cs_prev * f
    if cell_clip > 0:
        cs = xp.clip(cs, x.dtype.type(-cell_clip), x.dtype.type(cell_clip))
    o = _sigmoid(xp, o + cs * wco if use_peephole else o)
    co = xp.tanh(cs)
    return [i, cs, f, o, ci, co, o * co]


def _cell_slopes(
    xp: Any, cs_prev: Any, wci: Any, wcf: Any, wco: Any, i: Any, cs: Any, f: Any, o: Any, ci: Any, co: Any,
    dcs: Any, dh: Any, use_peephole: bool,
) -> list[Any]:  # fmt: skip
    """The gradients of ``cs_prev``, the gates and the peepholes; a clipped ``cs`` is taken as it is."""
    one = cs.dtype.type(1)
    do = o * (one - o) * dh * co
    dcs = (one - co * co) * dh * o + dcs
    if use_peephole:
        dcs = dcs + do * wco
    dci = (one - ci * ci) * dcs * i
    df = f * (one - f) * dcs * cs_prev
    di = i * (one - i) * dcs * ci
    dcs_prev = dcs * f
    none = xp.zeros_like(wci)
    if not use_peephole:
        return [dcs_prev, xp.concatenate([di, dci, df, do], 1), none, none, none]
    dcs_prev = dcs_prev + di * wci + df * wcf
    peepholes = [xp.sum(di * cs_prev, 0), xp.sum(df * cs_prev, 0), xp.sum(do * cs, 0)]
    return [dcs_prev, xp.concatenate([di, dci, df, do], 1), *peepholes]


def _cell_grad(
    xp: Any, x: Any, cs_prev: Any, h_prev: Any, w: Any, wci: Any, wcf: Any, wco: Any, b: Any, i: Any, cs: Any,
    f: Any, o: Any, ci: Any, co: Any, cs_grad: Any, h_grad: Any, *, use_peephole: bool,
) -> list[Any]:  # fmt: skip
    given = (x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, cs_grad, h_grad)
    cell_sizes.check_lstm(*given, use_peephole=use_peephole)
    return _cell_slopes(xp, cs_prev, wci, wcf, wco, i, cs, f, o, ci, co, cs_grad, h_grad, use_peephole)


LSTM_BLOCK_CELL_GRAD = define(
    "LSTMBlockCellGrad",
    "x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T, i: T, cs: T, f: T, o: T, ci: T, co: T, "
    "cs_grad: T, h_grad: T",
    "cs_prev_grad: T, dicfo: T, wci_grad: T, wcf_grad: T, wco_grad: T",
    attrs={"use_peephole": REQUIRED}, types={"T": _TYPES}, kernel=_cell_grad, gradient=no_derivative,
    shape=lambda x, cs_prev, h_prev, w, wci, wcf, wco, *rest: [
        cs_prev.dims, (shape_rules.with_rank(cs_prev, 2)[0], shape_rules.with_rank(w, 2)[1]), wci.dims, wcf.dims,
        wco.dims,
    ],
)  # fmt: skip


def _cell_gradient(op: Any, *dys: Any) -> list[Any]:
    """Of ``cs`` and ``h``; nothing flows through the gates as such."""
    x, cs_prev, h_prev, w, wci, wcf, wco, b = op.inputs
    i, cs, f, o, ci, co, _ = op.outputs
    size = shape_rules.with_rank(x, 2)[1]
    rest = shape_rules.with_rank(cs_prev, 2)[1]
    batch = shape_rules.with_rank(x, 2)[0]
    dcs_prev, dicfo, dwci, dwcf, dwco = apply(
        LSTM_BLOCK_CELL_GRAD, x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, dys[1], dys[6],
        use_peephole=op.attrs["use_peephole"],
    )  # fmt: skip
    dxh = matrices.matmul(dicfo, w, transpose_b=True)
    rows = -1 if batch is None else batch
    dx = slicing.slice_(dxh, (0, 0), (rows, size))
    dh_prev = slicing.slice_(dxh, (0, size), (rows, rest))
    dw = matrices.matmul(joining.concat([x, h_prev], 1), dicfo, transpose_a=True)
    db = apply(BIAS_ADD_GRAD, dicfo)
    return [dx, dcs_prev, dh_prev, dw, dwci, dwcf, dwco, db]


def _checked_cell(xp: Any, *inputs: Any, forget_bias: float, cell_clip: float, use_peephole: bool) -> list[Any]:
    cell_sizes.check_lstm(*inputs, use_peephole=use_peephole)
    return _cell(xp, *inputs, forget_bias=forget_bias, cell_clip=cell_clip, use_peephole=use_peephole)


LSTM_BLOCK_CELL = define(
    "LSTMBlockCell", "x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T",
    "i: T, cs: T, f: T, o: T, ci: T, co: T, h: T",
    attrs={"forget_bias": 1.0, "cell_clip": 3.0, "use_peephole": False}, types={"T": _TYPES}, shape=_cell_shapes,
    kernel=_checked_cell, gradient=_cell_gradient,
)  # fmt: skip


def lstm_block_cell(
    x: Any, cs_prev: Any, h_prev: Any, w: Any, b: Any, wci: Any = None, wcf: Any = None, wco: Any = None,
    forget_bias: Any = None, cell_clip: Any = None, use_peephole: Any = None, name: str | None = None,
) -> list[Tensor]:  # fmt: skip
    """``(i, cs, f, o, ci, co, h)`` of one step; ``cell_clip`` not above 0 cuts nothing."""
    wci, wcf, wco = _peepholes(wci, wcf, wco, cs_prev)
    return apply(
        LSTM_BLOCK_CELL, x, cs_prev, h_prev, w, wci, wcf, wco, b,
        forget_bias=1.0 if forget_bias is None else forget_bias, cell_clip=-1.0 if cell_clip is None else cell_clip,
        use_peephole=False if use_peephole is None else use_peephole, name=name,
    )  # fmt: skip


def _peepholes(wci: Any, wcf: Any, wco: Any, cs_prev: Any) -> tuple[Any, Any, Any]:
    if wci is not None:
        return wci, wcf, wco
    size = cs_prev.shape.with_rank(2)[1].value
    if size is None:
        raise ValueError("cell_size from `cs_prev` should not be None.")
    zeros = constants.constant(0, dtype=dtypes.float32, shape=[size], name="zeros")
    return zeros, zeros, zeros


# -- all steps of an LSTM ----------------------------------------------------------------------


def over_steps(xp: Any, step: Callable[[Any, Any], tuple[Any, Any]], carry: Any, steps: Any, count: int) -> Any:
    """``carry, y = step(carry, x)`` for each x; the last carry, and the ys stacked."""
    if xp is not np:
        from retrograd.ops.jax_start import lax

        return lax.scan(step, carry, steps)
    rows = []
    for t in range(count):
        carry, row = step(carry, tuple(x[t] for x in steps))
        rows.append(row)
    return carry, [np.stack(parts) for parts in zip(*rows, strict=True)]


def _sequence_shapes(seq_len_max: Tensor, x: Tensor, cs_prev: Tensor, *weights: Tensor) -> list[RawShape]:
    time, batch, _ = shape_rules.with_rank(x, 3)
    bias = weights[-1].dims
    size = None if bias is None or bias[0] is None else bias[0] // 4
    return [(time, batch, size)] * 7


def _sequence(
    xp: Any, seq_len_max: Any, x: Any, cs_prev: Any, h_prev: Any, w: Any, wci: Any, wcf: Any, wco: Any, b: Any,
    *, forget_bias: float, cell_clip: float, use_peephole: bool,
) -> list[Any]:  # fmt: skip
    """``_cell`` for each step before ``seq_len_max``; zeros behind it."""
    attrs = {"forget_bias": forget_bias, "cell_clip": cell_clip, "use_peephole": use_peephole}
    if x.ndim != 3:
        raise invalid("x must be 3D")
    cell_sizes.check_lstm(x, cs_prev, h_prev, w, wci, wcf, wco, b, use_peephole=True)

    def step(carry: Any, now: Any) -> Any:
        t, x = now
        inside = t < seq_len_max
        found = _cell(xp, x, *carry, w, wci, wcf, wco, b, **attrs)  # type: ignore[call-arg, misc]
        kept = (xp.where(inside, found[1], carry[0]), xp.where(inside, found[6], carry[1]))
        return kept, [xp.where(inside, y, xp.zeros_like(y)) for y in found]

    if not len(x):
        return [xp.zeros((0, *cs_prev.shape), x.dtype)] * 7
    _, found = over_steps(xp, step, (cs_prev, h_prev), (xp.arange(len(x)), x), len(x))
    return list(found)


def _sequence_grad(
    xp: Any, seq_len_max: Any, x: Any, cs_prev: Any, h_prev: Any, w: Any, wci: Any, wcf: Any, wco: Any, b: Any,
    i: Any, cs: Any, f: Any, o: Any, ci: Any, co: Any, h: Any, cs_grad: Any, h_grad: Any, *, use_peephole: bool,
) -> list[Any]:  # fmt: skip
    """``_cell_slopes`` from the last step to the first, and the products that the weights need."""
    if x.ndim != 3:
        raise invalid("x must be 3D")
    kept = (i, cs, f, o, ci, co, h, cs_grad, h_grad)
    cell_sizes.check_lstm_steps(x, cs_prev, h_prev, w, wci, wcf, wco, b, kept, use_peephole)
    size = x.shape[2]
    befores = [xp.concatenate([first[None], y[:-1]], 0) for first, y in ((cs_prev, cs), (h_prev, h))]

    def step(carry: Any, now: Any) -> Any:
        dcs, dh, dw, dwci, dwcf, dwco, db = carry
        t, x, c_before, h_before, i, cs, f, o, ci, co, dcs_now, dh_now = now
        inside = t < seq_len_max
        slopes = _cell_slopes(
            xp, c_before, wci, wcf, wco, i, cs, f, o, ci, co, dcs + dcs_now, dh + dh_now, use_peephole
        )
        slopes = [xp.where(inside, s, xp.zeros_like(s)) for s in slopes]
        dcs_before, dicfo, *peepholes = slopes
        dxh = dicfo @ w.T
        dw = dw + xp.concatenate([x, h_before], 1).T @ dicfo
        dwci, dwcf, dwco = (a + s for a, s in zip((dwci, dwcf, dwco), peepholes, strict=True))
        dcs = xp.where(inside, dcs_before, dcs)
        dh = xp.where(inside, dxh[:, size:], dh)
        return (dcs, dh, dw, dwci, dwcf, dwco, db + xp.sum(dicfo, 0)), [dxh[:, :size]]

    start = tuple(xp.zeros_like(v) for v in (cs_prev, h_prev, w, wci, wcf, wco, b))
    if not len(x):
        return [x, *start]
    steps = (xp.arange(len(x)), x, *befores, i, cs, f, o, ci, co, cs_grad, h_grad)
    ends, (dx,) = over_steps(xp, step, start, tuple(v[::-1] for v in steps), len(x))
    return [dx[::-1], *ends]


BLOCK_LSTM_GRAD = define(
    "BlockLSTMGrad",
    "seq_len_max: int64, x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T, i: T, cs: T, f: T, o: T, "
    "ci: T, co: T, h: T, cs_grad: T, h_grad: T",
    "x_grad: T, cs_prev_grad: T, h_prev_grad: T, w_grad: T, wci_grad: T, wcf_grad: T, wco_grad: T, b_grad: T",
    attrs={"use_peephole": REQUIRED}, types={"T": _TYPES}, kernel=_sequence_grad, gradient=no_derivative,
    shape=lambda seq_len_max, *inputs: [x.dims for x in inputs[:8]],
)  # fmt: skip


def _sequence_gradient(op: Any, *dys: Any) -> list[Any]:
    """Of ``cs`` and ``h``; nothing flows through the gates as such."""
    grads = apply(BLOCK_LSTM_GRAD, *op.inputs, *op.outputs, dys[1], dys[6], use_peephole=op.attrs["use_peephole"])
    return [None, *grads]


BLOCK_LSTM = define(
    "BlockLSTM", "seq_len_max: int64, x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T",
    "i: T, cs: T, f: T, o: T, ci: T, co: T, h: T",
    attrs={"forget_bias": 1.0, "cell_clip": 3.0, "use_peephole": False}, types={"T": _TYPES}, shape=_sequence_shapes,
    kernel=_sequence, gradient=_sequence_gradient,
)  # fmt: skip

# -- one step of a GRU -------------------------------------------------------------------------


def _gru_shapes(x: Tensor, h_prev: Tensor, *weights: Tensor) -> list[RawShape]:
    batch = merge_dim(shape_rules.with_rank(x, 2)[0], shape_rules.with_rank(h_prev, 2)[0])
    return [(batch, shape_rules.with_rank(h_prev, 2)[1])] * 4


def _gru(xp: Any, x: Any, h_prev: Any, w_ru: Any, w_c: Any, b_ru: Any, b_c: Any) -> list[Any]:
    """``r, u = sigmoid([x, h] @ w_ru + b_ru)``; ``c = tanh([x, h r] @ w_c + b_c)``; ``h' = u h + (1 - u) c``."""
    cell_sizes.check_gru(x, h_prev, w_ru, w_c, b_ru, b_c)
    r, u = xp.split(_sigmoid(xp, xp.concatenate([x, h_prev], 1) @ w_ru + b_ru), 2, axis=1)
    c = xp.tanh(xp.concatenate([x, h_prev * r], 1) @ w_c + b_c)
    return [r, u, c, (h_prev - c) * u + c]


def _gru_grad(
    xp: Any, x: Any, h_prev: Any, w_ru: Any, w_c: Any, b_ru: Any, b_c: Any, r: Any, u: Any, c: Any, d_h: Any
) -> list[Any]:
    cell_sizes.check_gru(x, h_prev, w_ru, w_c, b_ru, b_c, r, u, c, d_h)
    one, size = x.dtype.type(1), x.shape[1]
    d_c = d_h * (one - u) * (one - c * c)
    d_u = d_h * (h_prev - c) * u * (one - u)
    d_xhr = d_c @ w_c.T
    d_hr = d_xhr[:, size:]
    d_ru = xp.concatenate([d_hr * h_prev * r * (one - r), d_u], 1)
    d_xh = d_ru @ w_ru.T
    return [d_xh[:, :size] + d_xhr[:, :size], d_hr * r + d_h * u + d_xh[:, size:], d_c, d_ru]


GRU_BLOCK_CELL_GRAD = define(
    "GRUBlockCellGrad", "x: T, h_prev: T, w_ru: T, w_c: T, b_ru: T, b_c: T, r: T, u: T, c: T, d_h: T",
    "d_x: T, d_h_prev: T, d_c_bar: T, d_r_bar_u_bar: T", types={"T": (dtypes.float32,)}, kernel=_gru_grad,
    gradient=no_derivative,
    shape=lambda x, h_prev, w_ru, *rest: [
        x.dims, h_prev.dims, h_prev.dims, (shape_rules.with_rank(x, 2)[0], shape_rules.with_rank(w_ru, 2)[1]),
    ],
)  # fmt: skip


def _gru_gradient(op: Any, *dys: Any) -> list[Any]:
    x, h_prev, *_ = op.inputs
    r = op.outputs[0]
    d_x, d_h_prev, d_c, d_ru = apply(GRU_BLOCK_CELL_GRAD, *op.inputs, *op.outputs[:3], dys[3])
    d_w_ru = matrices.matmul(joining.concat([x, h_prev], 1), d_ru, transpose_a=True)
    d_b_ru = apply(BIAS_ADD_GRAD, d_ru)
    d_w_c = matrices.matmul(joining.concat([x, h_prev * r], 1), d_c, transpose_a=True)
    d_b_c = apply(BIAS_ADD_GRAD, d_c)
    return [d_x, d_h_prev, d_w_ru, d_w_c, d_b_ru, d_b_c]


GRU_BLOCK_CELL = define(
    "GRUBlockCell", "x: T, h_prev: T, w_ru: T, w_c: T, b_ru: T, b_c: T", "r: T, u: T, c: T, h: T",
    types={"T": (dtypes.float32,)}, shape=_gru_shapes, kernel=_gru, gradient=_gru_gradient,
)  # fmt: skip

# -- all steps, the forget gate before the cell -------------------------------------------------


def _in_other_order(xp: Any, x: Any) -> Any:
    """The columns of weights with the second and the third of four blocks exchanged."""
    i, second, third, o = xp.split(x, 4, axis=-1)
    return xp.concatenate([i, third, second, o], -1)


def _sequence_v2(
    xp: Any, seq_len_max: Any, x: Any, cs_prev: Any, h_prev: Any, w: Any, wci: Any, wcf: Any, wco: Any, b: Any,
    *, cell_clip: float, use_peephole: bool,
) -> list[Any]:  # fmt: skip
    """``BlockLSTM`` of weights in the order of ``i``, ``f``, ``ci`` and ``o``, without a bias of forgetting."""
    if x.ndim != 3:
        raise invalid("x must be 3D")
    cell_sizes.check_lstm(x, cs_prev, h_prev, w, wci, wcf, wco, b, use_peephole=True)
    w, b = _in_other_order(xp, w), _in_other_order(xp, b)
    clip = cell_clip if cell_clip > 0 else -1.0
    return _sequence(
        xp, seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, forget_bias=0.0, cell_clip=clip,
        use_peephole=use_peephole,
    )  # fmt: skip


def _sequence_grad_v2(
    xp: Any, seq_len_max: Any, x: Any, cs_prev: Any, h_prev: Any, w: Any, wci: Any, wcf: Any, wco: Any, b: Any,
    *known: Any, use_peephole: bool,
) -> list[Any]:  # fmt: skip
    cell_sizes.check_lstm_steps(x, cs_prev, h_prev, w, wci, wcf, wco, b, known, use_peephole)
    w, b = _in_other_order(xp, w), _in_other_order(xp, b)
    dx, dcs, dh, dw, dwci, dwcf, dwco, db = _sequence_grad(
        xp, seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, *known, use_peephole=use_peephole
    )
    return [dx, dcs, dh, _in_other_order(xp, dw), dwci, dwcf, dwco, _in_other_order(xp, db)]


BLOCK_LSTM_GRAD_V2 = renamed(BLOCK_LSTM_GRAD, "BlockLSTMGradV2", kernel=_sequence_grad_v2)


def _sequence_gradient_v2(op: Any, *dys: Any) -> list[Any]:
    grads = apply(BLOCK_LSTM_GRAD_V2, *op.inputs, *op.outputs, dys[1], dys[6], use_peephole=op.attrs["use_peephole"])
    return [None, *grads]


BLOCK_LSTM_V2 = renamed(
    BLOCK_LSTM, "BlockLSTMV2", attrs={"cell_clip": 0.0, "use_peephole": False}, kernel=_sequence_v2,
    gradient=_sequence_gradient_v2,
)  # fmt: skip
