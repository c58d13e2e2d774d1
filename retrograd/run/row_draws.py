"""Random numbers for many rows at once: those that each row would draw when its turn came."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph.operation import Operation
from retrograd.ops import draws, philox
from retrograd.ops.random import check_bounds, wanted_dims
from retrograd.ops.streams import Stream


class Drawn:
    """What rows took of a stream: those numbered in ``alive``, or all, one after the other."""

    def __init__(self, stream: Stream, alive: np.ndarray | None) -> None:
        self.stream, self.alive = stream, alive
        self.first = stream.value
        self._places: list[Any] = []  # of the stream before each row, if they take different numbers of blocks
        self._each = 0

    def take(self, count: int, blocks: int) -> tuple[Any, Any]:
        """The stream's key, and its counter, from where each of ``count`` rows may read so many blocks."""
        self._each = blocks
        return self.stream.take(np, count * blocks)

    def before_row(self) -> None:
        """The next row is about to draw."""
        self._places.append(self.stream.value)

    def take_back(self, kept: int) -> None:
        """Let the stream go on behind what the first ``kept`` of all rows took."""
        rows = kept if self.alive is None else int(np.searchsorted(self.alive, kept))
        if self._each:
            self.stream.value = philox.advance(np, self.first, rows * self._each)
        elif rows < len(self._places):
            self.stream.value = self._places[rows]


def _filling(fill: Callable[..., Any]) -> Callable[[Operation, Drawn, list[Any], int], Any]:
    def draw(op: Operation, drawn: Drawn, inputs: list[Any], count: int) -> Any:
        dims = wanted_dims(inputs[0])
        key, counter = drawn.take(count, draws.blocks_per_fill(math.prod(dims)))
        return fill(key, counter, count, dims, op.attrs["dtype"].np)

    return draw


def _integers(op: Operation, drawn: Drawn, inputs: list[Any], count: int) -> Any:
    shape, minval, maxval = inputs
    dims = wanted_dims(shape)
    check_bounds(np, dims, minval, maxval)
    key, counter = drawn.take(count, draws.blocks_per_fill(math.prod(dims)))
    return draws.rows_of_integers(key, counter, count, dims, op.attrs["Tout"].np, minval, maxval)


DRAWS: dict[str, Callable[[Operation, Drawn, list[Any], int], Any]] = {
    "RandomUniform": _filling(draws.rows_of_uniforms),
    "RandomStandardNormal": _filling(draws.rows_of_normals),
    "RandomUniformInt": _integers,
}
