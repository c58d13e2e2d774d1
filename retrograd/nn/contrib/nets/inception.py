"""Inception networks, versions 1 to 3 (Szegedy et al., 2014 and 2015; Ioffe and Szegedy, 2015), as tables.

A stage is one layer, or branches that are joined along the channels.  ``>`` stands between the layers of a branch and
``+`` between two layers on the same input that are joined.  A layer is its kind, its number of channels (of a
convolution), its window, and if need be ``/stride``, its padding, ``~`` the deviation of its first weights, and its
scope.  Source: TensorFlow 1.15.5's names of variables and end points.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from retrograd.graph.collections import GraphKeys
from retrograd.graph.tensor import Tensor
from retrograd.nn.contrib import convolution, layers, normalization
from retrograd.nn.contrib.arg_scope import arg_scope
from retrograd.nn.contrib.more_layers import softmax
from retrograd.ops import activations, arrays, joining
from retrograd.state.initializers import TruncatedNormal
from retrograd.state.regularizers import l2_regularizer
from retrograd.state.scopes import variable_scope
from retrograd.state.xavier import scaling_initializer

EndPoints = dict[str, Any]

_V1 = """
Conv2d_1a_7x7: conv 64 7x7 /2
MaxPool_2a_3x3: max 3x3 /2
Conv2d_2b_1x1: conv 64 1x1
Conv2d_2c_3x3: conv 192 3x3
MaxPool_3a_3x3: max 3x3 /2
Mixed_3b: conv 64 1x1 Conv2d_0a_1x1 | conv 96 1x1 Conv2d_0a_1x1 > conv 128 3x3 Conv2d_0b_3x3 | conv 16 1x1
    Conv2d_0a_1x1 > conv 32 3x3 Conv2d_0b_3x3 | max 3x3 MaxPool_0a_3x3 > conv 32 1x1 Conv2d_0b_1x1
Mixed_3c: conv 128 1x1 Conv2d_0a_1x1 | conv 128 1x1 Conv2d_0a_1x1 > conv 192 3x3 Conv2d_0b_3x3 | conv 32 1x1
    Conv2d_0a_1x1 > conv 96 3x3 Conv2d_0b_3x3 | max 3x3 MaxPool_0a_3x3 > conv 64 1x1 Conv2d_0b_1x1
MaxPool_4a_3x3: max 3x3 /2
Mixed_4b: conv 192 1x1 Conv2d_0a_1x1 | conv 96 1x1 Conv2d_0a_1x1 > conv 208 3x3 Conv2d_0b_3x3 | conv 16 1x1
    Conv2d_0a_1x1 > conv 48 3x3 Conv2d_0b_3x3 | max 3x3 MaxPool_0a_3x3 > conv 64 1x1 Conv2d_0b_1x1
Mixed_4c: conv 160 1x1 Conv2d_0a_1x1 | conv 112 1x1 Conv2d_0a_1x1 > conv 224 3x3 Conv2d_0b_3x3 | conv 24 1x1
    Conv2d_0a_1x1 > conv 64 3x3 Conv2d_0b_3x3 | max 3x3 MaxPool_0a_3x3 > conv 64 1x1 Conv2d_0b_1x1
Mixed_4d: conv 128 1x1 Conv2d_0a_1x1 | conv 128 1x1 Conv2d_0a_1x1 > conv 256 3x3 Conv2d_0b_3x3 | conv 24 1x1
    Conv2d_0a_1x1 > conv 64 3x3 Conv2d_0b_3x3 | max 3x3 MaxPool_0a_3x3 > conv 64 1x1 Conv2d_0b_1x1
Mixed_4e: conv 112 1x1 Conv2d_0a_1x1 | conv 144 1x1 Conv2d_0a_1x1 > conv 288 3x3 Conv2d_0b_3x3 | conv 32 1x1
    Conv2d_0a_1x1 > conv 64 3x3 Conv2d_0b_3x3 | max 3x3 MaxPool_0a_3x3 > conv 64 1x1 Conv2d_0b_1x1
Mixed_4f: conv 256 1x1 Conv2d_0a_1x1 | conv 160 1x1 Conv2d_0a_1x1 > conv 320 3x3 Conv2d_0b_3x3 | conv 32 1x1
    Conv2d_0a_1x1 > conv 128 3x3 Conv2d_0b_3x3 | max 3x3 MaxPool_0a_3x3 > conv 128 1x1 Conv2d_0b_1x1
