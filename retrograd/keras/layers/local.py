"""Convolutions whose filters differ from place to place."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from retrograd.graph.shapes import TensorShape
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.keras import backend as K
from retrograd.keras.layers.spatial import OF_CONVOLUTION, WINDOWS
from retrograd.nn.keras import activations, constraints, initializers, regularizers
from retrograd.nn.layers import sizes
from retrograd.nn.layers.connections import conv_kernel_idxs, conv_kernel_mask, output_space
from retrograd.nn.layers.engine import Layer
from retrograd.nn.layers.input_spec import InputSpec
from retrograd.nn.layers.parameters import taking
from retrograd.ops import arrays, matrices, reductions, sparse_arithmetic


def local_conv(
    inputs: Any, kernel: Any, kernel_size: Any, strides: Any, output_shape: Any, data_format: str | None = None
) -> Tensor:
    """A convolution with the filters ``kernel[i]`` at the place number ``i`` of the output."""
    data_format = data_format or K.image_data_format()
    if data_format not in {"channels_first", "channels_last"}:
        raise ValueError("Unknown data_format: " + str(data_format))
    width, filters = K.int_shape(kernel)[1], K.int_shape(kernel)[-1]
    first, rank = data_format == "channels_first", len(output_shape)
    windows = []
    for place in itertools.product(*(range(int(n)) for n in output_shape)):
        space = [slice(p * s, p * s + k) for p, s, k in zip(place, strides, kernel_size, strict=True)]
        slices = [slice(None), slice(None), *space] if first else [slice(None), *space, slice(None)]
        windows.append(arrays.reshape(inputs[tuple(slices)], (1, -1, width)))
    output = K.batch_dot(K.concatenate(windows, axis=0), kernel)
    output = arrays.reshape(output, (*output_shape, -1, filters))
    order = [rank, rank + 1, *range(rank)] if first else [rank, *range(rank), rank + 1]
    return K.permute_dimensions(output, order)


def local_conv1d(inputs: Any, kernel: Any, kernel_size: Any, strides: Any, data_format: str | None = None) -> Tensor:
    """``local_conv`` of lines."""
    return local_conv(inputs, kernel, kernel_size, strides, (kernel.shape[0].value,), data_format)


def local_conv2d(
    inputs: Any, kernel: Any, kernel_size: Any, strides: Any, output_shape: Any, data_format: str | None = None
) -> Tensor:
    """``local_conv`` of images."""
    return local_conv(inputs, kernel, kernel_size, strides, output_shape, data_format)


def local_conv_matmul(inputs: Any, kernel: Any, kernel_mask: Any, output_shape: Any) -> Tensor:
    """The same by one matrix: ``kernel`` where ``kernel_mask`` is not 0, from all inputs to all outputs."""
    flat = arrays.reshape(inputs, (arrays.shape(inputs)[0], -1))
    matrix = make_2d(kernel_mask * kernel, split_dim=len(kernel.shape) // 2)
    return _as_space(matrices.sparse_matmul(flat, matrix, b_is_sparse=True), output_shape)


def local_conv_sparse_matmul(
    inputs: Any, kernel: Any, kernel_idxs: Any, kernel_shape: Any, output_shape: Any
) -> Tensor:  # fmt: skip
    """The same by one sparse matrix of ``kernel_shape``: ``kernel[i]`` in the row and column ``kernel_idxs[i]``."""
    flat = arrays.reshape(inputs, (arrays.shape(inputs)[0], -1))
    matrix = SparseTensor(np.int64(kernel_idxs), kernel, np.int64(kernel_shape))
    made = sparse_arithmetic.sparse_tensor_dense_matmul(matrix, flat, adjoint_b=True)
    return _as_space(K.transpose(made), output_shape)


def _as_space(rows: Any, output_shape: Any) -> Tensor:
    return arrays.reshape(rows, [arrays.shape(rows)[0], *TensorShape(output_shape).as_list()[1:]])


def make_2d(tensor: Any, split_dim: int) -> Tensor:
    """``tensor`` as a matrix, whose rows are the first ``split_dim`` dimensions."""
    shape = arrays.shape(tensor)
    first, last = shape[:split_dim], shape[split_dim:]
    return arrays.reshape(tensor, (reductions.reduce_prod(first), reductions.reduce_prod(last)))


class _LocallyConnected(Layer):
    """A convolution with filters of its own at each place.

    Args:
      implementation: 1 multiplies window by window, 2 by one dense matrix with zeros where nothing is connected, 3
        by one sparse matrix.

    Raises:
      ValueError: the sizes of the inputs are not known, or the padding needs another implementation.
    """

    rank: int

    def __init__(
        self,
        filters: int,
        kernel_size: Any,
        strides: Any = 1,
        padding: str = "valid",
        data_format: Any = None,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        implementation: int = 1,
        **kwargs: Any,
    ) -> None:
        super().__init__(activity_regularizer=regularizers.get(activity_regularizer), **kwargs)
        self.filters = filters
        self.kernel_size = sizes.normalize_tuple(kernel_size, self.rank, "kernel_size")
        self.strides = sizes.normalize_tuple(strides, self.rank, "strides")
        self.padding = sizes.padding_of_keras(padding)
        if self.padding != "valid" and implementation == 1:
            raise ValueError(
                f'Invalid border mode for LocallyConnected{self.rank}D (only "valid" is supported if implementation '
                f"is 1): {padding}"
            )
        self.data_format = sizes.normalize_data_format(data_format or K.image_data_format())
        self.activation, self.use_bias = activations.get(activation), use_bias
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.kernel_constraint = constraints.get(kernel_constraint)
        self.bias_constraint = constraints.get(bias_constraint)
        self.implementation = implementation
        self.input_spec = InputSpec(ndim=self.rank + 2)
        self.bias: Any = None

    def _new_space(self, space: list[Any]) -> tuple[Any, ...]:
        return output_space(space, self.kernel_size, self.strides, self.padding)

    def build(self, input_shape: Any) -> None:
        shape = TensorShape(input_shape).as_list()
        first = self.data_format == "channels_first"
        channels: Any = shape[1] if first else shape[-1]
        space: list[Any] = shape[2:] if first else shape[1:-1]
        if self.rank == 1 and channels is None:
            raise ValueError("Axis 2 of input should be fully-defined. Found shape:", tuple(shape))
        if None in space:
            raise ValueError(
                f"The spatial dimensions of the inputs to  a LocallyConnected{self.rank}D layer should be "
                f"fully-defined, but layer received the inputs shape {tuple(shape)}"
            )
        self.output_space = self._new_space(space)
        places = math.prod(self.output_space)
        window = (space, self.kernel_size, self.strides, self.padding)
        if self.implementation == 1:
            self.kernel_shape: Any = (places, math.prod(self.kernel_size) * channels, self.filters)
        elif self.implementation == 2:
            before = (channels, *space) if first else (*space, channels)
            after = (self.filters, *self.output_space) if first else (*self.output_space, self.filters)
            self.kernel_shape = (*before, *after)
            of_channels = (1, *space, 1, *self.output_space) if first else (*space, 1, *self.output_space, 1)
            self.kernel_mask = conv_kernel_mask(*window).reshape(of_channels)
        elif self.implementation == 3:
            self.kernel_shape = (places * self.filters, math.prod(space) * channels)
            self.kernel_idxs = sorted(conv_kernel_idxs(*window, channels, self.filters, self.data_format))
        else:
            raise ValueError(f"Unrecognized implementation mode: {self.implementation}.")
        self.kernel = self.add_weight(
            shape=(len(self.kernel_idxs),) if self.implementation == 3 else self.kernel_shape, name="kernel",
            initializer=self.kernel_initializer, regularizer=self.kernel_regularizer,
            constraint=self.kernel_constraint,
        )  # fmt: skip
        if self.use_bias:
            self.bias = self.add_weight(
                shape=(*self.output_space, self.filters), name="bias", initializer=self.bias_initializer,
                regularizer=self.bias_regularizer, constraint=self.bias_constraint,
            )  # fmt: skip
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={1 if first else -1: channels})
        self.built = True

    def call(self, inputs: Any) -> Any:
        if self.implementation == 1:
            output = local_conv(
                inputs, self.kernel, self.kernel_size, self.strides, self.output_space, self.data_format
            )
        elif self.implementation == 2:
            shape = self.compute_output_shape(inputs.shape)
            output = local_conv_matmul(inputs, self.kernel, self.kernel_mask, shape)
        else:
            shape = self.compute_output_shape(inputs.shape)
            output = local_conv_sparse_matmul(inputs, self.kernel, self.kernel_idxs, self.kernel_shape, shape)
        if self.use_bias:
            output = K.bias_add(output, self.bias, data_format=self.data_format)
        return self.activation(output)

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        shape = TensorShape(input_shape).as_list()
        if self.data_format == "channels_first":
            return TensorShape([shape[0], self.filters, *self._new_space(shape[2:])])
        return TensorShape([shape[0], *self._new_space(shape[1:-1]), self.filters])

    def get_config(self) -> dict[str, Any]:
        config = {
            "filters": self.filters, "kernel_size": self.kernel_size, "strides": self.strides,
            "padding": self.padding, "data_format": self.data_format,
            "activation": activations.serialize(self.activation), "use_bias": self.use_bias,
            "kernel_initializer": initializers.serialize(self.kernel_initializer),
            "bias_initializer": initializers.serialize(self.bias_initializer),
            "kernel_regularizer": regularizers.serialize(self.kernel_regularizer),
            "bias_regularizer": regularizers.serialize(self.bias_regularizer),
            "activity_regularizer": regularizers.serialize(self.activity_regularizer),
            "kernel_constraint": constraints.serialize(self.kernel_constraint),
            "bias_constraint": constraints.serialize(self.bias_constraint), "implementation": self.implementation,
        }  # fmt: skip
        return {**super().get_config(), **config}


class LocallyConnected1D(_LocallyConnected):
    __doc__: str | None = f"Lines.\n\n{_LocallyConnected.__doc__}"
    rank = 1


@taking(*WINDOWS, strides=(1, 1), padding="valid", data_format=None, **OF_CONVOLUTION, implementation=1)
class LocallyConnected2D(_LocallyConnected):
    __doc__: str | None = f"Images.\n\n{_LocallyConnected.__doc__}"
    rank = 2
