"""What residual networks are made of: blocks of units, and convolutions that pad as strides do not matter."""

from __future__ import annotations

import collections
from collections.abc import Sequence
from typing import Any

from retrograd.graph.tensor import Tensor
from retrograd.nn.contrib import convolution, layers, normalization
from retrograd.nn.contrib.arg_scope import add_arg_scope, arg_scope
from retrograd.nn.contrib.collecting import collect_named_outputs
from retrograd.ops import activations, padding
from retrograd.state.regularizers import l2_regularizer
from retrograd.state.scopes import variable_scope
from retrograd.state.xavier import scaling_initializer


class Block(collections.namedtuple("Block", ["scope", "unit_fn", "args"])):
    """A block of a residual network: its scope, the function of a unit, and the arguments of each unit."""


def subsample(inputs: Any, factor: int, scope: Any = None) -> Tensor:
    """Every ``factor``-th pixel."""
    return inputs if factor == 1 else layers.max_pool2d(inputs, [1, 1], stride=factor, scope=scope)


def conv2d_same(
    inputs: Any, num_outputs: int, kernel_size: int, stride: int, rate: int = 1, scope: Any = None
) -> Tensor:
    """A convolution whose padding does not depend on the stride: as one of stride 1, subsampled."""
    if stride == 1:
        return convolution.conv2d(inputs, num_outputs, kernel_size, stride=1, rate=rate, padding="SAME", scope=scope)
    total = (kernel_size + (kernel_size - 1) * (rate - 1)) - 1
    before = total // 2
    sides = [before, total - before]
    inputs = padding.pad(inputs, [[0, 0], sides, sides, [0, 0]])
    return convolution.conv2d(inputs, num_outputs, kernel_size, stride=stride, rate=rate, padding="VALID", scope=scope)


@add_arg_scope
def stack_blocks_dense(
    net: Any, blocks: Sequence[Any], output_stride: int | None = None, outputs_collections: Any = None
) -> Tensor:
    """The blocks one behind the other; from ``output_stride`` on, holes in place of strides.

    Raises:
      ValueError: no unit reaches ``output_stride``.
    """
    current, rate = 1, 1
    for block in blocks:
        with variable_scope(block.scope, "block", [net]) as opened:
            for i, unit in enumerate(block.args):
                if output_stride is not None and current > output_stride:
                    raise ValueError("The target output_stride cannot be reached.")
                with variable_scope(f"unit_{i + 1}", values=[net]):
                    if output_stride is not None and current == output_stride:
                        net = block.unit_fn(net, rate=rate, **dict(unit, stride=1))
                        rate *= unit.get("stride", 1)
                    else:
                        net = block.unit_fn(net, rate=1, **unit)
                        current *= unit.get("stride", 1)
            net = collect_named_outputs(outputs_collections, opened.name, net)
    if output_stride is not None and current != output_stride:
        raise ValueError("The target output_stride cannot be reached.")
    return net


def resnet_arg_scope(
    weight_decay: float = 0.0001, batch_norm_decay: float = 0.997, batch_norm_epsilon: float = 1e-5,
    batch_norm_scale: bool = True,
) -> Any:  # fmt: skip
    """The arguments that residual networks are trained with."""
    norm = {
        "decay": batch_norm_decay, "epsilon": batch_norm_epsilon, "scale": batch_norm_scale,
        "updates_collections": "update_ops",
    }  # fmt: skip
    trained = arg_scope(
        [convolution.conv2d], weights_regularizer=l2_regularizer(weight_decay),
        weights_initializer=scaling_initializer(), activation_fn=activations.relu,
        normalizer_fn=normalization.batch_norm, normalizer_params=norm,
    )  # fmt: skip
    normalized = arg_scope([normalization.batch_norm], **norm)
    with trained, normalized, arg_scope([layers.max_pool2d], padding="SAME") as scope:
        return scope
