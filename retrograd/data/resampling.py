"""Datasets whose classes come in other proportions: some elements are rejected, as many of a class as are too many.

With ``p`` the proportions that there are, ``t`` those that are wanted and ``r = t / p``, a part ``m = min(r)`` of the
result is drawn from all elements, the rest from those that are accepted, of class i with probability
``a_i = (r_i - m) / (max(r) - m)``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.data.dataset import Dataset
from retrograd.data.experimental import Transformation, sample_from_datasets, unbatch
from retrograd.data.folding import scan
from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, arrays, comparison, constants, indexing, reductions, repeating
from retrograd.ops.casts import cast
from retrograd.ops.conditions import cond
from retrograd.ops.printing import Print
from retrograd.ops.random import random_uniform

_ROWS = 32  # elements from which the proportions are estimated at a time
_BEFORE = 10  # elements of each class that count as seen before the first


def rejection_resample(
    class_func: Callable[..., Any], target_dist: Any, initial_dist: Any = None, seed: int | None = None
) -> Transformation:
    """``(class, element)`` of so many elements that class i has the proportion ``target_dist[i]``.

    Args:
      class_func: gives the class of an element, an int32.
      initial_dist: the proportions that there are; without them they are estimated from the elements seen so far.
    """

    def applied(dataset: Dataset) -> Dataset:
        target = as_tensor(target_dist, name="target_dist")
        classes = dataset.map(class_func)
        share = None
        if initial_dist is not None:
            initial = as_tensor(initial_dist, name="initial_dist")
            rates, part = _rates(initial, target)
            initials, accepted, parts = (Dataset.from_tensors(x).repeat() for x in (initial, rates, part))
            share = _static_share(initial, target)
        else:
            initials = _estimates(target, classes)
            both = initials.map(lambda found: _rates(found, target))
            accepted = both.map(lambda rates, _: rates)
            parts = both.map(lambda _, part: part)
        filtered = _accepted(dataset, accepted, initials, classes, seed).prefetch(3)
        if share == 0:
            return filtered
        whole = Dataset.zip((classes, dataset))
        if share == 1:
            return whole
        return sample_from_datasets([whole, filtered], parts.map(lambda part: [(part, 1.0 - part)]), seed)

    return applied


def _rates(initial: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """The probability to accept an element of each class, and the part that is drawn from all."""
    ratios = target / (initial + np.finfo(initial.dtype.as_numpy_dtype).tiny)
    most = reductions.reduce_max(ratios)
    part = reductions.reduce_min(ratios)
    return (ratios - part) / (most - part), part


def _static_share(initial: Tensor, target: Tensor) -> Any:
    there, wanted = constant_value(initial), constant_value(target)
    return None if there is None or wanted is None else np.min(wanted / there)


def _estimates(target: Tensor, classes: Dataset) -> Dataset:
    """The proportions that the classes seen so far have, once for each element."""
    count = target.shape[0].value or arrays.shape(target)[0]
    seen = constants.fill([count], np.int64(_BEFORE))

    def update_estimate_and_tile(seen: Tensor, batch: Tensor) -> tuple[Tensor, Tensor]:
        fresh = reductions.reduce_sum(indexing.one_hot(batch, seen.shape[0].value, dtype=dtypes.int64), 0)
        seen = arithmetic.add(seen, fresh)
        found = cast(arithmetic.truediv(seen, reductions.reduce_sum(seen)), dtypes.float32)
        return seen, repeating.tile(arrays.expand_dims(found, 0), [_ROWS, 1])

    return classes.batch(_ROWS).apply(scan(seen, update_estimate_and_tile)).apply(unbatch())


def _accepted(dataset: Dataset, rates: Dataset, initials: Dataset, classes: Dataset, seed: int | None) -> Dataset:
    """``(class, element)`` of the elements that chance accepts; the graph's functions are named after these here."""

    def maybe_warn_on_large_rejection(rate: Tensor, initial: Tensor) -> Any:
        rejected = reductions.reduce_sum((1 - rate) * initial)
        words = "Proportion of examples rejected by sampler is high: "
        return cond(
            comparison.less(rejected, 0.5), lambda: rate,
            lambda: Print(rate, [rejected, initial, rate], message=words, summarize=100, first_n=10),
        )  # fmt: skip

    def _gather_and_copy(c: Tensor, rate: Tensor, x: Any) -> tuple[Tensor, Tensor, Any]:
        return c, indexing.gather(rate, c), x

    rates = Dataset.zip((rates, initials)).map(maybe_warn_on_large_rejection)
    drawn = Dataset.zip((classes, rates, dataset)).map(_gather_and_copy)
    kept = drawn.filter(lambda _, rate, __: random_uniform([], seed=seed) < rate)
    return kept.map(lambda c, _, x: (c, x))
