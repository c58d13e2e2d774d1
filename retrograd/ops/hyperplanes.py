"""``HyperplaneLSHProbes``: in which cells between hyperplanes a point's neighbours may lie, the likeliest first.

Source: Lv et al., "Multi-probe LSH", 2007; the order of TensorFlow 1.15.5's kernel.
"""

from __future__ import annotations

import heapq
from itertools import count
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import Effect, define, not_differentiable
from retrograd.graph.errors import invalid
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor


def _probes(row: Any, tables: int, planes: int, wanted: int) -> tuple[list[int], list[int]]:
    """The cells of one point: its own in each table, then those across the planes that are nearest to it.

    A cell is a set of planes crossed; its score is the sum of their squared distances.  From the sets that end with the
    i-th nearest plane follow those in which the next takes its place, and those that it joins.
    """
    distances = row.reshape(tables, planes)
    bits = 1 << np.arange(planes - 1, -1, -1, dtype=np.int64)
    own = [int(b) for b in (distances >= 0) @ bits]
    cells, places = own[:wanted], list(range(min(tables, wanted)))
    order = np.argsort(np.abs(distances), axis=1, kind="stable")
    ties = count()
    heap = [(float(distances[t, order[t, 0]]) ** 2, next(ties), t, int(bits[order[t, 0]]), 0) for t in range(tables)]
    heapq.heapify(heap)
    while len(cells) < wanted and heap:
        score, _, t, mask, last = heapq.heappop(heap)
        cells.append(own[t] ^ mask)
        places.append(t)
        if last + 1 < planes:
            here, there = order[t, last], order[t, last + 1]
            far = float(distances[t, there]) ** 2
            instead = mask ^ int(bits[here]) ^ int(bits[there])
            near = float(distances[t, here]) ** 2
            heapq.heappush(heap, (score - near + far, next(ties), t, instead, last + 1))
            heapq.heappush(heap, (score + far, next(ties), t, mask ^ int(bits[there]), last + 1))
    return cells, places


def _scalar(value: Any, name: str) -> int:
    if value.ndim:
        raise invalid(f"Need a scalar {name} tensor, got {value.ndim} dimensions.")
    return int(value)


def _all_probes(xp: Any, memory: Any, product: Any, tables: Any, planes: Any, probes: Any) -> list[Any]:
    if product.ndim != 2:
        raise invalid(f"Need a two-dimensional products tensor, got {product.ndim} dimensions.")
    n_tables, n_planes = _scalar(tables, "num_tables"), _scalar(planes, "num_hyperplanes_per_table")
    n_probes = _scalar(probes, "num_probes")
    for name, n in (("num_tables", n_tables), ("num_hyperplanes_per_table", n_planes)):
        if n < 1:
            raise invalid(f"{name} must be at least 1 but got {n}.")
    if n_planes > 30:
        raise invalid(f"Need num_hyperplanes_per_table <= 30, got {n_planes}.")
    if n_probes < 1:
        raise invalid("num_probes must be at least 1.")
    if product.shape[1] != n_tables * n_planes:
        raise invalid(
            f"Expected number of hyperplanes is {n_tables * n_planes} but received {product.shape[1]} inner products "
            "per point."
        )
    if n_probes > n_tables * (1 << n_planes):
        raise invalid(f"num_probes is {n_probes}, and there are {n_tables * (1 << n_planes)} cells.")
    found = [_probes(np.asarray(row), n_tables, n_planes, n_probes) for row in product]
    return [np.array([pair[i] for pair in found], np.int32).reshape(len(product), n_probes) for i in (0, 1)]


def _shapes(product: Tensor, tables: Tensor, planes: Tensor, probes: Tensor) -> list[RawShape]:
    rows = None if product.dims is None else product.dims[0]
    return [(rows, None), (rows, None)]


PROBES = define(
    "HyperplaneLSHProbes",
    "point_hyperplane_product: CoordinateType, num_tables: int32, num_hyperplanes_per_table: int32, num_probes: int32",
    "probes: int32, table_ids: int32", types={"CoordinateType": (dtypes.float32, dtypes.float64)}, shape=_shapes,
    kernel=_all_probes, gradient=not_differentiable, effect=Effect.HOST,
)  # fmt: skip


def hyperplane_lsh_probes(
    point_hyperplane_product: Any, num_tables: Any, num_hyperplanes_per_table: Any, num_probes: Any,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """(cells, their tables), both [batch, num_probes]: where to look for the neighbours of points.

    Args:
      point_hyperplane_product: products of points and hyperplanes, [batch, tables * planes].
      num_tables, num_hyperplanes_per_table: how many there are; at most 30 planes.
      num_probes: how many cells are wanted; the first are each table's own.

    Raises:
      InvalidArgumentError: when run, the sizes do not fit.
    """
    product = as_tensor(point_hyperplane_product, name="point_hyperplane_product")
    cells, tables = apply(PROBES, product, num_tables, num_hyperplanes_per_table, num_probes, name=name)
    return cells, tables
