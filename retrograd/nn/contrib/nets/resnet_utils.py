"""What residual networks are made of: blocks of units, and convolutions that pad as strides do not matter."""

from __future__ import annotations

import collections
from collections.abc import Callable, Sequence
from typing import Any

from retrograd.graph.tensor import Tensor
from retrograd.nn.contrib import convolution, layers, normalization
from retrograd.nn.contrib.arg_scope import add_arg_scope, arg_scope
from retrograd.nn.contrib.collecting import collect_named_outputs, convert_collection_to_dict
from retrograd.nn.contrib.more_layers import softmax
from retrograd.ops import activations, padding, reductions
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


def network(
    inputs: Any, blocks: Any, num_classes: int | None, is_training: Any, global_pool: bool,
    output_stride: int | None, include_root_block: bool, reuse: bool | None, scope: Any, *, name: str,
    unit: Callable[..., Tensor], begins_with_norm: bool,
) -> tuple[Tensor, dict[str, Any]]:  # fmt: skip
    """A residual network of blocks of ``unit``, and its end points by name; units may begin with normalization.

    Raises:
      ValueError: ``output_stride`` is no multiple of 4, or is not reached.
    """
    with variable_scope(scope, name, [inputs], reuse=reuse) as opened:
        points = opened.original_name_scope + "_end_points"
        collected = arg_scope([convolution.conv2d, unit, stack_blocks_dense], outputs_collections=points)
        with collected, arg_scope([normalization.batch_norm], is_training=is_training):
            net = inputs
            if include_root_block:
                if output_stride is not None:
                    if output_stride % 4 != 0:
                        raise ValueError("The output_stride needs to be a multiple of 4.")
                    output_stride //= 4
                bare: dict[str, Any] = {"activation_fn": None, "normalizer_fn": None} if begins_with_norm else {}
                with arg_scope([convolution.conv2d], **bare):
                    net = conv2d_same(net, 64, 7, stride=2, scope="conv1")
                net = layers.max_pool2d(net, [3, 3], stride=2, scope="pool1")
            net = stack_blocks_dense(net, blocks, output_stride)
            if begins_with_norm:
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


def block(scope: str, unit: Callable[..., Tensor], base_depth: int, num_units: int, stride: int) -> Block:
    """A block of units, the last one with the stride."""
    args = {"depth": base_depth * 4, "depth_bottleneck": base_depth, "stride": 1}
    return Block(scope, unit, [args] * (num_units - 1) + [{**args, "stride": stride}])


def of_units(
    whole: Callable[..., Any], unit: Callable[..., Tensor], name: str, counts: tuple[int, int, int, int]
) -> Any:
    """The function that makes the network ``whole`` of four blocks of so many units."""

    def network(
        inputs: Any, num_classes: int | None = None, is_training: Any = True, global_pool: bool = True,
        output_stride: int | None = None, reuse: bool | None = None, scope: Any = name,
    ) -> tuple[Tensor, dict[str, Any]]:  # fmt: skip
        blocks = [
            block(f"block{i + 1}", unit, base_depth=64 * 2**i, num_units=n, stride=2 if i < 3 else 1)
            for i, n in enumerate(counts)
        ]
        return whole(
            inputs, blocks, num_classes, is_training, global_pool, output_stride, include_root_block=True,
            reuse=reuse, scope=scope,
        )  # type: ignore[no-any-return]  # fmt: skip

    network.__name__ = network.__qualname__ = name
    network.__module__ = whole.__module__
    network.__doc__ = f"A residual network with {', '.join(map(str, counts))} units in its blocks."
    return network


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
