"""How far apart sequences are."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph.apply import apply
from retrograd.graph.definition import define, not_differentiable
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.shapes import RawShape
from retrograd.graph.sparse import SparseTensor, SparseTensorValue
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor


def _distances(starts: Any, ends: Any) -> Any:
    """The fewest insertions, deletions and replacements that make each of ``ends`` of its start (Levenshtein).

    d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + (x[i] != y[j])), kept as u[j] = d[i, j] - j.
    Both are (lengths, columns filled up with anything), a sequence in each column.
    """
    (from_lengths, x), (to_lengths, y) = starts, ends
    u = np.zeros((len(y) + 1, len(to_lengths)), np.int32)
    result = to_lengths.astype(np.int64)
    for i in range(1, len(x) + 1):
        matched = u[:-1] - (y == x[i - 1])
        u += 1
        np.minimum(u[1:], matched, out=u[1:])
        np.minimum.accumulate(u, 0, out=u)
        done = np.flatnonzero(from_lengths == i)
        result[done] = u[to_lengths[done], done] + to_lengths[done]
    return result


def _sequences(where: Any, elements: Any, count: int) -> tuple[Any, Any]:
    """The lengths of ``count`` sequences, and these as columns: ``where`` tells to which each element belongs."""
    lengths = np.bincount(where, minlength=count)
    if (np.diff(where) < 0).any():
        order = np.argsort(where, kind="stable")
        where, elements = where[order], elements[order]
    columns = np.zeros((max(lengths, default=0), count), elements.dtype)
    columns[np.arange(len(where)) - (np.cumsum(lengths) - lengths)[where], where] = elements
    return lengths, columns


def _edit_distance(
    xp: Any, hypothesis_indices: Any, hypothesis_values: Any, hypothesis_shape: Any, truth_indices: Any,
    truth_values: Any, truth_shape: Any, *, normalize: bool,
) -> Any:  # fmt: skip
    if len(truth_shape) < 2:
        words = f"Input SparseTensors must have rank at least 2, but truth_shape rank is: {len(truth_shape)}"
        raise InvalidArgumentError(None, None, words)
    shape = tuple(np.maximum(hypothesis_shape, truth_shape)[:-1].tolist())
    places = np.concatenate([hypothesis_indices, truth_indices])[:, :-1]
    found, where = np.unique(np.ravel_multi_index(tuple(places.T), shape), return_inverse=True)
    n, count = len(hypothesis_indices), len(found)
    guesses = _sequences(where[:n], hypothesis_values, count)
    truths = _sequences(where[n:], truth_values, count)
    distances = _distances(guesses, truths).astype(np.float32)
    if normalize:
        lengths = truths[0]
        distances = np.where(lengths > 0, distances / np.maximum(lengths, 1), np.inf)
    result = np.zeros(shape, np.float32)
    result.reshape(-1)[found] = distances
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
