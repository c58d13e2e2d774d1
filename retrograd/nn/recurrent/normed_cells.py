"""LSTMs over normalized gates or weights, and cells with one gate or two, of the module ``rnn_cell`` of contrib."""

from __future__ import annotations

from typing import Any

from retrograd.graph import nest
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.tensor import Tensor
from retrograd.nn.keras import activations, initializers
from retrograd.nn.layers.input_spec import InputSpec
from retrograd.nn.recurrent.lstms import ProjectedLSTMCell, norm_in
from retrograd.nn.rnn_cells import LayerRNNCell, LSTMStateTuple
from retrograd.ops import biases, clipping, joining, matrices
from retrograd.ops.exponentials import sigmoid
from retrograd.ops.norms import l2_normalize
from retrograd.ops.trigonometry import tanh
from retrograd.state.initializers import constant_initializer
from retrograd.state.scopes import get_variable, get_variable_scope, variable_scope


def _widths(args: list[Any]) -> list[int]:
    shapes = [a.shape for a in args]
    for shape in shapes:
        if shape.ndims != 2:
            raise ValueError(f"linear is expecting 2D arguments: {shapes}")
        if shape[1].value is None:
            raise ValueError(f"linear expects shape[1] to be provided for shape {shape}, but saw {shape[1]}")
    return [shape[1].value for shape in shapes]


def _unit_columns(weights: Any, widths: list[int]) -> Tensor:
    """For each argument its rows of ``weights``, g w / |w| column by column, outside of any loop."""
    with control_dependencies(None):
        parts, start = [], 0
        for i, width in enumerate(widths):
            w = weights[start : start + width, :]
            g = get_variable(f"norm_{i}", [w.shape.as_list()[1]], dtype=w.dtype)
            parts.append(l2_normalize(w, axis=0) * g)
            start += width
        return joining.concat(parts, axis=0)


def _product(args: list[Any], weights: Any) -> Tensor:
    return matrices.matmul(args[0] if len(args) == 1 else joining.concat(args, 1), weights)


def _bias(scope: Any, size: int, dtype: Any) -> Any:
    """The variable ``bias`` of ``scope``, in one part."""
    with variable_scope(scope) as inner:
        inner.set_partitioner(None)
        return get_variable("bias", [size], dtype=dtype, initializer=constant_initializer(0.0, dtype=dtype))


class _LSTM(ProjectedLSTMCell):
    """What the two LSTMs share beside their sizes: peepholes and limits."""

    _use_peepholes: bool
    _cell_clip: float | None
    _proj_clip: float | None
    _forget_bias: float
    _activation: Any

    def _diagonals(self, dtype: Any) -> list[Any]:
        return [get_variable(f"w_{gate}_diag", shape=[self._num_units], dtype=dtype) for gate in "fio"]

    def _cut(self, x: Any, limit: float | None) -> Any:
        return x if limit is None else clipping.clip_by_value(x, -limit, limit)


def _check_known_width(inputs: Any) -> None:
    if inputs.shape.with_rank(2)[1].value is None:
        raise ValueError("Could not infer input size from inputs.get_shape()[-1]")


class LayerNormLSTMCell(_LSTM):
    """An LSTM with peepholes and a projection, whose gates and c may be normalized (Ba et al., 2016).

    Args:
      layer_norm: normalize; the bias then exists but is not added.
      norm_gain, norm_shift: where scale and bias of the norms start.
    """

    def __init__(
        self, num_units: int, use_peepholes: bool = False, cell_clip: Any = None, initializer: Any = None,
        num_proj: Any = None, proj_clip: Any = None, forget_bias: float = 1.0, activation: Any = None,
        layer_norm: bool = False, norm_gain: float = 1.0, norm_shift: float = 0.0, reuse: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse)
        self._num_units, self._use_peepholes, self._cell_clip = num_units, use_peepholes, cell_clip
        self._initializer_of_weights, self._num_proj, self._proj_clip = initializer, num_proj, proj_clip
        self._forget_bias, self._activation = forget_bias, activation or tanh
        self._layer_norm, self._norm_gain, self._norm_shift = layer_norm, norm_gain, norm_shift

    def _norm(self, x: Any, scope: str) -> Any:
        return norm_in(x, scope, self._norm_gain, self._norm_shift, None) if self._layer_norm else x

    def _linear(self, args: Any, size: int, bias: bool) -> Tensor:
        args = args if nest.is_nested(args) else [args]
        dtype, rows = args[0].dtype, sum(_widths(args))
        with variable_scope(get_variable_scope()) as outer:
            result = _product(args, get_variable("kernel", [rows, size], dtype=dtype))
            added = _bias(outer, size, dtype) if bias else None
        return biases.bias_add(result, added) if bias and not self._layer_norm else result

    def call(self, inputs: Any, state: Any) -> Any:
        c, m = state
        _check_known_width(inputs)
        activation = self._activation
        with variable_scope(get_variable_scope(), initializer=self._initializer_of_weights) as scope:
            gates = self._linear([inputs, m], 4 * self._num_units, bias=True)
            i, j, f, o = joining.split(value=gates, num_or_size_splits=4, axis=1)
            i, j = self._norm(i, "input"), self._norm(j, "transform")
            f, o = self._norm(f, "forget"), self._norm(o, "output")
            if self._use_peepholes:
                with variable_scope(scope):
                    of_f, of_i, of_o = self._diagonals(inputs.dtype)
                kept = sigmoid(f + self._forget_bias + of_f * c) * c
                c = kept + sigmoid(i + of_i * c) * activation(j)
            else:
                c = sigmoid(f + self._forget_bias) * c + sigmoid(i) * activation(j)
            c = self._cut(self._norm(c, "state"), self._cell_clip)
            m = sigmoid(o + of_o * c if self._use_peepholes else o) * activation(c)
            if self._num_proj is not None:
                with variable_scope("projection"):
                    m = self._linear(m, self._num_proj, bias=False)
                m = self._cut(m, self._proj_clip)
        return m, LSTMStateTuple(c, m)