MaxPool_5a_2x2: max 2x2 /2
Mixed_5b: conv 256 1x1 Conv2d_0a_1x1 | conv 160 1x1 Conv2d_0a_1x1 > conv 320 3x3 Conv2d_0b_3x3 | conv 32 1x1
    Conv2d_0a_1x1 > conv 128 3x3 Conv2d_0a_3x3 | max 3x3 MaxPool_0a_3x3 > conv 128 1x1 Conv2d_0b_1x1
Mixed_5c: conv 384 1x1 Conv2d_0a_1x1 | conv 192 1x1 Conv2d_0a_1x1 > conv 384 3x3 Conv2d_0b_3x3 | conv 48 1x1
    Conv2d_0a_1x1 > conv 128 3x3 Conv2d_0b_3x3 | max 3x3 MaxPool_0a_3x3 > conv 128 1x1 Conv2d_0b_1x1
"""
_V2 = """
Conv2d_1a_7x7: sep 64 7x7 /2 ~1.0
MaxPool_2a_3x3: max 3x3 /2
Conv2d_2b_1x1: conv 64 1x1 ~0.1
Conv2d_2c_3x3: conv 192 3x3
MaxPool_3a_3x3: max 3x3 /2
Mixed_3b: conv 64 1x1 Conv2d_0a_1x1 | conv 64 1x1 ~0.09 Conv2d_0a_1x1 > conv 64 3x3 Conv2d_0b_3x3 | conv 64 1x1
    ~0.09 Conv2d_0a_1x1 > conv 96 3x3 Conv2d_0b_3x3 > conv 96 3x3 Conv2d_0c_3x3 | avg 3x3 AvgPool_0a_3x3 > conv 32
    1x1 ~0.1 Conv2d_0b_1x1
Mixed_3c: conv 64 1x1 Conv2d_0a_1x1 | conv 64 1x1 ~0.09 Conv2d_0a_1x1 > conv 96 3x3 Conv2d_0b_3x3 | conv 64 1x1
    ~0.09 Conv2d_0a_1x1 > conv 96 3x3 Conv2d_0b_3x3 > conv 96 3x3 Conv2d_0c_3x3 | avg 3x3 AvgPool_0a_3x3 > conv 64
    1x1 ~0.1 Conv2d_0b_1x1
Mixed_4a: conv 128 1x1 ~0.09 Conv2d_0a_1x1 > conv 160 3x3 /2 Conv2d_1a_3x3 | conv 64 1x1 ~0.09 Conv2d_0a_1x1 > conv
    96 3x3 Conv2d_0b_3x3 > conv 96 3x3 /2 Conv2d_1a_3x3 | max 3x3 /2 MaxPool_1a_3x3
Mixed_4b: conv 224 1x1 Conv2d_0a_1x1 | conv 64 1x1 ~0.09 Conv2d_0a_1x1 > conv 96 3x3 Conv2d_0b_3x3 | conv 96 1x1
    ~0.09 Conv2d_0a_1x1 > conv 128 3x3 Conv2d_0b_3x3 > conv 128 3x3 Conv2d_0c_3x3 | avg 3x3 AvgPool_0a_3x3 > conv
    128 1x1 ~0.1 Conv2d_0b_1x1
Mixed_4c: conv 192 1x1 Conv2d_0a_1x1 | conv 96 1x1 ~0.09 Conv2d_0a_1x1 > conv 128 3x3 Conv2d_0b_3x3 | conv 96 1x1
    ~0.09 Conv2d_0a_1x1 > conv 128 3x3 Conv2d_0b_3x3 > conv 128 3x3 Conv2d_0c_3x3 | avg 3x3 AvgPool_0a_3x3 > conv
    128 1x1 ~0.1 Conv2d_0b_1x1
Mixed_4d: conv 160 1x1 Conv2d_0a_1x1 | conv 128 1x1 ~0.09 Conv2d_0a_1x1 > conv 160 3x3 Conv2d_0b_3x3 | conv 128 1x1
    ~0.09 Conv2d_0a_1x1 > conv 160 3x3 Conv2d_0b_3x3 > conv 160 3x3 Conv2d_0c_3x3 | avg 3x3 AvgPool_0a_3x3 > conv 96
    1x1 ~0.1 Conv2d_0b_1x1
