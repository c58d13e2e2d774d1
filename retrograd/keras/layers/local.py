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

    def _new_space(self, space: list[Any]) -> list[Any]:
        given = zip(space, self.kernel_size, self.strides, strict=True)
        return [sizes.conv_output_length(n, k, self.padding, s) for n, k, s in given]

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
        self.output_space = tuple(self._new_space(space))
        places = math.prod(self.output_space)
        self._links: Any = None
        if self.implementation == 1:
            self.kernel_shape: Any = (places, math.prod(self.kernel_size) * channels, self.filters)
        elif self.implementation == 2:
            before = (channels, *space) if first else (*space, channels)
            after = (self.filters, *self.output_space) if first else (*self.output_space, self.filters)
            self.kernel_shape = (*before, *after)
            mask = self._pairs_of_places(space)
            of_channels = (1, *space, 1, *self.output_space) if first else (*space, 1, *self.output_space, 1)
            self._links = mask.reshape(of_channels)
        elif self.implementation == 3:
            self.kernel_shape = (places * self.filters, math.prod(space) * channels)
            self._links = self._pairs_of_elements(space, channels)
        else:
            raise ValueError(f"Unrecognized implementation mode: {self.implementation}.")
        self.kernel = self.add_weight(
            shape=(len(self._links),) if self.implementation == 3 else self.kernel_shape, name="kernel",
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

    def _windows(self, space: list[int]) -> Any:
        """Each place of the output with the places of its window."""
        for place in itertools.product(*(range(n) for n in self.output_space)):
            ranges = []
            for p, n, k, s in zip(place, space, self.kernel_size, self.strides, strict=True):
                middle = p * s if self.padding == "valid" else p * s - k // 2
                ranges.append(range(max(0, middle), min(n, middle + k)))
            yield place, list(itertools.product(*ranges))

    def _pairs_of_places(self, space: list[int]) -> np.ndarray:
        mask = np.zeros((*space, *self.output_space), K.floatx())
        for place, window in self._windows(space):
            for source in window:
                mask[(*source, *place)] = 1.0
        return mask

    def _pairs_of_elements(self, space: list[int], channels: int) -> list[tuple[int, int]]:
        """The row and the column of each number in the sparse matrix, in order."""
        first = self.data_format == "channels_first"
        pairs = []
        for place, window in self._windows(space):
            for f in range(self.filters):
                whole = (self.filters, *self.output_space) if first else (*self.output_space, self.filters)
                row = int(np.ravel_multi_index((f, *place) if first else (*place, f), whole))
                for source, c in itertools.product(window, range(channels)):
                    sized = (channels, *space) if first else (*space, channels)
                    pairs.append((row, int(np.ravel_multi_index((c, *source) if first else (*source, c), sized))))
        return sorted(pairs)

    def call(self, inputs: Any) -> Any:
        if self.implementation == 1:
            output = local_conv(
                inputs, self.kernel, self.kernel_size, self.strides, self.output_space, self.data_format
            )
        else:
            flat = arrays.reshape(inputs, (arrays.shape(inputs)[0], -1))
            made = self._by_matrix(flat) if self.implementation == 2 else self._by_sparse_matrix(flat)
            rest = self.compute_output_shape(inputs.shape).as_list()[1:]
            output = arrays.reshape(made, [arrays.shape(made)[0], *rest])
        if self.use_bias:
            output = K.bias_add(output, self.bias, data_format=self.data_format)
        return self.activation(output)

    def _by_matrix(self, flat: Any) -> Any:
        kernel = self._links * self.kernel
        shape = arrays.shape(kernel)
        rows, columns = (reductions.reduce_prod(part) for part in (shape[: self.rank + 1], shape[self.rank + 1 :]))
        return matrices.sparse_matmul(flat, arrays.reshape(kernel, (rows, columns)), b_is_sparse=True)

    def _by_sparse_matrix(self, flat: Any) -> Any:
        kernel = SparseTensor(np.int64(self._links), self.kernel, np.int64(self.kernel_shape))
        return K.transpose(sparse_arithmetic.sparse_tensor_dense_matmul(kernel, flat, adjoint_b=True))

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
