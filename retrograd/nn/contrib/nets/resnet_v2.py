"""Residual networks whose units begin with normalization (He et al., 2016)."""

from __future__ import annotations

from typing import Any

from retrograd.graph.tensor import Tensor
from retrograd.nn.contrib import convolution, layers, normalization
from retrograd.nn.contrib.arg_scope import add_arg_scope, arg_scope
from retrograd.nn.contrib.collecting import collect_named_outputs, convert_collection_to_dict
from retrograd.nn.contrib.more_layers import softmax
from retrograd.nn.contrib.nets import resnet_utils
from retrograd.nn.contrib.nets.resnet_utils import resnet_arg_scope as resnet_arg_scope
from retrograd.ops import activations, reductions
from retrograd.state.scopes import variable_scope


@add_arg_scope
def bottleneck(
    inputs: Any, depth: int, depth_bottleneck: int, stride: int, rate: int = 1, outputs_collections: Any = None,
    scope: Any = None,
) -> Tensor:  # fmt: skip
    """``shortcut + residual`` of normalized inputs: convolutions of 1, 3 and 1 pixels, the middle with the stride."""
    with variable_scope(scope, "bottleneck_v2", [inputs]) as opened:
        normalized = normalization.batch_norm(inputs, activation_fn=activations.relu, scope="preact")
        bare: dict[str, Any] = {"normalizer_fn": None, "activation_fn": None}
        if depth == inputs.shape[-1].value:
            shortcut = resnet_utils.subsample(inputs, stride, "shortcut")
        else:
            shortcut = convolution.conv2d(normalized, depth, [1, 1], stride=stride, scope="shortcut", **bare)
        residual = convolution.conv2d(normalized, depth_bottleneck, [1, 1], stride=1, scope="conv1")
        residual = resnet_utils.conv2d_same(residual, depth_bottleneck, 3, stride, rate=rate, scope="conv2")
        residual = convolution.conv2d(residual, depth, [1, 1], stride=1, scope="conv3", **bare)
        output = shortcut + residual
        return collect_named_outputs(outputs_collections, opened.name, output)


def resnet_v2(
    inputs: Any, blocks: Any, num_classes: int | None = None, is_training: Any = True, global_pool: bool = True,
    output_stride: int | None = None, include_root_block: bool = True, reuse: bool | None = None, scope: Any = None,
) -> tuple[Tensor, dict[str, Any]]:  # fmt: skip
    """The network of these blocks, and its end points by name."""
    with variable_scope(scope, "resnet_v2", [inputs], reuse=reuse) as opened:
        points = opened.original_name_scope + "_end_points"
        collecting = [convolution.conv2d, bottleneck, resnet_utils.stack_blocks_dense]
        collected = arg_scope(collecting, outputs_collections=points)
        with collected, arg_scope([normalization.batch_norm], is_training=is_training):
            net = inputs
            if include_root_block:
                if output_stride is not None:
                    if output_stride % 4 != 0:
                        raise ValueError("The output_stride needs to be a multiple of 4.")
                    output_stride //= 4
                with arg_scope([convolution.conv2d], activation_fn=None, normalizer_fn=None):
                    net = resnet_utils.conv2d_same(net, 64, 7, stride=2, scope="conv1")
                net = layers.max_pool2d(net, [3, 3], stride=2, scope="pool1")
            net = resnet_utils.stack_blocks_dense(net, blocks, output_stride)
            net = normalization.batch_norm(net, activation_fn=activations.relu, scope="postnorm")
            if global_pool:
                net = reductions.reduce_mean(net, [1, 2], name="pool5", keepdims=True)
            if num_classes is not None:
                net = convolution.conv2d(
                    net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, scope="logits"
                )
            end_points = convert_collection_to_dict(points)
            if num_classes is not None:
                end_points["predictions"] = softmax(net, scope="predictions")
            return net, end_points


resnet_v2.default_image_size = 224  # type: ignore[attr-defined]


def resnet_v2_block(scope: str, base_depth: int, num_units: int, stride: int) -> resnet_utils.Block:
    """A block of units, the last one with the stride."""
    unit = {"depth": base_depth * 4, "depth_bottleneck": base_depth, "stride": 1}
    return resnet_utils.Block(scope, bottleneck, [unit] * (num_units - 1) + [{**unit, "stride": stride}])


def _of(counts: tuple[int, int, int, int], name: str) -> Any:
    def network(
        inputs: Any, num_classes: int | None = None, is_training: Any = True, global_pool: bool = True,
        output_stride: int | None = None, reuse: bool | None = None, scope: Any = name,
    ) -> tuple[Tensor, dict[str, Any]]:  # fmt: skip
        blocks = [
            resnet_v2_block(f"block{i + 1}", base_depth=64 * 2**i, num_units=n, stride=2 if i < 3 else 1)
            for i, n in enumerate(counts)
        ]
        return resnet_v2(
            inputs, blocks, num_classes, is_training, global_pool, output_stride, include_root_block=True,
            reuse=reuse, scope=scope,
        )  # fmt: skip

    network.__name__ = network.__qualname__ = name
    network.__doc__ = f"A residual network with {', '.join(map(str, counts))} units in its blocks."
    return network


resnet_v2_50 = _of((3, 4, 6, 3), "resnet_v2_50")
resnet_v2_101 = _of((3, 4, 23, 3), "resnet_v2_101")
resnet_v2_152 = _of((3, 8, 36, 3), "resnet_v2_152")
resnet_v2_200 = _of((3, 24, 36, 3), "resnet_v2_200")
