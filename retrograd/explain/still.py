"""Weights that stay where they are: no derivative reaches them, or one that is 0."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from typing import Any

import numpy as np

from retrograd.explain.finding import Finding, indented, listed
from retrograd.explain.measures import share
from retrograd.explain.way import PRODUCTS, READS, Way, Weight
from retrograd.grad.why_none import Passes, clearest_way, reached_by_derivatives, unconnected
from retrograd.graph.collections import GraphKeys
from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor

RECTIFIERS = frozenset(("Relu", "Relu6", "Elu", "Selu", "LeakyRelu", "CReLU"))
_ROWS = 16  # examples among which a unit must be seen to be off
_OFF = 0.5  # of the units of a layer


def without_derivative(way: Way) -> Iterator[Finding]:
    """Weights whose gradient is None, by the op that lets none through."""
    stops = frozenset(getattr(t, "op", t) for t in way.made.stops)
    passes = Passes(stops)
    groups: dict[Any, list[Weight]] = defaultdict(list)
    answers: dict[Any, tuple[str, str]] = {}
    for weight in way.weights:
        if weight.gradient_tensor is not None:
            continue
        ways = [clearest_way(y, [weight.tensor], stops, passes) for y in way.ys]
        blocked = [w.obstacles for w in ways if w is not None and w.obstacles]
        key: Operation | None
        if blocked:
            obstacle = min(blocked, key=len)[0]
            key = obstacle.op
            answer = f"'{key.name}' (op type: {key.type}): {obstacle.why}", obstacle.fix
        else:
            why, _, fix = unconnected(way.ys[0], weight.tensor)
            key, answer = None, (why, fix)
        groups[key].append(weight)
        answers.setdefault(key, answer)
    for op, weights in groups.items():
        (why, fix), names = answers[op], listed([w.name for w in weights])
        stopped = op is not None and op.type == "StopGradient"
        yield Finding(
            f"no derivative reaches {names}: {'it stays as it is' if len(weights) == 1 else 'they stay as they are'}",
            why,
            indented(fix),
            op or weights[0].tensor.op,
            is_wrong=not stopped,
        )


def left_out(way: Way) -> Iterator[Finding]:
    """Trainable variables that a derivative would reach and that nobody trains."""
    graph = way.ys[0].graph
    asked = {w.tensor.op for w in way.weights} if way.trained is None else way.trained
    tensors = []
    for variable in graph.get_collection(GraphKeys.TRAINABLE_VARIABLES):
        tensor = getattr(variable, "handle", None)
        tensor = variable._ref() if tensor is None and hasattr(variable, "_ref") else tensor
        if isinstance(tensor, Tensor) and tensor.op not in asked:
            tensors.append(tensor)
    reached = reached_by_derivatives(way.ys) if tensors else set()
    out = [t.op for t in tensors if t in reached]
    if out:
        names = listed([op.name for op in out])
        yield Finding(
            f"{names} {'is' if len(out) == 1 else 'are'} not trained",
            "the loss depends on "
            + ("it" if len(out) == 1 else "them")
            + ", but what the gradients were asked for (var_list) leaves "
            + ("it" if len(out) == 1 else "them")
            + " out",
            f"optimizer.minimize(loss), or add {names} to var_list",
            out[0],
            is_wrong=way.trained is not None,
        )


# -- zero --------------------------------------------------------------------------------------


def zero(way: Way) -> Iterator[Finding]:
    """Weights whose gradient is 0 in every element, by the op that made it so."""
    groups: dict[Operation | None, list[Weight]] = defaultdict(list)
    for weight in way.weights:
        if weight.gradient is not None and weight.gradient.is_zero:
            groups[_where_it_ended(way, weight.tensor)].append(weight)
    for op, weights in groups.items():
        names = listed([w.name for w in weights])
        why, fix = _why_zero(way, op) if op is not None else ("the gradient that arrives is 0 from the start", "")
        yield Finding(f"the gradient of {names} is 0 in every element", why, fix or "look at the loss", op)


def _where_it_ended(way: Way, start: Tensor) -> Operation | None:
    """The op to which a gradient other than 0 came and that gave 0."""
    queue, seen = deque([start]), {start}
    while queue:
        for reader in queue.popleft().readers:
            for y in reader.outputs:
                if y in way.made.of_tensors and y not in seen:
                    seen.add(y)
                    step = way.steps.get(y)
                    gradient = None if step is None else step.gradient
                    if gradient is not None and not gradient.is_zero:
                        return _behind_zeros(way, reader)
                    queue.append(y)
    return None


def _behind_zeros(way: Way, op: Operation) -> Operation:
    """The first op behind ``op`` whose result is all zeros though what it was given is not, weights aside."""
    while True:
        zeros = [x for x in op.inputs if _is_zero(way, x) and not _is_weight(x)]
        if not zeros:
            return op
        op = zeros[0].op


def _is_zero(way: Way, x: Tensor) -> bool:
    step = way.steps.get(x)
    return step is not None and step.value is not None and step.value.is_zero


def _is_weight(x: Tensor) -> bool:
    return x.op.type in (*READS, "VariableV2", "VarHandleOp")


def _why_zero(way: Way, op: Operation) -> tuple[str, str]:
    y = way.steps.get(op.outputs[0])
    if op.type in RECTIFIERS:
        return (
            f"all outputs of '{op.name}' (op type: {op.type}) are 0: whatever it is given is below 0, and so is its "
            "derivative 0",
            "smaller weights or a smaller learning rate, a bias that begins above 0, or tf.nn.leaky_relu",
        )
    if op.type in ("Sigmoid", "Tanh", "Softmax"):
        return (
            f"'{op.name}' (op type: {op.type}) is at its ends: its outputs are {y.value.low:.3g} to {y.value.high:.3g}"
            if y and y.value
            else "it is at its ends",
            "inputs of about 1 in size: smaller first weights, normalized data, or a loss that takes logits",
        )
    zeros = [x for x in op.inputs if _is_zero(way, x)]
    if zeros and (op.type in PRODUCTS or op.type == "Mul"):
        name = zeros[0].op.inputs[0].op.name if zeros[0].op.type in READS else zeros[0].op.name
        return (
            f"'{op.name}' (op type: {op.type}) multiplies by '{name}', which is all zeros",
            "tf.glorot_uniform_initializer() for weights; zeros are for biases",
        )
    if op.type in ("Select", "SelectV2"):
        return f"'{op.name}' (op type: {op.type}) takes the other side for every element", "look at its condition"
    return (
        f"the derivative of '{op.name}' (op type: {op.type}) is 0 at these inputs"
        + (": a number that is cut off has none" if op.type in ("Minimum", "Maximum", "ClipByValue") else ""),
        "inputs within its range: smaller first weights, or normalized data",
    )


# -- off ---------------------------------------------------------------------------------------


def off(way: Way) -> Iterator[Finding]:
    """Layers of rectifiers of which many units are 0 for every example."""
    for step in way.steps.values():
        if step.op.type not in ("Relu", "Relu6") or step.gradient is None:
            continue
        rows = [np.asarray(v).reshape(-1, v.shape[-1]) for v in way.values(step.tensor) if np.ndim(v) > 1]
        if not rows or sum(map(len, rows)) < _ROWS:
            continue
        alive = np.any([np.any(r != 0, axis=0) for r in rows], axis=0)
        count, units = int((~alive).sum()), alive.size
        if _OFF * units <= count < units or (count == units and not _tells_zero(way)):
            yield Finding(
                f"{count} of the {units} units of '{step.op.name}' (op type: {step.op.type}) are off",
                f"they are 0 for all {sum(map(len, rows))} rows ({share(count, units)}), so their weights get no "
                "gradient and stay",
                "a smaller learning rate or smaller first weights, a bias that begins above 0, or tf.nn.leaky_relu",
                step.op,
            )


def _tells_zero(way: Way) -> bool:
    """Whether ``zero`` tells of it."""
    return any(w.gradient is not None and w.gradient.is_zero for w in way.weights)


# -- alike -------------------------------------------------------------------------------------


def alike(way: Way) -> Iterator[Finding]:
    """Weights of several units that are the same number and have the same gradient: they stay one unit."""
    found = []
    for weight in way.weights:
        if weight.value is None or weight.gradient is None or not weight.gradient.norm or len(weight.value.shape) < 2:
            continue
        units = weight.value.shape[-1]
        if units < 2 or weight.value.low != weight.value.high or weight.value.size == units:
            continue
        (dw, *_) = way.record.of(weight.gradient_tensor) if isinstance(weight.gradient_tensor, Tensor) else [None]
        if isinstance(dw, np.ndarray) and dw.shape == weight.value.shape:
            columns = dw.reshape(-1, units)
            if np.allclose(columns, columns[:, :1], rtol=1e-4, atol=0):
                found.append((weight, units))
    if found:
        names = listed([w.name for w, _ in found])
        yield Finding(
            f"all units of {names} are alike, and stay so",
            "their weights are one number and have one gradient, so every step changes them alike",
            "tf.glorot_uniform_initializer() for weights; constants are for biases",
            found[0][0].tensor.op,
        )
