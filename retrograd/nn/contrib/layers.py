"""``tf.contrib.layers``: layers as functions, with variables called ``weights`` and ``biases``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import add_to_collections, name_scope
from retrograd.graph.tensor import Tensor
from retrograd.nn import moments
from retrograd.nn.contrib.arg_scope import add_arg_scope
from retrograd.nn.layers import convolutional, core, pooling
from retrograd.ops import activations, biases, casts, indexing
from retrograd.state.initializers import ones_initializer, zeros_initializer
from retrograd.state.partitioned import PartitionedVariable
from retrograd.state.scopes import get_variable, variable_scope
from retrograd.state.xavier import xavier_initializer

# -- variables and outputs ---------------------------------------------------------------------


def _model_variable(
    name: str, getter: Callable[..., Any] = get_variable, collections: Any = None, **arguments: Any
) -> Any:
    """A variable that joins ``GraphKeys.MODEL_VARIABLES`` too."""
    listed = [*(collections or []), GraphKeys.GLOBAL_VARIABLES, GraphKeys.MODEL_VARIABLES]
    return getter(name, collections=list(dict.fromkeys(listed)), **arguments)


_PASSED_ON = (
    "shape", "dtype", "initializer", "regularizer", "trainable", "collections", "caching_device", "partitioner",
    "use_resource",
)  # fmt: skip


def _renaming(**names: str) -> Callable[..., Any]:
    """A getter that gives variables these names, and lists them with the model's."""

    def getter(getter: Callable[..., Any], name: str, **arguments: Any) -> Any:
        *path, last = name.split("/")
        kept = {key: arguments[key] for key in _PASSED_ON if key in arguments}
        return _model_variable("/".join([*path, names.get(last, last)]), getter, **kept)

    return getter


def _collect_variable(variable: Any, collections: Any, word: str) -> None:
    if isinstance(collections, dict):
        collections = collections.get(word)
    if collections:
        for part in variable if isinstance(variable, PartitionedVariable) else [variable]:
            add_to_collections(collections, part)


def _collected(collections: Any, outputs: Any) -> Any:
    if collections:
        add_to_collections(collections, outputs)
    return outputs


def _finished(outputs: Any, normalizer_fn: Any, normalizer_params: Any, activation_fn: Any, collections: Any) -> Any:
    """Outputs normalized and activated."""
    if normalizer_fn is not None:
        outputs = normalizer_fn(outputs, **(normalizer_params or {}))
    if activation_fn is not None:
        outputs = activation_fn(outputs)
    return _collected(collections, outputs)


# -- layers ------------------------------------------------------------------------------------


