"""Fused normalizations folded into the filters before them, for ``tf.contrib.quantize``.

    y = conv(x, w gamma / sigma') sigma' / sigma + beta - mean gamma / sigma

while a model is trained: filters are scaled by the moving average sigma', which changes slowly, and the output is
corrected by the batch's own sigma; after training the two are one.  Source: TensorFlow 1.15.5, ``fold_batch_norms``;
Jacob et al., 2018, section 3.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from retrograd.contrib.graph_patterns import OneOf, Pattern, matches, op_of, tensor_of
from retrograd.editing.rerouting import reroute_ts
from retrograd.grad.registry import RegisterGradient
from retrograd.graph import dtypes
from retrograd.graph.graph import Graph
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import name_scope
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.nn.contrib.older_layers import smart_cond
from retrograd.nn.convolution import depthwise_conv2d
from retrograd.ops import arithmetic, arrays, blocks, casts, comparison, constants, matrices, powers, state
from retrograd.ops.convolution import conv2d
from retrograd.state.initializers import Zeros
from retrograd.state.scopes import get_variable


def quantization_step() -> Tensor:
    """How often the graph ran: a variable that its readers count up."""
    name = "fake_quantization_step"
    graph = default_graph()
    try:
        return graph.get_tensor_by_name(f"{name}/Identity:0")
    except KeyError:
        pass
    with name_scope(None):
        step = get_variable(name, [], dtypes.int64, Zeros(), trainable=False, collections=["variables"])
        with name_scope(f"{step.op.name}/"):
            return arrays.identity(state.assign_add(step, 1))


@dataclass
class Norm:
    """A layer, the normalization behind it, and what that reads."""

    layer: Operation
    norm: Operation
    output: Tensor
    x: Tensor
    weights: Tensor
    gamma: Tensor
    beta: Tensor
    mean: Any
    variance: Any
    moving_mean: Any = None
    moving_variance: Any = None
    mean_decay: Any = None
    variance_decay: Any = None
    batch_to_space: Any = None


def fold_fused_norms(graph: Graph, freeze_delay: int | None) -> None:
    """Let readers of fused normalizations read layers whose filters are scaled instead.

    Args:
      freeze_delay: after how many steps moving averages stay what they are, and are used in training.
    """
    for norm in _fused_norms(graph):
        scope, slash, _ = norm.layer.name.rpartition("/")
        with name_scope(scope + slash):
            with name_scope(f"{scope}{slash}BatchNorm_Fold{slash}"):
                epsilon = norm.norm.get_attr("epsilon")
                scale = norm.gamma * powers.rsqrt(norm.variance + epsilon)
                bias = arithmetic.subtract(norm.beta, norm.mean * scale, name="bias")
                correction = back = offset = None
                if norm.norm.get_attr("is_training"):
                    correction, back, offset = _corrections(norm, epsilon, freeze_delay)
                weights = norm.weights
                if norm.layer.type == "DepthwiseConv2dNative":
                    shape = weights.shape.as_list()[2:4]
                    scale = arrays.reshape(scale, shape, name="scale_reshape")
                    if correction is not None:
                        correction = arrays.reshape(correction, shape, name="correction_reshape")
            if correction is not None:
                weights = arithmetic.multiply(correction, weights, name="correction_mult")
            folded = _copy(norm, arithmetic.multiply(weights, scale, name="mul_fold"))
            if back is not None:
                folded = arithmetic.multiply(back, folded, name="post_conv_mul")
                folded = arithmetic.add(folded, offset, "correction_add")
            result = arithmetic.add(folded, bias, name="add_fold")
            if not reroute_ts(result, norm.output):
                raise ValueError(f"Folding batch norms failed, {norm.output.name} had no outputs.")


def _fused_norms(graph: Graph) -> list[Norm]:
    x, weights, gamma, beta, mean, variance = (Pattern("*") for _ in range(6))
    layer = Pattern("Conv2D|DepthwiseConv2dNative|MatMul", x, weights)
    batch_to_space = Pattern("BatchToSpaceND", layer, "*", "*")
    passed = Pattern("Identity", OneOf(batch_to_space, layer))
    output = OneOf(passed, layer, batch_to_space)
    norm = Pattern(
        "FusedBatchNorm|FusedBatchNormV3", OneOf(Pattern("Reshape", output, "*"), output), gamma, beta, mean, variance
    )
    reshaped = Pattern("Reshape", norm, "*")
    average, decay = Pattern("*"), Pattern("*")
    difference = Pattern("Sub", average, norm)
    change = Pattern("Mul", difference, decay)
    found: dict[Operation, Norm] = {}
    for match in matches(OneOf(reshaped, norm), graph.get_operations()):
        op, norm_op = op_of(match, layer), op_of(match, norm)
        result = norm_op.outputs[0]
        if op.type == "MatMul":
            if reshaped not in match:
                continue
            result = op_of(match, reshaped).outputs[0]
        if not result.consumers():
            continue
        new = Norm(
            op, norm_op, result, tensor_of(match, x), tensor_of(match, weights), tensor_of(match, gamma),
            tensor_of(match, beta), tensor_of(match, mean), tensor_of(match, variance),
            batch_to_space=op_of(match, batch_to_space),
        )  # fmt: skip
        if norm_op.get_attr("is_training"):
            norm_op._set_attr("_gradient_op_type", b"FoldFusedBatchNormGrad")
            new.mean = norm_op.outputs[1]
            scope, slash, _ = norm_op.name.rpartition("/")
            with name_scope(scope + slash):
                n = casts.cast(arrays.size(tensor_of(match, layer)) / arrays.size(new.mean), dtypes.float32)
                new.variance = arithmetic.multiply(norm_op.outputs[2], (n - 1) / n, name="Undo_Bessel_Correction")
            for moved in matches(change, graph.get_operations()):
                read = op_of(moved, difference).inputs
                if read[1] is norm_op.outputs[1]:
                    new.moving_mean, new.mean_decay = read[0], tensor_of(moved, decay)
                if read[1] is norm_op.outputs[2]:
                    new.moving_variance, new.variance_decay = read[0], tensor_of(moved, decay)
        found.setdefault(op, new)
    return list(found.values())


def _corrections(norm: Norm, epsilon: float, freeze_delay: int | None) -> tuple[Any, Any, Any]:
    """What filters are multiplied by, the output is multiplied by, and is added to it."""
    with name_scope(None, "batch_norm_correction"):
        moving = powers.rsqrt(norm.moving_variance + epsilon)
        batch = powers.rsqrt(norm.variance + epsilon)
        correction = arithmetic.divide(moving, batch, name="scale_compute")
        correction = arrays.identity(correction, name="correction_scale")
        back = powers.reciprocal(correction, name="reciprocal_compute")
        offset = arithmetic.multiply(
            norm.gamma, norm.mean * batch - norm.moving_mean * moving, name="offset_compute"
        )  # fmt: skip
        frozen: Any = False
        if freeze_delay is not None:
            frozen = comparison.greater_equal(quantization_step(), freeze_delay, name="use_moving_average")
        for decay, word in ((norm.mean_decay, "mean"), (norm.variance_decay, "var")):
            readers = decay.consumers()
            kept = smart_cond(frozen, lambda: 0.0, lambda decay=decay: decay, name=f"freeze_moving_{word}")
            reroute_ts(kept, decay, can_modify=readers)
        still, own = back, offset
        back = smart_cond(frozen, lambda: constants.ones(correction.shape), lambda: still, name="correction_recip")
        offset = smart_cond(frozen, lambda: own, lambda: constants.zeros(own.shape), name="correction_offset")
    return correction, back, offset


def _copy(norm: Norm, weights: Tensor) -> Tensor:
    """The layer once more, with other filters."""
    layer = norm.layer
    name = f"{layer.name.rpartition('/')[2]}_Fold"
    if layer.type == "MatMul":
        turned = {key: layer.get_attr(key) for key in ("transpose_a", "transpose_b")}
        return matrices.matmul(norm.x, weights, **turned, name=name)
    steps = {key: layer.get_attr(key) for key in ("strides", "padding")}
    if layer.type == "Conv2D":
        return conv2d(
            norm.x, weights, **steps, use_cudnn_on_gpu=layer.get_attr("use_cudnn_on_gpu"),
            data_format=layer.get_attr("data_format").decode(), dilations=layer.get_attr("dilations"), name=name,
        )  # fmt: skip
    y = depthwise_conv2d(norm.x, weights, **steps, name=name)
    if norm.batch_to_space is None:
        return y
    op = layer.outputs[0].consumers()[0]
    return blocks.batch_to_space_nd(y, op.inputs[1], op.inputs[2], name=f"{op.name.rpartition('/')[2]}_Fold")


@RegisterGradient("FoldFusedBatchNormGrad")
def _norm_gradient(op: Operation, dy: Any, dmean: Any, dvariance: Any, *others: Any) -> list[Any]:
    """The normalization's output is read no more: dx = dmean / n + 2 dvariance (x - mean) / (n - 1)."""
    x = op.inputs[0]
    n = casts.cast(arrays.size(x) / arrays.size(dmean), dtypes.float32)
    of_mean = dmean / n
    of_variance = 2 * dvariance * (x - op.outputs[1]) / (n - 1)
    return [of_mean + of_variance, None, None, None, None]
