"""Networks of 3 by 3 convolutions (Simonyan and Zisserman, 2014), and AlexNet (Krizhevsky, 2014)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retrograd.graph.tensor import Tensor
from retrograd.nn.contrib import convolution, layers
from retrograd.nn.contrib.arg_scope import arg_scope
from retrograd.nn.contrib.collecting import convert_collection_to_dict
from retrograd.ops import activations, arrays
from retrograd.state.initializers import TruncatedNormal, constant_initializer, zeros_initializer
from retrograd.state.regularizers import l2_regularizer
from retrograd.state.scopes import variable_scope


def vgg_arg_scope(weight_decay: float = 0.0005) -> Any:
    """The arguments that these networks are trained with."""
    trained = arg_scope(
        [convolution.conv2d, layers.fully_connected], activation_fn=activations.relu,
        weights_regularizer=l2_regularizer(weight_decay), biases_initializer=zeros_initializer(),
    )  # fmt: skip
    with trained, arg_scope([convolution.conv2d], padding="SAME") as scope:
        return scope


def _vgg(
    counts: Sequence[int], inputs: Any, num_classes: int, is_training: Any, keep: float, squeeze: bool, scope: Any,
    name: str,
) -> tuple[Tensor, dict[str, Any]]:  # fmt: skip
    with variable_scope(scope, name, [inputs]) as opened:
        points = opened.original_name_scope + "_end_points"
        collecting = [convolution.conv2d, layers.fully_connected, layers.max_pool2d]
        with arg_scope(collecting, outputs_collections=points):
            net = inputs
            for i, (count, width) in enumerate(zip(counts, (64, 128, 256, 512, 512), strict=True)):
                net = layers.repeat(net, count, convolution.conv2d, width, [3, 3], scope=f"conv{i + 1}")
                net = layers.max_pool2d(net, [2, 2], scope=f"pool{i + 1}")
            net = convolution.conv2d(net, 4096, [7, 7], padding="VALID", scope="fc6")
            net = layers.dropout(net, keep, is_training=is_training, scope="dropout6")
            net = convolution.conv2d(net, 4096, [1, 1], scope="fc7")
            net = layers.dropout(net, keep, is_training=is_training, scope="dropout7")
            net = convolution.conv2d(net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, scope="fc8")
            end_points = convert_collection_to_dict(points)
            if squeeze:
                net = arrays.squeeze(net, [1, 2], name="fc8/squeezed")
                end_points[opened.name + "/fc8"] = net
            return net, end_points


def vgg_a(
    inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: float = 0.5,
    spatial_squeeze: bool = True, scope: Any = "vgg_a",
) -> tuple[Tensor, dict[str, Any]]:  # fmt: skip
    """The network of 11 layers."""
    counts = (1, 1, 2, 2, 2)
    return _vgg(counts, inputs, num_classes, is_training, dropout_keep_prob, spatial_squeeze, scope, "vgg_a")


def vgg_16(
    inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: float = 0.5,
    spatial_squeeze: bool = True, scope: Any = "vgg_16",
) -> tuple[Tensor, dict[str, Any]]:  # fmt: skip
    """The network of 16 layers."""
    counts = (2, 2, 3, 3, 3)
    return _vgg(counts, inputs, num_classes, is_training, dropout_keep_prob, spatial_squeeze, scope, "vgg_16")


def vgg_19(
    inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: float = 0.5,
    spatial_squeeze: bool = True, scope: Any = "vgg_19",
) -> tuple[Tensor, dict[str, Any]]:  # fmt: skip
    """The network of 19 layers."""
    counts = (2, 2, 4, 4, 4)
    return _vgg(counts, inputs, num_classes, is_training, dropout_keep_prob, spatial_squeeze, scope, "vgg_19")


for _network in (vgg_a, vgg_16, vgg_19):
    _network.default_image_size = 224  # type: ignore[attr-defined]
vgg_d, vgg_e = vgg_16, vgg_19


def alexnet_v2_arg_scope(weight_decay: float = 0.0005) -> Any:
    """The arguments that AlexNet is trained with."""
    trained = arg_scope(
        [convolution.conv2d, layers.fully_connected], activation_fn=activations.relu,
        biases_initializer=constant_initializer(0.1), weights_regularizer=l2_regularizer(weight_decay),
    )  # fmt: skip
    padded = arg_scope([convolution.conv2d], padding="SAME")
    with trained, padded, arg_scope([layers.max_pool2d], padding="VALID") as scope:
        return scope


def alexnet_v2(
    inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: float = 0.5,
    spatial_squeeze: bool = True, scope: Any = "alexnet_v2",
) -> tuple[Tensor, dict[str, Any]]:  # fmt: skip
    """AlexNet without its two columns."""
    with variable_scope(scope, "alexnet_v2", [inputs]) as opened:
        points = opened.original_name_scope + "_end_points"
        collecting = [convolution.conv2d, layers.fully_connected, layers.max_pool2d]
        with arg_scope(collecting, outputs_collections=[points]):
            net = convolution.conv2d(inputs, 64, [11, 11], 4, padding="VALID", scope="conv1")
            net = layers.max_pool2d(net, [3, 3], 2, scope="pool1")
            net = convolution.conv2d(net, 192, [5, 5], scope="conv2")
            net = layers.max_pool2d(net, [3, 3], 2, scope="pool2")
            net = convolution.conv2d(net, 384, [3, 3], scope="conv3")
            net = convolution.conv2d(net, 384, [3, 3], scope="conv4")
            net = convolution.conv2d(net, 256, [3, 3], scope="conv5")
            net = layers.max_pool2d(net, [3, 3], 2, scope="pool5")
            with arg_scope(
                [convolution.conv2d], weights_initializer=TruncatedNormal(0.0, 0.005),
                biases_initializer=constant_initializer(0.1),
            ):  # fmt: skip
                net = convolution.conv2d(net, 4096, [5, 5], padding="VALID", scope="fc6")
                net = layers.dropout(net, dropout_keep_prob, is_training=is_training, scope="dropout6")
                net = convolution.conv2d(net, 4096, [1, 1], scope="fc7")
                net = layers.dropout(net, dropout_keep_prob, is_training=is_training, scope="dropout7")
                net = convolution.conv2d(
                    net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None,
                    biases_initializer=zeros_initializer(), scope="fc8",
                )  # fmt: skip
            end_points = convert_collection_to_dict(points)
            if spatial_squeeze:
                net = arrays.squeeze(net, [1, 2], name="fc8/squeezed")
                end_points[opened.name + "/fc8"] = net
            return net, end_points


alexnet_v2.default_image_size = 224  # type: ignore[attr-defined]


# -- OverFeat (Sermanet et al., 2014) ------------------------------------------------------------


def overfeat_arg_scope(weight_decay: float = 0.0005) -> dict[str, Any]:
    """The arguments that OverFeat is trained with."""
    trained = arg_scope(
        [convolution.conv2d, layers.fully_connected], activation_fn=activations.relu,
        weights_regularizer=l2_regularizer(weight_decay), biases_initializer=zeros_initializer(),
    )  # fmt: skip
    same = arg_scope([convolution.conv2d], padding="SAME")
    with trained, same, arg_scope([layers.max_pool2d], padding="VALID") as scope:
        return scope


def overfeat(
    inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: float = 0.5,
    spatial_squeeze: bool = True, scope: Any = "overfeat",
) -> tuple[Tensor, dict[str, Any]]:  # fmt: skip
    """OverFeat, the fast one."""
    with variable_scope(scope, "overfeat", [inputs]) as opened:
        points = opened.name + "_end_points"
        collecting = [convolution.conv2d, layers.fully_connected, layers.max_pool2d]
        with arg_scope(collecting, outputs_collections=points):
            net = convolution.conv2d(inputs, 64, [11, 11], 4, padding="VALID", scope="conv1")
            net = layers.max_pool2d(net, [2, 2], scope="pool1")
            net = convolution.conv2d(net, 256, [5, 5], padding="VALID", scope="conv2")
            net = layers.max_pool2d(net, [2, 2], scope="pool2")
            net = convolution.conv2d(net, 512, [3, 3], scope="conv3")
            net = convolution.conv2d(net, 1024, [3, 3], scope="conv4")
            net = convolution.conv2d(net, 1024, [3, 3], scope="conv5")
            net = layers.max_pool2d(net, [2, 2], scope="pool5")
            with arg_scope(
                [convolution.conv2d], weights_initializer=TruncatedNormal(0.0, 0.005),
                biases_initializer=constant_initializer(0.1),
            ):  # fmt: skip
                net = convolution.conv2d(net, 3072, [6, 6], padding="VALID", scope="fc6")
                net = layers.dropout(net, dropout_keep_prob, is_training=is_training, scope="dropout6")
                net = convolution.conv2d(net, 4096, [1, 1], scope="fc7")
                net = layers.dropout(net, dropout_keep_prob, is_training=is_training, scope="dropout7")
                net = convolution.conv2d(
                    net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None,
                    biases_initializer=zeros_initializer(), scope="fc8",
                )  # fmt: skip
            end_points = convert_collection_to_dict(points)
            if spatial_squeeze:
                net = arrays.squeeze(net, [1, 2], name="fc8/squeezed")
                end_points[opened.name + "/fc8"] = net
            return net, end_points
