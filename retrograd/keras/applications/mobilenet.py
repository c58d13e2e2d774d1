"""MobileNet (Howard et al., 2017) and MobileNetV2 (Sandler et al., 2018): convolutions of each channel by itself."""

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
from retrograd.keras.layers.core import Activation, Dense, Dropout, ReLU, Reshape
from retrograd.keras.layers.merging import Add
from retrograd.keras.layers.normalizing import BatchNormalization
from retrograd.keras.layers.spatial import Conv2D, DepthwiseConv2D, GlobalAveragePooling2D, ZeroPadding2D

_ADDRESS = "fchollet/deep-learning-models/releases/download/v0.6/"
_ADDRESS_V2 = "JonathanCMitchell/mobilenet_v2_keras/releases/download/v1.1/"
_STEPS = (
    (64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), (512, 1), (512, 1), (512, 1), (512, 1), (512, 1),
    (1024, 2), (1024, 1),
)  # fmt: skip


def _size(input_shape: Any) -> int:
    """The side of images, of one of the sizes that there are weights for."""
    if input_shape is None:
        return 224
    rows, columns = (input_shape[1:] if channel_axis() == 1 else input_shape)[:2]
    return int(rows) if rows == columns and rows in (96, 128, 160, 192, 224) else 224


def _rows(input_shape: Any, weights: Any) -> Any:
    """The height of images as names of models have it."""
    if weights == "imagenet" or input_shape is None:
        return _size(input_shape)
    return input_shape[1 if channel_axis() == 1 else 0]


def _activated(x: Any, name: str) -> Any:
    return ReLU(6.0, name=name + "_relu")(BatchNormalization(axis=channel_axis(), name=name + "_bn")(x))


def MobileNet(
    input_shape: Any = None, alpha: float = 1.0, depth_multiplier: int = 1, dropout: float = 1e-3,
    include_top: bool = True, weights: Any = "imagenet", input_tensor: Any = None, pooling: Any = None,
    classes: int = 1000, **kwargs: Any,
) -> Any:  # fmt: skip
    """Thirteen separable convolutions; ``alpha`` scales the number of channels."""
    check_weights(weights, include_top, classes)
    shape = obtain_input_shape(input_shape, _size(input_shape), 32, include_top, weights)
    inputs = inputs_of(input_tensor, shape)
    x = ZeroPadding2D(padding=((0, 1), (0, 1)), name="conv1_pad")(inputs)
    x = Conv2D(int(32 * alpha), (3, 3), padding="valid", use_bias=False, strides=(2, 2), name="conv1")(x)
    x = _activated(x, "conv1")
    for i, (filters, stride) in enumerate(_STEPS, 1):
        if stride > 1:
            x = ZeroPadding2D(((0, 1), (0, 1)), name=f"conv_pad_{i}")(x)
        x = DepthwiseConv2D(
            (3, 3), padding="same" if stride == 1 else "valid", depth_multiplier=depth_multiplier,
            strides=(stride, stride), use_bias=False, name=f"conv_dw_{i}",
        )(x)  # fmt: skip
        x = _activated(x, f"conv_dw_{i}")
        x = Conv2D(
            int(filters * alpha), (1, 1), padding="same", use_bias=False, strides=(1, 1), name=f"conv_pw_{i}"
        )(x)  # fmt: skip
        x = _activated(x, f"conv_pw_{i}")
    if include_top:
        last = int(1024 * alpha)
        x = GlobalAveragePooling2D()(x)
        x = Reshape((last, 1, 1) if channel_axis() == 1 else (1, 1, last), name="reshape_1")(x)
        x = Dropout(dropout, name="dropout")(x)
        x = Conv2D(classes, (1, 1), padding="same", name="conv_preds")(x)
        x = Reshape((classes,), name="reshape_2")(x)
        x = Activation("softmax", name="act_softmax")(x)
    else:
        x = pooled(x, pooling)
    side = _size(shape)
    width = {1.0: "1_0", 0.75: "7_5", 0.5: "5_0"}.get(alpha, "2_5")
    files = (f"mobilenet_{width}_{side}_tf.h5", f"mobilenet_{width}_{side}_tf_no_top.h5")
    return finished(inputs, x, f"mobilenet_{alpha:0.2f}_{_rows(shape, weights)}", weights, include_top, _ADDRESS, files)


