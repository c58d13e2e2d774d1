"""Dense, Dropout and Flatten."""

from __future__ import annotations

import math
from typing import Any

from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.errors import taught
from retrograd.graph.shapes import TensorShape
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.nn.dropout import dropout as dropped
from retrograd.nn.keras import activations, constraints, initializers, regularizers
from retrograd.nn.layers.base import Layer
from retrograd.nn.layers.input_spec import InputSpec
from retrograd.nn.layers.phase import learning_phase
from retrograd.nn.layers.sizes import normalize_data_format, smart_cond, static_size
from retrograd.ops import arrays, biases, casts, contraction, matrices, permuting, sparse_arithmetic
from retrograd.state.initializers import zeros_initializer


class Dense(Layer):
    """``activation(inputs @ kernel + bias)`` over the last dimension, ``units`` wide.

    Args:
      activation: a function of the outputs, or its name.
      kernel_initializer, bias_initializer: by default the scope's initializer, else Glorot's, and zeros.
      kernel_regularizer, bias_regularizer: functions of the weights that give losses.
      activity_regularizer: a function of the outputs that gives a loss.
      kernel_constraint, bias_constraint: functions of the weights, applied after updates.

    Raises:
      TypeError: the inputs are no floats.
      ValueError: the size of the last dimension is not known, or not that of the kernel.
    """

    def __init__(
        self,
        units: Any,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = None,
        bias_initializer: Any = zeros_initializer(),  # noqa: B008
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        trainable: bool = True,
        name: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            trainable=trainable, name=name, activity_regularizer=regularizers.get(activity_regularizer), **kwargs
        )
        self.units = int(units) if not isinstance(units, int) else units
        self.activation = activations.get(activation)
        self.use_bias = use_bias
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.kernel_constraint = constraints.get(kernel_constraint)
        self.bias_constraint = constraints.get(bias_constraint)
        self.supports_masking = True
        self.input_spec = InputSpec(min_ndim=2)
        self.kernel: Any = None
        self.bias: Any = None

    def build(self, input_shape: Any) -> None:
        dtype = as_dtype(self.dtype or "float32")
        if not (dtype.is_floating or dtype.is_complex):
            raise taught(
                TypeError(f"Unable to build `Dense` layer with non-floating point dtype {dtype}"),
                fix="tf.cast(x, tf.float32)",
            )
        width = TensorShape(input_shape)[-1].value
        if width is None:
            raise taught(
                ValueError("The last dimension of the inputs to `Dense` should be defined. Found `None`."),
                why="the kernel has a row for each element of the last dimension",
                fix=f"x.set_shape([{'None, ' * (len(input_shape) - 1)}n]) with the size n, or tf.reshape(x, [-1, n])",
            )
        self.input_spec = InputSpec(min_ndim=2, axes={-1: width})
        self.kernel = self.add_weight(
            "kernel", [width, self.units], self.dtype, self.kernel_initializer, self.kernel_regularizer, True,
            self.kernel_constraint,
        )  # fmt: skip
        if self.use_bias:
            self.bias = self.add_weight(
                "bias", [self.units], self.dtype, self.bias_initializer, self.bias_regularizer, True,
                self.bias_constraint,
            )  # fmt: skip
        self.built = True

    def call(self, inputs: Any) -> Any:
        outputs = self._product(inputs)
        if self.use_bias:
            outputs = biases.bias_add(outputs, self.bias)
        return self.activation(outputs)

    def _product(self, inputs: Any) -> Tensor:
        rank = len(inputs.shape)
        if rank > 2:
            outputs = contraction.tensordot(inputs, self.kernel, [[rank - 1], [0]])
            outputs.set_shape([*inputs.shape.as_list()[:-1], self.units])
            return outputs
        inputs = casts.cast(inputs, self._compute_dtype)
        if isinstance(inputs, SparseTensor):
            return sparse_arithmetic.sparse_tensor_dense_matmul(inputs, self.kernel)
        return matrices.matmul(inputs, self.kernel)

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        shape = TensorShape(input_shape).with_rank_at_least(2)
        if shape.ndims is None or shape[-1].value is None:
            raise ValueError(f"The innermost dimension of input_shape must be defined, but saw: {shape}")
        return shape[:-1].concatenate(self.units)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(), "units": self.units, "activation": activations.serialize(self.activation),
            "use_bias": self.use_bias, "kernel_initializer": initializers.serialize(self.kernel_initializer),
            "bias_initializer": initializers.serialize(self.bias_initializer),
            "kernel_regularizer": regularizers.serialize(self.kernel_regularizer),
            "bias_regularizer": regularizers.serialize(self.bias_regularizer),
            "activity_regularizer": regularizers.serialize(self.activity_regularizer),
            "kernel_constraint": constraints.serialize(self.kernel_constraint),
            "bias_constraint": constraints.serialize(self.bias_constraint),
        }  # fmt: skip


