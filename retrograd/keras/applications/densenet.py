"""DenseNet: each layer sees what all before it made (Huang et al., 2016)."""

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
from retrograd.keras.layers.merging import Concatenate
from retrograd.keras.layers.normalizing import BatchNormalization
from retrograd.keras.layers.spatial import (
    AveragePooling2D,
    Conv2D,
    GlobalAveragePooling2D,
    MaxPooling2D,
    ZeroPadding2D,
)

_ADDRESS = "keras-team/keras-applications/releases/download/densenet/"


def _normalized(x: Any, name: str) -> Any:
    return BatchNormalization(axis=channel_axis(), epsilon=1.001e-5, name=name)(x)


def _conv_block(x: Any, growth: int, name: str) -> Any:
    y = Activation("relu", name=name + "_0_relu")(_normalized(x, name + "_0_bn"))
    y = Conv2D(4 * growth, 1, use_bias=False, name=name + "_1_conv")(y)
    y = Activation("relu", name=name + "_1_relu")(_normalized(y, name + "_1_bn"))
    y = Conv2D(growth, 3, padding="same", use_bias=False, name=name + "_2_conv")(y)
    return Concatenate(axis=channel_axis(), name=name + "_concat")([x, y])


def _transition(x: Any, name: str) -> Any:
    x = Activation("relu", name=name + "_relu")(_normalized(x, name + "_bn"))
    channels = x.shape.as_list()[channel_axis()]
    x = Conv2D(channels // 2, 1, use_bias=False, name=name + "_conv")(x)
    return AveragePooling2D(2, strides=2, name=name + "_pool")(x)


def _network(name: str, title: str, blocks: tuple[int, ...]) -> Callable[..., Any]:
    def network(
        include_top: bool = True, weights: Any = "imagenet", input_tensor: Any = None, input_shape: Any = None,
        pooling: Any = None, classes: int = 1000, **kwargs: Any,
    ) -> Any:  # fmt: skip
        check_weights(weights, include_top, classes)
        inputs = inputs_of(input_tensor, obtain_input_shape(input_shape, 224, 32, include_top, weights))
        x = ZeroPadding2D(padding=((3, 3), (3, 3)))(inputs)
        x = Conv2D(64, 7, strides=2, use_bias=False, name="conv1/conv")(x)
        x = Activation("relu", name="conv1/relu")(_normalized(x, "conv1/bn"))
        x = ZeroPadding2D(padding=((1, 1), (1, 1)))(x)
        x = MaxPooling2D(3, strides=2, name="pool1")(x)
        for i, count in enumerate(blocks, 2):
            for j in range(1, count + 1):
                x = _conv_block(x, 32, f"conv{i}_block{j}")
            if i < 5:
                x = _transition(x, f"pool{i}")
        x = Activation("relu", name="relu")(_normalized(x, "bn"))
        if include_top:
            x = GlobalAveragePooling2D(name="avg_pool")(x)
            x = Dense(classes, activation="softmax", name="fc1000")(x)
        else:
            x = pooled(x, pooling, is_named=True)
        files = (
            f"{name}_weights_tf_dim_ordering_tf_kernels.h5", f"{name}_weights_tf_dim_ordering_tf_kernels_notop.h5",
        )  # fmt: skip
        return finished(inputs, x, name, weights, include_top, _ADDRESS, files)

    network.__name__ = network.__qualname__ = title
    network.__doc__ = f"A densely connected network with blocks of {', '.join(map(str, blocks))} layers."
    return network


DenseNet121 = _network("densenet121", "DenseNet121", (6, 12, 24, 16))
DenseNet169 = _network("densenet169", "DenseNet169", (6, 12, 32, 32))
DenseNet201 = _network("densenet201", "DenseNet201", (6, 12, 48, 32))
