"""Slips of which no error tells: the program computes something, but not what was meant."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from retrograd.explain.finding import Finding, listed
from retrograd.explain.way import Way
from retrograd.graph.definition import Effect
from retrograd.graph.operation import Operation
from retrograd.graph.order import computed_from

_MEET = frozenset(("Sub", "SquaredDifference", "Add", "AddV2", "Mul", "RealDiv", "Maximum", "Minimum"))
_PASSED = frozenset(("Identity", "Reshape", "Squeeze", "ExpandDims"))
_SOFTMAX_LOSSES = frozenset(("SoftmaxCrossEntropyWithLogits", "SparseSoftmaxCrossEntropyWithLogits"))


def every_pair(way: Way) -> Iterator[Finding]:
    """[n, 1] meets [n] and makes [n, n]: each prediction is held against each label."""
    for step in way.steps.values():
        if step.op.type not in _MEET or step.value is None or len(step.op.inputs) != 2:
            continue
        shapes: list[tuple[int, ...]] = [np.shape(v[0]) for x in step.op.inputs if (v := way.values(x))]
        long, short = max(shapes, key=len, default=()), min(shapes, key=len, default=())
        if len(shapes) == 2 and len(short) == 1 and short[0] > 1 and long == (short[0], 1):
            n = short[0]
            yield Finding(
                f"'{step.op.name}' (op type: {step.op.type}) makes [{n}, {n}] of [{n}, 1] and [{n}]",
                "each element of one meets each of the other, so every prediction is held against every label",
                "tf.squeeze(predictions, 1), or labels[:, None]",
                step.op,
            )


def softmax_of_softmax(way: Way) -> Iterator[Finding]:
    """A loss that takes logits is given probabilities."""
    for op in dict.fromkeys(t.op for t in way.made.of_tensors):
        if op.type not in _SOFTMAX_LOSSES:
            continue
        source = op.inputs[0].op
        while source.type in _PASSED:
            source = source.inputs[0].op
        if source.type == "Softmax":
            yield Finding(
                f"'{op.name}' takes logits and is given probabilities",
                f"they went through '{source.name}' (op type: Softmax) before, and the loss does that again: what is "
                "learnt is slow and ends early",
                "logits=... without tf.nn.softmax; that is for what you print",
                source,
            )


def trained_copies(way: Way) -> Iterator[Finding]:
    """Variables that the program sets to what others are, as target networks, and that the loss trains too."""
    variables = {w.tensor.op: w for w in way.weights if w.gradient_tensor is not None}
    found: dict[Operation, Operation] = {}
    for variable in variables:
        for write in _assignments(variable):
            behind = computed_from(write.inputs[1:])
            others = [op for op in variables if op in behind and op is not variable]
            if others and all(op.type in _OF_COPIES for op in behind):
                found[variable] = write
    if not found:
        return
    names = listed([op.name for op in found])
    write = next(iter(found.values()))
    yield Finding(
        f"{names} {'is' if len(found) == 1 else 'are'} trained and also set to other variables' values",
        f"'{write.name}' sets what the loss has a gradient for: a target that learns too moves towards its prediction",
        "tf.stop_gradient(target) in the loss, or minimize(loss, var_list=...) without them",
        way.ys[0].op,
    )


_OF_COPIES = frozenset(
    ("Identity", "ReadVariableOp", "VariableV2", "VarHandleOp", "Const", "Mul", "Add", "AddV2", "Sub", "Cast")
)  # what a copy is computed by, and a step towards one


def _assignments(variable: Operation) -> list[Operation]:
    """The ops that set ``variable``, apart from its initializer."""
    named = variable.name + "/Assign"
    return [
        op
        for t in variable.outputs
        for op in t.readers
        if op.definition.effect is Effect.WRITE and op.type.startswith("Assign") and op.name != named
    ]