@add_arg_scope
def fully_connected(
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
    """``activation_fn(inputs @ weights + biases)`` over the last dimension; with a normalizer, without biases.

    Raises:
      ValueError: ``num_outputs`` is no integer, or the size of the last dimension is not known.
    """
    if not isinstance(num_outputs, int):
        raise ValueError(f"num_outputs type should be one of {[int]}, got {type(num_outputs)}.")
    getter = _renaming(bias="biases", kernel="weights")
    with variable_scope(scope, "fully_connected", [inputs], reuse=reuse, custom_getter=getter) as opened:
        inputs = as_tensor(inputs)
        layer = core.Dense(
            units=num_outputs, use_bias=not normalizer_fn and biases_initializer,
            kernel_initializer=weights_initializer, bias_initializer=biases_initializer,
            kernel_regularizer=weights_regularizer, bias_regularizer=biases_regularizer, trainable=trainable,
            name=opened.name, dtype=inputs.dtype.base_dtype, _scope=opened, _reuse=reuse,
        )  # fmt: skip
        outputs = layer.apply(inputs)
        _collect_variable(layer.kernel, variables_collections, "weights")
        if layer.bias is not None:
            _collect_variable(layer.bias, variables_collections, "biases")
        return _finished(outputs, normalizer_fn, normalizer_params, activation_fn, outputs_collections)


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
    if data_format not in [None, "NWC", "NCW", "NHWC", "NCHW", "NDHWC", "NCDHW"]:
        raise ValueError(f"Invalid data_format: {data_format!r}")
    getter = _renaming(bias="biases", kernel="weights")
    with variable_scope(scope, "Conv", [inputs], reuse=reuse, custom_getter=getter) as opened:
        inputs = as_tensor(inputs)
        rank = inputs.rank
        if conv_dims is not None and conv_dims + 2 != rank:
            raise ValueError(f"Convolution expects input with rank {conv_dims + 2}, got {rank}")
        if rank not in _CONVOLUTIONS:
            raise ValueError("Convolution not supported for input with rank", rank)
        layer = _CONVOLUTIONS[rank](
            num_outputs, kernel_size, strides=stride, padding=padding, data_format=_layer_format(data_format),
            dilation_rate=rate, use_bias=not normalizer_fn and biases_initializer,
            kernel_initializer=weights_initializer, bias_initializer=biases_initializer,
            kernel_regularizer=weights_regularizer, bias_regularizer=biases_regularizer, trainable=trainable,
            name=opened.name, dtype=inputs.dtype.base_dtype, _scope=opened, _reuse=reuse,
        )  # fmt: skip
        outputs = layer.apply(inputs)
        _collect_variable(layer.kernel, variables_collections, "weights")
        if layer.use_bias:
            _collect_variable(layer.bias, variables_collections, "biases")
        return _finished(outputs, normalizer_fn, normalizer_params, activation_fn, outputs_collections)


def _layer_format(data_format: str | None) -> str:
    return "channels_first" if data_format and data_format.startswith("NC") else "channels_last"


@add_arg_scope
def convolution1d(inputs: Any, num_outputs: int, kernel_size: Any, *args: Any, **kwargs: Any) -> Tensor:
    """``convolution`` of lines."""
    return convolution(inputs, num_outputs, kernel_size, *args, **kwargs, conv_dims=1)


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


def _pooled(
    kind: Any, word: str, inputs: Any, kernel_size: Any, stride: Any, padding: str, data_format: str,
    outputs_collections: Any, scope: str | None,
) -> Tensor:  # fmt: skip
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError("data_format has to be either NCHW or NHWC.")
    with name_scope(scope, word, [inputs]) as path:
        inputs = as_tensor(inputs)
        layer = kind(kernel_size, stride, padding=padding, data_format=_layer_format(data_format), _scope=path)
        return _collected(outputs_collections, layer.apply(inputs))


@add_arg_scope
def avg_pool2d(
    inputs: Any, kernel_size: Any, stride: Any = 2, padding: str = "VALID", data_format: str = "NHWC",
    outputs_collections: Any = None, scope: str | None = None,
) -> Tensor:  # fmt: skip
    """The mean of windows of images."""
    return _pooled(
        pooling.AveragePooling2D, "AvgPool2D", inputs, kernel_size, stride, padding, data_format,
        outputs_collections, scope,
    )  # fmt: skip


@add_arg_scope
def max_pool2d(
    inputs: Any, kernel_size: Any, stride: Any = 2, padding: str = "VALID", data_format: str = "NHWC",
    outputs_collections: Any = None, scope: str | None = None,
) -> Tensor:  # fmt: skip
    """The largest element of windows of images."""
    return _pooled(
        pooling.MaxPooling2D, "MaxPool2D", inputs, kernel_size, stride, padding, data_format, outputs_collections,
        scope,
    )  # fmt: skip


@add_arg_scope
def flatten(inputs: Any, outputs_collections: Any = None, scope: str | None = None) -> Tensor:
    """``inputs`` with all dimensions but the first made one."""
    with name_scope(scope, "Flatten", [inputs]):
        return _collected(outputs_collections, core.flatten(as_tensor(inputs)))


@add_arg_scope
def dropout(
    inputs: Any, keep_prob: Any = 0.5, noise_shape: Any = None, is_training: Any = True,
    outputs_collections: Any = None, scope: Any = None, seed: int | None = None,
) -> Tensor:  # fmt: skip
    """In training, each element is kept and divided by ``keep_prob``, or set to 0."""
    with variable_scope(scope, "Dropout", [inputs], custom_getter=_renaming()) as opened:
        inputs = as_tensor(inputs)
        layer = core.Dropout(rate=1 - keep_prob, noise_shape=noise_shape, seed=seed, name=opened.name, _scope=opened)
        return _collected(outputs_collections, layer.apply(inputs, training=is_training))


@add_arg_scope
def layer_norm(
    inputs: Any,
    center: bool = True,
    scale: bool = True,
    activation_fn: Any = None,
    reuse: bool | None = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    begin_norm_axis: int = 1,
    begin_params_axis: int = -1,
    scope: Any = None,
) -> Tensor:
    """Each example normalized by its own mean and variance (Ba et al., 2016), scaled and moved.

    Raises:
      ValueError: the rank or a size that is needed is not known, or an axis is out of range.
    """
    with variable_scope(scope, "LayerNorm", [inputs], reuse=reuse):
        inputs = as_tensor(inputs)
        shape, rank = inputs.shape, inputs.rank
        if rank is None:
            raise ValueError(f"Inputs {inputs.name} has undefined rank.")
        dtype = inputs.dtype.base_dtype
        first = begin_norm_axis + rank if begin_norm_axis < 0 else begin_norm_axis
        if begin_params_axis >= rank or first >= rank:
            raise ValueError(
                f"begin_params_axis ({begin_params_axis}) and begin_norm_axis ({first}) must be < rank(inputs) ({rank})"
            )
        sizes = shape[begin_params_axis:]
        if not sizes.is_fully_defined():
            raise ValueError(f"Inputs {inputs.name}: shape(inputs)[{begin_params_axis}:] is not fully defined: {shape}")

        def parameter(name: str, initializer: Any) -> Any:
            found = variables_collections
            collections = found.get(name) if isinstance(found, dict) else found
            return _model_variable(
                name, shape=sizes, dtype=dtype, initializer=initializer, collections=collections, trainable=trainable
            )

        beta = parameter("beta", zeros_initializer()) if center else None
        gamma = parameter("gamma", ones_initializer()) if scale else None
        mean, variance = moments.moments(inputs, list(range(first, rank)), keep_dims=True)
        epsilon = 1e-3 if dtype == dtypes.float16 else 1e-12
        outputs = moments.batch_normalization(inputs, mean, variance, beta, gamma, epsilon)
        outputs.set_shape(shape)
        return _finished(outputs, None, None, activation_fn, outputs_collections)


@add_arg_scope
def bias_add(
    inputs: Any,
    activation_fn: Any = None,
    initializer: Any = zeros_initializer(),  # noqa: B008
    regularizer: Any = None,
    reuse: bool | None = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    data_format: str = "NHWC",
    scope: Any = None,
) -> Tensor:
    """``activation_fn(inputs + biases)``, one bias for each channel.

    Raises:
      ValueError: the rank or the number of channels is not known.
    """
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError("data_format has to be either NCHW or NHWC.")
    with variable_scope(scope, "BiasAdd", [inputs], reuse=reuse):
        inputs = as_tensor(inputs)
        if inputs.rank is None:
            raise ValueError("Dims of shape must be known but is None")
        axis = 1 if data_format == "NCHW" else -1
        channels = inputs.shape[axis].value
        if channels is None:
            raise ValueError("`C` dimension must be known but is None")
        found = variables_collections
        values = _model_variable(
            "biases", shape=[channels], dtype=inputs.dtype.base_dtype, initializer=initializer,
            regularizer=regularizer, collections=found.get("biases") if isinstance(found, dict) else found,
            trainable=trainable,
        )  # fmt: skip
        outputs = biases.bias_add(inputs, values, data_format=data_format)
        return _finished(outputs, None, None, activation_fn, outputs_collections)


@add_arg_scope
def one_hot_encoding(
    labels: Any, num_classes: int, on_value: float = 1.0, off_value: float = 0.0, outputs_collections: Any = None,
    scope: str | None = None,
) -> Tensor:  # fmt: skip
    """Class numbers as vectors."""
    with name_scope(scope, "OneHotEncoding", [labels, num_classes]):
        labels = as_tensor(labels)
        if labels.dtype == dtypes.int32:
            labels = casts.to_int64(labels)
        outputs = indexing.one_hot(labels, num_classes, on_value=on_value, off_value=off_value)
        return _collected(outputs_collections, outputs)


# -- layers upon layers ------------------------------------------------------------------------


def _word(layer: Any, default: str) -> str:
    function = layer.func if isinstance(layer, functools.partial) else layer
    return getattr(function, "__name__", default)


def repeat(inputs: Any, repetitions: int, layer: Any, *args: Any, **kwargs: Any) -> Any:
    """``layer`` applied again and again with the same arguments, each time with variables of its own."""
    scope = kwargs.pop("scope", None)
    with variable_scope(scope, "Repeat", [inputs]):
        outputs: Any = as_tensor(inputs)
        for i in range(repetitions):
            outputs = layer(outputs, *args, **kwargs, scope=f"{scope or _word(layer, 'repeat')}_{i + 1}")
        return outputs


def stack(inputs: Any, layer: Any, stack_args: Any, **kwargs: Any) -> Any:
    """``layer`` applied once for each of ``stack_args``, the arguments of one each.

    Raises:
      ValueError: ``stack_args`` is no list.
    """
    scope = kwargs.pop("scope", None)
    if not isinstance(stack_args, list | tuple):
        raise ValueError("stack_args need to be a list or tuple")
    with variable_scope(scope, "Stack", [inputs]):
        outputs: Any = as_tensor(inputs)
        for i, own in enumerate(stack_args):
            own = own if isinstance(own, list | tuple) else [own]
            outputs = layer(outputs, *own, **kwargs, scope=f"{scope or _word(layer, 'stack')}_{i + 1}")
        return outputs


relu = functools.partial(fully_connected, activation_fn=activations.relu)
relu6 = functools.partial(fully_connected, activation_fn=activations.relu6)
elu = functools.partial(fully_connected, activation_fn=activations.elu)
linear = functools.partial(fully_connected, activation_fn=None)
conv1d, conv2d = convolution1d, convolution2d
