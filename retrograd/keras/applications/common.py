"""What the networks share: their inputs, their weights, and the scale of images."""

from __future__ import annotations

import json
import os
import warnings
from typing import Any

import numpy as np

from retrograd.graph.tensor import Tensor
from retrograd.keras import backend as K
from retrograd.keras.inputs import Input
from retrograd.keras.layers.spatial import GlobalAveragePooling2D, GlobalMaxPooling2D
from retrograd.keras.models import Model
from retrograd.keras.utils import get_file

_RELEASES = "https://github.com/"


def inputs_of(input_tensor: Any, input_shape: Any) -> Any:
    """A placeholder of images, or the given tensor."""
    if input_tensor is None:
        return Input(shape=input_shape)
    return input_tensor if K.is_keras_tensor(input_tensor) else Input(tensor=input_tensor, shape=input_shape)


def check_weights(weights: Any, include_top: bool, classes: int) -> None:
    """Hold the arguments to each other.

    Raises:
      ValueError: the weights are no file, or those of other classes are asked for.
    """
    if not (weights in {"imagenet", None} or os.path.exists(weights)):
        raise ValueError(
            "The `weights` argument should be either `None` (random initialization), `imagenet` (pre-training on "
            "ImageNet), or the path to the weights file to be loaded."
        )
    if weights == "imagenet" and include_top and classes != 1000:
        raise ValueError('If using `weights` as `"imagenet"` with `include_top` as true, `classes` should be 1000')


def obtain_input_shape(
    input_shape: Any, default_size: int, min_size: int, include_top: bool, weights: Any = None
) -> tuple[Any, ...]:
    """The shape of images: that which is given, or the usual one.

    Raises:
      ValueError: images are too small, or the last layers need others.
    """
    first = K.image_data_format() == "channels_first"
    if weights != "imagenet" and input_shape and len(input_shape) == 3:
        channels = input_shape[0 if first else -1]
        if channels not in {1, 3}:
            warnings.warn(
                "This model usually expects 1 or 3 input channels. However, it was passed an input_shape with "
                f"{channels} input channels.", stacklevel=3,
            )  # fmt: skip
        usual = (channels, default_size, default_size) if first else (default_size, default_size, channels)
    else:
        usual = (3, default_size, default_size) if first else (default_size, default_size, 3)
    if weights == "imagenet" and include_top:
        if input_shape is not None and tuple(input_shape) != usual:
            raise ValueError(
                f"When setting `include_top=True` and loading `imagenet` weights, `input_shape` should be {usual}."
            )
        return usual
    if input_shape:
        if len(input_shape) != 3:
            raise ValueError("`input_shape` must be a tuple of three integers.")
        space = input_shape[1:] if first else input_shape[:2]
        if any(n is not None and n < min_size for n in space):
            raise ValueError(
                f"Input size must be at least {min_size}x{min_size}; got `input_shape={tuple(input_shape)}`"
            )
        shape = tuple(input_shape)
    else:
        shape = usual if include_top else ((3, None, None) if first else (None, None, 3))
    if include_top and None in shape:
        raise ValueError(
            "If `include_top` is True, you should specify a static `input_shape`. Got `input_shape=" + str(shape) + "`"
        )
    return shape


def channel_axis() -> int:
    """Where images have their channels."""
    return 1 if K.image_data_format() == "channels_first" else 3


def pooled(x: Any, pooling: str | None, is_named: bool = False) -> Any:
    """The mean or the largest of each channel, by a layer that ``is_named`` for itself or by its class."""
    if pooling == "avg":
        return GlobalAveragePooling2D(name="avg_pool" if is_named else None)(x)
    return GlobalMaxPooling2D(name="max_pool" if is_named else None)(x) if pooling == "max" else x


def finished(
    inputs: Any, outputs: Any, name: str, weights: Any, include_top: bool, address: str, files: tuple[str, str]
) -> Model:
    """The model, with its weights; ``files`` are the names with and without the last layers."""
    model = Model(inputs, outputs, name=name)
    if weights == "imagenet":
        file = files[0] if include_top else files[1]
        model.load_weights(get_file(file, _RELEASES + address + file, cache_subdir="models"))
    elif weights is not None:
        model.load_weights(weights)
    return model


# -- images --------------------------------------------------------------------------------------


def preprocess_input(x: Any, data_format: str | None = None, mode: str = "caffe") -> Any:
    """Images of 0 to 255 on the scale that a network was trained on.

    Args:
      mode: ``caffe`` subtracts the means of blue, green and red, in this order; ``tf`` scales to -1 to 1; ``torch``
        scales to 0 to 1, and each channel to ImageNet's mean and deviation.
    """
    data_format = data_format or K.image_data_format()
    if data_format not in {"channels_first", "channels_last"}:
        raise ValueError("Unknown data_format " + str(data_format))
    is_array = not isinstance(x, Tensor)
    if is_array:
        x = np.array(x, K.floatx()) if not np.issubdtype(np.asarray(x).dtype, np.floating) else np.array(x)
    if mode == "tf":
        return x / 127.5 - 1.0
    axis = -3 if data_format == "channels_first" else -1
    if mode == "torch":
        x = x / 255.0
        mean, deviation = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]
    else:
        x = x[..., ::-1] if axis == -1 else (x[::-1] if len(x.shape) == 3 else x[:, ::-1])
        mean, deviation = [103.939, 116.779, 123.68], None
    spread = (3,) if axis == -1 else (3, 1, 1)
    kind = x.dtype if is_array else K.floatx()
    x = x - np.asarray(mean, kind if is_array else None).reshape(spread).astype(kind)
    return x if deviation is None else x / np.asarray(deviation).reshape(spread).astype(kind)


def preprocess_tf(x: Any, data_format: str | None = None) -> Any:
    """Images of 0 to 255 scaled to -1 to 1."""
    return preprocess_input(x, data_format, mode="tf")


def preprocess_torch(x: Any, data_format: str | None = None) -> Any:
    """Images of 0 to 255 scaled by ImageNet's mean and deviation of each channel."""
    return preprocess_input(x, data_format, mode="torch")


def decode_predictions(preds: Any, top: int = 5) -> list[list[tuple[str, str, float]]]:
    """The most probable classes of each row: WordNet's number, the name, the probability.

    Raises:
      ValueError: the rows do not have 1000 classes.
    """
    if len(np.shape(preds)) != 2 or np.shape(preds)[1] != 1000:
        raise ValueError(
            "`decode_predictions` expects a batch of predictions (i.e. a 2D array of shape (samples, 1000)). Found "
            "array with shape: " + str(np.shape(preds))
        )
    path = get_file(
        "imagenet_class_index.json",
        "https://storage.googleapis.com/download.tensorflow.org/data/imagenet_class_index.json", cache_subdir="models",
    )  # fmt: skip
    with open(path) as file:
        classes = json.load(file)
    rows = []
    for row in preds:
        best = np.asarray(row).argsort()[-top:][::-1]
        rows.append([(*classes[str(i)], row[i]) for i in best])
    return rows
