"""Regions of images, and rows matched with columns by their distances.  Source: TensorFlow 1.15.5's ops and numbers."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import Effect, define, not_differentiable
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, casts, comparison, conditions, constants, joining, shape_rules, uniqueness
from retrograd.ops import indexing as indexing_ops

# -- pixels of one region ------------------------------------------------------------------------


def _components(xp: Any, image: Any) -> Any:
    """Each pixel gets 1 + the place of its region's first pixel, and 0 where the image is 0."""
    image = np.asarray(image)
    labels = np.arange(1, image.size + 1).reshape(image.shape)
    across = [(np.s_[:, 1:], np.s_[:, :-1]), (np.s_[:, :, 1:], np.s_[:, :, :-1])]
    alike = [image[here] == image[there] for here, there in across]
    while True:
        low = labels.copy()
        for (here, there), same in zip(across, alike, strict=True):
            low[here] = np.where(same, np.minimum(low[here], low[there]), low[here])
            low[there] = np.where(same, np.minimum(low[here], low[there]), low[there])
        low = low.reshape(-1)[low - 1] if low.size else low  # the label of the pixel that the label names
        if np.array_equal(low, labels):
            nothing = b"" if image.dtype == object else image.dtype.type(0)
            return np.where(image != nothing, labels, 0)
        labels = low


COMPONENTS = define(
    "ImageConnectedComponents",
    "image: dtype",
    "components: int64",
    types={"dtype": (
        dtypes.int64, dtypes.int32, dtypes.uint16, dtypes.int16, dtypes.uint8, dtypes.int8, dtypes.float16,
        dtypes.float32, dtypes.float64, dtypes.bool, dtypes.string,
    )},
    shape=shape_rules.same,
    kernel=_components,
    gradient=not_differentiable,
)  # fmt: skip


def connected_components(images: Any) -> Tensor:
    """The regions of equal neighbors, numbered from 1 on over all images; 0 where an image is 0, False or empty.

    Raises:
      TypeError: the rank is neither 2 (rows, columns) nor 3 (images, rows, columns).
    """
    with name_scope("connected_components"):
        given = as_tensor(images, name="images")
        if len(given.shape) not in (2, 3):
            raise TypeError(f"images should have rank 2 (HW) or 3 (NHW). Static shape is {given.shape}")
        found = apply(COMPONENTS, given[None, :, :] if len(given.shape) == 2 else given)
        labels, index = uniqueness.unique(arrays.reshape(found, [-1]))
        zeros = comparison.where_v2(comparison.equal(labels, 0))[:, 0]
        numbers = constants.range_(arrays.shape(labels)[0] - arrays.shape(zeros)[0]) + 1

        def with_zero() -> Tensor:
            at = casts.cast(zeros[0], dtypes.int32)
            before = numbers[:at]
            return joining.concat([before, [0], numbers[at:]], axis=0)

        of_labels = conditions.cond(comparison.equal(arrays.shape(zeros)[0], 0), lambda: numbers, with_zero)
        numbered = arrays.reshape(indexing_ops.gather(of_labels, index), arrays.shape(found))
        return numbered[0, :, :] if len(given.shape) == 2 else numbered


# -- rows matched with columns -------------------------------------------------------------------


def _match(xp: Any, memory: Any, distances: Any, rows: Any, *, top_k: int) -> list[Any]:
    """The nearest pair of a row and a column that both are free, again and again."""
    shape_rules.check_rank(distances, 2, "distance_mat should be 2-dimensional, but got {}")
    rows = len(distances) if rows < 0 else int(rows)
    if rows > len(distances):
        text = f"There should be at least {rows} rows in distance_mat, but only got {len(distances)} rows."
        raise InvalidArgumentError(None, None, text)
    columns = distances.shape[1]
    of_rows, of_columns = np.full(len(distances), -1, np.int32), np.full(columns, -1, np.int32)
    left = min(rows, columns) if top_k < 0 else top_k
    for at in np.argsort(distances[:rows], axis=None, kind="stable"):
        row, column = divmod(int(at), columns)
        if of_rows[row] < 0 and of_columns[column] < 0:
            of_rows[row], of_columns[column] = column, row
            left -= 1
            if left <= 0:
                break
    return [of_rows, of_columns]


def _one_for_each(distances: Tensor, rows: Tensor) -> list[Any]:
    """One number for each row, and one for each column."""
    m, n = shape_rules.with_rank(distances, 2)
    shape_rules.with_rank(rows, 0)
    return [(m,), (n,)]


MATCH = define(
    "BipartiteMatch",
    "distance_mat: float32, num_valid_rows: float32",
    "row_to_col_match_indices: int32, col_to_row_match_indices: int32",
    attrs={"top_k": -1},
    shape=_one_for_each,
    kernel=_match,
    effect=Effect.HOST,
    gradient=not_differentiable,
)


class BipartiteMatch(NamedTuple):
    """For each row its column and for each column its row; -1 where there is none."""

    row_to_col_match_indices: Tensor
    col_to_row_match_indices: Tensor


def bipartite_match(
    distance_mat: Any, num_valid_rows: Any, top_k: int = -1, name: str | None = "bipartite_match"
) -> BipartiteMatch:
    """Rows and columns matched greedily: the smallest distance first, at most ``top_k`` pairs (-1: as many as can be).

    ``num_valid_rows``: how many rows count, from the first on; -1 for all.
    """
    return BipartiteMatch(*apply(MATCH, distance_mat, num_valid_rows, top_k=top_k, name=name))
