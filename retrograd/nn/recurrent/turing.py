"""A neural Turing machine as a cell: a controller that reads and writes a memory (Collier and Beel, 2018)."""

from __future__ import annotations

import math
from collections import namedtuple
from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.nn.keras import initializers
from retrograd.nn.rnn_cells import LayerRNNCell, assert_like_rnncell
from retrograd.ops import arrays, biases, clipping, comparison, constants, joining, matrices, permuting, reductions
from retrograd.ops.activations import softplus
from retrograd.ops.conditions import cond
from retrograd.ops.exponentials import exp, sigmoid
from retrograd.ops.powers import pow_, sqrt, square
from retrograd.ops.softmax import softmax
from retrograd.ops.trigonometry import tanh
from retrograd.state.initializers import constant_initializer, truncated_normal_initializer

NTMControllerState = namedtuple("NTMControllerState", ("controller_state", "read_vector_list", "w_list", "M", "time"))


def _repeated(x: Any, count: Any) -> Tensor:
    return joining.concat([arrays.expand_dims(x, 0) for _ in range(count)], axis=0)


class NTMCell(LayerRNNCell):
    """A controller with ``read_head_num`` and ``write_head_num`` heads on a memory.

    Args:
      memory_size, memory_vector_dim: how many vectors the memory holds, and their size.
      shift_range: how far a head may move in a step.
      output_dim: the size of the output; by default that of the input.
      clip_value: cut parameters of the heads and outputs to plus and minus this.
    """

    def __init__(
        self, controller: Any, memory_size: int, memory_vector_dim: int, read_head_num: int, write_head_num: int,
        shift_range: int = 1, output_dim: Any = None, clip_value: float = 20, dtype: Any = dtypes.float32,
        name: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(dtype=dtype, name=name)
        assert_like_rnncell("NTM RNN controller cell", controller)
        self.controller, self.memory_size, self.memory_vector_dim = controller, memory_size, memory_vector_dim
        self.read_head_num, self.write_head_num = read_head_num, write_head_num
        self.clip_value, self.output_dim, self.shift_range = clip_value, output_dim, shift_range
        self.num_parameters_per_head = memory_vector_dim + 2 * shift_range + 4
        self.num_heads = read_head_num + write_head_num
        self.total_parameter_num = (
            self.num_parameters_per_head * self.num_heads + memory_vector_dim * 2 * write_head_num
        )

    @property
    def state_size(self) -> NTMControllerState:
        """Of the controller, what was read, where each head is, the memory, and the number of the step."""
        return NTMControllerState(
            controller_state=self.controller.state_size,
            read_vector_list=[self.memory_vector_dim] * self.read_head_num,
            w_list=[self.memory_size] * self.num_heads,
            M=TensorShape([self.memory_size * self.memory_vector_dim]),
            time=TensorShape([]),
        )

    output_size = property(lambda self: self.output_dim, doc="``output_dim``.")

    def build(self, inputs_shape: Any) -> None:
        if self.output_dim is None:
            if inputs_shape[1].value is None:
                raise ValueError(f"Expected inputs.shape[-1] to be known, saw shape: {inputs_shape}")
            self.output_dim = inputs_shape[1].value
        width, dim, heads = self.controller.output_size, self.memory_vector_dim, range(self.num_heads)
        zeros, glorot = constant_initializer(0.0, dtype=self.dtype), initializers.get("glorot_uniform")

        def linear(name: str, rows: int, columns: int) -> tuple[Any, Any]:
            start = truncated_normal_initializer(stddev=1.0 / math.sqrt(rows), dtype=dtypes.float32)
            kernel = self.add_variable(f"{name}_kernel", shape=[rows, columns], initializer=start)
            return kernel, self.add_variable(f"{name}_bias", shape=[columns], initializer=zeros)

        self._params_kernel, self._params_bias = linear("parameters", width, self.total_parameter_num)
        self._output_kernel, self._output_bias = linear("output", width + dim * self.read_head_num, self.output_dim)
        self._first_reads = [
            self.add_variable(f"initial_read_vector_{i}", shape=[1, dim], initializer=glorot)
            for i in range(self.read_head_num)
        ]
        self._first_places = [
            self.add_variable(f"initial_address_weights_{i}", shape=[1, self.memory_size], initializer=glorot)
            for i in heads
        ]
        almost_zero = constant_initializer(1e-6, dtype=self.dtype)
        self._memory = self.add_variable("memory", shape=[self.memory_size, dim], initializer=almost_zero)
        self.built = True

    def call(self, x: Any, prev_state: Any) -> Any:
        def rows() -> Any:
            return x.shape[0].value or arrays.shape(x)[0]

        def at_first(start: Any, later: Any) -> Any:
            return cond(comparison.equal(prev_state.time, 0), start, lambda: later)

        def each(activation: Any, variables: list[Any]) -> list[Any]:
            ones = [(lambda v=v: matrices.matmul(constants.ones([1, 1]), v)) for v in variables]
            return [_repeated(activation(arrays.squeeze(one())), rows()) for one in ones]

        read = at_first(lambda: each(tanh, self._first_reads), prev_state.read_vector_list)
        read = [read] if self.read_head_num == 1 else list(read)
        controlled, controller_state = self.controller(joining.concat([x, *read], axis=1), prev_state.controller_state)
        parameters = biases.bias_add(matrices.matmul(controlled, self._params_kernel), self._params_bias)
        parameters = clipping.clip_by_value(parameters, -self.clip_value, self.clip_value)
        of_heads = self.num_parameters_per_head * self.num_heads
        heads = joining.split(parameters[:, :of_heads], self.num_heads, axis=1)
        changes = joining.split(parameters[:, of_heads:], 2 * self.write_head_num, axis=1)
        places = at_first(lambda: each(softmax, self._first_places), prev_state.w_list)
        places = [places] if self.num_heads == 1 else places
        memory = at_first(lambda: _repeated(self._memory, rows()), prev_state.M)
        w_list = [self._address(head, memory, place) for head, place in zip(heads, places, strict=True)]
        read = [
            reductions.reduce_sum(arrays.expand_dims(w, dim=2) * memory, axis=1) for w in w_list[: self.read_head_num]
        ]
        written = memory
        for i, w in enumerate(w_list[self.read_head_num :]):
            w = arrays.expand_dims(w, axis=2)
            erase = arrays.expand_dims(sigmoid(changes[2 * i]), axis=1)
            add = arrays.expand_dims(tanh(changes[2 * i + 1]), axis=1)
            left = constants.ones_like(written) - matrices.matmul(w, erase)
            written = written * left + matrices.matmul(w, add)
        output = matrices.matmul(joining.concat([controlled, *read], axis=1), self._output_kernel)
        output = biases.bias_add(output, self._output_bias)
        output = clipping.clip_by_value(output, -self.clip_value, self.clip_value)
        return output, NTMControllerState(controller_state, read, w_list, written, prev_state.time + 1)

    def _address(self, head: Any, memory: Any, place: Any) -> Tensor:
        """Where a head is: near what it looks for, or moved from where it was, and sharpened."""
        dim, reach, size = self.memory_vector_dim, self.shift_range, self.memory_size
        k, beta = tanh(head[:, 0:dim]), softplus(head[:, dim])
        g, s = sigmoid(head[:, dim + 1]), softmax(head[:, dim + 2 : dim + 2 + (reach * 2 + 1)])
        gamma = softplus(head[:, -1]) + 1
        k = arrays.expand_dims(k, axis=2)
        product = matrices.matmul(memory, k)
        k_norm = sqrt(reductions.reduce_sum(square(k), axis=1, keepdims=True))
        norms = sqrt(reductions.reduce_sum(square(memory), axis=2, keepdims=True)) * k_norm
        alike = arrays.squeeze(product / (norms + 1e-8))
        alike = exp(arrays.expand_dims(beta, axis=1) * alike)
        by_content = alike / reductions.reduce_sum(alike, axis=1, keepdims=True)
        g = arrays.expand_dims(g, axis=1)
        mixed = g * by_content + (1 - g) * place
        unreached = constants.zeros([s.shape[0].value or arrays.shape(s)[0], size - (reach * 2 + 1)])
        s = joining.concat([s[:, : reach + 1], unreached, s[:, -reach:]], axis=1)
        t = joining.concat([permuting.reverse(s, axis=[1]), permuting.reverse(s, axis=[1])], axis=1)
        shifts = joining.stack([t[:, size - i - 1 : size * 2 - i - 1] for i in range(size)], axis=1)
        moved = reductions.reduce_sum(arrays.expand_dims(mixed, axis=1) * shifts, axis=2)
        sharp = pow_(moved, arrays.expand_dims(gamma, axis=1))
        return sharp / reductions.reduce_sum(sharp, axis=1, keepdims=True)

    def zero_state(self, batch_size: Any, dtype: Any) -> NTMControllerState:
        dim, size = self.memory_vector_dim, self.memory_size
        read = [constants.zeros([batch_size, dim]) for _ in range(self.read_head_num)]
        places = [constants.zeros([batch_size, size]) for _ in range(self.num_heads)]
        controller = self.controller.zero_state(batch_size, dtype)
        memory = constants.zeros([batch_size, size, dim])
        return NTMControllerState(controller, read, places, memory, 0)
