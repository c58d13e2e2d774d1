"""InceptionResNetV2: parallel windows whose result is added to what they see (Szegedy et al., 2016)."""

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
from retrograd.keras.layers.functions import Lambda
from retrograd.keras.layers.merging import Concatenate
from retrograd.keras.layers.normalizing import BatchNormalization
from retrograd.keras.layers.spatial import AveragePooling2D, Conv2D, GlobalAveragePooling2D, MaxPooling2D

_ADDRESS = "fchollet/deep-learning-models/releases/download/v0.7/"
# the branches of a block, each a chain of convolutions: filters and window
_BRANCHES: dict[str, tuple[tuple[tuple[int, Any], ...], ...]] = {
    "block35": (((32, 1),), ((32, 1), (32, 3)), ((32, 1), (48, 3), (64, 3))),
    "block17": (((192, 1),), ((128, 1), (160, (1, 7)), (192, (7, 1)))),
    "block8": (((192, 1),), ((192, 1), (224, (1, 3)), (256, (3, 1)))),
}
_STEM = (((96, 1),), ((48, 1), (64, 5)), ((64, 1), (96, 3), (96, 3)))


def _conv(
    x: Any, filters: int, window: Any, strides: int = 1, padding: str = "same", name: str | None = None
) -> Any:  # fmt: skip
    x = Conv2D(filters, window, strides=strides, padding=padding, use_bias=False, name=name)(x)
    x = BatchNormalization(axis=channel_axis(), scale=False, name=name and name + "_bn")(x)
    return Activation("relu", name=name and name + "_ac")(x)


def _chain(x: Any, steps: Any) -> Any:
    for filters, window in steps:
        x = _conv(x, filters, window)
    return x


def _halved(x: Any, chains: Any, name: str) -> Any:
    """Images of half the size: chains whose last convolution takes every other pixel, and the largest of 3 by 3."""
    branches = []
    for *steps, (filters, window) in chains:
        branches.append(_conv(_chain(x, steps), filters, window, 2, "valid"))
    branches.append(MaxPooling2D(3, strides=2, padding="valid")(x))
    return Concatenate(axis=channel_axis(), name=name)(branches)


def _scaled_sum(inputs: Any, scale: float) -> Any:
    return inputs[0] + inputs[1] * scale


def _residual(x: Any, kind: str, number: int, scale: float, is_last: bool = False) -> Any:
    """``x`` plus so much of what the branches make of it."""
    name, shape = f"{kind}_{number}", x.shape.as_list()
    mixed = Concatenate(axis=channel_axis(), name=name + "_mixed")([_chain(x, steps) for steps in _BRANCHES[kind]])
    up = Conv2D(shape[channel_axis()], 1, padding="same", use_bias=True, name=name + "_conv")(mixed)
    x = Lambda(_scaled_sum, output_shape=tuple(shape[1:]), arguments={"scale": scale}, name=name)([x, up])
    return x if is_last else Activation("relu", name=name + "_ac")(x)


def InceptionResNetV2(
    include_top: bool = True, weights: Any = "imagenet", input_tensor: Any = None, input_shape: Any = None,
    pooling: Any = None, classes: int = 1000, **kwargs: Any,
) -> Any:  # fmt: skip
    """Forty residual blocks of parallel windows."""
    check_weights(weights, include_top, classes)
    inputs = inputs_of(input_tensor, obtain_input_shape(input_shape, 299, 75, include_top, weights))
    x = _conv(inputs, 32, 3, 2, "valid")
    x = _conv(_conv(x, 32, 3, padding="valid"), 64, 3)
    x = MaxPooling2D(3, strides=2)(x)
    x = _conv(_conv(x, 80, 1, padding="valid"), 192, 3, padding="valid")
    x = MaxPooling2D(3, strides=2)(x)
    branches = [_chain(x, steps) for steps in _STEM]
    branches.append(_conv(AveragePooling2D(3, strides=1, padding="same")(x), 64, 1))
    x = Concatenate(axis=channel_axis(), name="mixed_5b")(branches)
    for i in range(1, 11):
        x = _residual(x, "block35", i, 0.17)
    x = _halved(x, (((384, 3),), ((256, 1), (256, 3), (384, 3))), "mixed_6a")
    for i in range(1, 21):
        x = _residual(x, "block17", i, 0.1)
    x = _halved(x, (((256, 1), (384, 3)), ((256, 1), (288, 3)), ((256, 1), (288, 3), (320, 3))), "mixed_7a")
    for i in range(1, 11):
        x = _residual(x, "block8", i, 0.2 if i < 10 else 1.0, is_last=i == 10)
    x = _conv(x, 1536, 1, name="conv_7b")
    if include_top:
        x = GlobalAveragePooling2D(name="avg_pool")(x)
        x = Dense(classes, activation="softmax", name="predictions")(x)
    else:
        x = pooled(x, pooling)
    files = (
        "inception_resnet_v2_weights_tf_dim_ordering_tf_kernels.h5",
        "inception_resnet_v2_weights_tf_dim_ordering_tf_kernels_notop.h5",
    )
    return finished(inputs, x, "inception_resnet_v2", weights, include_top, _ADDRESS, files)
