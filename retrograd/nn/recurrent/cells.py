"""Cells of ``tf.contrib.rnn`` that carry one vector, over matrices of their own."""

from __future__ import annotations

from typing import Any

from retrograd.graph.shapes import dimension_value
from retrograd.nn.layers.input_spec import InputSpec
from retrograd.nn.recurrent.linear import Linear
from retrograd.nn.rnn_cells import LayerRNNCell, RNNCell
from retrograd.ops import (
    biases,
    joining,
    matrices,
    repeating,
)
from retrograd.ops.activations import relu
from retrograd.ops.exponentials import sigmoid
from retrograd.ops.trigonometry import tanh
from retrograd.state.initializers import (
    constant_initializer,
    random_uniform_initializer,
    zeros_initializer,
)
from retrograd.state.scopes import get_variable_scope, variable_scope


class _Plain(RNNCell):
    """A cell whose output is its state, of ``num_units``."""

    _num_units: int

    state_size = property(lambda self: self._num_units, doc="``num_units``.")
    output_size = property(lambda self: self._num_units, doc="``num_units``.")


class _PlainLayer(LayerRNNCell):
    """``_Plain`` with variables made by ``build``."""

    _num_units: int

    state_size = property(lambda self: self._num_units, doc="``num_units``.")
    output_size = property(lambda self: self._num_units, doc="``num_units``.")

    def _known_size(self, inputs_shape: Any) -> int:
        size: int | None = dimension_value(inputs_shape[-1])
        if size is None:
            raise ValueError(f"Expected inputs.shape[-1] to be known, saw shape: {inputs_shape}")
        return size


class UGRNNCell(_Plain):
    """``h' = g h + (1 - g) c`` with one gate g (Collins et al., 2017)."""

    def __init__(
        self, num_units: int, initializer: Any = None, forget_bias: float = 1.0, activation: Any = tanh,
        reuse: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse)
        self._num_units, self._initializer_of_weights, self._forget_bias = num_units, initializer, forget_bias
        self._activation = activation
        self._linear: Any = None

    def call(self, inputs: Any, state: Any) -> Any:
        size = inputs.shape.with_rank(2)[1]
        if size.value is None:
            raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
        with variable_scope(get_variable_scope(), initializer=self._initializer_of_weights):
            joined = joining.concat([inputs, state], 1)
            if self._linear is None:
                self._linear = Linear(joined, 2 * self._num_units, True)
            g, c = joining.split(value=self._linear(joined), num_or_size_splits=2, axis=1)
            c = self._activation(c)
            g = sigmoid(g + self._forget_bias)
            state = g * state + (1.0 - g) * c
        return state, state


class IntersectionRNNCell(_Plain):
    """A cell with a gate on its state and one on its output (Collins et al., 2017).

    Raises:
      ValueError: the size of the inputs is neither ``num_units`` nor made so by ``num_in_proj``.
    """

    def __init__(
        self, num_units: int, num_in_proj: Any = None, initializer: Any = None, forget_bias: float = 1.0,
        y_activation: Any = relu, reuse: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse)
        self._num_units, self._num_input_proj, self._initializer_of_weights = num_units, num_in_proj, initializer
        self._forget_bias, self._y_activation = forget_bias, y_activation
        self._linear1: Any = None
        self._linear2: Any = None

    def call(self, inputs: Any, state: Any) -> Any:
        size, n = inputs.shape.with_rank(2)[1], self._num_units
        if size.value is None:
            raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
        with variable_scope(get_variable_scope(), initializer=self._initializer_of_weights):
            if size.value != n:
                if not self._num_input_proj:
                    raise ValueError(
                        "Must have input size == output size for Intersection RNN. To fix, num_in_proj should be set "
                        "to num_units at cell init."
                    )
                with variable_scope("in_projection"):
                    if self._linear1 is None:
                        self._linear1 = Linear(inputs, self._num_input_proj, True)
                    inputs = self._linear1(inputs)
            joined = joining.concat([inputs, state], 1)
            width = inputs.shape.with_rank(2)[1].value
            if self._linear2 is None:
                self._linear2 = Linear(joined, 2 * n + 2 * width, True)
            gates = self._linear2(joined)
            gh, h, gy, y = (
                gates[:, :n],
                gates[:, n : 2 * n],
                gates[:, 2 * n : 2 * n + width],
                gates[:, 2 * n + width : 2 * n + 2 * width],
            )
            h, y = tanh(h), self._y_activation(y)
            gh, gy = sigmoid(gh + self._forget_bias), sigmoid(gy + self._forget_bias)
            state = gh * state + (1.0 - gh) * h
            output = gy * inputs + (1.0 - gy) * y
        return output, state


