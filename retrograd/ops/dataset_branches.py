"""Datasets at run time that try several ways to the same elements, and go on with the fastest."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from retrograd.graph.errors import invalid
from retrograd.ops.dataset_recipes import recipe
from retrograd.ops.dataset_states import UNKNOWN, Dataset, Element, Next, Scope

Branch = Callable[[Dataset], Dataset]


class _Portion:
    """The next ``count`` elements of an iterator (None: all), which can be gone through once."""

    def __init__(self, inner: Next, count: int | None, source: Dataset) -> None:
        self.inner, self.left, self.is_begun = inner, count, False
        self.dataset = Dataset(self.make, source.cardinality if count is None else UNKNOWN, [source])

    def make(self, scope: Scope) -> Next:
        if self.is_begun:
            raise invalid("Cannot create more than one WrapperIterator per WrapperDataset.")
        self.is_begun = True
        return self.next

    def next(self) -> Element:
        if self.left == 0:
            raise StopIteration
        element = self.inner()
        if self.left is not None:
            self.left -= 1
        return element


@recipe("ChooseFastestBranch")
def fastest_branch(
    source: Dataset, branches: Sequence[Branch], numerator: int, denominator: int, count: int
) -> Dataset:
    """``branches``, functions of datasets with the same elements, each for ``count`` elements; then the fastest.

    Args:
      numerator: so many elements of ``source`` become ``denominator`` elements.
    """
    if count % denominator:
        raise invalid("`num_elements_per_branch` must be divisible by `ratio_denominator`")

    def make(scope: Scope) -> Next:
        inner = source.make(scope)
        seconds = [0.0] * len(branches)
        state: Any = {"branch": -1, "next": None}

        def begin_next() -> None:
            state["branch"] += 1
            is_trial = state["branch"] < len(branches)
            chosen = state["branch"] if is_trial else seconds.index(min(seconds))
            portion = _Portion(inner, count * numerator // denominator if is_trial else None, source)
            state["next"] = branches[chosen](portion.dataset).make(scope)

        def following() -> Element:
            while True:
                if state["next"] is None:
                    begin_next()
                start = time.perf_counter()
                try:
                    element: Element = state["next"]()
                except StopIteration:
                    if state["branch"] == len(branches):
                        raise
                    state["next"] = None
                    continue
                if state["branch"] < len(branches):
                    seconds[state["branch"]] += time.perf_counter() - start
                return element

        return following

    n = source.cardinality
    return Dataset(make, n if n < 0 else -(-n * denominator // numerator), [source])


@recipe("ChooseFastest")
def fastest(sources: Sequence[Dataset], trials: int) -> Dataset:
    """The elements that each source has, asked of all for ``trials`` of them, then of the fastest."""
    counts = [source.cardinality for source in sources]
    for i, n in enumerate(counts[1:], 1):
        if n != counts[0]:
            words = f"dataset 0 has cardinality {counts[0]} while dataset {i} has cardinality {n}"
            raise invalid(f"All inputs must have compatible cardinalities. Here {words}.")

    def make(scope: Scope) -> Next:
        inner = [source.make(scope) for source in sources]
        seconds = [0.0] * len(inner)
        left = trials

        def following() -> Element:
            nonlocal left
            if left:
                left -= 1
                elements = []
                for i, step in enumerate(inner):
                    start = time.perf_counter()
                    elements.append(step())
                    seconds[i] += time.perf_counter() - start
                return elements[0]
            if len(inner) > 1:
                inner[:] = [inner[seconds.index(min(seconds))]]
            return inner[0]()

        return following

    return Dataset(make, counts[0], sources)
