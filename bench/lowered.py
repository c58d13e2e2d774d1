"""The computations that a program's steps run: called as they are, without a session; and whether they run yet."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.run.compiled import Compiled
from retrograd.run.program import NEVER, Program

_SEVERAL = 10  # runs; what initializes runs once


def bare(step: Callable[[int], Any]) -> Callable[[int], None]:
    """A step that makes the calls of XLA that ``step`` makes, on the same variables and always the same feeds.

    Raises:
      RuntimeError: a step runs nothing that was compiled.
    """
    calls = _calls(step)
    if not calls:
        raise RuntimeError("nothing of this program was compiled")

    def bare_step(i: int) -> None:
        for compiled, feeds in calls:
            buffers = [home.buffer for home in (*compiled.written, *compiled.read)]
            results = compiled._call(*buffers, *compiled.fixed_arguments, *feeds)
            for home, buffer in zip(compiled.written, results, strict=False):
                home.take(buffer)
            for value in results[len(compiled.written) :]:
                np.asarray(value)

    return bare_step


def is_pending() -> bool:
    """Whether there is a plan that was run several times, and its computation has not taken over yet."""
    programs = [x for x in gc.get_objects() if isinstance(x, Program) and x.may_compile]
    kinds = [kind for program in programs for kind in program.kinds.values()]
    return any(kind.runs > _SEVERAL and kind.compiled is None and kind.takeover < NEVER for kind in kinds)


def _calls(step: Callable[[int], Any]) -> list[tuple[Compiled, list[Any]]]:
    """The computations that one step runs, and what it feeds them."""
    calls: list[tuple[Compiled, list[Any]]] = []
    run = Compiled.run

    def noted(self: Compiled, feeds: Sequence[Any]) -> list[Any]:
        calls.append((self, [feeds[i] for i in self.traced_feeds]))
        return run(self, feeds)

    Compiled.run = noted  # type: ignore[method-assign]
    try:
        step(0)
    finally:
        Compiled.run = run  # type: ignore[method-assign]
    return calls