class WeightNormLSTMCell(_LSTM):
    """An LSTM over weights of the form ``g w / |w|``, for inputs and state apart (Salimans and Kingma, 2016).

    Args:
      norm: normalize; else the weights are plain.
    """

    def __init__(
        self, num_units: int, norm: bool = True, use_peepholes: bool = False, cell_clip: Any = None,
        initializer: Any = None, num_proj: Any = None, proj_clip: Any = None, forget_bias: float = 1,
        activation: Any = None, reuse: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse)
        self._scope: Any = "wn_lstm_cell"  # variables are in a scope of this name twice, as in TensorFlow
        self._num_units, self._norm, self._use_peepholes = num_units, norm, use_peepholes
        self._cell_clip, self._initializer_of_weights = cell_clip, initializer
        self._num_proj, self._proj_clip = num_proj, proj_clip
        self._forget_bias, self._activation = forget_bias, activation or tanh

    def _linear(self, args: Any, size: int, bias: bool) -> Tensor:
        args = args if nest.is_nested(args) else [args]
        dtype, widths = args[0].dtype, _widths(args)
        with variable_scope(get_variable_scope()) as outer:
            weights = get_variable("kernel", [sum(widths), size], dtype=dtype)
            if self._norm:
                weights = _unit_columns(weights, widths)
            result = _product(args, weights)
            return biases.bias_add(result, _bias(outer, size, dtype)) if bias else result

    def call(self, inputs: Any, state: Any) -> Any:
        c, h = state
        _check_known_width(inputs)
        activation = self._activation
        with variable_scope("wn_lstm_cell", initializer=self._initializer_of_weights):
            gates = self._linear([inputs, h], 4 * self._num_units, bias=True)
            i, j, f, o = joining.split(value=gates, num_or_size_splits=4, axis=1)
            if self._use_peepholes:
                of_f, of_i, of_o = self._diagonals(inputs.dtype)
                kept = c * sigmoid(f + self._forget_bias + of_f * c)
                c = kept + sigmoid(i + of_i * c) * activation(j)
            else:
                c = c * sigmoid(f + self._forget_bias) + sigmoid(i) * activation(j)
            c = self._cut(c, self._cell_clip)
            h = sigmoid(o + of_o * c if self._use_peepholes else o) * activation(c)
            if self._num_proj is not None:
                with variable_scope("projection"):
                    h = self._linear(h, self._num_proj, bias=False)
                h = self._cut(h, self._proj_clip)
            return h, LSTMStateTuple(c, h)


# -- cells with few gates ----------------------------------------------------------------------


class _Gated(LayerRNNCell):
    """A cell whose output is its state, of ``units``, with Keras's arguments."""

    state_size = property(lambda self: self.units, doc="``units``.")
    output_size = property(lambda self: self.units, doc="``units``.")

    def __init__(
        self, units: int, activation: Any = "tanh", kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "ones", name: Any = None, dtype: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(name=name, dtype=dtype, **kwargs)
        self.input_spec = InputSpec(ndim=2)
        self.units, self.activation = units, activations.get(activation)
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)

    def _width(self, inputs_shape: Any) -> int:
        size: int | None = inputs_shape[-1]
        if size is None:
            raise ValueError(f"Expected inputs.shape[-1] to be known, saw shape: {inputs_shape}")
        return size


class MinimalRNNCell(_Gated):
    """``h' = u h + (1 - u) z`` with ``z = activation(W x)``, ``u = sigmoid([z, h] V + b)`` (Chen, 2017)."""

    def build(self, inputs_shape: Any) -> None:
        rows, start = self._width(inputs_shape) + 2 * self.units, self.kernel_initializer
        self.kernel = self.add_weight(name="kernel", shape=[rows, self.units], initializer=start)
        self.bias = self.add_weight(name="bias", shape=[self.units], initializer=self.bias_initializer)
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        _check_known_width(inputs)
        sizes = [inputs.shape[1].value, 2 * self.units]
        w, v = joining.split(value=self.kernel, num_or_size_splits=sizes, axis=0)
        z = self.activation(matrices.matmul(inputs, w))
        u = sigmoid(biases.bias_add(matrices.matmul(joining.concat([z, state], 1), v), self.bias))
        h = u * state + (1 - u) * z
        return h, h


class CFNCell(_Gated):
    """``h' = theta f(h) + (1 - eta) f(W x)``: no chaos without input (Laurent and von Brecht, 2016).

    The input gate is 1 - eta, so that a bias of ones closes it at first.
    """

    def build(self, inputs_shape: Any) -> None:
        size, n, start = self._width(inputs_shape), self.units, self.kernel_initializer
        self.kernel = self.add_weight(shape=[size, 3 * n], name="kernel", initializer=start)
        self.recurrent_kernel = self.add_weight(shape=[n, 2 * n], name="recurrent_kernel", initializer=start)
        self.bias = self.add_weight(shape=[2 * n], name="bias", initializer=self.bias_initializer)
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        _check_known_width(inputs)
        v, w = joining.split(value=self.kernel, num_or_size_splits=[2 * self.units, self.units], axis=1)
        gates = matrices.matmul(state, self.recurrent_kernel) + matrices.matmul(inputs, v)
        gates = sigmoid(biases.bias_add(gates, self.bias))
        theta, eta = joining.split(value=gates, num_or_size_splits=2, axis=1)
        x = matrices.matmul(inputs, w)
        h = theta * self.activation(state) + (1 - eta) * self.activation(x)
        return h, h
