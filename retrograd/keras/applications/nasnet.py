"""NASNet: cells that a search has found, one above the other (Zoph et al., 2017)."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from retrograd.keras import backend as K
from retrograd.keras.applications.common import check_weights, finished, inputs_of, obtain_input_shape, pooled
from retrograd.keras.applications.mobilenet import correct_pad
from retrograd.keras.layers.core import Activation, Dense
from retrograd.keras.layers.merging import add, concatenate
from retrograd.keras.layers.normalizing import BatchNormalization
from retrograd.keras.layers.spatial import (
    AveragePooling2D,
    Conv2D,
    Cropping2D,
    GlobalAveragePooling2D,
    MaxPooling2D,
    SeparableConv2D,
    ZeroPadding2D,
)

_ADDRESS = "titu1994/Keras-NASNet/releases/download/v1.2/"


def _normalized(x: Any, name: str) -> Any:
    return BatchNormalization(axis=-1, momentum=0.9997, epsilon=1e-3, name=name)(x)


def _conv(x: Any, filters: int, name: str) -> Any:
    return Conv2D(filters, 1, padding="same", use_bias=False, kernel_initializer="he_normal", name=name)(x)


def _separable(x: Any, filters: int, window: int, name: str, stride: int = 1) -> Any:
    """Two separable convolutions, the first with the stride."""
    shared: dict[str, Any] = {"use_bias": False, "kernel_initializer": "he_normal"}
    with K.name_scope_(f"separable_conv_block_{name}"):
        x, padding = Activation("relu")(x), "same"
        if stride > 1:
            x = ZeroPadding2D(correct_pad(x, window), name=f"separable_conv_1_pad_{name}")(x)
            padding = "valid"
        x = SeparableConv2D(
            filters, window, strides=stride, padding=padding, name=f"separable_conv_1_{name}", **shared
        )(x)
        x = Activation("relu")(_normalized(x, f"separable_conv_1_bn_{name}"))
        x = SeparableConv2D(filters, window, padding="same", name=f"separable_conv_2_{name}", **shared)(x)
        return _normalized(x, f"separable_conv_2_bn_{name}")


def _adjusted(p: Any, x: Any, filters: int, name: str) -> Any:
    """What the cell before the last saw, in the size of what the last one made and with so many filters."""
    with K.name_scope_("adjust_block"):
        if p is None:
            return x
        if p.shape.as_list()[2] != x.shape.as_list()[2]:
            with K.name_scope_(f"adjust_reduction_block_{name}"):
                p = Activation("relu", name=f"adjust_relu_1_{name}")(p)
                even = AveragePooling2D(1, strides=2, padding="valid", name=f"adjust_avg_pool_1_{name}")(p)
                even = _conv(even, filters // 2, f"adjust_conv_1_{name}")
                odd = Cropping2D(((1, 0), (1, 0)))(ZeroPadding2D(((0, 1), (0, 1)))(p))
                odd = AveragePooling2D(1, strides=2, padding="valid", name=f"adjust_avg_pool_2_{name}")(odd)
                odd = _conv(odd, filters // 2, f"adjust_conv_2_{name}")
                return _normalized(concatenate([even, odd], axis=-1), f"adjust_bn_{name}")
        if p.shape.as_list()[3] != filters:
            with K.name_scope_(f"adjust_projection_block_{name}"):
                p = _conv(Activation("relu")(p), filters, f"adjust_conv_projection_{name}")
                return _normalized(p, f"adjust_bn_{name}")
        return p


def _normal_cell(x: Any, p: Any, filters: int, name: str) -> tuple[Any, Any]:
    """Five sums of what the last cell made and what the one before it saw; the size stays."""

    def mean(of: Any, side: str) -> Any:
        return AveragePooling2D(3, strides=1, padding="same", name=f"normal_{side}_{name}")(of)

    def separable(of: Any, window: int, side: str) -> Any:
        return _separable(of, filters, window, f"normal_{side}_{name}")

    with K.name_scope_(f"normal_A_block_{name}"):
        p = _adjusted(p, x, filters, name)
        h = _conv(Activation("relu")(x), filters, f"normal_conv_1_{name}")
        h = _normalized(h, f"normal_bn_1_{name}")
        pairs: list[Callable[[], list[Any]]] = [
            lambda: [separable(h, 5, "left1"), separable(p, 3, "right1")],
            lambda: [separable(p, 5, "left2"), separable(p, 3, "right2")],
            lambda: [mean(h, "left3"), p],
            lambda: [mean(p, "left4"), mean(p, "right4")],
            lambda: [separable(h, 3, "left5"), h],
        ]
        sums = []
        for i, pair in enumerate(pairs, 1):
            with K.name_scope_(f"block_{i}"):
                sums.append(add(pair(), name=f"normal_add_{i}_{name}"))
        return concatenate([p, *sums], axis=-1, name=f"normal_concat_{name}"), x


def _reduction_cell(x: Any, p: Any, filters: int, name: str) -> tuple[Any, Any]:
    """The same for images of half the size."""

    def separable(of: Any, window: int, side: str) -> Any:
        return _separable(of, filters, window, f"reduction_{side}_{name}", stride=2)

    def pool(kind: Any, side: str) -> Any:
        return kind(3, strides=2, padding="valid", name=f"reduction_{side}_{name}")(padded)

    with K.name_scope_(f"reduction_A_block_{name}"):
        p = _adjusted(p, x, filters, name)
        h = _conv(Activation("relu")(x), filters, f"reduction_conv_1_{name}")
        h = _normalized(h, f"reduction_bn_1_{name}")
        padded = ZeroPadding2D(correct_pad(h, 3), name=f"reduction_pad_1_{name}")(h)
        with K.name_scope_("block_1"):
            x1 = add([separable(h, 5, "left1"), separable(p, 7, "right1")], name=f"reduction_add_1_{name}")
        with K.name_scope_("block_2"):
            x2 = add([pool(MaxPooling2D, "left2"), separable(p, 7, "right2")], name=f"reduction_add_2_{name}")
        with K.name_scope_("block_3"):
            x3 = add([pool(AveragePooling2D, "left3"), separable(p, 5, "right3")], name=f"reduction_add3_{name}")
        with K.name_scope_("block_4"):
            x4 = AveragePooling2D(3, strides=1, padding="same", name=f"reduction_left4_{name}")(x1)
            x4 = add([x2, x4])
        with K.name_scope_("block_5"):
            x5 = _separable(x1, filters, 3, f"reduction_left4_{name}")
            x5 = add([x5, pool(MaxPooling2D, "right5")], name=f"reduction_add4_{name}")
        return concatenate([x2, x3, x4, x5], axis=-1, name=f"reduction_concat_{name}"), x


def NASNet(
    input_shape: Any = None, penultimate_filters: int = 4032, num_blocks: int = 6, stem_block_filters: int = 96,
    skip_reduction: bool = True, filter_multiplier: int = 2, include_top: bool = True, weights: Any = None,
    input_tensor: Any = None, pooling: Any = None, classes: int = 1000, default_size: int | None = None, **kwargs: Any,
) -> Any:  # fmt: skip
    """Three stacks of normal cells with reductions between them; images have their channels last.

    Args:
      penultimate_filters: the channels of the last stack, 24 times those of a cell.
      skip_reduction: let the first cell of a stack see past the reduction.

    Raises:
      ValueError: the arguments do not fit each other.
    """
    check_weights(weights, include_top, classes)
    if isinstance(input_shape, tuple) and None in input_shape and weights == "imagenet":
        raise ValueError(
            "When specifying the input shape of a NASNet and loading `ImageNet` weights, the input_shape argument must "
            f"be static (no None entries). Got: `input_shape={input_shape}`."
        )
    if K.image_data_format() == "channels_first":
        warnings.warn(
            'The NASNet family of models is only available for the input data format "channels_last" (width, height, '
            "channels). The model being returned right now will expect inputs to follow it.", stacklevel=3,
        )  # fmt: skip
        K.set_image_data_format("channels_last")
        try:
            return NASNet(
                input_shape, penultimate_filters, num_blocks, stem_block_filters, skip_reduction, filter_multiplier,
                include_top, weights, input_tensor, pooling, classes, default_size,
            )  # fmt: skip
        finally:
            K.set_image_data_format("channels_first")
    size = default_size or 331
    inputs = inputs_of(input_tensor, obtain_input_shape(input_shape, size, 32, True, weights))
    if penultimate_filters % (24 * filter_multiplier**2):
        raise ValueError(
            "For NASNet-A models, the `penultimate_filters` must be a multiple of 24 * (`filter_multiplier` ** 2). "
            f"Current value: {penultimate_filters}"
        )
    filters, times, count = penultimate_filters // 24, filter_multiplier, num_blocks
    x = Conv2D(
        stem_block_filters, 3, strides=2, padding="valid", use_bias=False, kernel_initializer="he_normal",
        name="stem_conv1",
    )(inputs)  # fmt: skip
    x, p = _reduction_cell(_normalized(x, "stem_bn1"), None, filters // times**2, "stem_1")
    x, p = _reduction_cell(x, p, filters // times, "stem_2")
    for stack in range(3):
        width = filters * times**stack
        if stack:
            x, before = _reduction_cell(x, p, width, f"reduce_{stack * count}")
            p = p if skip_reduction else before
        for i in range(count):
            x, p = _normal_cell(x, p, width, str(stack * count + i + (stack > 0)))
    x = Activation("relu")(x)
    if include_top:
        x = Dense(classes, activation="softmax", name="predictions")(GlobalAveragePooling2D()(x))
    else:
        x = pooled(x, pooling)
    word = {224: "mobile", 331: "large"}.get(size)
    if weights == "imagenet" and word is None:
        raise ValueError("ImageNet weights can only be loaded with NASNetLarge or NASNetMobile")
    files = (f"NASNet-{word}.h5", f"NASNet-{word}-no-top.h5")
    return finished(inputs, x, "NASNet", weights, include_top, _ADDRESS, files)


def NASNetLarge(
    input_shape: Any = None, include_top: bool = True, weights: Any = "imagenet", input_tensor: Any = None,
    pooling: Any = None, classes: int = 1000, **kwargs: Any,
) -> Any:  # fmt: skip
    """Eighteen normal cells, 4032 channels at the end, images of 331 pixels."""
    return NASNet(input_shape, 4032, 6, 96, True, 2, include_top, weights, input_tensor, pooling, classes, 331)


def NASNetMobile(
    input_shape: Any = None, include_top: bool = True, weights: Any = "imagenet", input_tensor: Any = None,
    pooling: Any = None, classes: int = 1000, **kwargs: Any,
) -> Any:  # fmt: skip
    """Twelve normal cells, 1056 channels at the end, images of 224 pixels."""
    return NASNet(input_shape, 1056, 4, 32, False, 2, include_top, weights, input_tensor, pooling, classes, 224)
