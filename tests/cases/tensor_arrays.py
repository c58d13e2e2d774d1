"""Rows of the ops of arrays: one that writes and one that reads together."""

from __future__ import annotations

from typing import Any

from case_table import Row, normal

from retrograd.flow.tensor_array import TensorArray
from retrograd.graph.tensor import Tensor
from retrograd.ops import powers


def array(x: Tensor, size: int = 3, **facts: Any) -> TensorArray:
    """An empty array for elements like ``x``."""
    return TensorArray(x.dtype, size, clear_after_read=False, **facts)


def written(x: Tensor, y: Tensor) -> list[Tensor]:
    """Two elements, one of them read twice, and one that nobody wrote."""
    a = array(x).write(2, x).write(0, powers.square(y))
    return [a.read(2) * a.read(0), powers.square(a.read(2))]


def scattered(x: Tensor) -> Tensor:
    """Rows in another order, one of them twice."""
    return powers.square(array(x, 0, dynamic_size=True).scatter([3, 0, 1], x).gather([1, 3, 1]))


def scattered_later(x: Tensor) -> Tensor:
    """Rows behind one that was written before."""
    return powers.square(array(x).write(1, x[1]).scatter([2, 0], x[:2]).stack())


def unstacked(x: Tensor) -> Tensor:
    """All rows, and once more."""
    a = array(x).unstack(x)
    return powers.square(a.stack()) * a.read(1)


def split(x: Tensor) -> list[Tensor]:
    """Pieces of several lengths, together and alone."""
    a = array(x, infer_shape=False).split(x, [1, 0, 2])
    return [powers.square(a.concat()), powers.square(a.read(2))]


ROWS = [
    Row(
        "TensorArrayWriteV3", written, (normal(2), normal(2, seed=1)), traced=False,
        also=("TensorArrayReadV3", "TensorArrayV3"),
    ),
    Row("TensorArrayScatterV3", scattered, (normal(3, 2),), traced=False, also=("TensorArrayGatherV3",)),
    Row("TensorArrayScatterV3", scattered_later, (normal(3, 2),), traced=False, label="later"),
    Row("TensorArrayGatherV3", unstacked, (normal(3, 2),), traced=False, also=("TensorArraySizeV3",)),
    Row("TensorArraySplitV3", split, (normal(3, 2),), traced=False, also=("TensorArrayConcatV3",)),
]  # fmt: skip
