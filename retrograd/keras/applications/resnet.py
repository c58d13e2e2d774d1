"""Residual networks (He et al., 2015), and those with normalization before convolutions (2016)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.keras.applications.common import (
    channel_axis,
    check_weights,
    finished,
    inputs_of,
    obtain_input_shape,
    pooled,
)
from retrograd.keras.layers.core import Activation, Dense
from retrograd.keras.layers.merging import Add
from retrograd.keras.layers.normalizing import BatchNormalization
from retrograd.keras.layers.spatial import Conv2D, GlobalAveragePooling2D, MaxPooling2D, ZeroPadding2D

_ADDRESS = "keras-team/keras-applications/releases/download/resnet/"


def _normalized(x: Any, name: str) -> Any:
    return BatchNormalization(axis=channel_axis(), epsilon=1.001e-5, name=name)(x)


def _block(x: Any, filters: int, stride: int, is_first: bool, name: str) -> Any:
    """``relu(shortcut + f(x))`` with convolutions of 1, 3 and 1 pixels."""
    shortcut = x
    if is_first:
        shortcut = _normalized(Conv2D(4 * filters, 1, strides=stride, name=name + "_0_conv")(x), name + "_0_bn")
    x = _normalized(Conv2D(filters, 1, strides=stride, name=name + "_1_conv")(x), name + "_1_bn")
    x = Activation("relu", name=name + "_1_relu")(x)
    x = _normalized(Conv2D(filters, 3, padding="same", name=name + "_2_conv")(x), name + "_2_bn")
    x = Activation("relu", name=name + "_2_relu")(x)
    x = _normalized(Conv2D(4 * filters, 1, name=name + "_3_conv")(x), name + "_3_bn")
    return Activation("relu", name=name + "_out")(Add(name=name + "_add")([shortcut, x]))


def _block_v2(x: Any, filters: int, stride: int, is_first: bool, name: str) -> Any:
    """``shortcut + f(relu(normalized(x)))``."""
    before = Activation("relu", name=name + "_preact_relu")(_normalized(x, name + "_preact_bn"))
    if is_first:
        shortcut = Conv2D(4 * filters, 1, strides=stride, name=name + "_0_conv")(before)
    else:
        shortcut = MaxPooling2D(1, strides=stride)(x) if stride > 1 else x
    x = Conv2D(filters, 1, strides=1, use_bias=False, name=name + "_1_conv")(before)
    x = Activation("relu", name=name + "_1_relu")(_normalized(x, name + "_1_bn"))
    x = ZeroPadding2D(padding=((1, 1), (1, 1)), name=name + "_2_pad")(x)
    x = Conv2D(filters, 3, strides=stride, use_bias=False, name=name + "_2_conv")(x)
    x = Activation("relu", name=name + "_2_relu")(_normalized(x, name + "_2_bn"))
    x = Conv2D(4 * filters, 1, name=name + "_3_conv")(x)
    return Add(name=name + "_out")([shortcut, x])


def _stack(x: Any, filters: int, blocks: int, stride: int, name: str) -> Any:
    for i in range(1, blocks + 1):
        x = _block(x, filters, stride if i == 1 else 1, i == 1, f"{name}_block{i}")
    return x


def _stack_v2(x: Any, filters: int, blocks: int, stride: int, name: str) -> Any:
    for i in range(1, blocks + 1):
        x = _block_v2(x, filters, stride if i == blocks else 1, i == 1, f"{name}_block{i}")
    return x


def _resnet(
    name: str, blocks: tuple[int, ...], is_v2: bool, include_top: bool, weights: Any, input_tensor: Any,
    input_shape: Any, pooling: Any, classes: int,
) -> Any:  # fmt: skip
    check_weights(weights, include_top, classes)
    inputs = inputs_of(input_tensor, obtain_input_shape(input_shape, 224, 32, include_top, weights))
    x = ZeroPadding2D(padding=((3, 3), (3, 3)), name="conv1_pad")(inputs)
    x = Conv2D(64, 7, strides=2, use_bias=True, name="conv1_conv")(x)
    if not is_v2:
        x = Activation("relu", name="conv1_relu")(_normalized(x, "conv1_bn"))
    x = ZeroPadding2D(padding=((1, 1), (1, 1)), name="pool1_pad")(x)
    x = MaxPooling2D(3, strides=2, name="pool1_pool")(x)
    strides = (2, 2, 2, 1) if is_v2 else (1, 2, 2, 2)
    for i, (filters, count, stride) in enumerate(zip((64, 128, 256, 512), blocks, strides, strict=True), 2):
        x = (_stack_v2 if is_v2 else _stack)(x, filters, count, stride, f"conv{i}")
    if is_v2:
        x = Activation("relu", name="post_relu")(_normalized(x, "post_bn"))
    if include_top:
        x = GlobalAveragePooling2D(name="avg_pool")(x)
        x = Dense(classes, activation="softmax", name="probs")(x)
    else:
        x = pooled(x, pooling, is_named=True)
    files = (
        f"{name}_weights_tf_dim_ordering_tf_kernels.h5", f"{name}_weights_tf_dim_ordering_tf_kernels_notop.h5",
    )  # fmt: skip
    return finished(inputs, x, name, weights, include_top, _ADDRESS, files)


def _network(name: str, title: str, blocks: tuple[int, ...], is_v2: bool, what: str) -> Callable[..., Any]:
    def network(
        include_top: bool = True, weights: Any = "imagenet", input_tensor: Any = None, input_shape: Any = None,
        pooling: Any = None, classes: int = 1000, **kwargs: Any,
    ) -> Any:  # fmt: skip
        return _resnet(
            name, blocks, is_v2, include_top, weights, input_tensor, input_shape, pooling, classes
        )  # fmt: skip

    network.__name__ = network.__qualname__ = title
    network.__doc__ = f"A residual network of {what} layers."
    return network


ResNet50 = _network("resnet50", "ResNet50", (3, 4, 6, 3), False, "50")
ResNet101 = _network("resnet101", "ResNet101", (3, 4, 23, 3), False, "101")
ResNet152 = _network("resnet152", "ResNet152", (3, 8, 36, 3), False, "152")
ResNet50V2 = _network("resnet50v2", "ResNet50V2", (3, 4, 6, 3), True, "50")
ResNet101V2 = _network("resnet101v2", "ResNet101V2", (3, 4, 23, 3), True, "101")
ResNet152V2 = _network("resnet152v2", "ResNet152V2", (3, 8, 36, 3), True, "152")
