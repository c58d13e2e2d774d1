"""``tf.compat.v2.nn`` where version 1 has other arguments: convolutions, pooling, morphology, moments.

Each is the function of the first version under other names or another order of arguments, and builds the same nodes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.tensor import Tensor
from retrograd.nn import convolution as convolutions
from retrograd.nn import cross_entropy
from retrograd.nn import moments as statistics
from retrograd.nn import pooling as pools
from retrograd.ops import activations, blocks, max_pooling, morphology, pooling
from retrograd.ops import convolution as convolution_ops


def conv1d(
    input: Any,
    filters: Any,
    stride: Any,
    padding: Any,
    data_format: str = "NWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """Convolution of lines."""
    return convolutions.conv1d(input, filters, stride, padding, data_format=data_format, dilations=dilations, name=name)


def conv2d(
    input: Any,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """Convolution of images."""
    return convolution_ops.conv2d(
        input, filters, strides, padding, data_format=data_format, dilations=dilations or 1, name=name
    )


def conv3d(
    input: Any,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NDHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """Convolution of volumes."""
    return convolution_ops.conv3d(input, filters, strides, padding, data_format, dilations or [1] * 5, name)


def convolution(
    input: Any,
    filters: Any,
    strides: Any = None,
    padding: str = "VALID",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """Convolution of lines, images or volumes, by the rank of ``input``."""
    return convolutions.convolution(
        input, filters, padding, strides, data_format=data_format, dilations=dilations, name=name
    )


def pool(
    input: Any,
    window_shape: Any,
    pooling_type: str,
    strides: Any = None,
    padding: str = "VALID",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """The largest (``"MAX"``) or mean (``"AVG"``) element of windows that may have holes."""
    return pools.pool(input, window_shape, pooling_type, padding, dilations, strides, name, data_format)


def avg_pool2d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NHWC", name: str | None = None
) -> Tensor:
    """The mean of each window of images."""
    return pooling.avg_pool(input, ksize, strides, padding, data_format, name or "AvgPool2D")


def max_pool_with_argmax(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    output_dtype: Any = dtypes.int64,
    include_batch_in_index: bool = False,
    name: str | None = None,
) -> Any:
    """The largest element of each window, and its place."""
    window = convolution_ops.per_dimension(ksize, 2, 3, "ksize")
    steps = convolution_ops.per_dimension(strides, 2, 3, "strides")
    return max_pooling.max_pool_with_argmax(
        input, window, steps, padding, data_format, output_dtype, name, include_batch_in_index=include_batch_in_index
    )


def depthwise_conv2d(
    input: Any,
    filter: Any,
    strides: Any,
    padding: str,
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """Convolution of each channel with its own filters."""
    return convolutions.depthwise_conv2d(input, filter, strides, padding, dilations, name, data_format)


def separable_conv2d(
    input: Any,
    depthwise_filter: Any,
    pointwise_filter: Any,
    strides: Any,
    padding: str,
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """``depthwise_conv2d``, then a 1 x 1 convolution that mixes the channels."""
    return convolutions.separable_conv2d(
        input, depthwise_filter, pointwise_filter, strides, padding, dilations, name, data_format
    )


def _check_format(data_format: str) -> None:
    if data_format != "NHWC":
        raise ValueError("Data formats other than NHWC are not yet supported")


def dilation2d(
    input: Any, filters: Any, strides: Any, padding: str, data_format: str, dilations: Any, name: str | None = None
) -> Tensor:
    """The largest sum of a window's elements and the filter.

    Raises:
      ValueError: ``data_format`` is not NHWC.
    """
    _check_format(data_format)
    return morphology.dilation2d(input, filters, strides, dilations, padding, name)


def erosion2d(
    value: Any, filters: Any, strides: Any, padding: str, data_format: str, dilations: Any, name: str | None = None
) -> Tensor:
    """The least difference of a window's elements and the filter.

    Raises:
      ValueError: ``data_format`` is not NHWC.
    """
    _check_format(data_format)
    return convolutions.erosion2d(value, filters, strides, dilations, padding, name)


def crelu(features: Any, axis: int = -1, name: str | None = None) -> Tensor:
    """The positive parts of ``x`` and of ``-x``, side by side."""
    return activations.crelu(features, name, axis)


def space_to_batch(input: Any, block_shape: Any, paddings: Any, name: str | None = None) -> Tensor:
    """Blocks of the padded spatial dimensions moved into the batch dimension."""
    return blocks.space_to_batch_nd(input, block_shape, paddings, name)


def batch_to_space(input: Any, block_shape: Any, crops: Any, name: str | None = None) -> Tensor:
    """Blocks of the batch dimension laid out over the spatial dimensions; one number is the block of images."""
    block_shape = [block_shape] * 2 if isinstance(block_shape, int) else block_shape
    return blocks.batch_to_space_nd(input, np.asarray(block_shape, np.int64), crops, name)


def space_to_depth(input: Any, block_size: int, data_format: str = "NHWC", name: str | None = None) -> Tensor:
    """Blocks of images moved into the channels."""
    return blocks.space_to_depth(input, block_size, name, data_format)


def depth_to_space(input: Any, block_size: int, data_format: str = "NHWC", name: str | None = None) -> Tensor:
    """Channels of images laid out as blocks."""
    return blocks.depth_to_space(input, block_size, name, data_format)


def weighted_moments(
    x: Any, axes: Any, frequency_weights: Any, keepdims: bool = False, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """The mean and variance of ``x`` along ``axes`` with each element counted ``frequency_weights`` times."""
    return statistics.weighted_moments(x, axes, frequency_weights, name, keep_dims=keepdims)


def sufficient_statistics(
    x: Any, axes: Any, shift: Any = None, keepdims: bool = False, name: str | None = None
) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
    """The count, sum and sum of squares of ``x - shift`` along ``axes``, and the shift."""
    return statistics.sufficient_statistics(x, axes, shift, keepdims, name)


def batch_norm_with_global_normalization(
    input: Any, mean: Any, variance: Any, beta: Any, gamma: Any, variance_epsilon: Any, scale_after_normalization: bool,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """``(x - mean) / sqrt(variance + epsilon) * gamma + beta``, without ``gamma`` if it is not to be scaled."""
    return statistics.batch_norm_with_global_normalization(
        t=input, m=mean, v=variance, beta=beta, gamma=gamma, variance_epsilon=variance_epsilon,
        scale_after_normalization=scale_after_normalization, name=name,
    )  # fmt: skip


def weighted_cross_entropy_with_logits(labels: Any, logits: Any, pos_weight: Any, name: str | None = None) -> Tensor:
    """``sigmoid_cross_entropy_with_logits`` with its positive term weighted by ``pos_weight``."""
    return cross_entropy.weighted_cross_entropy_with_logits(labels, logits, pos_weight, name)
