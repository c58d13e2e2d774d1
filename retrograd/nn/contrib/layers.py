"""``tf.contrib.layers``: layers as functions, with variables called ``weights`` and ``biases``."""

from __future__ import annotations

import functools
from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.nn import embeddings
from retrograd.nn.contrib.arg_scope import add_arg_scope
from retrograd.nn.contrib.convolution import layer_format
from retrograd.nn.contrib.model_variables import model_variable
from retrograd.nn.contrib.variables import (
    collect_variable,
    collected,
    collections_of,
    finished,
    renaming,
)
from retrograd.nn.layers import core, pooling
from retrograd.ops import activations, arrays, biases, casts, indexing, joining, reductions, uniqueness
from retrograd.state.initializers import zeros_initializer
from retrograd.state.scopes import variable_scope
from retrograd.state.xavier import xavier_initializer

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
    return connected(
        core.Dense, inputs, num_outputs, activation_fn, normalizer_fn, normalizer_params, weights_initializer,
        weights_regularizer, biases_initializer, biases_regularizer, reuse, variables_collections,
        outputs_collections, trainable, scope,
    )  # fmt: skip


def connected(
    kind: Any, inputs: Any, num_outputs: int, activation_fn: Any, normalizer_fn: Any, normalizer_params: Any,
    weights_initializer: Any, weights_regularizer: Any, biases_initializer: Any, biases_regularizer: Any,
    reuse: bool | None, variables_collections: Any, outputs_collections: Any, trainable: bool, scope: Any,
) -> Tensor:  # fmt: skip
    """``fully_connected`` by a layer of ``kind``."""
    getter = renaming(bias="biases", kernel="weights")
    with variable_scope(scope, "fully_connected", [inputs], reuse=reuse, custom_getter=getter) as opened:
        inputs = as_tensor(inputs)
        layer = kind(
            units=num_outputs, use_bias=not normalizer_fn and biases_initializer,
            kernel_initializer=weights_initializer, bias_initializer=biases_initializer,
            kernel_regularizer=weights_regularizer, bias_regularizer=biases_regularizer, trainable=trainable,
            name=opened.name, dtype=inputs.dtype.base_dtype, _scope=opened, _reuse=reuse,
        )  # fmt: skip
        outputs = layer.apply(inputs)
        collect_variable(getattr(layer, "unmasked", layer.kernel), variables_collections, "weights")
        if layer.bias is not None:
            collect_variable(layer.bias, variables_collections, "biases")
        return finished(outputs, normalizer_fn, normalizer_params, activation_fn, outputs_collections)


def _pooled(
    kind: Any, word: str, inputs: Any, kernel_size: Any, stride: Any, padding: str, data_format: str,
    outputs_collections: Any, scope: str | None,
) -> Tensor:  # fmt: skip
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError("data_format has to be either NCHW or NHWC.")
    with name_scope(scope, word, [inputs]) as path:
        inputs = as_tensor(inputs)
        layer = kind(kernel_size, stride, padding=padding, data_format=layer_format(data_format), _scope=path)
        return collected(outputs_collections, layer.apply(inputs))


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
        return collected(outputs_collections, core.flatten(as_tensor(inputs)))


@add_arg_scope
def dropout(
    inputs: Any, keep_prob: Any = 0.5, noise_shape: Any = None, is_training: Any = True,
    outputs_collections: Any = None, scope: Any = None, seed: int | None = None,
) -> Tensor:  # fmt: skip
    """In training, each element is kept and divided by ``keep_prob``, or set to 0."""
    with variable_scope(scope, "Dropout", [inputs], custom_getter=renaming()) as opened:
        inputs = as_tensor(inputs)
        layer = core.Dropout(rate=1 - keep_prob, noise_shape=noise_shape, seed=seed, name=opened.name, _scope=opened)
        return collected(outputs_collections, layer.apply(inputs, training=is_training), opened.name)


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
        values = model_variable(
            "biases", shape=[channels], dtype=inputs.dtype.base_dtype, initializer=initializer,
            regularizer=regularizer, collections=collections_of(variables_collections, "biases"),
            trainable=trainable,
        )  # fmt: skip
        outputs = biases.bias_add(inputs, values, data_format=data_format)
        return finished(outputs, None, None, activation_fn, outputs_collections)


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
        return collected(outputs_collections, outputs)


# -- embeddings --------------------------------------------------------------------------------


def embed_sequence(
    ids: Any,
    vocab_size: int | None = None,
    embed_dim: int | None = None,
    unique: bool = False,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool = True,
    scope: Any = None,
    reuse: bool | None = None,
) -> Tensor:
    """The vectors of ``ids``; with ``unique`` each id is looked up once.

    Raises:
      ValueError: a size is missing, and the scope does not reuse.
    """
    if not (reuse or (vocab_size and embed_dim)):
        raise ValueError(
            f"Must specify vocab size and embedding dimension when not reusing. Got vocab_size={vocab_size} and "
            f"embed_dim={embed_dim}"
        )
    with variable_scope(scope, "EmbedSequence", [ids], reuse=reuse):
        vectors = model_variable(
            "embeddings", shape=[vocab_size, embed_dim], initializer=initializer, regularizer=regularizer,
            trainable=trainable,
        )  # fmt: skip
        return embedding_lookup_unique(vectors, ids) if unique else embeddings.embedding_lookup(vectors, ids)


def embedding_lookup_unique(params: Any, ids: Any, partition_strategy: str = "mod", name: str | None = None) -> Tensor:
    """``tf.nn.embedding_lookup`` that looks each id up once, where ids come often."""
    with name_scope(name, "EmbeddingLookupUnique", [params, ids]):
        ids = as_tensor(ids)
        shape = arrays.shape(ids)
        flat = arrays.reshape(ids, reductions.reduce_prod(shape, keepdims=True))
        found, positions = uniqueness.unique(flat)
        rows = embeddings.embedding_lookup(params, found, partition_strategy)
        flat_rows = indexing.gather(rows, positions)
        whole = arrays.reshape(flat_rows, joining.concat([shape, arrays.shape(rows)[1:]], 0))
        whole.set_shape(ids.shape.concatenate(rows.shape[1:]))
        return whole


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
