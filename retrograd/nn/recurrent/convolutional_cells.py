"""LSTM cells over lines, images and volumes (Xingjian et al., 2015)."""

from __future__ import annotations

from typing import Any

from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.nn.convolution import conv1d
from retrograd.nn.rnn_cells import LSTMStateTuple, RNNCell
from retrograd.ops import joining
from retrograd.ops.convolution import conv2d, conv3d
from retrograd.ops.exponentials import sigmoid
from retrograd.ops.trigonometry import tanh
from retrograd.state.initializers import constant_initializer
from retrograd.state.scopes import get_variable


class ConvLSTMCell(RNNCell):
    """An LSTM whose matrix is a convolution over inputs and outputs.

    Args:
      conv_ndims: 1, 2 or 3.
      input_shape: of one input, without the batch: sizes, then channels.
      output_channels: the channels of c and h.
      kernel_shape: the sizes of the filter.
      skip_connection: join the inputs to the output.
      initializers: unused.

    Raises:
      ValueError: the shape does not fit ``conv_ndims``.
    """

    def __init__(
        self, conv_ndims: int, input_shape: Any, output_channels: int, kernel_shape: Any, use_bias: bool = True,
        skip_connection: bool = False, forget_bias: float = 1.0, initializers: Any = None,
        name: str = "conv_lstm_cell",
    ) -> None:  # fmt: skip
        super().__init__(name=name)
        if conv_ndims != len(input_shape) - 1:
            raise ValueError(f"Invalid input_shape {input_shape} for conv_ndims={conv_ndims}.")
        self._conv_ndims, self._output_channels = conv_ndims, output_channels
        self._kernel_shape, self._use_bias = list(kernel_shape), use_bias
        self._forget_bias, self._skip_connection = forget_bias, skip_connection
        channels = output_channels + (input_shape[-1] if skip_connection else 0)
        self._output_size = TensorShape([*input_shape[:-1], channels])
        size = TensorShape([*input_shape[:-1], output_channels])
        self._state_size = LSTMStateTuple(size, size)

    output_size = property(lambda self: self._output_size, doc="The shape of an output.")
    state_size = property(lambda self: self._state_size, doc="The shapes of c and h.")

    def call(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        c, h = state
        gates = _conv([inputs, h], self._kernel_shape, 4 * self._output_channels, self._use_bias)
        i, new, f, o = joining.split(value=gates, num_or_size_splits=4, axis=self._conv_ndims + 1)
        c = sigmoid(f + self._forget_bias) * c + sigmoid(i) * tanh(new)
        output = tanh(c) * sigmoid(o)
        if self._skip_connection:
            output = joining.concat([output, inputs], axis=-1)
        return output, LSTMStateTuple(c, output)


def _conv(args: list[Tensor], filter_size: list[int], num_features: int, bias: bool) -> Tensor:
    """A convolution over all of ``args`` as channels of one input."""
    channels = 0
    dims: list[Any] = [a.shape.as_list() for a in args]
    rank = len(dims[0])
    for shape in dims:
        if len(shape) not in (3, 4, 5):
            raise ValueError(f"Conv Linear expects 3D, 4D or 5D arguments: {dims}")
        if len(shape) != rank:
            raise ValueError(f"Conv Linear expects all args to be of same Dimension: {dims}")
        channels += shape[-1]
    function: Any
    function, strides = {3: (conv1d, 1), 4: (conv2d, [1] * 4), 5: (conv3d, [1] * 5)}[rank]
    kernel = get_variable("kernel", [*filter_size, channels, num_features], dtype=args[0].dtype)
    joined = args[0] if len(args) == 1 else joining.concat(axis=rank - 1, values=args)
    result: Tensor = function(joined, kernel, strides, padding="SAME")
    if not bias:
        return result
    start = constant_initializer(0.0, dtype=args[0].dtype)
    return result + get_variable("biases", [num_features], dtype=args[0].dtype, initializer=start)


class Conv1DLSTMCell(ConvLSTMCell):
    """``ConvLSTMCell`` over lines."""

    def __init__(self, name: str = "conv_1d_lstm_cell", **kwargs: Any) -> None:
        super().__init__(conv_ndims=1, name=name, **kwargs)


class Conv2DLSTMCell(ConvLSTMCell):
    """``ConvLSTMCell`` over images."""

    def __init__(self, name: str = "conv_2d_lstm_cell", **kwargs: Any) -> None:
        super().__init__(conv_ndims=2, name=name, **kwargs)


class Conv3DLSTMCell(ConvLSTMCell):
    """``ConvLSTMCell`` over volumes."""

    def __init__(self, name: str = "conv_3d_lstm_cell", **kwargs: Any) -> None:
        super().__init__(conv_ndims=3, name=name, **kwargs)
