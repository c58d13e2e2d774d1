"""Gradients that fade or grow on their way back, and what they fade in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from math import exp, log
from typing import Any

import numpy as np

from retrograd.explain.finding import Finding, listed, short_place
from retrograd.explain.measures import number, share
from retrograd.explain.way import PRODUCTS, READS, Step, Way
from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor

_LITTLE = 1e-3  # of what arrives at the last layer is left at the first
_LAYERS = 4  # that make a network deep
_STEPS = 8  # that make a sequence long
_SATURATED = 0.75  # of the elements


def fading_or_growing(way: Way) -> Iterator[Finding]:
    """Networks whose first layers get a thousandth of the gradient of the last, or a thousand times as much."""
    chain = _longest_chain(way)
    layers = [s for s in chain if s.op.type in PRODUCTS and s.gradient is not None and s.gradient.norm]
    layers = [s for s in layers if s.gradient is not None and s.gradient.is_finite]
    if len(layers) < _LAYERS:
        return
    first, last = layers[0], layers[-1]
    assert first.gradient is not None
    assert last.gradient is not None
    ratio = first.gradient.norm / last.gradient.norm
    if _LITTLE <= ratio <= 1 / _LITTLE:
        return
    each = exp(log(ratio) / (len(layers) - 1))
    sizes = f"{number(last.gradient.norm)} at '{last.op.name}' to {number(first.gradient.norm)} at '{first.op.name}'"
    where = f"{short_place(last.op)} to {short_place(first.op)}"
    blamed, told, fix = _blamed(way, chain[chain.index(first) : chain.index(last) + 1], growing=ratio > 1)
    yield Finding(
        f"the gradient {'grows' if ratio > 1 else 'fades'} on its way back: times {number(each)} in each layer",
        f"from {sizes}, {len(layers)} layers ({where}).  {told}",
        fix,
        blamed or first.op,
    )


def over_time(way: Way) -> Iterator[Finding]:
    """Loops whose early steps get a thousandth of the gradient of the late ones, or a thousand times as much."""
    found: dict[object, tuple[float, Step]] = {}
    for step in way.steps.values():
        if step.op.type not in PRODUCTS or step.gradient is None or len(step.gradient.series) < _STEPS:
            continue
        series = np.asarray(step.gradient.series)
        if not np.isfinite(series).all() or not series.any() or not step.gradient.is_finite:
            continue
        last = int(np.nonzero(series)[0][-1])
        start = float(series[: max(last // 8, 1)].max()) or 1e-45
        ratio = start / float(series[max(last - last // 8, 1) : last + 1].max() or 1e-45)
        found.setdefault(step.op.context, (ratio, step))
    for ratio, step in found.values():
        if _LITTLE <= ratio <= 1 / _LITTLE:
            continue
        assert step.gradient is not None
        count = len(step.gradient.series)
        each = exp(log(ratio) / (count - 1))
        inside = [s for s in way.steps.values() if s.op.context is step.op.context]
        _, told, fix = _blamed(way, inside, growing=ratio > 1, in_loop=True)
        reach = max(round(log(_LITTLE) / log(each)), 1) if each < 1 else 0
        tail = f"; what lies {reach} steps back counts for less than a thousandth" if reach else ""
        does = "grows" if ratio > 1 else "fades"
        yield Finding(
            f"the gradient {does} through time: times {number(each)} in each of {count} steps",
            f"at '{step.op.name}' it is {number(step.gradient.series[-1])} in the last step and "
            f"{number(step.gradient.series[0])} in the first{tail}.  {told}",
            fix,
            step.op,
        )


def _longest_chain(way: Way) -> list[Step]:
    """The steps of a longest way from an x to a y, by the layers on it, loops aside; the first is nearest to x."""
    depth: dict[Tensor, tuple[int, Tensor | None]] = {}
    for tensor in way.steps:  # in the order in which they were built
        inputs = [x for x in tensor.op.inputs if x in depth]
        before = max(inputs, key=lambda x: depth[x][0], default=None)
        depth[tensor] = (0 if before is None else depth[before][0]) + (tensor.op.type in PRODUCTS), before
    goals = [t for y in way.ys for t in (y, *y.op.inputs) if t in depth] or list(depth)
    at: Tensor | None = max(goals, key=lambda t: depth[t][0], default=None)
    chain = []
    while at is not None:
        chain.append(way.steps[at])
        at = depth[at][1]
    return chain[::-1]


def _blamed(way: Way, steps: list[Step], growing: bool, in_loop: bool = False) -> tuple[Operation | None, str, str]:
    """The kind of op among ``steps`` that changes gradients most: its first op, words, and what to type."""
    passed: dict[str, list[tuple[float, Operation]]] = defaultdict(list)
    for step in steps:
        for x in way.inputs(step.op):
            if x in steps and step.gradient is not None and x.gradient is not None and x.gradient.is_finite:
                alike = x.gradient.size == step.gradient.size or step.op.type in PRODUCTS
                if alike and x.gradient.norm and step.gradient.norm:
                    passed[step.op.type].append((log(x.gradient.norm / step.gradient.norm), step.op))
    kind = (max if growing else min)(passed, key=lambda k: sum(g for g, _ in passed[k]), default="")
    if not kind:
        return None, "", "tf.glorot_uniform_initializer(), or layers with normalization"
    gains = [g for g, _ in passed[kind]]
    op = passed[kind][0][1]
    told = f"Most of it in {kind}, which passes on {number(exp(sum(gains) / len(gains)))} times what it gets"
    weights = _weights_of(way, op) if kind in PRODUCTS else ""
    return op, told + (f": {weights}" if weights else ""), _mend(kind, growing, in_loop, is_gated="Sigmoid" in passed)


def _mend(kind: str, growing: bool, in_loop: bool, is_gated: bool) -> str:
    if in_loop and growing:
        return "tf.clip_by_global_norm(gradients, 1.0); tf.orthogonal_initializer() for the weights of the state"
    if in_loop and is_gated:
        return "normalized inputs, so that gates are not at their ends; forget_bias=1.0; shorter sequences"
    if in_loop:
        return "tf.nn.rnn_cell.LSTMCell or GRUCell, whose state passes derivatives on"
    if kind in ("Sigmoid", "Tanh"):
        return "tf.nn.relu with tf.variance_scaling_initializer(2.0), or normalization before it"
    return "tf.variance_scaling_initializer(2.0) for weights before relu, tf.glorot_uniform_initializer() else"


def _weights_of(way: Way, op: Operation) -> str:
    """How large the weights of a product are, beside what its size asks for."""
    for x in op.inputs:
        for weight in way.weights:
            source = x.op.inputs[0] if x.op.type in READS else x
            if source is weight.tensor and weight.value is not None and len(weight.value.shape) > 1:
                fan_in = int(np.prod(weight.value.shape[:-1]))
                fan = fan_in + weight.value.shape[-1] * int(np.prod(weight.value.shape[:-2]))
                return (
                    f"the weights '{weight.name}' are of size {number(weight.value.rms)}, "
                    f"where {number((2 / fan) ** 0.5)} keeps sizes"
                )
    return ""


# -- saturated ---------------------------------------------------------------------------------

_SLOPES = {"Sigmoid": (lambda y: y * (1 - y), 0.01), "Tanh": (lambda y: 1 - y * y, 0.04)}  # and a 25th of the largest


def saturated(way: Way) -> Iterator[Finding]:
    """Sigmoids and tangents, inside of a network, that are at their ends nearly everywhere; told by the line."""
    inner = _before_products(way)
    found: dict[Any, list[tuple[Step, int, int]]] = defaultdict(list)
    for step in way.steps.values():
        if step.op.type not in _SLOPES or step.tensor not in inner:
            continue
        slope, little = _SLOPES[step.op.type]
        values = [np.asarray(v, np.float64) for v in way.values(step.tensor)]
        size = sum(v.size for v in values)
        at_ends = sum(int((slope(v) < little).sum()) for v in values)
        if size and at_ends >= _SATURATED * size:
            found[step.line].append((step, at_ends, size))
    for rows in found.values():
        names = listed([step.op.name for step, _, _ in rows])
        part = share(sum(n for _, n, _ in rows), sum(n for _, _, n in rows))
        one = len(rows) == 1
        yield Finding(
            f"{names} {'is at its' if one else 'are at their'} ends in {part} of {'its' if one else 'their'} elements",
            "there the derivative of a sigmoid or a tangent is a 25th of the largest or less: what lies behind hardly "
            "learns",
            "inputs of about 1 in size: smaller first weights, normalized data, or normalization before it",
            rows[0][0].op,
        )


def _before_products(way: Way) -> set[Tensor]:
    """The tensors that a layer reads, near or far, and those of loops."""
    found = {t for t in way.steps if t.op.context is not None and t.op.context.loop is not None}
    for tensor in reversed(way.steps):
        readers = [r for r in tensor.readers if any(y in way.made.of_tensors for y in r.outputs)]
        if any(r.type in PRODUCTS or not found.isdisjoint(r.outputs) for r in readers):
            found.add(tensor)
    return found
