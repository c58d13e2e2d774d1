"""VGG16 and VGG19 (Simonyan and Zisserman, 2014)."""

from __future__ import annotations

from typing import Any

from retrograd.keras.applications.common import (
    check_weights,
    finished,
    inputs_of,
    obtain_input_shape,
    pooled,
)
from retrograd.keras.layers.core import Dense, Flatten
from retrograd.keras.layers.spatial import Conv2D, MaxPooling2D

_ADDRESS = "fchollet/deep-learning-models/releases/download/v0.1/"


def _vgg(
    name: str, repeats: tuple[int, ...], include_top: bool, weights: Any, input_tensor: Any, input_shape: Any,
    pooling: Any, classes: int,
) -> Any:  # fmt: skip
    check_weights(weights, include_top, classes)
    inputs = x = inputs_of(input_tensor, obtain_input_shape(input_shape, 224, 32, include_top, weights))
    for block, (count, filters) in enumerate(zip(repeats, (64, 128, 256, 512, 512), strict=True), 1):
        for i in range(1, count + 1):
            x = Conv2D(filters, (3, 3), activation="relu", padding="same", name=f"block{block}_conv{i}")(x)
        x = MaxPooling2D((2, 2), strides=(2, 2), name=f"block{block}_pool")(x)
    if include_top:
        x = Flatten(name="flatten")(x)
        x = Dense(4096, activation="relu", name="fc1")(x)
        x = Dense(4096, activation="relu", name="fc2")(x)
        x = Dense(classes, activation="softmax", name="predictions")(x)
    else:
        x = pooled(x, pooling)
    files = (
        f"{name}_weights_tf_dim_ordering_tf_kernels.h5", f"{name}_weights_tf_dim_ordering_tf_kernels_notop.h5",
    )  # fmt: skip
    return finished(inputs, x, name, weights, include_top, _ADDRESS, files)


def VGG16(
    include_top: bool = True, weights: Any = "imagenet", input_tensor: Any = None, input_shape: Any = None,
    pooling: Any = None, classes: int = 1000, **kwargs: Any,
) -> Any:  # fmt: skip
    """Thirteen convolutions and three dense layers."""
    return _vgg("vgg16", (2, 2, 3, 3, 3), include_top, weights, input_tensor, input_shape, pooling, classes)


def VGG19(
    include_top: bool = True, weights: Any = "imagenet", input_tensor: Any = None, input_shape: Any = None,
    pooling: Any = None, classes: int = 1000, **kwargs: Any,
) -> Any:  # fmt: skip
    """Sixteen convolutions and three dense layers."""
    return _vgg("vgg19", (2, 2, 4, 4, 4), include_top, weights, input_tensor, input_shape, pooling, classes)
