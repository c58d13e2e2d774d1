"""Convolutions of ``tf.contrib.layers``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from retrograd.graph.convert import as_tensor
from retrograd.graph.tensor import Tensor
from retrograd.nn import convolution as convolutions
from retrograd.nn.contrib.arg_scope import add_arg_scope
from retrograd.nn.contrib.model_variables import model_variable
from retrograd.nn.contrib.variables import collect_variable, collections_of, finished, renaming
from retrograd.nn.layers import convolutional
from retrograd.ops import activations, biases
from retrograd.state.initializers import zeros_initializer
from retrograd.state.scopes import variable_scope
from retrograd.state.xavier import xavier_initializer

_CONVOLUTIONS: dict[int, Any] = {3: convolutional.Conv1D, 4: convolutional.Conv2D, 5: convolutional.Conv3D}


@add_arg_scope
def convolution(
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
    conv_dims: int | None = None,
) -> Tensor:
    """``activation_fn(convolution(inputs, weights) + biases)`` of lines, images or volumes, by the rank of the inputs.

    Raises:
      ValueError: the rank or the format is not one of these.
    """
    return convolved(
        _CONVOLUTIONS, "Convolution", inputs, num_outputs, kernel_size, stride, padding, data_format, rate,
        activation_fn, normalizer_fn, normalizer_params, weights_initializer, weights_regularizer, biases_initializer,
        biases_regularizer, reuse, variables_collections, outputs_collections, trainable, scope, conv_dims,
    )  # fmt: skip


def convolved(
    kinds: Mapping[int, Any], word: str, inputs: Any, num_outputs: int, kernel_size: Any, stride: Any, padding: str,
    data_format: str | None, rate: Any, activation_fn: Any, normalizer_fn: Any, normalizer_params: Any,
    weights_initializer: Any, weights_regularizer: Any, biases_initializer: Any, biases_regularizer: Any,
    reuse: bool | None, variables_collections: Any, outputs_collections: Any, trainable: bool, scope: Any,
    conv_dims: int | None = None,
) -> Tensor:  # fmt: skip
    """``convolution`` by the layer that ``kinds`` has for the rank of the inputs; ``word`` is what messages call it."""
    if data_format not in [None, "NWC", "NCW", "NHWC", "NCHW", "NDHWC", "NCDHW"]:
        raise ValueError(f"Invalid data_format: {data_format!r}")
    getter = renaming(bias="biases", kernel="weights")
    with variable_scope(scope, "Conv", [inputs], reuse=reuse, custom_getter=getter) as opened:
        inputs = as_tensor(inputs)
        rank = inputs.rank
        if conv_dims is not None and conv_dims + 2 != rank:
            raise ValueError(f"Convolution expects input with rank {conv_dims + 2}, got {rank}")
        if rank not in kinds:
            raise ValueError(f"{word} not supported for input with rank", rank)
        layer = kinds[rank](
            num_outputs, kernel_size, strides=stride, padding=padding, data_format=layer_format(data_format),
            dilation_rate=rate, use_bias=not normalizer_fn and biases_initializer,
            kernel_initializer=weights_initializer, bias_initializer=biases_initializer,
            kernel_regularizer=weights_regularizer, bias_regularizer=biases_regularizer, trainable=trainable,
            name=opened.name, dtype=inputs.dtype.base_dtype, _scope=opened, _reuse=reuse,
        )  # fmt: skip
        outputs = layer.apply(inputs)
        collect_variable(getattr(layer, "unmasked", layer.kernel), variables_collections, "weights")
        if layer.use_bias:
            collect_variable(layer.bias, variables_collections, "biases")
        return finished(outputs, normalizer_fn, normalizer_params, activation_fn, outputs_collections)


def layer_format(data_format: str | None) -> str:
    """What ``tf.layers`` call a data format."""
    return "channels_first" if data_format and data_format.startswith("NC") else "channels_last"


@add_arg_scope
def convolution1d(
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
    """``convolution`` of lines."""
    return convolution(
        inputs, num_outputs, kernel_size, stride, padding, data_format, rate, activation_fn, normalizer_fn,
        normalizer_params, weights_initializer, weights_regularizer, biases_initializer, biases_regularizer, reuse,
        variables_collections, outputs_collections, trainable, scope, conv_dims=1,
    )  # fmt: skip


@add_arg_scope
def convolution2d(
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
    """``convolution`` of images."""
    return convolution(
        inputs, num_outputs, kernel_size, stride, padding, data_format, rate, activation_fn, normalizer_fn,
        normalizer_params, weights_initializer, weights_regularizer, biases_initializer, biases_regularizer, reuse,
        variables_collections, outputs_collections, trainable, scope, conv_dims=2,
    )  # fmt: skip


@add_arg_scope
def convolution2d_transpose(
    inputs: Any,
    num_outputs: int,
    kernel_size: Any,
    stride: Any = 1,
    padding: str = "SAME",
    data_format: str = "NHWC",
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
    """The transpose of a convolution of images, whose sizes grow by ``stride``.

    Raises:
      ValueError: the format is not one of images, or the inputs are none.
    """
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError("data_format has to be either NCHW or NHWC.")
    getter = renaming(bias="biases", kernel="weights")
    with variable_scope(scope, "Conv2d_transpose", [inputs], reuse=reuse, custom_getter=getter) as opened:
        inputs = as_tensor(inputs)
        layer = convolutional.Conv2DTranspose(
            num_outputs, kernel_size, strides=stride, padding=padding, data_format=layer_format(data_format),
            use_bias=not normalizer_fn and biases_initializer, kernel_initializer=weights_initializer,
            bias_initializer=biases_initializer, kernel_regularizer=weights_regularizer,
            bias_regularizer=biases_regularizer, trainable=trainable, name=opened.name,
            dtype=inputs.dtype.base_dtype, _scope=opened, _reuse=reuse,
        )  # fmt: skip
        outputs = layer.apply(inputs)
        collect_variable(layer.kernel, variables_collections, "weights")
        if layer.bias is not None:
            collect_variable(layer.bias, variables_collections, "biases")
        return finished(outputs, normalizer_fn, normalizer_params, activation_fn, outputs_collections)


@add_arg_scope
def separable_convolution2d(
    inputs: Any,
    num_outputs: int | None,
    kernel_size: Any,
    depth_multiplier: int = 1,
    stride: Any = 1,
    padding: str = "SAME",
    data_format: str = "NHWC",
    rate: Any = 1,
    activation_fn: Any = activations.relu,
    normalizer_fn: Any = None,
    normalizer_params: Any = None,
    weights_initializer: Any = xavier_initializer(),  # noqa: B008
    pointwise_initializer: Any = None,
    weights_regularizer: Any = None,
    biases_initializer: Any = zeros_initializer(),  # noqa: B008
    biases_regularizer: Any = None,
    reuse: bool | None = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
) -> Tensor:
    """Each channel with its own filters, then a mix of the channels; without ``num_outputs`` no mix.

    Raises:
      ValueError: the format is not one of images.
    """
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError("data_format has to be either NCHW or NHWC.")
    getter = renaming(
        bias="biases", depthwise_kernel="depthwise_weights", pointwise_kernel="pointwise_weights"
    )  # fmt: skip
    with variable_scope(scope, "SeparableConv2d", [inputs], reuse=reuse, custom_getter=getter) as opened:
        inputs = as_tensor(inputs)
        if num_outputs is not None:
            layer = convolutional.SeparableConv2D(
                num_outputs, kernel_size, strides=stride, padding=padding, data_format=layer_format(data_format),
                dilation_rate=_pair(rate), depth_multiplier=depth_multiplier,
                use_bias=not normalizer_fn and biases_initializer, depthwise_initializer=weights_initializer,
                pointwise_initializer=pointwise_initializer or weights_initializer,
                bias_initializer=biases_initializer, depthwise_regularizer=weights_regularizer,
                pointwise_regularizer=weights_regularizer, bias_regularizer=biases_regularizer, trainable=trainable,
                name=opened.name, dtype=inputs.dtype.base_dtype, _scope=opened, _reuse=reuse,
            )  # fmt: skip
            outputs = layer.apply(inputs)
            collect_variable(layer.depthwise_kernel, variables_collections, "weights")
            collect_variable(layer.pointwise_kernel, variables_collections, "weights")
            if layer.bias is not None:
                collect_variable(layer.bias, variables_collections, "biases")
        else:
            dtype, first = inputs.dtype.base_dtype, data_format == "NCHW"
            channels = inputs.shape[1 if first else 3].value

            def variable(name: str, shape: list[Any], initializer: Any, regularizer: Any, word: str) -> Any:
                return model_variable(
                    name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer,
                    trainable=trainable, collections=collections_of(variables_collections, word),
                )  # fmt: skip

            weights = variable(
                "depthwise_weights", [*_pair(kernel_size), channels, depth_multiplier], weights_initializer,
                weights_regularizer, "weights",
            )  # fmt: skip
            steps = [1, 1, *_pair(stride)] if first else [1, *_pair(stride), 1]
            outputs = convolutions.depthwise_conv2d(
                inputs, weights, steps, padding, rate=_pair(rate), data_format=data_format
            )
            if normalizer_fn is None and biases_initializer is not None:
                sizes = [depth_multiplier * channels]
                values = variable("biases", sizes, biases_initializer, biases_regularizer, "biases")
                outputs = biases.bias_add(outputs, values, data_format=data_format)
        return finished(outputs, normalizer_fn, normalizer_params, activation_fn, outputs_collections)


def _pair(sizes: Any) -> tuple[int, int]:
    """Height and width of one number, or of two."""
    if isinstance(sizes, int):
        return sizes, sizes
    height, width = sizes
    return int(height), int(width)


conv1d, conv2d, conv2d_transpose = convolution1d, convolution2d, convolution2d_transpose
separable_conv2d = separable_convolution2d
