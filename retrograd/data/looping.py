"""A Python loop over a dataset, in a function whose statements over tensors become ops: a reduction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.data.dataset import Dataset
from retrograd.data.experimental import take_while
from retrograd.data.folding import reduced, scan
from retrograd.ops.conditions import cond
from retrograd.ops.constants import constant


def looped(
    dataset: Dataset,
    body: Callable[[Any], Any],
    extra_test: Callable[[], Any] | None,
    get: Callable[[], tuple[Any, ...]],
    put: Callable[[tuple[Any, ...]], None],
) -> None:
    """``for element in dataset: body(element)`` as long as ``extra_test()``; ``get`` and ``put`` handle its state."""
    initial = get()
    carried = initial or (constant(0),)  # a reduction needs a state

    def step(state: Any, element: Any) -> Any:
        if initial:
            put(state)
        body(element)
        return get() if initial else state

    def step_if_wanted(state: Any, element: Any) -> Any:
        put(state)
        assert extra_test is not None
        wanted = extra_test()
        state = cond(wanted, lambda: step(state, element), lambda: state, strict=True)
        return state, (state, wanted)

    if extra_test is not None:
        dataset = dataset.apply(scan(carried, step_if_wanted)).apply(take_while(lambda _, wanted: wanted))
        last = reduced(dataset, carried, lambda _, pair: pair[0])
    else:
        last = reduced(dataset, carried, step)
    put(tuple(last) if initial else ())