Mixed_4e: conv 96 1x1 Conv2d_0a_1x1 | conv 128 1x1 ~0.09 Conv2d_0a_1x1 > conv 192 3x3 Conv2d_0b_3x3 | conv 160 1x1
    ~0.09 Conv2d_0a_1x1 > conv 192 3x3 Conv2d_0b_3x3 > conv 192 3x3 Conv2d_0c_3x3 | avg 3x3 AvgPool_0a_3x3 > conv 96
    1x1 ~0.1 Conv2d_0b_1x1
Mixed_5a: conv 128 1x1 ~0.09 Conv2d_0a_1x1 > conv 192 3x3 /2 Conv2d_1a_3x3 | conv 192 1x1 ~0.09 Conv2d_0a_1x1 > conv
    256 3x3 Conv2d_0b_3x3 > conv 256 3x3 /2 Conv2d_1a_3x3 | max 3x3 /2 MaxPool_1a_3x3
Mixed_5b: conv 352 1x1 Conv2d_0a_1x1 | conv 192 1x1 ~0.09 Conv2d_0a_1x1 > conv 320 3x3 Conv2d_0b_3x3 | conv 160 1x1
    ~0.09 Conv2d_0a_1x1 > conv 224 3x3 Conv2d_0b_3x3 > conv 224 3x3 Conv2d_0c_3x3 | avg 3x3 AvgPool_0a_3x3 > conv
    128 1x1 ~0.1 Conv2d_0b_1x1
Mixed_5c: conv 352 1x1 Conv2d_0a_1x1 | conv 192 1x1 ~0.09 Conv2d_0a_1x1 > conv 320 3x3 Conv2d_0b_3x3 | conv 192 1x1
    ~0.09 Conv2d_0a_1x1 > conv 224 3x3 Conv2d_0b_3x3 > conv 224 3x3 Conv2d_0c_3x3 | max 3x3 MaxPool_0a_3x3 > conv
    128 1x1 ~0.1 Conv2d_0b_1x1
"""
_V3 = """
Conv2d_1a_3x3: conv 32 3x3 /2
Conv2d_2a_3x3: conv 32 3x3
Conv2d_2b_3x3: conv 64 3x3 same
MaxPool_3a_3x3: max 3x3 /2
Conv2d_3b_1x1: conv 80 1x1
Conv2d_4a_3x3: conv 192 3x3
MaxPool_5a_3x3: max 3x3 /2
Mixed_5b: conv 64 1x1 Conv2d_0a_1x1 | conv 48 1x1 Conv2d_0a_1x1 > conv 64 5x5 Conv2d_0b_5x5 | conv 64 1x1
    Conv2d_0a_1x1 > conv 96 3x3 Conv2d_0b_3x3 > conv 96 3x3 Conv2d_0c_3x3 | avg 3x3 AvgPool_0a_3x3 > conv 32 1x1
    Conv2d_0b_1x1
Mixed_5c: conv 64 1x1 Conv2d_0a_1x1 | conv 48 1x1 Conv2d_0b_1x1 > conv 64 5x5 Conv_1_0c_5x5 | conv 64 1x1
    Conv2d_0a_1x1 > conv 96 3x3 Conv2d_0b_3x3 > conv 96 3x3 Conv2d_0c_3x3 | avg 3x3 AvgPool_0a_3x3 > conv 64 1x1
    Conv2d_0b_1x1
Mixed_5d: conv 64 1x1 Conv2d_0a_1x1 | conv 48 1x1 Conv2d_0a_1x1 > conv 64 5x5 Conv2d_0b_5x5 | conv 64 1x1
    Conv2d_0a_1x1 > conv 96 3x3 Conv2d_0b_3x3 > conv 96 3x3 Conv2d_0c_3x3 | avg 3x3 AvgPool_0a_3x3 > conv 64 1x1
    Conv2d_0b_1x1
Mixed_6a: conv 384 3x3 /2 valid Conv2d_1a_1x1 | conv 64 1x1 Conv2d_0a_1x1 > conv 96 3x3 Conv2d_0b_3x3 > conv 96 3x3
    /2 valid Conv2d_1a_1x1 | max 3x3 /2 valid MaxPool_1a_3x3