class SRUCell(_PlainLayer):
    """``c' = f c + (1 - f) W x``; ``h = r tanh(c') + (1 - r) V x`` (Lei et al., 2017)."""

    def __init__(
        self, num_units: int, activation: Any = None, reuse: Any = None, name: Any = None, **kwargs: Any
    ) -> None:
        super().__init__(_reuse=reuse, name=name, **kwargs)
        self._num_units, self._activation = num_units, activation or tanh
        self.input_spec = InputSpec(ndim=2)

    def build(self, inputs_shape: Any) -> None:
        size, n = self._known_size(inputs_shape), self._num_units
        self._kernel = self.add_variable("kernel", shape=[size, 4 * n])
        self._bias = self.add_variable("bias", shape=[2 * n], initializer=zeros_initializer)
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        u = matrices.matmul(inputs, self._kernel)
        new, f, r, skipped = joining.split(value=u, num_or_size_splits=4, axis=1)
        gates = sigmoid(biases.bias_add(joining.concat([f, r], 1), self._bias))
        f, r = joining.split(value=gates, num_or_size_splits=2, axis=1)
        c = f * state + (1.0 - f) * new
        h = r * self._activation(c) + (1.0 - r) * skipped
        return h, c


class IndRNNCell(_PlainLayer):
    """``h' = activation(W x + u h + b)``, a vector u in the place of a matrix (Li et al., 2018)."""

    def __init__(
        self, num_units: int, activation: Any = None, reuse: Any = None, name: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype)
        self.input_spec = InputSpec(ndim=2)
        self._num_units, self._activation = num_units, activation or tanh

    def build(self, inputs_shape: Any) -> None:
        size, n = self._known_size(inputs_shape), self._num_units
        self._kernel_w = self.add_variable("kernel_w", shape=[size, n])
        spread = random_uniform_initializer(minval=-1, maxval=1, dtype=self.dtype)
        self._kernel_u = self.add_variable("kernel_u", shape=[1, n], initializer=spread)
        self._bias = self.add_variable("bias", shape=[n], initializer=zeros_initializer(dtype=self.dtype))
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        gates = matrices.matmul(inputs, self._kernel_w) + state * self._kernel_u
        output = self._activation(biases.bias_add(gates, self._bias))
        return output, output


class IndyGRUCell(_PlainLayer):
    """A GRU whose matrices of the state are vectors."""

    def __init__(
        self, num_units: int, activation: Any = None, reuse: Any = None, kernel_initializer: Any = None,
        bias_initializer: Any = None, name: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse, name=name, dtype=dtype)
        self.input_spec = InputSpec(ndim=2)
        self._num_units, self._activation = num_units, activation or tanh
        self._kernel_initializer, self._bias_initializer = kernel_initializer, bias_initializer

    def build(self, inputs_shape: Any) -> None:
        size, n, given = self._known_size(inputs_shape), self._num_units, self._bias_initializer
        start = self._kernel_initializer
        spread = random_uniform_initializer(minval=-1, maxval=1, dtype=self.dtype)
        ones = constant_initializer(1.0, dtype=self.dtype) if given is None else given
        zeros = zeros_initializer(dtype=self.dtype) if given is None else given
        self._gate_kernel_w = self.add_variable("gates/kernel_w", shape=[size, 2 * n], initializer=start)
        self._gate_kernel_u = self.add_variable("gates/kernel_u", shape=[1, 2 * n], initializer=spread)
        self._gate_bias = self.add_variable("gates/bias", shape=[2 * n], initializer=ones)
        self._candidate_kernel_w = self.add_variable("candidate/kernel", shape=[size, n], initializer=start)
        self._candidate_kernel_u = self.add_variable("candidate/kernel_u", shape=[1, n], initializer=spread)
        self._candidate_bias = self.add_variable("candidate/bias", shape=[n], initializer=zeros)
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        gates = matrices.matmul(inputs, self._gate_kernel_w) + repeating.tile(state, [1, 2]) * self._gate_kernel_u
        gates = sigmoid(biases.bias_add(gates, self._gate_bias))
        r, u = joining.split(value=gates, num_or_size_splits=2, axis=1)
        kept = r * state
        candidate = matrices.matmul(inputs, self._candidate_kernel_w) + kept * self._candidate_kernel_u
        c = self._activation(biases.bias_add(candidate, self._candidate_bias))
        h = u * state + (1 - u) * c
        return h, h
