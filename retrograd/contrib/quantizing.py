"""``tf.contrib.quantize``: graphs that compute as if their weights and activations were small integers.

Behind each weight and activation of a layer stands ``FakeQuantWithMinMaxVars``, whose range is the weights' own, or
follows the activations by moving averages.  Source: TensorFlow 1.15.5, ``tf.contrib.quantize``; Jacob et al., 2018.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from typing import Any, NamedTuple

from retrograd.contrib.graph_patterns import Match, OneOf, Pattern, matches, op_of, tensor_of
from retrograd.contrib.norm_folding import fold_fused_norms, quantization_step
from retrograd.editing.rerouting import reroute_ts
from retrograd.graph import log
from retrograd.graph.collections import GraphKeys
from retrograd.graph.graph import Graph
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import get_name_scope
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.nn.moving_averages import assign_moving_average
from retrograd.ops import arithmetic, comparison, reductions, state
from retrograd.ops.conditions import cond
from retrograd.ops.fake_quantization import fake_quant_with_min_max_vars
from retrograd.state.initializers import Constant
from retrograd.state.scopes import get_variable, variable_scope

_SKIPPED = ("gradients/", "RMSProp/", "Adagrad/", "Const_", "HistogramSummary", "ScalarSummary")
_SUMS = "Add|AddV2"
_PASSING = {"Reshape", "Identity", "BatchToSpaceND", "SpaceToBatchND", "MaxPool", "Max"}
_TRAINING = re.compile(
    r"(Resource)?(Sparse)?Apply(Adadelta|Adagrad|AdagradDA|Adam|AddSign|CenteredRMSProp|Ftrl|FtrlV2|GradientDescent"
    r"|Momentum|PowerSign|ProximalAdagrad|ProximalGradientDescent|RMSProp)"
)


def create_training_graph(input_graph: Graph | None = None, quant_delay: int = 0) -> None:
    """Make the graph train as if quantized; before gradients are built.

    Args:
      quant_delay: for so many steps nothing is quantized.

    Raises:
      ValueError: the graph has an op of an optimizer.
    """
    _rewrite(input_graph, True, quant_delay=quant_delay)


def create_eval_graph(input_graph: Graph | None = None) -> None:
    """Make the graph compute as if quantized, with the ranges that training found."""
    _rewrite(input_graph, False)


def experimental_create_training_graph(
    input_graph: Graph | None = None, weight_bits: int = 8, activation_bits: int = 8, symmetric: bool = False,
    quant_delay: int = 0, freeze_bn_delay: int | None = None, scope: str | None = None,
) -> None:  # fmt: skip
    """``create_training_graph`` with other numbers of bits, ranges symmetric about 0, or within a scope.

    Args:
      freeze_bn_delay: after so many steps normalizations use their moving averages, which stay.
    """
    _rewrite(input_graph, True, weight_bits, activation_bits, symmetric, quant_delay, freeze_bn_delay, scope)


def experimental_create_eval_graph(
    input_graph: Graph | None = None, weight_bits: int = 8, activation_bits: int = 8, symmetric: bool = False,
    quant_delay: int | None = None, scope: str | None = None,
) -> None:  # fmt: skip
    """``create_eval_graph`` with other numbers of bits, ranges symmetric about 0, or within a scope."""
    _rewrite(input_graph, False, weight_bits, activation_bits, symmetric, quant_delay, None, scope)


def _rewrite(
    graph: Graph | None, is_training: bool, weight_bits: int = 8, activation_bits: int = 8, symmetric: bool = False,
    quant_delay: int | None = None, freeze_delay: int | None = None, scope: str | None = None,
) -> None:  # fmt: skip
    graph = graph or default_graph()
    trained = {op.type for op in graph.get_operations() if _TRAINING.fullmatch(op.type)}
    if trained:
        raise ValueError(f"Training op found in graph, exiting {trained}")
    unfused = [op.name for op in graph.get_operations() if re.search("BatchNorm/batchnorm", op.name)]
    if unfused:
        raise NotImplementedError(
            f"{unfused[0]} normalizes a batch by single ops, and only fused normalizations are folded.\n"
            "  Fix:   tf.contrib.layers.batch_norm(..., fused=True)"
        )
    with graph.as_default():
        fold_fused_norms(graph, freeze_delay)
        kind = _Kind(is_training, quant_delay, symmetric, scope if not scope or scope.endswith("/") else f"{scope}/")
        quantized = _quantize_layers(graph, kind, weight_bits, activation_bits)
        _quantize_sums(graph, kind, activation_bits, quantized)


# -- where layers are ----------------------------------------------------------------------------


class Layer(NamedTuple):
    """A layer, its weights, and what comes behind: a bias, a sum, an activation, another sum."""

    op: Operation
    weights: Any
    activation: Any
    bypass: Any = None
    later_bypass: Any = None
    bias: Any = None


def _layers(graph: Graph) -> list[Layer]:
    types = "Conv2D|MatMul|DepthwiseConv2dNative"
    variable = Pattern("Variable|VariableV2")
    part = Pattern("Identity", variable)
    whole = Pattern("Identity", OneOf(part, Pattern("ConcatV2", part, "*", "*"), variable))
    resource, folded = Pattern("ReadVariableOp"), Pattern("Mul")
    layer = Pattern(types, "*", OneOf(whole, resource, folded), ordered=False)
    output = OneOf(Pattern("BatchToSpaceND", layer, "*", "*"), layer)
    twice = Pattern(types, OneOf(output), "*", ordered=False)
    scaled = Pattern("Mul", "*", output, ordered=False)
    corrected = Pattern(_SUMS, scaled, "*", ordered=False)
    folded_bias = Pattern(_SUMS, corrected, "*", ordered=False)
    passed = Pattern("Identity", folded_bias)
    bias = Pattern(f"{_SUMS}|BiasAdd", output, "*", ordered=False)
    bypass = Pattern(_SUMS, OneOf(bias, folded_bias, passed), "*", ordered=False)
    activation = Pattern("Relu|Relu6|Identity", OneOf(bias, folded_bias, passed, bypass, layer))
    later = Pattern(_SUMS, "*", activation, ordered=False)

    found: dict[Operation, Layer] = {}

    def add(pattern: Pattern, make: Callable[[Match, Operation, Any], Layer | None]) -> None:
        for match in matches(pattern, graph.get_operations()):
            op = op_of(match, layer)
            if op not in found:
                new = make(match, op, tensor_of(match, whole, resource, folded))
                if new is not None:
                    found[op] = new

    def bias_of(match: Match) -> Any:
        return op_of(match, bias) or op_of(match, folded_bias)

    def behind(match: Match, op: Operation, weights: Any) -> Layer | None:
        active = op_of(match, activation)
        if later not in match and _feeds_a_norm(active):
            return None
        return Layer(op, weights, active, op_of(match, bypass), op_of(match, later), bias_of(match))

    add(later, behind)
    add(activation, behind)
    add(OneOf(bias, folded_bias), lambda match, op, weights: Layer(op, weights, bias_of(match)))
    add(twice, lambda match, op, _: Layer(op, tensor_of(match, whole, resource), op))
    return list(found.values())


def _feeds_a_norm(activation: Operation) -> bool:
    if activation.type != "Identity" or len(activation.outputs) != 1:
        return False
    readers = activation.outputs[0].consumers()
    return len(readers) == 1 and readers[0].type in ("FusedBatchNorm", "FusedBatchNormV3")


class _Readers:
    """Who reads the outputs of an op, at the moment when this was made; gradients and summaries do not count."""

    def __init__(self, graph: Graph) -> None:
        self._readers: dict[Tensor, dict[Operation, None]] = defaultdict(dict)
        for op in graph.get_operations():
            if not op.name.startswith(_SKIPPED):
                for read in op.inputs:
                    self._readers[read][op] = None

    def of(self, op: Operation) -> list[Operation]:
        """The ops that read ``op``."""
        return list(dict.fromkeys(reader for output in op.outputs for reader in self._readers.get(output, ())))


# -- what is put behind them ---------------------------------------------------------------------


class _Kind(NamedTuple):
    """What all quantizations of a graph have in common."""

    is_training: bool
    delay: int | None
    symmetric: bool
    scope: str | None

    def insert(
        self, context: str, name: str, producer: Operation, readers: list[Operation], bits: int, follows: bool = True,
        least: float = -6.0, within: str = "producer consumer", symmetric: bool | None = None,
    ) -> None:  # fmt: skip
        """Let ``readers`` of ``producer`` read its quantized output, unless they or it are out of scope."""
        if self.scope and "producer" in within and not producer.name.startswith(self.scope):
            return
        if self.scope and "consumer" in within and not all(op.name.startswith(self.scope) for op in readers):
            return
        prefix = f"{context}/{name}" if context else name
        outer = get_name_scope()
        if outer:
            prefix = prefix.removeprefix(f"{outer}/")
        x = producer.outputs[0]
        if _is_quantized(x):
            return
        symmetric = self.symmetric if symmetric is None else symmetric
        quantized = _quantized(x, prefix, bits, follows, least, self.is_training, symmetric)
        if self.delay and self.delay > 0:
            active = comparison.greater_equal(quantization_step(), self.delay, name=f"{prefix}/activate_quant")
            now = quantized
            quantized = cond(active, lambda: now, lambda: x, name=f"{prefix}/delayed_quant")
        if readers and reroute_ts(quantized, x, can_modify=readers) < len(readers):
            raise ValueError(f"No inputs quantized for ops: [{', '.join(op.name for op in readers)}]")


def _is_quantized(tensor: Tensor) -> bool:
    waiting = tensor.consumers()
    while waiting:
        op = waiting.pop()
        if op.type.startswith("FakeQuantWithMinMax") and not op.type.endswith("Gradient"):
            return True
        if op.type in ("Reshape", "Identity"):
            waiting += [reader for output in op.outputs for reader in output.consumers()]
    return False


def _quantized(
    x: Tensor, prefix: str, bits: int, follows: bool, least: float, is_training: bool, symmetric: bool
) -> Tensor:
    """``x`` on a grid of 2^bits numbers; weights (which no average ``follows``) leave out the lowest."""
    narrow = not follows
    with variable_scope(None, default_name=prefix, values=[x]) as scope:
        scope.set_partitioner(None)
        low, high = (
            get_variable(
                word, [], initializer=Constant(first), collections=[GraphKeys.GLOBAL_VARIABLES], trainable=False
            )
            for word, first in (("min", least), ("max", 6.0))
        )
        if is_training:
            batch_low, batch_high = reductions.reduce_min(x, name="BatchMin"), reductions.reduce_max(x, name="BatchMax")
            if symmetric:
                ratio = -1 if narrow else -((1 << bits) - 2) / (1 << bits)
                range_low = arithmetic.minimum(batch_low, batch_high / ratio)
                range_high = arithmetic.maximum(batch_high, batch_low * ratio)
            else:
                range_low, range_high = arithmetic.minimum(batch_low, 0.0), arithmetic.maximum(batch_high, 0.0)
            if follows:
                low = assign_moving_average(low, range_low, 0.999, name="AssignMinEma")
                high = assign_moving_average(high, range_high, 0.999, name="AssignMaxEma")
            else:
                low = state.assign(low, range_low, name="AssignMinLast")
                high = state.assign(high, range_high, name="AssignMaxLast")
        return fake_quant_with_min_max_vars(x, low, high, num_bits=bits, narrow_range=narrow)


def _above(name: str) -> str:
    return name.rpartition("/")[0]


def _quantize_layers(graph: Graph, kind: _Kind, weight_bits: int, bits: int) -> set[Operation]:
    """Quantize the weights and activations of all layers; the ops whose outputs are quantized."""
    readers = _Readers(graph)
    done: set[Operation] = set()
    for layer in _layers(graph):
        context = _above(layer.op.name)
        sums = context if layer.bypass is None else _above(context)
        if layer.weights is not None:
            op = layer.weights.op
            kind.insert(context, "weights_quant", op, readers.of(op), weight_bits, follows=False, within="consumer")
        if layer.activation is not None:
            op = layer.activation
            kind.insert(sums, "act_quant", op, readers.of(op), bits, least=0.0, within="producer")
            done.add(op)
        if layer.bypass is not None:
            kind.insert(context, "conv_quant", layer.bias, readers.of(layer.bias), bits)
            done.add(layer.bias)
            after = readers.of(layer.bypass)
            if any(op.type in ("Relu", "Relu6", "Identity") for op in after):
                log.info("Skipping %s, because its followed by an activation.", layer.bypass.name)
            else:
                kind.insert(sums, "add_quant", layer.bypass, after, bits)
                done.add(layer.bypass)
        if layer.later_bypass is not None:
            op = layer.later_bypass
            after = readers.of(op)
            if any(reader.type in ("Relu", "Relu6") for reader in after):
                log.info("Skipping %s, because its followed by an activation.", op.name)
            else:
                name = "post_activation_bypass_quant"
                kind.insert(_above(op.name), name, op, after, bits, within="producer")
                done.add(op)
    return done


def _quantize_sums(graph: Graph, kind: _Kind, bits: int, done: set[Operation]) -> None:
    """Quantize sums and products of what is quantized."""
    readers = _Readers(graph)
    for op in graph.get_operations():
        if _needs_quantization(op, done):
            log.info("Inserting fake quant op activation_%s_quant after %s", op.type, op.name)
            name = f"activation_{op.type}_quant"
            kind.insert(op.name, name, op, readers.of(op), bits, within="producer", symmetric=False)


def _needs_quantization(op: Operation, done: set[Operation]) -> bool:
    if op in done or op.type not in ("Add", "AddV2", "Mul"):
        return False
    if len(op.outputs) == 1 and [reader.type for reader in op.outputs[0].consumers()] in (["Relu"], ["Relu6"]):
        log.info("Skipping quant after %s", op.name)
        return False
    for read in op.inputs:
        source = read.op
        while source.type in _PASSING:
            source = source.inputs[0].op
        if source.type == "FakeQuantWithMinMaxVars" or source.name.find("delayed_quant/Merge") > 0:
            return True
        if source.type in ("Add", "AddV2", "Mul") and any(_needs_quantization(t.op, done) for t in source.inputs):
            return True
    return False
