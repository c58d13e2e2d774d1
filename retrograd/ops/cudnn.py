"""cuDNN's recurrent networks, layers and directions in one op, and their parameters in one vector.

    lstm    i, f, g, o = W x + b + R h + d;  c' = sigmoid(f) c + sigmoid(i) tanh(g);  h' = sigmoid(o) tanh(c')
    gru     r, u = sigmoid(W x + b + R h + d);  n = tanh(V x + b' + r (U h + d'));    h' = (1 - u) n + u h
    others  h' = tanh(W x + b + R h + d), or relu of it

A ``reserve_space`` holds by what dropout multiplied, ``host_reserved`` nothing.  The vector has all matrices, layer by
layer, forward before backward, those of the input before those of the state, then all biases in the same order: the
layout of cuDNN where it needs no padding.  Source: NVIDIA's documentation of ``cudnnRNNMode_t`` and
``cudnnGetRNNLinLayerMatrixParams``; TensorFlow 1.15.5 runs these ops on GPUs alone.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from retrograd.graph import dtypes, errors
from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, Effect, OpDef, define, no_derivative, not_differentiable
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import draws, kinds, shape_rules
from retrograd.ops.recurrent_blocks import over_steps

_GATES = {"lstm": 4, "gru": 3, "rnn_tanh": 1, "rnn_relu": 1}
_TYPES = {"T": (dtypes.float16, dtypes.float32, dtypes.float64)}
_CHOICES = {
    "rnn_mode": ("rnn_relu", "rnn_tanh", "lstm", "gru"),
    "input_mode": ("linear_input", "skip_input", "auto_select"),
    "direction": ("unidirectional", "bidirectional"),
}
_KIND = {"rnn_mode": "lstm", "input_mode": "linear_input", "direction": "unidirectional"}
_DROPOUT = {"dropout": 0.0, "seed": 0, "seed2": 0}

# -- the parameters ------------------------------------------------------------------------------


class Network(NamedTuple):
    """What a network is made of."""

    rnn_mode: str
    input_mode: str
    direction: str
    num_layers: int
    num_units: int
    input_size: int
    num_proj: int = 0

    @property
    def ways(self) -> int:
        """In how many directions it reads."""
        return 1 if self.direction == "unidirectional" else 2

    @property
    def gates(self) -> int:
        """How many matrices are for the input of a layer, and for its state."""
        return _GATES[self.rnn_mode]

    @property
    def state_size(self) -> int:
        """How long the state h is."""
        return self.num_proj or self.num_units

    @property
    def skips(self) -> bool:
        """Whether the first layer takes its input as it is."""
        same = self.input_size == self.num_units
        if self.input_mode == "skip_input" and not same:
            raise errors.InvalidArgumentError(
                None,
                None,
                f"skip_input needs inputs of {self.num_units} numbers, as there are units: {self.input_size}",
            )
        return self.input_mode == "skip_input" or (self.input_mode == "auto_select" and same)

    def matrices(self) -> list[tuple[int, int]]:
        """The shapes of all matrices in their order; one that is not there has no columns."""
        shapes: list[tuple[int, int]] = []
        for layer in range(self.num_layers):
            width = self.ways * self.state_size if layer else 0 if self.skips else self.input_size
            one = [(self.num_units, width)] * self.gates + [(self.num_units, self.state_size)] * self.gates
            shapes += (one + [(self.num_proj, self.num_units)] * bool(self.num_proj)) * self.ways
        return shapes

    def size(self) -> int:
        """How many parameters there are."""
        biases = self.num_layers * self.ways * 2 * self.gates * self.num_units
        return sum(rows * columns for rows, columns in self.matrices()) + biases

    def parted(self, params: Any) -> tuple[list[Any], list[Any]]:
        """The matrices and the biases in a vector."""
        if params.shape != (self.size(),):
            raise errors.InvalidArgumentError(
                None, None, f"Invalid params of shape {list(params.shape)}: the network has {self.size()} parameters"
            )
        weights, at = [], 0
        for rows, columns in self.matrices():
            weights.append(params[at : at + rows * columns].reshape(rows, columns))
            at += rows * columns
        return weights, list(params[at:].reshape(-1, self.num_units))


class _Part(NamedTuple):
    """The parameters of one layer in one direction: ``wx`` is None where inputs are taken as they are."""

    wx: Any
    wr: Any
    proj: Any
    bx: Any
    br: Any


def _parts(xp: Any, net: Network, params: Any) -> list[_Part]:
    weights, biases = net.parted(params)
    n, each = net.gates, 2 * net.gates + bool(net.num_proj)
    parts = []
    for i in range(net.num_layers * net.ways):
        w, b = weights[i * each : (i + 1) * each], biases[i * 2 * n : (i + 1) * 2 * n]
        wx = xp.concatenate(w[:n]) if w[0].shape[1] else None
        proj = w[-1] if net.num_proj else None
        parts.append(_Part(wx, xp.concatenate(w[n : 2 * n]), proj, xp.concatenate(b[:n]), xp.concatenate(b[n : 2 * n])))
    return parts


# -- one layer in one direction ------------------------------------------------------------------


def _sigmoid(xp: Any, x: Any) -> Any:
    half = x.dtype.type(0.5)
    return half * xp.tanh(half * x) + half


def _step(xp: Any, mode: str, part: _Part, zx: Any, h: Any, c: Any) -> tuple[Any, Any, list[Any]]:
    """``h', c'`` and what the gradient needs."""
    rec = h @ part.wr.T + part.br
    if mode == "lstm":
        i, f, g, o = xp.split(zx + rec, 4, axis=1)
        i, f, g, o = _sigmoid(xp, i), _sigmoid(xp, f), xp.tanh(g), _sigmoid(xp, o)
        now = f * c + i * g
        m = o * xp.tanh(now)
        return m if part.proj is None else m @ part.proj.T, now, [i, f, g, o, xp.tanh(now), m]
    if mode == "gru":
        (xr, xu, xn), (hr, hu, hn) = xp.split(zx, 3, axis=1), xp.split(rec, 3, axis=1)
        r, u = _sigmoid(xp, xr + hr), _sigmoid(xp, xu + hu)
        n = xp.tanh(xn + r * hn)
        return n + u * (h - n), c, [r, u, n, hn]
    z = zx + rec
    return xp.tanh(z) if mode == "rnn_tanh" else xp.maximum(z, z.dtype.type(0)), c, []


def _step_back(
    xp: Any, mode: str, part: _Part, h_before: Any, c_before: Any, h: Any, kept: list[Any], dh: Any, dc: Any
) -> tuple[Any, Any, Any, Any]:
    """The gradients of what the input and the state gave to the gates, of the state that passes by, and of c."""
    one = dh.dtype.type(1)
    if mode == "lstm":
        i, f, g, o, tanh_c, _ = kept
        dm = dh if part.proj is None else dh @ part.proj
        dc = dc + dm * o * (one - tanh_c * tanh_c)
        slopes = [dc * g * i * (one - i), dc * c_before * f * (one - f), dc * i * (one - g * g),
                  dm * tanh_c * o * (one - o)]  # fmt: skip
        dz = xp.concatenate(slopes, 1)
        return dz, dz, xp.zeros_like(h_before), dc * f
    if mode == "gru":
        r, u, n, hn = kept
        dn = dh * (one - u) * (one - n * n)
        dr, du = dn * hn * r * (one - r), dh * (h_before - n) * u * (one - u)
        return xp.concatenate([dr, du, dn], 1), xp.concatenate([dr, du, dn * r], 1), dh * u, dc
    dz = dh * ((one - h * h) if mode == "rnn_tanh" else (h > 0).astype(h.dtype))
    return dz, dz, xp.zeros_like(h_before), dc


class _Kept(NamedTuple):
    """What the gradient needs of one layer in one direction, step by step in the order of the steps."""

    h_before: Any
    c_before: Any
    h: Any
    others: list[Any]


def _turned(backward: bool, *xs: Any) -> list[Any]:
    return [x[::-1] if backward else x for x in xs]


def _layer(
    xp: Any, net: Network, part: _Part, x: Any, h: Any, c: Any, inside: Any, backward: bool
) -> tuple[Any, Any, Any, _Kept]:
    """The outputs of all steps, the last state, and what the gradient needs."""
    zx = (xp.tile(x, net.gates) if part.wx is None else x @ part.wx.T) + part.bx

    def step(carry: Any, now: Any) -> Any:
        zx, here = now
        h, c, kept = _step(xp, net.rnn_mode, part, zx, *carry)
        after = (xp.where(here, h, carry[0]), xp.where(here, c, carry[1]))
        return after, [xp.where(here, h, xp.zeros_like(h)), *carry, h, *kept]

    (h, c), (y, *rest) = over_steps(xp, step, (h, c), tuple(_turned(backward, zx, inside)), len(x))
    return _turned(backward, y)[0], h, c, _Kept(rest[0], rest[1], rest[2], rest[3:])


def _layer_back(
    xp: Any, net: Network, part: _Part, x: Any, kept: _Kept, inside: Any, backward: bool, dy: Any, dh: Any, dc: Any
) -> tuple[Any, Any, Any, list[Any], list[Any]]:
    """The gradients of the input, of the first state, of the matrices and of the biases."""

    def step(carry: Any, now: Any) -> Any:
        dy, here, h_before, c_before, h, *others = now
        dh = carry[0] + dy
        dzx, drec, passing, dc = _step_back(xp, net.rnn_mode, part, h_before, c_before, h, others, dh, carry[1])
        before = (xp.where(here, passing + drec @ part.wr, carry[0]), xp.where(here, dc, carry[1]))
        return before, [xp.where(here, g, xp.zeros_like(g)) for g in (dzx, drec, dh)]

    steps = [*_turned(backward, dy, inside), kept.h_before, kept.c_before, kept.h, *kept.others]
    (dh, dc), (dzx, drec, dhs) = over_steps(xp, step, (dh, dc), tuple(s[::-1] for s in steps), len(x))
    dzx, drec, dhs = dzx[::-1], drec[::-1], dhs[::-1]
    rows, columns = (-1, dzx.shape[-1]), (-1, kept.h_before.shape[-1])
    dwr = drec.reshape(rows).T @ kept.h_before.reshape(columns)
    dbx, dbr = xp.sum(dzx, (0, 1)), xp.sum(drec, (0, 1))
    (dzx,) = _turned(backward, dzx)
    if part.wx is None:
        dx, dwx = xp.sum(xp.stack(xp.split(dzx, net.gates, axis=2)), 0), xp.zeros((dzx.shape[-1], 0), x.dtype)
    else:
        dx, dwx = dzx @ part.wx, dzx.reshape(rows).T @ x.reshape(-1, x.shape[-1])
    matrices = [dwx.ravel(), dwr.ravel()]
    if part.proj is not None:
        m = kept.others[-1]
        matrices.append((dhs.reshape(-1, dhs.shape[-1]).T @ m.reshape(-1, m.shape[-1])).ravel())
    return dx, dh, dc, matrices, [dbx, dbr]


# -- the whole network ---------------------------------------------------------------------------


def _network(
    xp: Any, net: Network, x: Any, h: Any, c: Any, params: Any, inside: Any, masks: list[Any]
) -> tuple[Any, Any, Any, list[Any]]:
    """The outputs, the last states of all layers and directions, and what the gradient needs."""
    parts, hs, cs, tape = _parts(xp, net, params), [], [], []
    for layer in range(net.num_layers):
        if layer and masks:
            x = x * masks[layer - 1]
        ys, kept = [], []
        for way in range(net.ways):
            at = layer * net.ways + way
            y, last_h, last_c, one = _layer(xp, net, parts[at], x, h[at], c[at], inside, way == 1)
            ys.append(y)
            hs.append(last_h)
            cs.append(last_c)
            kept.append(one)
        tape.append((x, kept))
        x = xp.concatenate(ys, 2)
    return x, xp.stack(hs), xp.stack(cs), tape


def _network_back(
    xp: Any, net: Network, params: Any, inside: Any, masks: list[Any], tape: list[Any], dy: Any, dh: Any, dc: Any
) -> tuple[Any, Any, Any, Any]:
    """The gradients of the inputs, of the first states and of the parameters."""
    parts = _parts(xp, net, params)
    count = net.num_layers * net.ways
    dhs: list[Any] = [None] * count
    dcs, matrices, biases = list(dhs), list(dhs), list(dhs)
    for layer in reversed(range(net.num_layers)):
        x, kept = tape[layer]
        dx: Any = 0
        for way in range(net.ways):
            at = layer * net.ways + way
            mine = dy[..., way * net.state_size : (way + 1) * net.state_size]
            one, dhs[at], dcs[at], matrices[at], biases[at] = _layer_back(
                xp, net, parts[at], x, kept[way], inside, way == 1, mine, dh[at], dc[at]
            )
            dx = dx + one
        dy = dx * masks[layer - 1] if layer and masks else dx
    flat = [v for part in (*matrices, *biases) for v in part]
    return dy, xp.stack(dhs), xp.stack(dcs), xp.concatenate(flat)


def _of_states(x: Any, h: Any, c: Any, rnn_mode: str, input_mode: str, direction: str, num_proj: int) -> Network:
    ways = 1 if direction == "unidirectional" else 2
    units = c.shape[2] if rnn_mode == "lstm" else h.shape[2]
    return Network(rnn_mode, input_mode, direction, h.shape[0] // ways, units, x.shape[2], num_proj)


def _first_c(xp: Any, rnn_mode: str, h: Any, c: Any) -> Any:
    """The states c: a network without them carries none."""
    return c if rnn_mode == "lstm" else xp.zeros((*h.shape[:2], 0), h.dtype)


def _inside(xp: Any, x: Any, lengths: Any) -> Any:
    """Which step of which sequence is before its end."""
    if lengths is None:
        return xp.ones((len(x), 1, 1), bool)
    return (xp.arange(len(x))[:, None] < lengths[None, :])[..., None]


def _major(xp: Any, time_major: bool, *xs: Any) -> list[Any]:
    """Arrays of three dimensions with the time, or the layer, in front; and back."""
    return [x if time_major or x.ndim != 3 else xp.swapaxes(x, 0, 1) for x in xs]


def _masks(xp: Any, net: Network, x: Any, reserve: Any, dropout: float) -> list[Any]:
    if dropout <= 0 or not reserve.size:
        return []
    shape = (net.num_layers - 1, *x.shape[:2], net.ways * net.state_size)
    return list(reserve.reshape(shape))


def _drawn(xp: Any, stream: Any, net: Network, x: Any, dropout: float, is_training: bool) -> Any:
    """By what dropout multiplies the inputs of the layers behind the first, in one vector."""
    count = (net.num_layers - 1) * x.shape[0] * x.shape[1] * net.ways * net.state_size
    if not is_training or dropout <= 0 or not count:
        return xp.zeros((0,), x.dtype)
    key, counter = stream.take(xp, draws.blocks_per_fill(count))
    kept = draws.uniform(xp, key, counter, (count,), np.dtype("float32")) >= np.float32(dropout)
    return kept.astype(x.dtype) * x.dtype.type(1 / (1 - dropout) if dropout < 1 else 0)


def _forward(
    xp: Any, stream: Any, x: Any, h: Any, c: Any, params: Any, lengths: Any = None, *, rnn_mode: str, input_mode: str,
    direction: str, dropout: float, is_training: bool, num_proj: int, time_major: bool,
) -> list[Any]:  # fmt: skip
    """Outputs, the last states, what dropout drew, and nothing; there is no state c but in an LSTM.

    Zeros are put out behind the end of a sequence.
    """
    x, h, c = _major(xp, time_major, x, h, c)
    net = _of_states(x, h, c, rnn_mode, input_mode, direction, num_proj)
    reserve = _drawn(xp, stream, net, x, dropout, is_training)
    masks = _masks(xp, net, x, reserve, dropout)
    first = _first_c(xp, rnn_mode, h, c)
    y, last_h, last_c, _ = _network(xp, net, x, h, first, params, _inside(xp, x, lengths), masks)
    y, last_h, last_c = _major(xp, time_major, y, last_h, last_c)
    return [y, last_h, last_c if rnn_mode == "lstm" else xp.zeros((), x.dtype), reserve, xp.zeros((0,), np.int8)]


def _backward(
    xp: Any, x: Any, h: Any, c: Any, params: Any, lengths: Any, y: Any, y_h: Any, y_c: Any, dy: Any, dh: Any, dc: Any,
    reserve: Any, *host: Any, rnn_mode: str, input_mode: str, direction: str, dropout: float, num_proj: int,
    time_major: bool,
) -> list[Any]:  # fmt: skip
    """The gradients of the inputs, of the first states and of the parameters: the network runs again, then back."""
    is_lstm = rnn_mode == "lstm"
    x, h, c, dy, dh, dc = _major(xp, time_major, x, h, c, dy, dh, dc)
    net = _of_states(x, h, c, rnn_mode, input_mode, direction, num_proj)
    masks, inside = _masks(xp, net, x, reserve, dropout), _inside(xp, x, lengths)
    first, dlast = _first_c(xp, rnn_mode, h, c), _first_c(xp, rnn_mode, h, dc)
    *_, tape = _network(xp, net, x, h, first, params, inside, masks)
    dx, dh, dc, dparams = _network_back(xp, net, params, inside, masks, tape, dy, dh, dlast)
    dx, dh, dc = _major(xp, time_major, dx, dh, dc)
    return [dx, dh, dc if is_lstm else xp.zeros_like(c), dparams]


# -- the ops -------------------------------------------------------------------------------------

_INPUTS = "input: T, input_h: T, input_c: T, params: T"
_OUTPUTS = "output: T, output_h: T, output_c: T, reserve_space: T"
_SLOPES = "input_backprop: T, input_h_backprop: T, input_c_backprop: T, params_backprop: T"
_NETWORK = {**_KIND, **_DROPOUT}
_FURTHER = {"num_proj": 0, "time_major": True}


def _shapes(x: Tensor, h: Tensor, c: Tensor, params: Tensor, *, rnn_mode: str, direction: str) -> list[RawShape]:
    (time, batch, _), (_, _, units) = shape_rules.with_rank(x, 3), shape_rules.with_rank(h, 3)
    shape_rules.with_rank(params, 1)
    width = None if units is None else units * (1 if direction == "unidirectional" else 2)
    return [(time, batch, width), h.dims, h.dims if rnn_mode == "lstm" else (), None]


def _shapes_v2(x: Tensor, h: Tensor, c: Tensor, params: Tensor, *, rnn_mode: str, direction: str) -> list[RawShape]:
    return [*_shapes(x, h, c, params, rnn_mode=rnn_mode, direction=direction), None]


def _shapes_v3(
    x: Tensor, h: Tensor, c: Tensor, params: Tensor, lengths: Tensor, *, rnn_mode: str, direction: str
) -> list[RawShape]:
    shape_rules.with_rank(lengths, 1)
    found = _shapes_v2(x, h, c, params, rnn_mode=rnn_mode, direction=direction)
    return [*found[:2], c.dims if rnn_mode == "lstm" else (), *found[3:]]


def _checked(op: Any) -> None:
    if not op.attrs["is_training"]:
        error = ValueError(f"To use {op.type} in gradients, is_training must be set to True.")
        error.add_note("  Fix:   layer(inputs, training=True)")
        raise error


def _chosen(op: Any, *more: str) -> dict[str, Any]:
    return {key: op.attrs[key] for key in (*_NETWORK, *more)}


def _backward_of_all_steps(
    xp: Any, x: Any, h: Any, c: Any, params: Any, *rest: Any, rnn_mode: str, input_mode: str, direction: str,
    dropout: float,
) -> list[Any]:  # fmt: skip
    return _backward(
        xp, x, h, c, params, None, *rest, rnn_mode=rnn_mode, input_mode=input_mode, direction=direction,
        dropout=dropout, num_proj=0, time_major=True,
    )  # fmt: skip


def _backprop(name: str, lengths: str, host: str, kernel: Callable[..., Any], attrs: dict[str, Any]) -> OpDef:
    return define(
        name,
        f"{_INPUTS}{lengths}, output: T, output_h: T, output_c: T, output_backprop: T, output_h_backprop: T, "
        f"output_c_backprop: T, reserve_space: T{host}",
        _SLOPES, attrs={**_NETWORK, **attrs}, types=_TYPES, choices=_CHOICES, kernel=kernel, gradient=no_derivative,
        shape=lambda x, h, c, params, *rest: [x.dims, h.dims, c.dims, params.dims],
    )  # fmt: skip


CUDNN_RNN_BACKPROP = _backprop("CudnnRNNBackprop", "", "", _backward_of_all_steps, {})
CUDNN_RNN_BACKPROP_V2 = _backprop("CudnnRNNBackpropV2", "", ", host_reserved: int8", _backward_of_all_steps, {})
CUDNN_RNN_BACKPROP_V3 = _backprop(
    "CudnnRNNBackpropV3", ", sequence_lengths: int32", ", host_reserved: int8", _backward, _FURTHER
)


def _of_less(kernel: Callable[..., Any], outputs: int | None = None, **fixed: Any) -> Callable[..., Any]:
    """The kernel of an older op, which has fewer outputs, and fewer attributes: the others are ``fixed``."""

    def older(*inputs: Any, **attrs: Any) -> Any:
        found = kernel(*inputs, **attrs, **fixed)
        return found if outputs is None else found[:outputs]

    signature = inspect.signature(kernel)
    kept = [p for name, p in signature.parameters.items() if name not in fixed]
    older.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
    return older


def _gradient(op: Any, *dys: Any) -> list[Any]:
    _checked(op)
    return list(apply(CUDNN_RNN_BACKPROP, *op.inputs, *op.outputs[:3], *dys[:3], op.outputs[3], **_chosen(op)))


CUDNN_RNN = define(
    "CudnnRNN", _INPUTS, _OUTPUTS, attrs={**_NETWORK, "is_training": True}, types=_TYPES, choices=_CHOICES,
    shape=_shapes, kernel=_of_less(_forward, 4, **_FURTHER), effect=Effect.RANDOM, gradient=_gradient,
)  # fmt: skip


def _gradient_v2(op: Any, *dys: Any) -> list[Any]:
    _checked(op)
    return list(apply(CUDNN_RNN_BACKPROP_V2, *op.inputs, *op.outputs[:3], *dys[:3], *op.outputs[3:], **_chosen(op)))


CUDNN_RNN_V2 = define(
    "CudnnRNNV2", _INPUTS, _OUTPUTS + ", host_reserved: int8", attrs={**_NETWORK, "is_training": True}, types=_TYPES,
    choices=_CHOICES, shape=_shapes_v2, kernel=_of_less(_forward, **_FURTHER), effect=Effect.RANDOM,
    gradient=_gradient_v2,
)  # fmt: skip


def _gradient_v3(op: Any, *dys: Any) -> list[Any]:
    _checked(op)
    slopes = apply(
        CUDNN_RNN_BACKPROP_V3, *op.inputs, *op.outputs[:3], *dys[:3], *op.outputs[3:],
        **_chosen(op, "num_proj", "time_major"),
    )  # fmt: skip
    return [*slopes, None]


CUDNN_RNN_V3 = define(
    "CudnnRNNV3", _INPUTS + ", sequence_lengths: int32", _OUTPUTS + ", host_reserved: int8",
    attrs={**_NETWORK, "num_proj": _FURTHER["num_proj"], "is_training": True, **_FURTHER}, types=_TYPES,
    choices=_CHOICES, shape=_shapes_v3, kernel=_forward, effect=Effect.RANDOM, gradient=_gradient_v3,
)  # fmt: skip


# -- parameters in one vector, and in matrices ---------------------------------------------------

_SIZES = "num_layers: int32, num_units: int32, input_size: int32"
_STATIC = ("num_layers", "num_units", "input_size")


def _size(
    xp: Any, num_layers: Any, num_units: Any, input_size: Any, *, rnn_mode: str, input_mode: str, direction: str,
    num_proj: int, S: Any,
) -> Any:  # fmt: skip
    net = Network(rnn_mode, input_mode, direction, int(num_layers), int(num_units), int(input_size), num_proj)
    return np.asarray([net.size()], S.np)


CUDNN_RNN_PARAMS_SIZE = define(
    "CudnnRNNParamsSize", _SIZES, "params_size: S", attrs={"T": REQUIRED, "S": REQUIRED, **_NETWORK, "num_proj": 0},
    types={**_TYPES, "S": kinds.INDEX}, choices=_CHOICES, static=_STATIC, shape=lambda *sizes: (1,), kernel=_size,
    gradient=not_differentiable,
)  # fmt: skip


def _to_canonical(
    xp: Any, num_layers: Any, num_units: Any, input_size: Any, params: Any, *, rnn_mode: str, input_mode: str,
    direction: str, num_proj: int,
) -> list[Any]:  # fmt: skip
    net = Network(rnn_mode, input_mode, direction, int(num_layers), int(num_units), int(input_size), num_proj)
    weights, biases = net.parted(params)
    return [*weights, *biases]


def _to_params(
    xp: Any, num_layers: Any, num_units: Any, input_size: Any, weights: list[Any], biases: list[Any], *, rnn_mode: str,
    input_mode: str, direction: str, num_proj: int,
) -> Any:  # fmt: skip
    net = Network(rnn_mode, input_mode, direction, int(num_layers), int(num_units), int(input_size), num_proj)
    flat = [w.ravel() if columns else w.ravel()[:0] for w, (_, columns) in zip(weights, net.matrices(), strict=True)]
    params = xp.concatenate([*flat, *(b.ravel() for b in biases)])
    net.parted(params)  # raises where matrices have other sizes
    return params


CUDNN_RNN_PARAMS_TO_CANONICAL = define(
    "CudnnRNNParamsToCanonical", f"{_SIZES}, params: T", "weights: num_params*T, biases: num_params*T",
    attrs={"num_params": REQUIRED, **_NETWORK}, types=_TYPES, choices=_CHOICES, static=_STATIC,
    kernel=_of_less(_to_canonical, num_proj=0), gradient=no_derivative,
    shape=lambda *inputs, num_params: [(None, None)] * num_params + [(None,)] * num_params,
)  # fmt: skip
CUDNN_RNN_PARAMS_TO_CANONICAL_V2 = define(
    "CudnnRNNParamsToCanonicalV2", f"{_SIZES}, params: T",
    "weights: num_params_weights*T, biases: num_params_biases*T",
    attrs={"num_params_weights": REQUIRED, "num_params_biases": REQUIRED, **_NETWORK, "num_proj": 0}, types=_TYPES,
    choices=_CHOICES, static=_STATIC, kernel=_to_canonical, gradient=no_derivative,
    shape=lambda *inputs, num_params_weights, num_params_biases: [
        *[(None, None)] * num_params_weights, *[(None,)] * num_params_biases,
    ],
)  # fmt: skip


CUDNN_RNN_CANONICAL_TO_PARAMS = define(
    "CudnnRNNCanonicalToParams", f"{_SIZES}, weights: num_params*T, biases: num_params*T", "params: T", attrs=_NETWORK,
    types=_TYPES, choices=_CHOICES, static=_STATIC, kernel=_of_less(_to_params, num_proj=0), gradient=no_derivative,
    shape=lambda *inputs: (None,),
)  # fmt: skip
CUDNN_RNN_CANONICAL_TO_PARAMS_V2 = define(
    "CudnnRNNCanonicalToParamsV2", f"{_SIZES}, weights: num_params_weights*T, biases: num_params_biases*T",
    "params: T", attrs={**_NETWORK, "num_proj": 0}, types=_TYPES, choices=_CHOICES, static=_STATIC,
    kernel=_to_params, gradient=no_derivative, shape=lambda *inputs: (None,),
)  # fmt: skip
