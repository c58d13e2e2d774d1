"""Convolutions and their gradients by oneDNN, in what XLA compiles for a CPU.

Without the package, or on another processor or system, jaxlib's oneDNN takes its place, or XLA's own form.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import prod
from typing import Any

from retrograd.ops import onednn_library
from retrograd.ops.onednn_convolutions import ConvolutionCalls, Problem
from retrograd.ops.onednn_targets import Target, registered

# Fewer multiplications are done by XLA before the library's threads have woken, if they are for few places, too, or
# a product: for a window it takes as long at each place as if there were many channels.
_LEAST = {"convolution": 1 << 24, "input_gradient": 1 << 22, "filter_gradient": 1 << 18}
_FEWEST_PLACES = 1 << 12

Form = Callable[[Any, Any], Any]


def is_small(problem: Problem) -> bool:
    """Whether XLA is faster than a library; where there are groups it never is."""
    is_quick = problem.places < _FEWEST_PLACES or prod(problem.w[:-2]) == 1
    return is_quick and problem.multiplications < _LEAST[problem.kind] and not problem.has_groups


def convolution_form(problem: Problem | None) -> Form | None:
    """The function of two traced arrays whose work ``problem`` is; None where the library has none."""
    if problem is None or is_small(problem):
        return None
    target = _target(problem)
    return None if target is None else lambda a, b: target([problem.result], a, b)[0]


@cache
def _target(problem: Problem) -> Target | None:
    dnnl = onednn_library.library()
    try:
        return None if dnnl is None else registered(problem.kind, problem, ConvolutionCalls(dnnl, problem))
    except (NotImplementedError, OSError, ValueError):
        return None
