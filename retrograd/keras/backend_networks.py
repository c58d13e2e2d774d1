"""Activations, losses, convolutions and loops under the names of ``tf.keras.backend``."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.tensor import Tensor
from retrograd.keras.backend_shapes import temporal_padding
from retrograd.keras.backend_state import epsilon, image_data_format, ndim
from retrograd.nn import convolution, cross_entropy, transposed
from retrograd.nn import dropout as dropouts
from retrograd.nn import pooling as pooled
from retrograd.nn.layers.convolutional import common_rate
from retrograd.nn.layers.session import batch_get_value as batch_get_value
from retrograd.nn.layers.session import batch_set_value as batch_set_value
from retrograd.nn.layers.session import get_session as get_session
from retrograd.nn.layers.session import manual_variable_initialization as manual_variable_initialization
from retrograd.nn.layers.session import set_session as set_session
from retrograd.nn.layers.session import track_variable as track_variable
from retrograd.ops import (
    activations,
    arrays,
    biases,
    casts,
    clipping,
    comparison,
    exponentials,
    joining,
    norms,
    permuting,
    ranking,
    reductions,
    trigonometry,
)
from retrograd.ops import (
    softmax as softmaxes,
)

# -- activations and losses -------------------------------------------------------------------------


def relu(x: Any, alpha: float = 0.0, max_value: float | None = None, threshold: float = 0) -> Tensor:
    """``x`` from ``threshold`` up, at most ``max_value``; below, ``alpha * (x - threshold)``."""
    from retrograd.nn.keras.activations import relu as rectified

    return rectified(x, alpha=alpha, max_value=max_value, threshold=threshold)


def elu(x: Any, alpha: float = 1.0) -> Tensor:
    """``x`` where positive, else ``alpha * (exp(x) - 1)``."""
    result = activations.elu(x)
    return result if alpha == 1 else comparison.where(x > 0, result, alpha * result)


def softmax(x: Any, axis: int = -1) -> Tensor:
    """``exp(x) / sum(exp(x))``."""
    return softmaxes.softmax(x, axis=axis)


def softplus(x: Any) -> Tensor:
    """``log(exp(x) + 1)``."""
    return activations.softplus(x)


def softsign(x: Any) -> Tensor:
    """``x / (|x| + 1)``."""
    return activations.softsign(x)


sigmoid, tanh = exponentials.sigmoid, trigonometry.tanh


def hard_sigmoid(x: Any) -> Tensor:
    """``clip(0.2 x + 0.5, 0, 1)``."""
    kind = x.dtype.base_dtype
    fifth, half = as_tensor(0.2, dtype=kind), as_tensor(0.5, dtype=kind)
    return clipping.clip_by_value(x * fifth + half, 0.0, 1.0)


def _logits_of(output: Any, kind: str) -> Any:
    """What the last op of ``output`` is a ``kind`` of; None if it is another op."""
    op = getattr(output, "op", None)
    if op is None or op.type != kind:
        return None
    return op.inputs[0]


def categorical_crossentropy(target: Any, output: Any, from_logits: bool = False, axis: int = -1) -> Tensor:
    """``-sum(target * log(output))`` along ``axis``; output of a softmax is taken before it."""
    logits = output if from_logits else _logits_of(output, "Softmax")
    if logits is not None:
        return softmaxes.softmax_cross_entropy_with_logits_v2(labels=target, logits=logits, axis=axis)
    output = output / reductions.reduce_sum(output, axis, True)
    small = as_tensor(epsilon(), dtype=output.dtype.base_dtype)
    output = clipping.clip_by_value(output, small, 1.0 - small)
    return -reductions.reduce_sum(target * exponentials.log(output), axis)


def sparse_categorical_crossentropy(target: Any, output: Any, from_logits: bool = False, axis: int = -1) -> Tensor:
    """The negative logarithm of the probability of each target; output of a softmax is taken before it.

    Raises:
      ValueError: classes are not along the last axis of an output of unknown rank.
    """
    if not from_logits:
        logits = _logits_of(output, "Softmax")
        if logits is None:
            small = as_tensor(epsilon(), dtype=output.dtype.base_dtype)
            logits = exponentials.log(clipping.clip_by_value(output, small, 1 - small))
        output = logits
    output = as_tensor(output)
    rank = output.rank
    if rank is None and axis != -1:
        raise ValueError(
            f"Cannot compute sparse categorical crossentropy with `axis={axis}` on an output tensor with unknown rank"
        )
    if rank and axis % rank != rank - 1:
        output = permuting.transpose(output, perm=[*(i for i in range(rank) if i != axis % rank), axis % rank])
    target = casts.cast(target, dtypes.int64)
    size = arrays.shape(output)
    if rank is None or target.rank in (None, rank - 1):
        return cross_entropy.sparse_softmax_cross_entropy_with_logits(labels=target, logits=output)
    flat = arrays.reshape(target, [-1])
    rows = arrays.reshape(output, [-1, size[-1]])
    result = cross_entropy.sparse_softmax_cross_entropy_with_logits(labels=flat, logits=rows)
    return arrays.reshape(result, size[:-1]) if rank >= 3 else result


def binary_crossentropy(target: Any, output: Any, from_logits: bool = False) -> Tensor:
    """``-target * log(output) - (1 - target) * log(1 - output)``; output of a sigmoid is taken before it."""
    logits = output if from_logits else _logits_of(output, "Sigmoid")
    if logits is not None:
        return cross_entropy.sigmoid_cross_entropy_with_logits(labels=target, logits=logits)
    small = as_tensor(epsilon(), dtype=output.dtype.base_dtype)
    output = clipping.clip_by_value(output, small, 1.0 - small)
    bce = target * exponentials.log(output + epsilon())
    bce += (1 - target) * exponentials.log(1 - output + epsilon())
    return -bce


def dropout(x: Any, level: float, noise_shape: Any = None, seed: int | None = None) -> Tensor:
    """``x`` with elements set to 0."""
    seed = seed if seed is not None else np.random.randint(int(1e7))
    return dropouts.dropout_v2(x, rate=level, noise_shape=noise_shape, seed=seed)


def l2_normalize(x: Any, axis: Any = None) -> Tensor:
    """``x`` over its length."""
    return norms.l2_normalize(x, axis=axis)


def in_top_k(predictions: Any, targets: Any, k: int) -> Tensor:
    """Whether each target is among the ``k`` best."""
    return ranking.in_top_k(predictions, targets, k)


# -- convolutions -----------------------------------------------------------------------------------


def _format(data_format: str | None, rank: int) -> str:
    data_format = data_format or image_data_format()
    if data_format not in {"channels_first", "channels_last"}:
        raise ValueError("Unknown data_format: " + str(data_format))
    space = "DHW"[3 - rank :]
    return f"NC{space}" if data_format == "channels_first" else f"N{space}C"


def conv1d(
    x: Any, kernel: Any, strides: int = 1, padding: str = "valid", data_format: str | None = None,
    dilation_rate: int = 1,
) -> Tensor:  # fmt: skip
    """A convolution of lines; ``"causal"`` sees nothing to come."""
    rates = dilation_rate
    if padding == "causal":
        left = rates * (kernel.shape.as_list()[0] - 1)
        x, padding = temporal_padding(x, (left, 0)), "valid"
    form = {"NCW": "NCW", "NWC": "NWC"}[_format(data_format, 1)]
    return convolution.convolution(
        x, kernel, dilation_rate=rates, strides=strides, padding=padding.upper(), data_format=form
    )


def conv2d(
    x: Any, kernel: Any, strides: Any = (1, 1), padding: str = "valid", data_format: str | None = None,
    dilation_rate: Any = (1, 1),
) -> Tensor:  # fmt: skip
    """A convolution of images."""
    return convolution.convolution(
        x, kernel, dilation_rate=dilation_rate, strides=strides, padding=padding.upper(),
        data_format=_format(data_format, 2),
    )  # fmt: skip


def conv3d(
    x: Any, kernel: Any, strides: Any = (1, 1, 1), padding: str = "valid", data_format: str | None = None,
    dilation_rate: Any = (1, 1, 1),
) -> Tensor:  # fmt: skip
    """A convolution of volumes."""
    return convolution.convolution(
        x, kernel, dilation_rate=dilation_rate, strides=strides, padding=padding.upper(),
        data_format=_format(data_format, 3),
    )  # fmt: skip


def conv2d_transpose(
    x: Any, kernel: Any, output_shape: Any, strides: Any = (1, 1), padding: str = "valid",
    data_format: str | None = None, dilation_rate: Any = (1, 1),
) -> Tensor:  # fmt: skip
    """The transpose of a convolution of images."""
    form = _format(data_format, 2)
    steps = (1, 1, *strides) if form == "NCHW" else (1, *strides, 1)
    if isinstance(output_shape, list | tuple):
        first = arrays.shape(x)[0] if output_shape[0] is None else output_shape[0]
        output_shape = joining.stack([first, *output_shape[1:]])
    if tuple(dilation_rate) != (1, 1):
        rate = common_rate(dilation_rate)
        if form == "NHWC":
            return transposed.atrous_conv2d_transpose(x, kernel, output_shape, rate, padding.upper())
        last = joining.stack([output_shape[i] for i in (0, 2, 3, 1)])
        x = transposed.atrous_conv2d_transpose(
            permuting.transpose(x, (0, 2, 3, 1)), kernel, last, rate, padding.upper()
        )
        return permuting.transpose(x, (0, 3, 1, 2))
    return transposed.conv2d_transpose(x, kernel, output_shape, steps, padding=padding.upper(), data_format=form)


def separable_conv2d(
    x: Any, depthwise_kernel: Any, pointwise_kernel: Any, strides: Any = (1, 1), padding: str = "valid",
    data_format: str | None = None, dilation_rate: Any = (1, 1),
) -> Tensor:  # fmt: skip
    """Each channel with its own filters, then a mix of the channels.

    Raises:
      ValueError: ``strides`` are not two.
    """
    form = _format(data_format, 2)
    if not isinstance(strides, tuple):
        strides = tuple(strides)
    if len(strides) != 2:
        raise ValueError("`strides` must be a tuple of 2 integers.")
    steps = (1, 1, *strides) if form == "NCHW" else (1, *strides, 1)
    return convolution.separable_conv2d(
        x, depthwise_kernel, pointwise_kernel, strides=steps, padding=padding.upper(), rate=dilation_rate,
        data_format=form,
    )  # fmt: skip


def depthwise_conv2d(
    x: Any, depthwise_kernel: Any, strides: Any = (1, 1), padding: str = "valid", data_format: str | None = None,
    dilation_rate: Any = (1, 1),
) -> Tensor:  # fmt: skip
    """Each channel with its own filters."""
    form = _format(data_format, 2)
    steps = (1, 1, *strides) if form == "NCHW" else (1, *strides, 1)
    return convolution.depthwise_conv2d(
        x, depthwise_kernel, strides=steps, padding=padding.upper(), rate=dilation_rate, data_format=form
    )


def pool2d(
    x: Any, pool_size: Any, strides: Any = (1, 1), padding: str = "valid", data_format: str | None = None,
    pool_mode: str = "max",
) -> Tensor:  # fmt: skip
    """The largest or the mean element of windows over images."""
    return pooled.pool(
        x, pool_size, pool_mode.upper(), padding.upper(), strides=strides, data_format=_format(data_format, 2)
    )


def pool3d(
    x: Any, pool_size: Any, strides: Any = (1, 1, 1), padding: str = "valid", data_format: str | None = None,
    pool_mode: str = "max",
) -> Tensor:  # fmt: skip
    """The largest or the mean element of windows over volumes."""
    return pooled.pool(
        x, pool_size, pool_mode.upper(), padding.upper(), strides=strides, data_format=_format(data_format, 3)
    )


def bias_add(x: Any, bias: Any, data_format: str | None = None) -> Tensor:
    """``x + bias``, for each channel, or for each channel of each place.

    Raises:
      ValueError: the bias has another number of dimensions.
    """
    data_format = data_format or image_data_format()
    if data_format not in {"channels_first", "channels_last"}:
        raise ValueError("Unknown data_format: " + str(data_format))
    known, rank = bias.shape.as_list(), ndim(x) or 0
    if len(known) not in (1, rank - 1):
        raise ValueError(f"Unexpected bias dimensions {len(known)}, expect to be 1 or {rank} dimensions")
    if data_format == "channels_first" and rank > 2:
        return x + arrays.reshape(bias, (1, known[-1], *(known[:-1] or [1] * (rank - 2))))
    if len(known) > 1 or rank in (3, 5):
        return x + arrays.reshape(bias, (1, *(known if len(known) > 1 else [1] * min(rank - 2, 2) + known)))
    return biases.bias_add(x, bias)


def foldl(fn: Any, elems: Any, initializer: Any = None, name: str | None = None) -> Any:
    """A function folded over the elements, from the first."""
    from retrograd.nn.functional import foldl as folded

    return folded(fn, elems, initializer=initializer, name=name)


def foldr(fn: Any, elems: Any, initializer: Any = None, name: str | None = None) -> Any:
    """A function folded over the elements, from the last."""
    from retrograd.nn.functional import foldr as folded

    return folded(fn, elems, initializer=initializer, name=name)


def map_fn(fn: Any, elems: Any, name: str | None = None, dtype: Any = None) -> Any:
    """A function of each element."""
    from retrograd.nn.functional import map_fn as mapped

    return mapped(fn, elems, name=name, dtype=dtype)


def home() -> str:
    """The folder of downloaded data: ``~/.keras``."""
    return os.path.join(os.path.expanduser("~"), ".keras")
