"""Layers of ``tf.contrib.layers`` for images and volumes: norms of groups and instances, maxout, soft argmax."""

from __future__ import annotations

from typing import Any

from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import dimension_value
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.nn import convolution as convolutions
from retrograd.nn import embeddings
from retrograd.nn.contrib.arg_scope import add_arg_scope
from retrograd.nn.contrib.convolution import convolution, layer_format
from retrograd.nn.contrib.model_variables import model_variable
from retrograd.nn.contrib.older_layers import dense_to_sparse_tensor, safe_embedding_lookup_sparse
from retrograd.nn.contrib.variables import collect_variable, collected, collections_of, finished, renaming
from retrograd.nn.layers import convolutional, pooling
from retrograd.nn.moments import batch_normalization, moments
from retrograd.ops import activations, arrays, biases, grids, joining, permuting, powers, reductions, repeating
from retrograd.ops import softmax as softmaxes
from retrograd.state.initializers import constant_initializer, ones_initializer, zeros_initializer
from retrograd.state.scopes import variable_scope
from retrograd.state.xavier import xavier_initializer

# -- norms ---------------------------------------------------------------------------------------


def _weight(name: str, shape: Any, dtype: Any, initializer: Any, collections: Any, trainable: bool) -> Any:
    return model_variable(
        name, shape=shape, dtype=dtype, initializer=initializer, regularizer=None, trainable=trainable,
        collections=collections_of(collections, name),
    )  # fmt: skip


@add_arg_scope
def instance_norm(
    inputs: Any,
    center: bool = True,
    scale: bool = True,
    epsilon: float = 1e-6,
    activation_fn: Any = None,
    param_initializers: Any = None,
    reuse: bool | None = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    data_format: str = "NHWC",
    scope: Any = None,
) -> Tensor:
    """``gamma * (x - mean) / sqrt(variance + epsilon) + beta`` over the space of each example and channel.

    Raises:
      ValueError: the rank or the number of channels is not known.
    """
    inputs = as_tensor(inputs)
    rank = inputs.rank
    if rank is None:
        raise ValueError(f"Inputs {inputs.name} has undefined rank.")
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError("data_format has to be either NCHW or NHWC.")
    with variable_scope(scope, "InstanceNorm", [inputs], reuse=reuse) as opened:
        channel = 1 if data_format == "NCHW" else rank - 1
        axes = [i for i in range(1, rank) if i != channel]
        channels = inputs.shape[channel].value
        if channels is None:
            raise ValueError(f"Inputs {inputs.name} has undefined channels dimension {inputs.shape}.")
        dtype, given = inputs.dtype.base_dtype, param_initializers or {}
        shape = [1, channels, *[1] * (rank - 2)] if data_format == "NCHW" else None

        def made(name: str, default: Any) -> Any:
            v = _weight(name, [channels], dtype, given.get(name, default), variables_collections, trainable)
            return arrays.reshape(v, shape) if shape else v

        beta = made("beta", zeros_initializer()) if center else None
        gamma = made("gamma", ones_initializer()) if scale else None
        mean, variance = moments(inputs, axes, keep_dims=True)
        outputs = batch_normalization(inputs, mean, variance, beta, gamma, epsilon, name="instancenorm")
        outputs.set_shape(inputs.shape)
        if activation_fn is not None:
            outputs = activation_fn(outputs)
        return collected_as(outputs_collections, opened, outputs)


def collected_as(collections: Any, opened: Any, outputs: Any) -> Any:
    """``outputs`` in the collections, under the scope's name."""
    return collected(collections, outputs, opened.name)