def _divisible(v: float, divisor: int = 8) -> int:
    """The nearest multiple of 8, not more than a tenth below."""
    new = max(divisor, int(v + divisor / 2) // divisor * divisor)
    return new + divisor if new < 0.9 * v else new


def correct_pad(x: Any, window: int = 3) -> tuple[tuple[int, int], tuple[int, int]]:
    """What a convolution of so many pixels with stride two needs, so that even sizes are halved."""
    shape = x.shape.as_list()
    rows, columns = shape[2:4] if channel_axis() == 1 else shape[1:3]
    even = [1 - (n or 0) % 2 for n in (rows, columns)] if rows is not None else [1, 1]
    half = window // 2
    return ((half - even[0], half), (half - even[1], half))


def _inverted(x: Any, expansion: int, stride: int, alpha: float, filters: int, i: int) -> Any:
    """More channels, a convolution of each, few channels again; with a shortcut where the shape is the same."""
    axis = channel_axis()
    channels, wanted = x.shape.as_list()[axis], _divisible(int(filters * alpha))
    inputs, prefix = x, f"block_{i}_" if i else "expanded_conv_"

    def normalized(y: Any, name: str) -> Any:
        return BatchNormalization(axis=axis, epsilon=1e-3, momentum=0.999, name=prefix + name + "_BN")(y)

    if i:
        x = Conv2D(
            expansion * channels, kernel_size=1, padding="same", use_bias=False, activation=None,
            name=prefix + "expand",
        )(x)  # fmt: skip
        x = ReLU(6.0, name=prefix + "expand_relu")(normalized(x, "expand"))
    if stride == 2:
        x = ZeroPadding2D(padding=correct_pad(x), name=prefix + "pad")(x)
    x = DepthwiseConv2D(
        kernel_size=3, strides=stride, activation=None, use_bias=False, padding="same" if stride == 1 else "valid",
        name=prefix + "depthwise",
    )(x)  # fmt: skip
    x = ReLU(6.0, name=prefix + "depthwise_relu")(normalized(x, "depthwise"))
    x = Conv2D(wanted, kernel_size=1, padding="same", use_bias=False, activation=None, name=prefix + "project")(x)
    x = normalized(x, "project")
    return Add(name=prefix + "add")([inputs, x]) if channels == wanted and stride == 1 else x


_STAGES = ((16, 1, 1, 1), (24, 6, 2, 2), (32, 6, 2, 3), (64, 6, 2, 4), (96, 6, 1, 3), (160, 6, 2, 3), (320, 6, 1, 1))


def MobileNetV2(
    input_shape: Any = None, alpha: float = 1.0, include_top: bool = True, weights: Any = "imagenet",
    input_tensor: Any = None, pooling: Any = None, classes: int = 1000, **kwargs: Any,
) -> Any:  # fmt: skip
    """Seventeen inverted residual blocks; ``alpha`` scales the number of channels."""
    check_weights(weights, include_top, classes)
    shape = obtain_input_shape(input_shape, _size(input_shape), 32, include_top, weights)
    inputs = inputs_of(input_tensor, shape)
    x = ZeroPadding2D(padding=correct_pad(inputs), name="Conv1_pad")(inputs)
    x = Conv2D(
        _divisible(32 * alpha), kernel_size=3, strides=(2, 2), padding="valid", use_bias=False, name="Conv1"
    )(x)  # fmt: skip
    x = BatchNormalization(axis=channel_axis(), epsilon=1e-3, momentum=0.999, name="bn_Conv1")(x)
    x = ReLU(6.0, name="Conv1_relu")(x)
    i = 0
    for filters, expansion, stride, count in _STAGES:
        for j in range(count):
            x = _inverted(x, expansion, stride if j == 0 else 1, alpha, filters, i)
            i += 1
    last = _divisible(1280 * alpha) if alpha > 1.0 else 1280
    x = Conv2D(last, kernel_size=1, use_bias=False, name="Conv_1")(x)
    x = BatchNormalization(axis=channel_axis(), epsilon=1e-3, momentum=0.999, name="Conv_1_bn")(x)
    x = ReLU(6.0, name="out_relu")(x)
    if include_top:
        x = GlobalAveragePooling2D()(x)
        x = Dense(classes, activation="softmax", use_bias=True, name="Logits")(x)
    else:
        x = pooled(x, pooling)
    side = _size(shape)
    stem = f"mobilenet_v2_weights_tf_dim_ordering_tf_kernels_{alpha}_{side}"
    files = (f"{stem}.h5", f"{stem}_no_top.h5")
    return finished(
        inputs, x, f"mobilenetv2_{alpha:0.2f}_{_rows(shape, weights)}", weights, include_top, _ADDRESS_V2, files
    )
