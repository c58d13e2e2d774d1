"""Cells with the variables and numbers of cuDNN's networks, for checkpoints that were trained by those."""

from __future__ import annotations

from typing import Any

from retrograd.graph.tensor import Tensor
from retrograd.nn.recurrent.blocks import LSTMBlockCell
from retrograd.nn.rnn_cells import GRUCell
from retrograd.ops import biases, exponentials, joining, matrices
from retrograd.state.initializers import constant_initializer, zeros_initializer


class CudnnCompatibleLSTMCell(LSTMBlockCell):
    """``LSTMBlockCell`` without a forget bias."""

    def __init__(self, num_units: int, reuse: Any = None) -> None:
        super().__init__(num_units, forget_bias=0, reuse=reuse, name="cudnn_compatible_lstm_cell")


class CudnnCompatibleGRUCell(GRUCell):
    """``GRUCell`` whose reset gate comes after the product: ``c = tanh(x V + d + r (h U + e))``."""

    def __init__(self, num_units: int, reuse: Any = None, kernel_initializer: Any = None) -> None:
        super().__init__(num_units, activation=None, reuse=reuse, kernel_initializer=kernel_initializer)

    def build(self, inputs_shape: Any) -> None:
        size, n, given = self._input_width(inputs_shape), self._num_units, self._bias_initializer
        ones = constant_initializer(1.0, dtype=self.dtype) if given is None else given
        kernels = {"initializer": self._kernel_initializer}
        self._gate_kernel = self.add_variable("gates/kernel", shape=[size + n, 2 * n], **kernels)
        self._gate_bias = self.add_variable("gates/bias", shape=[2 * n], initializer=ones)
        self._input_kernel = self.add_variable("candidate/input_projection/kernel", shape=[size, n], **kernels)
        self._hidden_kernel = self.add_variable("candidate/hidden_projection/kernel", shape=[n, n], **kernels)
        self._input_bias, self._hidden_bias = (
            self.add_variable(
                f"candidate/{part}_projection/bias",
                shape=[n],
                initializer=zeros_initializer(dtype=self.dtype) if given is None else given,
            )
            for part in ("input", "hidden")
        )

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]:
        gates = biases.bias_add(matrices.matmul(joining.concat([inputs, state], 1), self._gate_kernel), self._gate_bias)
        r, u = joining.split(value=exponentials.sigmoid(gates), num_or_size_splits=2, axis=1)
        candidate = biases.bias_add(matrices.matmul(inputs, self._input_kernel), self._input_bias)
        candidate += r * biases.bias_add(matrices.matmul(state, self._hidden_kernel), self._hidden_bias)
        h = (1 - u) * self._activation(candidate) + u * state
        return h, h
