"""``tf.contrib.model_pruning``'s layers and cells: their weights are used as mask * weight, and pruned.

Source: TensorFlow 1.15.5, ``contrib/model_pruning/python/layers``: names and order of variables, collections.
"""

from __future__ import annotations

from typing import Any

from retrograd.contrib.pruning import (
    MASK_COLLECTION,
    MASKED_WEIGHT_COLLECTION,
    MASKED_WEIGHT_NAME,
    THRESHOLD_COLLECTION,
    WEIGHT_COLLECTION,
)
from retrograd.graph.scopes import add_to_collection
from retrograd.graph.tensor import Tensor
from retrograd.nn.contrib.arg_scope import add_arg_scope
from retrograd.nn.contrib.convolution import convolved
from retrograd.nn.contrib.layers import connected
from retrograd.nn.convolution import convolution
from retrograd.nn.layers import convolutional, core
from retrograd.nn.rnn_cells import BasicLSTMCell, LSTMCell
from retrograd.ops import activations, arithmetic
from retrograd.state.initializers import Ones, Zeros
from retrograd.state.initializers import Zeros as zeros_initializer
from retrograd.state.xavier import xavier_initializer


class _Masked:
    """A layer whose kernel is a weight times its mask; ``unmasked`` is the weight."""

    dtype: Any
    mask: Any = None
    threshold: Any = None
    unmasked: Any = None
    _mask_is_first = False

    def _mask_of(self, shape: Any) -> Any:
        return super().add_weight("mask", shape, self.dtype, Ones(), trainable=False)  # type: ignore[misc]

    def add_weight(self, name: str, shape: Any = None, *args: Any, **kwargs: Any) -> Any:
        """A variable; for the kernel, what it gives with its mask."""
        if name != "kernel":
            return super().add_weight(name, shape, *args, **kwargs)  # type: ignore[misc]
        if self._mask_is_first:
            self.mask = self._mask_of(shape)
        self.unmasked = super().add_weight(name, shape, *args, **kwargs)  # type: ignore[misc]
        if not self._mask_is_first:
            self.mask = self._mask_of(shape)
        self.threshold = super().add_weight("threshold", [], self.dtype, Zeros(), trainable=False)  # type: ignore[misc]
        return _collected(self.mask, self.unmasked, self.threshold)


def _collected(mask: Any, weight: Any, threshold: Any) -> Tensor:
    masked = arithmetic.multiply(mask, weight, MASKED_WEIGHT_NAME)
    for name, value in (
        (MASK_COLLECTION, mask),
        (MASKED_WEIGHT_COLLECTION, masked),
        (THRESHOLD_COLLECTION, threshold),
        (WEIGHT_COLLECTION, weight),
    ):
        add_to_collection(name, value)
    return masked


class MaskedConv2D(_Masked, convolutional.Conv2D):  # type: ignore[misc]
    """``tf.layers.Conv2D`` with a mask."""

    _mask_is_first = True

    def _settle(self) -> None:
        """Nothing: each call is a convolution of its own."""

    def call(self, inputs: Any) -> Tensor:
        outputs = convolution(
            inputs, self.kernel, self.padding.upper(), self.strides, self.dilation_rate, data_format=self._op_format
        )
        return self.activation(self._with_bias(outputs))


class MaskedFullyConnected(_Masked, core.Dense):  # type: ignore[misc]
    """``tf.layers.Dense`` with a mask."""


class _MaskedCell:
    """A cell whose kernel has a mask."""

    built: bool
    dtype: Any
    add_variable: Any
    _kernel: Any

    def build(self, inputs_shape: Any) -> None:
        """The variables of the cell, and the mask of its kernel."""
        super().build(inputs_shape)  # type: ignore[misc]
        shape = self._kernel.shape
        self.built = False
        self._mask = self.add_variable("mask", shape, initializer=Ones(), trainable=False, dtype=self.dtype)
        self._threshold = self.add_variable("threshold", [], initializer=Zeros(), trainable=False, dtype=self.dtype)
        self._kernel = _collected(self._mask, self._kernel, self._threshold)
        self.built = True


class MaskedBasicLSTMCell(_MaskedCell, BasicLSTMCell):
    """``BasicLSTMCell`` with a mask of its kernel."""

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        state_is_tuple: bool = True,
        activation: Any = None,
        reuse: bool | None = None,
        name: Any = None,
    ) -> None:
        super().__init__(num_units, forget_bias, state_is_tuple, activation, reuse, name)


class MaskedLSTMCell(_MaskedCell, LSTMCell):
    """``LSTMCell`` with a mask of its kernel, not of its projection."""

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        cell_clip: float | None = None,
        initializer: Any = None,
        num_proj: int | None = None,
        proj_clip: float | None = None,
        num_unit_shards: int | None = None,
        num_proj_shards: int | None = None,
        forget_bias: float = 1.0,
        state_is_tuple: bool = True,
        activation: Any = None,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(
            num_units, use_peepholes, cell_clip, initializer, num_proj, proj_clip, num_unit_shards, num_proj_shards,
            forget_bias, state_is_tuple, activation, reuse,
        )  # fmt: skip


@add_arg_scope
def masked_convolution(
    inputs: Any,
    num_outputs: int,
    kernel_size: Any,
    stride: Any = 1,
    padding: str = "SAME",
    data_format: str | None = None,
    rate: Any = 1,
    activation_fn: Any = activations.relu,
    normalizer_fn: Any = None,
    normalizer_params: Any = None,
    weights_initializer: Any = xavier_initializer(),  # noqa: B008
    weights_regularizer: Any = None,
    biases_initializer: Any = zeros_initializer(),  # noqa: B008
    biases_regularizer: Any = None,
    reuse: bool | None = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
) -> Tensor:
    """``tf.contrib.layers.conv2d`` with a mask of its weights.

    Raises:
      ValueError: the inputs are no images.
    """
    return convolved(
        {4: MaskedConv2D}, "Sparse Convolution", inputs, num_outputs, kernel_size, stride, padding, data_format, rate,
        activation_fn, normalizer_fn, normalizer_params, weights_initializer, weights_regularizer, biases_initializer,
        biases_regularizer, reuse, variables_collections, outputs_collections, trainable, scope,
    )  # fmt: skip


masked_conv2d = masked_convolution


@add_arg_scope
def masked_fully_connected(
    inputs: Any,
    num_outputs: int,
    activation_fn: Any = activations.relu,
    normalizer_fn: Any = None,
    normalizer_params: Any = None,
    weights_initializer: Any = xavier_initializer(),  # noqa: B008
    weights_regularizer: Any = None,
    biases_initializer: Any = zeros_initializer(),  # noqa: B008
    biases_regularizer: Any = None,
    reuse: bool | None = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
) -> Tensor:
    """``tf.contrib.layers.fully_connected`` with a mask of its weights.

    Raises:
      ValueError: ``num_outputs`` is no integer.
    """
    if not isinstance(num_outputs, int):
        raise ValueError(f"num_outputs should be int or long, got {num_outputs}.")
    return connected(
        MaskedFullyConnected, inputs, num_outputs, activation_fn, normalizer_fn, normalizer_params,
        weights_initializer, weights_regularizer, biases_initializer, biases_regularizer, reuse,
        variables_collections, outputs_collections, trainable, scope,
    )  # fmt: skip
