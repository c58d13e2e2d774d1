"""How far apart sequences are."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph.apply import apply
from retrograd.graph.definition import define, not_differentiable
from retrograd.graph.shapes import RawShape
from retrograd.graph.sparse import SparseTensor, SparseTensorValue
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor


def _distances(starts: Any, ends: Any) -> Any:
    """The fewest insertions, deletions and replacements that make each of ``ends`` of its start (Levenshtein).

    Both are (lengths, rows filled up with anything).
    """
    (from_lengths, rows), (to_lengths, columns) = starts, ends
    places = np.arange(columns.shape[1] + 1)
    row = np.broadcast_to(places, (len(columns), places.size))
    every = np.arange(len(columns))
    result = to_lengths.astype(np.int64)
    for i in range(1, rows.shape[1] + 1):
        best = np.empty_like(row)
        best[:, 0] = i
        np.minimum(row[:, 1:] + 1, row[:, :-1] + (columns != rows[:, i - 1 : i]), out=best[:, 1:])
        row = np.minimum.accumulate(best - places, 1) + places  # or one more than to the left
        done = every[from_lengths == i]
        result[done] = row[done, to_lengths[done]]
    return result


def _sequences(where: Any, kinds: Any, count: int) -> tuple[Any, Any]:
    """The lengths of ``count`` sequences, and their elements: ``where`` tells of each element to which it belongs."""
    lengths = np.bincount(where, minlength=count)
    order = np.argsort(where, kind="stable")
    rows = np.zeros((count, max(lengths, default=0)), kinds.dtype)
    rows[np.arange(rows.shape[1]) < lengths[:, None]] = kinds[order]
    return lengths, rows


def _edit_distance(
    xp: Any, hypothesis_indices: Any, hypothesis_values: Any, hypothesis_shape: Any, truth_indices: Any,
    truth_values: Any, truth_shape: Any, *, normalize: bool,
) -> Any:  # fmt: skip
    shape = tuple(np.maximum(hypothesis_shape, truth_shape)[:-1].tolist())
    places = np.concatenate([hypothesis_indices, truth_indices])[:, :-1]
    found, where = np.unique(places, axis=0, return_inverse=True)
    _, kinds = np.unique(np.concatenate([hypothesis_values, truth_values]), return_inverse=True)
    where, n, count = where.reshape(-1), len(hypothesis_indices), len(found)
    guesses, truths = [_sequences(where[part], kinds[part], count) for part in (slice(n), slice(n, None))]
    distances = _distances(guesses, truths).astype(np.float32)
    if normalize:
        lengths = truths[0]
        distances = np.where(lengths > 0, distances / np.maximum(lengths, 1), np.inf)
    result = np.zeros(shape, np.float32)
    result[tuple(found.T)] = distances
    return result


def _outer_shape(
    hypothesis_indices: Tensor, hypothesis_values: Tensor, hypothesis_shape: Tensor, truth_indices: Tensor,
    truth_values: Tensor, truth_shape: Tensor,
) -> RawShape:  # fmt: skip
    a, b = static_value(hypothesis_shape), static_value(truth_shape)
    if a is None or b is None:
        return None
    return tuple(np.maximum(a, b)[:-1].tolist())


EDIT_DISTANCE = define(
    "EditDistance",
    "hypothesis_indices: int64, hypothesis_values: T, hypothesis_shape: int64, truth_indices: int64, truth_values: T, "
    "truth_shape: int64",
    "output: float32", attrs={"normalize": True}, shape=_outer_shape, kernel=_edit_distance,
    gradient=not_differentiable,
)  # fmt: skip


def edit_distance(hypothesis: Any, truth: Any, normalize: bool = True, name: str = "edit_distance") -> Tensor:
    """The Levenshtein distance between the sequences of two sparse tensors, over the length of the true one.

    Raises:
      TypeError: an argument is no ``SparseTensor``.
    """
    for which, value in (("Hypothesis", hypothesis), ("Truth", truth)):
        if not isinstance(value, SparseTensor | SparseTensorValue):
            raise TypeError(f"{which} must be a SparseTensor.")
    a, b = (SparseTensor.from_value(v) if isinstance(v, SparseTensorValue) else v for v in (hypothesis, truth))
    return apply(
        EDIT_DISTANCE, a.indices, a.values, a.dense_shape, b.indices, b.values, b.dense_shape, normalize=normalize,
        name=name,
    )  # fmt: skip