def dense(
    inputs: Any,
    units: Any,
    activation: Any = None,
    use_bias: bool = True,
    kernel_initializer: Any = None,
    bias_initializer: Any = zeros_initializer(),  # noqa: B008
    kernel_regularizer: Any = None,
    bias_regularizer: Any = None,
    activity_regularizer: Any = None,
    kernel_constraint: Any = None,
    bias_constraint: Any = None,
    trainable: bool = True,
    name: Any = None,
    reuse: bool | None = None,
) -> Tensor:
    """``activation(inputs @ kernel + bias)`` over the last dimension, see ``Dense``.

    >>> from retrograd.ops.constants import ones
    >>> dense(ones([4, 3]), 2, name="hidden").shape
    TensorShape([Dimension(4), Dimension(2)])
    """
    layer = Dense(
        units, activation, use_bias, kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer,
        activity_regularizer, kernel_constraint, bias_constraint, trainable, name, _scope=name, _reuse=reuse,
    )  # fmt: skip
    return layer.apply(inputs)


class Dropout(Layer):
    """In training, each element is set to 0 with probability ``rate``, or else divided by ``1 - rate``.

    ``noise_shape`` has a 1 where elements along a dimension are kept or dropped together, and None where
    the size is that of the inputs.
    """

    def __init__(
        self, rate: Any = 0.5, noise_shape: Any = None, seed: int | None = None, name: Any = None, **kwargs: Any
    ) -> None:
        super().__init__(name=name, **kwargs)
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed
        self.supports_masking = True

    def call(self, inputs: Any, training: Any = False) -> Any:
        return smart_cond(
            learning_phase() if training is None else training,
            lambda: dropped(inputs, noise_shape=self._get_noise_shape(inputs), seed=self.seed, rate=self.rate),
            lambda: arrays.identity(inputs),
        )

    def _get_noise_shape(self, inputs: Any) -> Any:
        if self.noise_shape is None:
            return None
        sizes = arrays.shape(inputs)
        return as_tensor([sizes[i] if size is None else size for i, size in enumerate(self.noise_shape)])

    def compute_output_shape(self, input_shape: Any) -> Any:
        return input_shape

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "rate": self.rate, "noise_shape": self.noise_shape, "seed": self.seed}


def dropout(
    inputs: Any, rate: Any = 0.5, noise_shape: Any = None, seed: int | None = None, training: Any = False,
    name: Any = None,
) -> Tensor:  # fmt: skip
    """In training, ``inputs`` with elements set to 0 with probability ``rate``, see ``Dropout``."""
    return Dropout(rate, noise_shape=noise_shape, seed=seed, name=name).apply(inputs, training=training)


class Flatten(Layer):
    """All dimensions but the first made one; channels go last first if they are first."""

    def __init__(self, data_format: str | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.data_format = normalize_data_format("channels_last" if data_format is None else data_format)
        self.input_spec = InputSpec(min_ndim=1)

    def call(self, inputs: Any) -> Tensor:
        rank = inputs.rank
        if self.data_format == "channels_first" and rank is not None and rank > 1:
            inputs = permuting.transpose(inputs, [0, *range(2, rank), 1])
        outputs = arrays.reshape(inputs, (static_size(inputs, 0) or arrays.shape(inputs)[0], -1))
        outputs.set_shape(self.compute_output_shape(inputs.shape))
        return outputs

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        shape = TensorShape(input_shape).with_rank_at_least(1)
        sizes = shape.as_list()[1:]
        known = [n for n in sizes if n is not None]
        return TensorShape([shape[0], math.prod(known) if len(known) == len(sizes) else None])

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "data_format": self.data_format}


def flatten(inputs: Any, name: Any = None, data_format: str = "channels_last") -> Tensor:
    """``inputs`` with all dimensions but the first made one."""
    return Flatten(name=name, data_format=data_format).apply(inputs)


FullyConnected = Dense
fully_connected = dense
