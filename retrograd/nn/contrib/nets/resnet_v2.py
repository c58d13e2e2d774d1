"""Residual networks whose units begin with normalization (He et al., 2016)."""

from __future__ import annotations

from typing import Any

from retrograd.graph.tensor import Tensor
from retrograd.nn.contrib import convolution, normalization
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
    return resnet_utils.network(
        inputs, blocks, num_classes, is_training, global_pool, output_stride, include_root_block, reuse, scope,
        name="resnet_v2", unit=bottleneck, begins_with_norm=True,
    )  # fmt: skip


resnet_v2.default_image_size = 224  # type: ignore[attr-defined]


def resnet_v2_block(scope: str, base_depth: int, num_units: int, stride: int) -> resnet_utils.Block:
    """A block of units, the last one with the stride."""
    return resnet_utils.block(scope, bottleneck, base_depth, num_units, stride)


resnet_v2_50 = resnet_utils.of_units(resnet_v2, bottleneck, "resnet_v2_50", (3, 4, 6, 3))
resnet_v2_101 = resnet_utils.of_units(resnet_v2, bottleneck, "resnet_v2_101", (3, 4, 23, 3))
resnet_v2_152 = resnet_utils.of_units(resnet_v2, bottleneck, "resnet_v2_152", (3, 8, 36, 3))
resnet_v2_200 = resnet_utils.of_units(resnet_v2, bottleneck, "resnet_v2_200", (3, 24, 36, 3))
