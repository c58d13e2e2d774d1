"""Random numbers of a piece that runs for many rows: every row has numbers of its own.

A random op of the piece gives way to one outside of it, which draws for all rows at once; the piece is given its
row of the numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.derivatives.capturing import behind
from retrograd.graph.apply import apply_op
from retrograd.graph.definition import Effect
from retrograd.graph.operation import Operation
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, constants, joining, permuting

Stacked = Callable[[Tensor], Tensor]  # a tensor of the piece, for all rows


def random_ops_behind(tensors: list[Tensor], stop: set[Tensor], since: int) -> list[Operation]:
    """The random ops built ``since`` that ``tensors`` are computed from, those first that others are computed from."""
    found: dict[Operation, None] = {}
    seen = set(stop)
    stack = list(tensors)
    while stack:
        tensor = stack.pop()
        if tensor not in seen:
            seen.add(tensor)
            if tensor.op.index >= since and tensor.op.definition.effect is Effect.RANDOM:
                found[tensor.op] = None
            stack += tensor.op.inputs
    return sorted(found, key=lambda op: op.index)


def drawn(op: Operation, n: Tensor, rows: set[Tensor], stacked: Stacked) -> Tensor:
    """What ``op`` of a piece draws for all of ``n`` rows.

    Raises:
      ValueError: it cannot be drawn for all rows at once.
    """

    def varies(x: Tensor) -> bool:
        return not rows.isdisjoint(behind([x]))

    attrs = {key: op.attrs[key] for key in op.definition.attrs if key in op.attrs}

    def draw(*inputs: Any) -> Tensor:
        return apply_op(op.definition, *inputs, **attrs).outputs[0]

    def number(x: Tensor) -> Any:
        """A shape, or a number of samples: the same in every row."""
        known = static_value(x)
        return stacked(x)[0] if known is None and varies(x) else x if known is None else constants.constant(known)

    first, *others = op.inputs
    if op.type in _OF_A_SHAPE and not any(map(varies, others)):
        return draw(joining.concat([n[None], number(first)], 0), *others)
    if op.type in ("RandomGamma", "RandomPoissonV2"):
        samples = draw(number(first), stacked(others[0]))
        rank = arrays.size(first)
        order = joining.concat(
            [rank[None], constants.range_(rank), constants.range_(rank + 1, arrays.rank(samples))], 0
        )
        return permuting.transpose(samples, order)
    if op.type == "Multinomial":
        count = number(others[0])
        if varies(first):
            logits = stacked(first)
            samples = draw(arrays.reshape(logits, joining.concat([[-1], arrays.shape(logits)[2:]], 0)), count)
            return arrays.reshape(samples, joining.stack([n, -1, count]))
        samples = arrays.reshape(draw(first, count * n), joining.stack([-1, n, count]))
        return permuting.transpose(samples, [1, 0, 2])
    raise ValueError(f"No converter defined for {op.type}\n{op}\ninputs: {list(op.inputs)}.")


_OF_A_SHAPE = ("RandomUniform", "RandomUniformInt", "RandomStandardNormal", "TruncatedNormal", "RandomGamma",
               "RandomPoissonV2")  # fmt: skip