Mixed_6b: conv 192 1x1 Conv2d_0a_1x1 | conv 128 1x1 Conv2d_0a_1x1 > conv 128 1x7 Conv2d_0b_1x7 > conv 192 7x1
    Conv2d_0c_7x1 | conv 128 1x1 Conv2d_0a_1x1 > conv 128 7x1 Conv2d_0b_7x1 > conv 128 1x7 Conv2d_0c_1x7 > conv 128
    7x1 Conv2d_0d_7x1 > conv 192 1x7 Conv2d_0e_1x7 | avg 3x3 AvgPool_0a_3x3 > conv 192 1x1 Conv2d_0b_1x1
Mixed_6c: conv 192 1x1 Conv2d_0a_1x1 | conv 160 1x1 Conv2d_0a_1x1 > conv 160 1x7 Conv2d_0b_1x7 > conv 192 7x1
    Conv2d_0c_7x1 | conv 160 1x1 Conv2d_0a_1x1 > conv 160 7x1 Conv2d_0b_7x1 > conv 160 1x7 Conv2d_0c_1x7 > conv 160
    7x1 Conv2d_0d_7x1 > conv 192 1x7 Conv2d_0e_1x7 | avg 3x3 AvgPool_0a_3x3 > conv 192 1x1 Conv2d_0b_1x1
Mixed_6d: conv 192 1x1 Conv2d_0a_1x1 | conv 160 1x1 Conv2d_0a_1x1 > conv 160 1x7 Conv2d_0b_1x7 > conv 192 7x1
    Conv2d_0c_7x1 | conv 160 1x1 Conv2d_0a_1x1 > conv 160 7x1 Conv2d_0b_7x1 > conv 160 1x7 Conv2d_0c_1x7 > conv 160
    7x1 Conv2d_0d_7x1 > conv 192 1x7 Conv2d_0e_1x7 | avg 3x3 AvgPool_0a_3x3 > conv 192 1x1 Conv2d_0b_1x1
Mixed_6e: conv 192 1x1 Conv2d_0a_1x1 | conv 192 1x1 Conv2d_0a_1x1 > conv 192 1x7 Conv2d_0b_1x7 > conv 192 7x1
    Conv2d_0c_7x1 | conv 192 1x1 Conv2d_0a_1x1 > conv 192 7x1 Conv2d_0b_7x1 > conv 192 1x7 Conv2d_0c_1x7 > conv 192
    7x1 Conv2d_0d_7x1 > conv 192 1x7 Conv2d_0e_1x7 | avg 3x3 AvgPool_0a_3x3 > conv 192 1x1 Conv2d_0b_1x1
Mixed_7a: conv 192 1x1 Conv2d_0a_1x1 > conv 320 3x3 /2 valid Conv2d_1a_3x3 | conv 192 1x1 Conv2d_0a_1x1 > conv 192
    1x7 Conv2d_0b_1x7 > conv 192 7x1 Conv2d_0c_7x1 > conv 192 3x3 /2 valid Conv2d_1a_3x3 | max 3x3 /2 valid
    MaxPool_1a_3x3
Mixed_7b: conv 320 1x1 Conv2d_0a_1x1 | conv 384 1x1 Conv2d_0a_1x1 > conv 384 1x3 Conv2d_0b_1x3 + conv 384 3x1
    Conv2d_0b_3x1 | conv 448 1x1 Conv2d_0a_1x1 > conv 384 3x3 Conv2d_0b_3x3 > conv 384 1x3 Conv2d_0c_1x3 + conv 384
    3x1 Conv2d_0d_3x1 | avg 3x3 AvgPool_0a_3x3 > conv 192 1x1 Conv2d_0b_1x1
Mixed_7c: conv 320 1x1 Conv2d_0a_1x1 | conv 384 1x1 Conv2d_0a_1x1 > conv 384 1x3 Conv2d_0b_1x3 + conv 384 3x1
    Conv2d_0c_3x1 | conv 448 1x1 Conv2d_0a_1x1 > conv 384 3x3 Conv2d_0b_3x3 > conv 384 1x3 Conv2d_0c_1x3 + conv 384
    3x1 Conv2d_0d_3x1 | avg 3x3 AvgPool_0a_3x3 > conv 192 1x1 Conv2d_0b_1x1
