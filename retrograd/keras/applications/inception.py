"""InceptionV3 (Szegedy et al., 2015) and Xception (Chollet, 2016)."""

from __future__ import annotations

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
from retrograd.keras.layers.merging import add, concatenate
from retrograd.keras.layers.normalizing import BatchNormalization
from retrograd.keras.layers.spatial import (
    AveragePooling2D,
    Conv2D,
    GlobalAveragePooling2D,
    MaxPooling2D,
    SeparableConv2D,
)

_INCEPTION = "fchollet/deep-learning-models/releases/download/v0.5/"
_XCEPTION = "fchollet/deep-learning-models/releases/download/v0.4/"


def _conv(x: Any, filters: int, rows: int, columns: int, padding: str = "same", strides: Any = (1, 1)) -> Any:
    x = Conv2D(filters, (rows, columns), strides=strides, padding=padding, use_bias=False)(x)
    x = BatchNormalization(axis=channel_axis(), scale=False)(x)
    return Activation("relu")(x)


def _mean(x: Any) -> Any:
    return AveragePooling2D((3, 3), strides=(1, 1), padding="same")(x)


def _joined(branches: list[Any], name: str | None = None) -> Any:
    return concatenate(branches, axis=channel_axis(), name=name)


def _fine(x: Any, pool_filters: int, name: str) -> Any:
    """Windows of 1, 5 and 3 pixels."""
    one = _conv(x, 64, 1, 1)
    five = _conv(_conv(x, 48, 1, 1), 64, 5, 5)
    three = _conv(_conv(_conv(x, 64, 1, 1), 96, 3, 3), 96, 3, 3)
    return _joined([one, five, three, _conv(_mean(x), pool_filters, 1, 1)], name)


def _factored(x: Any, filters: int, name: str) -> Any:
    """Windows of 7 pixels, first along one side, then along the other."""
    one = _conv(x, 192, 1, 1)
    seven = _conv(_conv(_conv(x, filters, 1, 1), filters, 1, 7), 192, 7, 1)
    twice = _conv(_conv(_conv(x, filters, 1, 1), filters, 7, 1), filters, 1, 7)
    twice = _conv(_conv(twice, filters, 7, 1), 192, 1, 7)
    return _joined([one, seven, twice, _conv(_mean(x), 192, 1, 1)], name)


def _coarse(x: Any, i: int) -> Any:
    """Windows of 3 pixels, along each side by itself."""
    one = _conv(x, 320, 1, 1)
    three = _conv(x, 384, 1, 1)
    three = _joined([_conv(three, 384, 1, 3), _conv(three, 384, 3, 1)], f"mixed9_{i}")
    twice = _conv(_conv(x, 448, 1, 1), 384, 3, 3)
    twice = _joined([_conv(twice, 384, 1, 3), _conv(twice, 384, 3, 1)])
    return _joined([one, three, twice, _conv(_mean(x), 192, 1, 1)], f"mixed{9 + i}")


def InceptionV3(
    include_top: bool = True, weights: Any = "imagenet", input_tensor: Any = None, input_shape: Any = None,
    pooling: Any = None, classes: int = 1000, **kwargs: Any,
) -> Any:  # fmt: skip
    """Eleven blocks of parallel windows."""
    check_weights(weights, include_top, classes)
    inputs = inputs_of(input_tensor, obtain_input_shape(input_shape, 299, 75, include_top, weights))
    x = _conv(inputs, 32, 3, 3, strides=(2, 2), padding="valid")
    x = _conv(x, 32, 3, 3, padding="valid")
    x = MaxPooling2D((3, 3), strides=(2, 2))(_conv(x, 64, 3, 3))
    x = _conv(_conv(x, 80, 1, 1, padding="valid"), 192, 3, 3, padding="valid")
    x = MaxPooling2D((3, 3), strides=(2, 2))(x)
    for i, filters in enumerate((32, 64, 64)):
        x = _fine(x, filters, f"mixed{i}")
    three = _conv(x, 384, 3, 3, strides=(2, 2), padding="valid")
    twice = _conv(_conv(_conv(x, 64, 1, 1), 96, 3, 3), 96, 3, 3, strides=(2, 2), padding="valid")
    x = _joined([three, twice, MaxPooling2D((3, 3), strides=(2, 2))(x)], "mixed3")
    for i, filters in enumerate((128, 160, 160, 192), 4):
        x = _factored(x, filters, f"mixed{i}")
    three = _conv(_conv(x, 192, 1, 1), 320, 3, 3, strides=(2, 2), padding="valid")
    seven = _conv(_conv(_conv(x, 192, 1, 1), 192, 1, 7), 192, 7, 1)
    seven = _conv(seven, 192, 3, 3, strides=(2, 2), padding="valid")
    x = _joined([three, seven, MaxPooling2D((3, 3), strides=(2, 2))(x)], "mixed8")
    for i in range(2):
        x = _coarse(x, i)
    if include_top:
        x = GlobalAveragePooling2D(name="avg_pool")(x)
        x = Dense(classes, activation="softmax", name="predictions")(x)
    else:
        x = pooled(x, pooling)
    files = (
        "inception_v3_weights_tf_dim_ordering_tf_kernels.h5",
        "inception_v3_weights_tf_dim_ordering_tf_kernels_notop.h5",
    )
    return finished(inputs, x, "inception_v3", weights, include_top, _INCEPTION, files)


