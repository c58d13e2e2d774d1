"""Gradients of a rectifier in front of max pooling, taken behind the pooling.

``ReluGrad`` lets through what comes to positive elements.  Behind ``MaxPoolGrad`` gradients come to the largest
elements of windows alone, and these are what the pooling gave: so the gradient that comes into the pooling is let
through where its output is positive.  That is the same, of a quarter of the numbers or fewer.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor
from retrograd.ops.activations import RELU6_GRAD, RELU_GRAD
from retrograd.ops.apart import apart

_RULES = {definition.name: definition.kernel for definition in (RELU_GRAD, RELU6_GRAD)}
_WINDOWS = ("ksize", "strides", "padding", "data_format")


class Rectified:
    """The gradients of rectifiers among ``ops`` that are taken elsewhere; ``given`` and ``asked`` are tensors."""

    def __init__(self, ops: Sequence[Operation], given: Collection[Tensor], asked: Collection[Tensor]) -> None:
        self.by_pooling: dict[Operation, Operation] = {}  # MaxPoolGrad: the gradient behind it
        rules = [op for op in ops if op.type in _RULES and op.inputs[0].op.type == "MaxPoolGrad"]
        if not rules:
            return
        readers: dict[Tensor, int] = {}
        for op in ops:
            for tensor in op.inputs:
                readers[tensor] = readers.get(tensor, 0) + 1
        kept = {*given, *asked}
        for rule in rules:
            gradient, features = rule.inputs
            if gradient not in kept and readers[gradient] == 1 and _pools(gradient.op, features, given):
                self.by_pooling[gradient.op] = rule
        self.rules = frozenset(self.by_pooling.values())

    rules: Collection[Operation] = frozenset()  # what does nothing any more

    def let_through(self, xp: Any, pooling: Operation, y: Any, dy: Any) -> Any:
        """``dy`` of the output y of a pooling, as its ``MaxPoolGrad`` is to take it."""
        rule = _RULES[self.by_pooling[pooling].type]
        assert rule is not None
        masked = rule(xp, dy, y)
        return masked if xp is np else apart(masked)  # else XLA would ask again for each place of a window


def _pools(gradient: Operation, features: Tensor, given: Collection[Tensor]) -> bool:
    """Whether ``gradient`` is of a pooling of ``features``, which gave what it says."""
    x, y, _ = gradient.inputs
    pooling = y.op
    if x is not features or y in given or pooling.type != "MaxPool" or pooling.inputs[0] is not x:
        return False
    return all(pooling.attrs[name] == gradient.attrs[name] for name in _WINDOWS)
