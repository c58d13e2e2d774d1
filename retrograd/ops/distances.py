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


def _distance(a: np.ndarray, b: np.ndarray) -> int:
    """The fewest insertions, deletions and replacements that make ``b`` of ``a`` (Levenshtein)."""
    short, long = sorted((a, b), key=len)
    row = places = np.arange(len(long) + 1)
    for i, x in enumerate(short, 1):
        best = np.minimum(row[1:] + 1, row[:-1] + (long != x))
        row = np.minimum.accumulate(np.concatenate([[i], best]) - places) + places  # or one more than to the left
    return int(row[-1])


def _sequences(indices: Any, values: Any) -> dict[tuple[int, ...], np.ndarray]:
    found: dict[tuple[int, ...], list[int]] = {}
    for i, place in enumerate(np.asarray(indices)[:, :-1].tolist()):
        found.setdefault(tuple(place), []).append(i)
    return {place: np.asarray(values)[numbers] for place, numbers in found.items()}


def _edit_distance(
    xp: Any, hypothesis_indices: Any, hypothesis_values: Any, hypothesis_shape: Any, truth_indices: Any,
    truth_values: Any, truth_shape: Any, *, normalize: bool,
) -> Any:  # fmt: skip
    guesses, truths = _sequences(hypothesis_indices, hypothesis_values), _sequences(truth_indices, truth_values)
    result = np.zeros(tuple(np.maximum(hypothesis_shape, truth_shape)[:-1].tolist()), np.float32)
    nothing = np.asarray(truth_values)[:0]
    for place in guesses.keys() | truths.keys():
        guess, truth = guesses.get(place, nothing), truths.get(place, nothing)
        distance = float(_distance(guess, truth))
        if normalize:
            distance = distance / len(truth) if len(truth) else np.inf
        result[place] = distance
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
