"""Residual networks (He et al., 2015): each unit adds to its inputs what three convolutions make of them."""

from __future__ import annotations

from typing import Any

from retrograd.graph.tensor import Tensor
from retrograd.nn.contrib import convolution
from retrograd.nn.contrib.arg_scope import add_arg_scope
from retrograd.nn.contrib.collecting import collect_named_outputs
from retrograd.nn.contrib.nets import resnet_utils
from retrograd.nn.contrib.nets.resnet_utils import resnet_arg_scope as resnet_arg_scope
from retrograd.ops import activations
from retrograd.state.scopes import variable_scope


@add_arg_scope
def bottleneck(
    inputs: Any, depth: int, depth_bottleneck: int, stride: int, rate: int = 1, outputs_collections: Any = None,
    scope: Any = None,
) -> Tensor:  # fmt: skip
    """``relu(shortcut + residual)``: convolutions of 1, 3 and 1 pixels, the middle one with the stride."""
    with variable_scope(scope, "bottleneck_v1", [inputs]) as opened:
        if depth == inputs.shape[-1].value:
            shortcut = resnet_utils.subsample(inputs, stride, "shortcut")
        else:
            shortcut = convolution.conv2d(inputs, depth, [1, 1], stride=stride, activation_fn=None, scope="shortcut")
        residual = convolution.conv2d(inputs, depth_bottleneck, [1, 1], stride=1, scope="conv1")
        residual = resnet_utils.conv2d_same(residual, depth_bottleneck, 3, stride, rate=rate, scope="conv2")
        residual = convolution.conv2d(residual, depth, [1, 1], stride=1, activation_fn=None, scope="conv3")
        output = activations.relu(shortcut + residual)
        return collect_named_outputs(outputs_collections, opened.name, output)


def resnet_v1(
    inputs: Any, blocks: Any, num_classes: int | None = None, is_training: Any = True, global_pool: bool = True,
    output_stride: int | None = None, include_root_block: bool = True, reuse: bool | None = None, scope: Any = None,
) -> tuple[Tensor, dict[str, Any]]:  # fmt: skip
    """The network of these blocks, and its end points by name."""
    return resnet_utils.network(
        inputs, blocks, num_classes, is_training, global_pool, output_stride, include_root_block, reuse, scope,
        name="resnet_v1", unit=bottleneck, begins_with_norm=False,
    )  # fmt: skip


resnet_v1.default_image_size = 224  # type: ignore[attr-defined]


def resnet_v1_block(scope: str, base_depth: int, num_units: int, stride: int) -> resnet_utils.Block:
    """A block of units, the last one with the stride."""
    return resnet_utils.block(scope, bottleneck, base_depth, num_units, stride)


resnet_v1_50 = resnet_utils.of_units(resnet_v1, bottleneck, "resnet_v1_50", (3, 4, 6, 3))
resnet_v1_101 = resnet_utils.of_units(resnet_v1, bottleneck, "resnet_v1_101", (3, 4, 23, 3))
resnet_v1_152 = resnet_utils.of_units(resnet_v1, bottleneck, "resnet_v1_152", (3, 8, 36, 3))
resnet_v1_200 = resnet_utils.of_units(resnet_v1, bottleneck, "resnet_v1_200", (3, 24, 36, 3))
