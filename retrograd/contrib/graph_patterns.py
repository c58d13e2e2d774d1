"""Patterns of ops and their inputs, found in a graph.

Source: TensorFlow 1.15.5, ``tf.contrib.quantize``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations
from typing import Any

from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor

Match = dict["Pattern", tuple[Operation, Any]]  # what each pattern fits: an op, and the output that was asked for


class Pattern:
    """An op of one of the types ``"A|B"`` (any: ``"*"``) whose inputs fit patterns, in their order or in any."""

    def __init__(self, types: str, *inputs: Any, ordered: bool = True) -> None:
        self._types = None if types == "*" else types.split("|")
        self._inputs = [Pattern(given) if isinstance(given, str) else given for given in inputs]
        self._ordered = ordered

    def match(self, op: Operation, tensor: Tensor | None = None) -> Match | None:
        """What the patterns fit, or None.  Parts of an order of inputs that does not fit stay, as in TensorFlow."""
        if self._types is not None and op.type not in self._types:
            return None
        found: Match = {self: (op, tensor)}
        if not self._inputs:
            return found
        if len(op.inputs) != len(self._inputs):
            return None
        for order in [self._inputs] if self._ordered else permutations(self._inputs):
            for read, pattern in zip(op.inputs, order, strict=True):
                inner = pattern.match(read.op, read)
                if inner is None:
                    break
                found.update(inner)
            else:
                return found
        return None


class OneOf(Pattern):
    """The first of several patterns that fits."""

    def __init__(self, *patterns: Pattern) -> None:
        self._patterns = patterns

    def match(self, op: Operation, tensor: Tensor | None = None) -> Match | None:
        for pattern in self._patterns:
            found = pattern.match(op, tensor)
            if found is not None:
                return found
        return None


def matches(pattern: Pattern, ops: Iterable[Operation]) -> Iterator[Match]:
    """The places where a pattern fits."""
    for op in ops:
        found = pattern.match(op)
        if found is not None:
            yield found


def op_of(match: Match, pattern: Pattern) -> Any:
    """The op that fits a pattern, or None."""
    return match[pattern][0] if pattern in match else None


def tensor_of(match: Match, *patterns: Pattern) -> Any:
    """The tensor that fits the first of several patterns that has one, or None."""
    for pattern in patterns:
        if pattern in match and match[pattern][1] is not None:
            return match[pattern][1]
    return None