def _separable(x: Any, filters: int, name: str) -> Any:
    x = SeparableConv2D(filters, (3, 3), padding="same", use_bias=False, name=name)(x)
    return BatchNormalization(axis=channel_axis(), name=name + "_bn")(x)


def _shortcut(x: Any, filters: int) -> Any:
    x = Conv2D(filters, (1, 1), strides=(2, 2), padding="same", use_bias=False)(x)
    return BatchNormalization(axis=channel_axis())(x)


def Xception(
    include_top: bool = True, weights: Any = "imagenet", input_tensor: Any = None, input_shape: Any = None,
    pooling: Any = None, classes: int = 1000, **kwargs: Any,
) -> Any:  # fmt: skip
    """Fourteen blocks of separable convolutions."""
    check_weights(weights, include_top, classes)
    inputs = inputs_of(input_tensor, obtain_input_shape(input_shape, 299, 71, include_top, weights))
    axis = channel_axis()
    x = Conv2D(32, (3, 3), strides=(2, 2), use_bias=False, name="block1_conv1")(inputs)
    x = Activation("relu", name="block1_conv1_act")(BatchNormalization(axis=axis, name="block1_conv1_bn")(x))
    x = Conv2D(64, (3, 3), use_bias=False, name="block1_conv2")(x)
    x = Activation("relu", name="block1_conv2_act")(BatchNormalization(axis=axis, name="block1_conv2_bn")(x))
    for block, filters in ((2, 128), (3, 256), (4, 728), (13, 1024)):
        if block == 13:
            x = _middle(x)
        residual, name = _shortcut(x, filters), f"block{block}_sepconv"
        if block > 2:
            x = Activation("relu", name=f"{name}1_act")(x)
        x = _separable(x, 728 if block == 13 else filters, f"{name}1")
        x = _separable(Activation("relu", name=f"{name}2_act")(x), filters, f"{name}2")
        x = MaxPooling2D((3, 3), strides=(2, 2), padding="same", name=f"block{block}_pool")(x)
        x = add([x, residual])
    for i, filters in ((1, 1536), (2, 2048)):
        x = _separable(x, filters, f"block14_sepconv{i}")
        x = Activation("relu", name=f"block14_sepconv{i}_act")(x)
    if include_top:
        x = GlobalAveragePooling2D(name="avg_pool")(x)
        x = Dense(classes, activation="softmax", name="predictions")(x)
    else:
        x = pooled(x, pooling)
    files = (
        "xception_weights_tf_dim_ordering_tf_kernels.h5", "xception_weights_tf_dim_ordering_tf_kernels_notop.h5",
    )  # fmt: skip
    return finished(inputs, x, "xception", weights, include_top, _XCEPTION, files)


def _middle(x: Any) -> Any:
    """Eight blocks that keep the size."""
    for block in range(5, 13):
        residual = x
        for i in range(1, 4):
            name = f"block{block}_sepconv{i}"
            x = _separable(Activation("relu", name=name + "_act")(x), 728, name)
        x = add([x, residual])
    return x