@add_arg_scope
def group_norm(
    inputs: Any,
    groups: int = 32,
    channels_axis: int = -1,
    reduction_axes: Any = (-3, -2),
    center: bool = True,
    scale: bool = True,
    epsilon: float = 1e-6,
    activation_fn: Any = None,
    param_initializers: Any = None,
    reuse: bool | None = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
    mean_close_to_zero: bool = False,
) -> Tensor:
    """``gamma * (x - mean) / sqrt(variance + epsilon) + beta`` over space and groups of channels (Wu and He, 2018).

    Raises:
      ValueError: the rank or the number of channels is not known, or there are no so many groups of them.
    """
    inputs = as_tensor(inputs)
    if inputs.rank is None:
        raise ValueError(f"Inputs {inputs.name} has undefined rank.")
    rank = inputs.rank
    if channels_axis >= rank:
        raise ValueError("Axis is out of bounds.")
    channels_axis = channels_axis % rank
    sizes = inputs.shape.as_list()
    channels = sizes[channels_axis]
    if channels is None:
        raise ValueError(f"Inputs {inputs.name} has undefined channel dimension: {channels_axis}.")
    axes = [a + rank if a < 0 else a for a in reduction_axes]
    for axis in axes:
        if axis >= rank:
            raise ValueError("Axis is out of bounds.")
        if sizes[axis] is None:
            raise ValueError(f"Inputs {inputs.name} has undefined dimensions {axis}.")
        if axis == channels_axis:
            raise ValueError("reduction_axis must be mutually exclusive with channels_axis")
    if groups > channels:
        raise ValueError(f"Invalid groups {groups} for {channels} channels.")
    if channels % groups:
        raise ValueError(f"{channels} channels is not commensurate with {groups} groups.")
    dynamic = arrays.shape(inputs)

    def size(i: int) -> Any:
        return sizes[i] if sizes[i] is not None else dynamic[i]

    front, back = [size(i) for i in range(channels_axis)], [size(i) for i in range(channels_axis + 1, rank)]
    per_group = channels // groups
    cut = arrays.reshape(inputs, [*front, groups, per_group, *back])
    spread = [1] * channels_axis + [groups, per_group] + [1] * (rank - channels_axis - 1)
    moments_axes = [channels_axis + 1] + [a if a < channels_axis else a + 1 for a in axes]
    with variable_scope(scope, "GroupNorm", [inputs], reuse=reuse) as opened:
        dtype, given = inputs.dtype.base_dtype, param_initializers or {}

        def made(name: str, default: Any) -> Any:
            v = _weight(name, [channels], dtype, given.get(name, default), variables_collections, trainable)
            return arrays.reshape(v, spread)

        beta = made("beta", zeros_initializer()) if center else None
        gamma = made("gamma", ones_initializer()) if scale else None
        mean, variance = moments(cut, moments_axes, keep_dims=True)
        gain = powers.rsqrt(variance + epsilon)
        offset = -mean * gain
        if gamma is not None:
            gain, offset = gain * gamma, offset * gamma
        if beta is not None:
            offset = offset + beta
        outputs = arrays.reshape(cut * gain + offset, [*front, channels, *back])
        outputs.set_shape(inputs.shape)
        if activation_fn is not None:
            outputs = activation_fn(outputs)
        return collected_as(outputs_collections, opened, outputs)


# -- other functions -----------------------------------------------------------------------------