"""

_WINDOWED = [convolution.conv2d, layers.max_pool2d, layers.avg_pool2d]


def _stages(table: str) -> list[tuple[str, str]]:
    """The names of the stages, and what they are."""
    rows = table.replace("\n    ", " ").strip().splitlines()
    return [(name, text) for name, _, text in (row.partition(": ") for row in rows)]


def _layer(net: Any, text: str, depth: Callable[[int], int], scope: str) -> Tensor:
    """One layer, in the scope that its text ends with, or in ``scope``."""
    kind, *words = text.split()
    channels = depth(int(words.pop(0))) if kind in ("conv", "sep") else 0
    window = [int(n) for n in words.pop(0).split("x")]
    given: dict[str, Any] = {}
    for word in words:
        if word[0] == "/":
            given["stride"] = int(word[1:])
        elif word in ("same", "valid"):
            given["padding"] = word.upper()
        elif word[0] == "~":
            given["weights_initializer"] = TruncatedNormal(0.0, float(word[1:]))
        else:
            scope = word
    if kind == "conv":
        return convolution.conv2d(net, channels, window, scope=scope, **given)  # type: ignore[no-any-return]
    if kind == "sep":
        given["depth_multiplier"] = min(int(channels / 3), 8)
        return convolution.separable_conv2d(net, channels, window, scope=scope, **given)  # type: ignore[no-any-return]
    pool = layers.max_pool2d if kind == "max" else layers.avg_pool2d
    return pool(net, window, scope=scope, **given)  # type: ignore[no-any-return]


def _branch(net: Any, text: str, depth: Callable[[int], int]) -> Tensor:
    for part in text.split(" > "):
        made = [_layer(net, one, depth, "") for one in part.split(" + ")]
        net = made[0] if len(made) == 1 else joining.concat(made, 3)
    return net  # type: ignore[no-any-return]


def _stage(net: Any, name: str, text: str, depth: Callable[[int], int]) -> Tensor:
    if " | " not in text:
        return _layer(net, text, depth, name)
    branches = []
    with variable_scope(name):
        for i, branch in enumerate(text.split(" | ")):
            with variable_scope(f"Branch_{i}"):
                branches.append(_branch(net, branch, depth))
        return joining.concat(branches, 3)


def _base(
    table: str, inputs: Any, final_endpoint: str, scope: Any, word: str, depth: Callable[[int], int],
    scopes: Callable[[ExitStack], None], within: Callable[[ExitStack], None],
) -> tuple[Tensor, EndPoints]:  # fmt: skip
    """The stages up to ``final_endpoint``, in ``scopes``; from the first one with branches on, ``within`` too."""
    net, points = inputs, {}
    with variable_scope(scope, word, [inputs]), ExitStack() as stack:
        scopes(stack)
        has_branched = False
        for name, text in _stages(table):
            if " | " in text and not has_branched:
                within(stack)
                has_branched = True
            net = points[name] = _stage(net, name, text, depth)
            if name == final_endpoint:
                return net, points
    raise ValueError(f"Unknown final endpoint {final_endpoint}")


def _depth(multiplier: float, least: int) -> Callable[[int], int]:
    if multiplier <= 0:
        raise ValueError("depth_multiplier is not greater than zero.")
    return lambda channels: max(int(channels * multiplier), least)


def _nothing(stack: ExitStack) -> None:
    """No scopes of its own."""


# -- the bodies ----------------------------------------------------------------------------------


def inception_v1_base(
    inputs: Any, final_endpoint: str = "Mixed_5c", scope: Any = "InceptionV1"
) -> tuple[Tensor, EndPoints]:
    """GoogLeNet up to an end point, and the end points by name."""

    def scopes(stack: ExitStack) -> None:
        weights = [convolution.conv2d, layers.fully_connected]
        stack.enter_context(arg_scope(weights, weights_initializer=TruncatedNormal(0.0, 0.01)))
        stack.enter_context(arg_scope([convolution.conv2d, layers.max_pool2d], stride=1, padding="SAME"))

    return _base(_V1, inputs, final_endpoint, scope, "InceptionV1", int, scopes, _nothing)


def inception_v2_base(
    inputs: Any, final_endpoint: str = "Mixed_5c", min_depth: int = 16, depth_multiplier: float = 1.0,
    scope: Any = None,
) -> tuple[Tensor, EndPoints]:  # fmt: skip
    """The network with batch normalization up to an end point, and the end points by name."""

    def scopes(stack: ExitStack) -> None:
        stack.enter_context(arg_scope([*_WINDOWED, convolution.separable_conv2d], stride=1, padding="SAME"))

    depth = _depth(depth_multiplier, min_depth)
    return _base(_V2, inputs, final_endpoint, scope, "InceptionV2", depth, scopes, _nothing)


def inception_v3_base(
    inputs: Any, final_endpoint: str = "Mixed_7c", min_depth: int = 16, depth_multiplier: float = 1.0,
    scope: Any = None,
) -> tuple[Tensor, EndPoints]:  # fmt: skip
    """The network with factored windows up to an end point, and the end points by name."""

    def scopes(stack: ExitStack) -> None:
        stack.enter_context(arg_scope(_WINDOWED, stride=1, padding="VALID"))

    def within(stack: ExitStack) -> None:
        stack.enter_context(arg_scope(_WINDOWED, stride=1, padding="SAME"))

    depth = _depth(depth_multiplier, min_depth)
    return _base(_V3, inputs, final_endpoint, scope, "InceptionV3", depth, scopes, within)


# -- the networks --------------------------------------------------------------------------------


def _plain(net: Any, classes: int, window: Any, scope: str, **given: Any) -> Any:
    return convolution.conv2d(net, classes, window, activation_fn=None, normalizer_fn=None, scope=scope, **given)


def _classes(net: Any, num_classes: int, keep: float, window: list[int], spatial_squeeze: bool) -> tuple[Any, Any]:
    """Features and logits of versions 2 and 3."""
    with variable_scope("Logits"):
        size = _fitting(net, window)
        net = layers.avg_pool2d(net, size, padding="VALID", scope=f"AvgPool_1a_{size[0]}x{size[1]}")
        net = layers.dropout(net, keep_prob=keep, scope="Dropout_1b")
        logits = _plain(net, num_classes, [1, 1], "Conv2d_1c_1x1")
        if spatial_squeeze:
            logits = arrays.squeeze(logits, [1, 2], name="SpatialSqueeze")
        return net, logits


def _fitting(net: Any, window: list[int]) -> list[int]:
    """A window no larger than the image."""
    sizes = net.shape.as_list()[1:3]
    return window if None in sizes else [min(n, w) for n, w in zip(sizes, window, strict=True)]


def inception_v1(
    inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: float = 0.8,
    prediction_fn: Any = softmax, spatial_squeeze: bool = True, reuse: bool | None = None,
    scope: Any = "InceptionV1",
) -> tuple[Any, EndPoints]:  # fmt: skip
    """GoogLeNet without its side branches: logits, and the end points by name."""
    training = arg_scope([normalization.batch_norm, layers.dropout], is_training=is_training)
    with variable_scope(scope, "InceptionV1", [inputs, num_classes], reuse=reuse) as opened, training:
        net, points = inception_v1_base(inputs, scope=opened)
        with variable_scope("Logits"):
            net = layers.avg_pool2d(net, [7, 7], stride=1, scope="MaxPool_0a_7x7")
            net = layers.dropout(net, dropout_keep_prob, scope="Dropout_0b")
            logits = _plain(net, num_classes, [1, 1], "Conv2d_0c_1x1")
            if spatial_squeeze:
                logits = arrays.squeeze(logits, [1, 2], name="SpatialSqueeze")
            points["Logits"] = logits
            points["Predictions"] = prediction_fn(logits, scope="Predictions")
    return logits, points


def inception_v2(
    inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: float = 0.8,
    min_depth: int = 16, depth_multiplier: float = 1.0, prediction_fn: Any = softmax, spatial_squeeze: bool = True,
    reuse: bool | None = None, scope: Any = "InceptionV2",
) -> tuple[Any, EndPoints]:  # fmt: skip
    """The network with batch normalization: logits, and the end points by name."""
    _depth(depth_multiplier, min_depth)
    training = arg_scope([normalization.batch_norm, layers.dropout], is_training=is_training)
    with variable_scope(scope, "InceptionV2", [inputs, num_classes], reuse=reuse) as opened, training:
        net, points = inception_v2_base(inputs, scope=opened, min_depth=min_depth, depth_multiplier=depth_multiplier)
        _, logits = _classes(net, num_classes, dropout_keep_prob, [7, 7], spatial_squeeze)
        points["Logits"] = logits
        points["Predictions"] = prediction_fn(logits, scope="Predictions")
    return logits, points


def inception_v3(
    inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: float = 0.8,
    min_depth: int = 16, depth_multiplier: float = 1.0, prediction_fn: Any = softmax, spatial_squeeze: bool = True,
    reuse: bool | None = None, scope: Any = "InceptionV3",
) -> tuple[Any, EndPoints]:  # fmt: skip
    """The network with factored windows and a side branch: logits, and the end points by name."""
    depth = _depth(depth_multiplier, min_depth)
    training = arg_scope([normalization.batch_norm, layers.dropout], is_training=is_training)
    with variable_scope(scope, "InceptionV3", [inputs, num_classes], reuse=reuse) as opened, training:
        net, points = inception_v3_base(inputs, scope=opened, min_depth=min_depth, depth_multiplier=depth_multiplier)
        with arg_scope(_WINDOWED, stride=1, padding="SAME"), variable_scope("AuxLogits"):
            aux = layers.avg_pool2d(points["Mixed_6e"], [5, 5], stride=3, padding="VALID", scope="AvgPool_1a_5x5")
            aux = convolution.conv2d(aux, depth(128), [1, 1], scope="Conv2d_1b_1x1")
            size = _fitting(aux, [5, 5])
            aux = convolution.conv2d(
                aux, depth(768), size, weights_initializer=TruncatedNormal(0.0, 0.01), padding="VALID",
                scope=f"Conv2d_2a_{size[0]}x{size[1]}",
            )  # fmt: skip
            start = TruncatedNormal(0.0, 0.001)
            aux = _plain(aux, num_classes, [1, 1], "Conv2d_2b_1x1", weights_initializer=start)
            if spatial_squeeze:
                aux = arrays.squeeze(aux, [1, 2], name="SpatialSqueeze")
            points["AuxLogits"] = aux
        features, logits = _classes(net, num_classes, dropout_keep_prob, [8, 8], spatial_squeeze)
        points["PreLogits"], points["Logits"] = features, logits
        points["Predictions"] = prediction_fn(logits, scope="Predictions")
    return logits, points


inception_v1.default_image_size = 224  # type: ignore[attr-defined]
inception_v2.default_image_size = 224  # type: ignore[attr-defined]
inception_v3.default_image_size = 299  # type: ignore[attr-defined]

# -- what they are trained with ------------------------------------------------------------------


def _trained(weight_decay: float, norm: dict[str, Any] | None) -> dict[str, Any]:
    decayed = arg_scope([convolution.conv2d, layers.fully_connected], weights_regularizer=l2_regularizer(weight_decay))
    with decayed, arg_scope(
        [convolution.conv2d], weights_initializer=scaling_initializer(), activation_fn=activations.relu,
        normalizer_fn=None if norm is None else normalization.batch_norm, normalizer_params=norm or {},
    ) as scope:  # fmt: skip
        return scope


def _norm(collection: str, **given: Any) -> dict[str, Any]:
    settings = {"decay": 0.9997, "epsilon": 0.001, "updates_collections": GraphKeys.UPDATE_OPS, **given}
    moving = {"moving_mean": [collection], "moving_variance": [collection]}
    return {**settings, "variables_collections": {"beta": None, "gamma": None, **moving}}


def inception_v1_arg_scope(
    weight_decay: float = 0.00004, use_batch_norm: bool = True, batch_norm_var_collection: str = "moving_vars"
) -> dict[str, Any]:
    """The arguments that version 1 is trained with."""
    return _trained(weight_decay, _norm(batch_norm_var_collection) if use_batch_norm else None)


def inception_v2_arg_scope(
    weight_decay: float = 0.00004, batch_norm_var_collection: str = "moving_vars"
) -> dict[str, Any]:
    """The arguments that version 2 is trained with."""
    return _trained(weight_decay, _norm(batch_norm_var_collection))


def inception_v3_arg_scope(
    weight_decay: float = 0.00004,
    batch_norm_var_collection: str = "moving_vars",
    batch_norm_decay: float = 0.9997,
    batch_norm_epsilon: float = 0.001,
    updates_collections: Any = GraphKeys.UPDATE_OPS,
    use_fused_batchnorm: bool = True,
) -> dict[str, Any]:
    """The arguments that version 3 is trained with."""
    norm = _norm(
        batch_norm_var_collection, decay=batch_norm_decay, epsilon=batch_norm_epsilon,
        updates_collections=updates_collections, fused=use_fused_batchnorm,
    )  # fmt: skip
    return _trained(weight_decay, norm)