@add_arg_scope
def maxout(inputs: Any, num_units: int, axis: int = -1, scope: str | None = None) -> Tensor:
    """The largest of each group of channels, so that ``num_units`` are left.

    Raises:
      ValueError: the channels cannot be cut into so many groups.
    """
    with name_scope(scope, "MaxOut", [inputs]):
        inputs = as_tensor(inputs)
        sizes = inputs.shape.as_list()
        channels = sizes[axis]
        if channels % num_units:
            raise ValueError(f"number of features({channels}) is not a multiple of num_units({num_units})")
        sizes[axis] = num_units
        sizes.append(channels // num_units)
        wanted = [arrays.shape(inputs)[i] if n is None else n for i, n in enumerate(sizes)]
        return reductions.reduce_max(arrays.reshape(inputs, wanted), -1)


@add_arg_scope
def softmax(logits: Any, scope: Any = None) -> Tensor:
    """``exp(x) / sum(exp(x))`` along the last dimension."""
    with variable_scope(scope, "softmax", [logits]):
        if logits.rank is None:
            raise ValueError("The number of dimensions of the logits must be known.")
        classes = arrays.shape(logits)[-1] if logits.shape[-1].value is None else logits.shape[-1].value
        flat = arrays.reshape(logits, [-1, classes])
        outputs = arrays.reshape(softmaxes.softmax(flat), arrays.shape(logits))
        outputs.set_shape(logits.shape)
        return outputs


@add_arg_scope
def spatial_softmax(
    features: Any,
    temperature: Any = None,
    name: Any = None,
    variables_collections: Any = None,
    trainable: bool = True,
    data_format: str = "NHWC",
) -> Tensor:
    """The expected place of each channel, where the softmax over its pixels is a probability."""
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError("data_format has to be either NCHW or NHWC.")
    with variable_scope(name, "spatial_softmax"):
        shape, static = arrays.shape(features), features.shape
        order = (1, 2, 3) if data_format == "NHWC" else (2, 3, 1)
        height, width = shape[order[0]], shape[order[1]]
        channels = dimension_value(static[order[2]])
        if channels is None:
            channels = shape[order[2]]
        with name_scope("spatial_softmax_op") as path:
            pos_x, pos_y = grids.meshgrid(
                grids.lin_space(-1.0, 1.0, num=height), grids.lin_space(-1.0, 1.0, num=width), indexing="ij"
            )
            pos_x = arrays.reshape(pos_x, [height * width])
            pos_y = arrays.reshape(pos_y, [height * width])
        first = ones_initializer() if temperature is None else constant_initializer(temperature)
        temperature = model_variable(
            "temperature", shape=(), dtype="float32", initializer=first, regularizer=None, trainable=trainable,
            collections=collections_of(variables_collections, "temperature"),
        )  # fmt: skip
        with name_scope(path):
            if data_format != "NCHW":
                features = permuting.transpose(features, [0, 3, 1, 2])
            flat = arrays.reshape(features, [-1, height * width])
            attention = softmaxes.softmax(flat / temperature)
            x = reductions.reduce_sum(pos_x * attention, [1], keepdims=True)
            y = reductions.reduce_sum(pos_y * attention, [1], keepdims=True)
            places = arrays.reshape(joining.concat([x, y], 1), [-1, channels * 2])
        if isinstance(channels, int):
            places.set_shape([None, channels * 2])
        return places


@add_arg_scope
def bow_encoder(
    ids: Any, vocab_size: int, embed_dim: int, sparse_lookup: bool = True, initializer: Any = None,
    regularizer: Any = None, trainable: bool = True, scope: Any = None, reuse: bool | None = None,
) -> Tensor:  # fmt: skip
    """The mean of the rows of an embedding that a sequence of ``ids`` names.

    Args:
      sparse_lookup: in dense ids 0 names nothing; an example without ids has row 0.

    Raises:
      ValueError: a size is missing.
      TypeError: sparse ids without ``sparse_lookup``.
    """
    if not vocab_size or not embed_dim:
        raise ValueError("Must specify vocab size and embedding dimension")
    with variable_scope(scope, "bow_encoder", [ids], reuse=reuse):
        table = model_variable(
            "embeddings", shape=[vocab_size, embed_dim], dtype=None, initializer=initializer, regularizer=regularizer,
            trainable=trainable, collections=None,
        )  # fmt: skip
        if sparse_lookup:
            named = ids if isinstance(ids, SparseTensor) else dense_to_sparse_tensor(ids)
            return safe_embedding_lookup_sparse([table], named, combiner="mean", default_id=0)
        if isinstance(ids, SparseTensor):
            raise TypeError("ids are expected to be dense Tensor, got: %s", ids)
        return reductions.reduce_mean(embeddings.embedding_lookup(table, ids), axis=1)


# -- convolutions and pooling --------------------------------------------------------------------


@add_arg_scope
def convolution2d_in_plane(
    inputs: Any,
    kernel_size: Any,
    stride: Any = 1,
    padding: str = "SAME",
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
    """One filter for all channels."""
    with variable_scope(scope, "ConvInPlane", [inputs], reuse=reuse):
        dtype = inputs.dtype.base_dtype
        height, width = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        down, along = (stride, stride) if isinstance(stride, int) else stride
        channels = inputs.shape[3].value
        weights = model_variable(
            "weights", shape=[height, width, 1, 1], dtype=dtype, initializer=weights_initializer,
            regularizer=weights_regularizer, trainable=trainable,
            collections=collections_of(variables_collections, "weights"),
        )  # fmt: skip
        kernel = repeating.tile(weights, [1, 1, channels, 1])
        outputs = convolutions.depthwise_conv2d(inputs, kernel, [1, down, along, 1], padding)
        if normalizer_fn is None and biases_initializer is not None:
            bias = model_variable(
                "biases", shape=[channels], dtype=dtype, initializer=biases_initializer,
                regularizer=biases_regularizer, trainable=trainable,
                collections=collections_of(variables_collections, "biases"),
            )  # fmt: skip
            outputs = biases.bias_add(outputs, bias)
        return finished(outputs, normalizer_fn, normalizer_params, activation_fn, outputs_collections)


@add_arg_scope
def convolution3d(
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
    """``convolution`` of volumes."""
    return convolution(
        inputs, num_outputs, kernel_size, stride, padding, data_format, rate, activation_fn, normalizer_fn,
        normalizer_params, weights_initializer, weights_regularizer, biases_initializer, biases_regularizer, reuse,
        variables_collections, outputs_collections, trainable, scope, conv_dims=3,
    )  # fmt: skip


@add_arg_scope
def convolution3d_transpose(
    inputs: Any,
    num_outputs: int,
    kernel_size: Any,
    stride: Any = 1,
    padding: str = "SAME",
    data_format: str = "NDHWC",
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
    """The transpose of a convolution of volumes."""
    if data_format not in ("NCDHW", "NDHWC"):
        raise ValueError("data_format has to be either NCDHW or NDHWC.")
    getter = renaming(bias="biases", kernel="weights")
    with variable_scope(scope, "Conv3d_transpose", [inputs], reuse=reuse, custom_getter=getter) as opened:
        inputs = as_tensor(inputs)
        layer = convolutional.Conv3DTranspose(
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


def _pooled3d(kind: Any, word: str, inputs: Any, arguments: tuple[Any, ...], collections: Any, scope: Any) -> Tensor:
    kernel_size, stride, padding, data_format = arguments
    if data_format not in ("NCDHW", "NDHWC"):
        raise ValueError("data_format has to be either NCDHW or NDHWC.")
    with name_scope(scope, word, [inputs]) as opened:
        layer = kind(
            pool_size=kernel_size, strides=stride, padding=padding, data_format=layer_format(data_format), _scope=opened
        )
        return collected(collections, layer.apply(as_tensor(inputs)))


@add_arg_scope
def avg_pool3d(
    inputs: Any, kernel_size: Any, stride: Any = 2, padding: str = "VALID", data_format: str = "NDHWC",
    outputs_collections: Any = None, scope: Any = None,
) -> Tensor:  # fmt: skip
    """The mean of windows over volumes."""
    given = (kernel_size, stride, padding, data_format)
    return _pooled3d(pooling.AveragePooling3D, "AvgPool3D", inputs, given, outputs_collections, scope)


@add_arg_scope
def max_pool3d(
    inputs: Any, kernel_size: Any, stride: Any = 2, padding: str = "VALID", data_format: str = "NDHWC",
    outputs_collections: Any = None, scope: Any = None,
) -> Tensor:  # fmt: skip
    """The largest element of windows over volumes."""
    given = (kernel_size, stride, padding, data_format)
    return _pooled3d(pooling.MaxPooling3D, "MaxPool3D", inputs, given, outputs_collections, scope)


conv2d_in_plane, conv3d, conv3d_transpose = convolution2d_in_plane, convolution3d, convolution3d_transpose
