"""What XLA is told for the CPU: vectors' width, the order of the kernels, which library multiplies and convolves.

One setting holds for a whole computation.  YNN takes the products that sum over the last dimension of their left
factor (``bench/lowerings.py`` measures both).  Where processors have AVX-512 it is as fast as Eigen or faster, and
takes a tenth to a half of the time where the right factor is transposed.  Elsewhere long sums in few rows take 0.4 to
0.9 of Eigen's time, others 1.0 to 1.2.  YNN convolves on one core, small images in a third to two thirds of the time.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from math import prod
from typing import Any

import numpy as np

from retrograd.run.equations import functions_in

_WIDTH = "xla_cpu_prefer_vector_width"
_TERMS, _ROWS = 384, 256  # a long sum has as many terms at least, few rows are as many at most
_ORDER = "xla_cpu_scheduler_type"
_SMALL = 1 << 16  # bytes of an array that is made in less time than it takes to wake another thread
_FEW_MULTIPLICATIONS = 1 << 24  # of a convolution that one core does before others have woken


def _features() -> dict[str, bool]:
    try:
        features: dict[str, bool] = import_module("numpy._core._multiarray_umath").__cpu_features__
    except (ImportError, AttributeError):
        return {}
    return features


HAS_AVX512 = _features().get("AVX512F", False)
# The first processors with 512 bits lower their clock for them; these do not, and XLA would use 256 all the same.
_HAS_FAST_AVX512 = _features().get("AVX512_ICL", False)


def compiler_options(jaxpr: Any) -> dict[str, str]:
    """What XLA is told for a computation, where the user has told it nothing else."""
    from retrograd.ops.jax_start import IS_TESTED

    if not IS_TESTED:
        return {}
    given = os.environ.get("XLA_FLAGS", "")
    options = libraries(jaxpr)
    if _HAS_FAST_AVX512 and _WIDTH not in given and not _has_arctangents(jaxpr):
        options[_WIDTH] = "512"
    if _ORDER not in given and _is_small(jaxpr):
        options[_ORDER] = "CPU_SCHEDULER_TYPE_MEMORY_OPTIMIZED"
    return options


def _is_small(jaxpr: Any) -> bool:
    """Whether all arrays are so small that kernels are better run one after the other.

    In an order for memory more of them wait for others: where many can begin at once, XLA wakes a thread for some.
    """
    return all(
        prod(v.aval.shape) * v.aval.dtype.itemsize <= _SMALL for eqn, _, _ in _equations(jaxpr) for v in eqn.outvars
    )


def _has_arctangents(jaxpr: Any) -> bool:
    """Whether XLA may compute an arctangent: its own for 512 bits gives wrong numbers.

    It makes one of the angle of a complex number, and of a quotient by a one.
    """
    return any(
        eqn.primitive.name in ("atan", "atan2") or any(_is_complex(v.aval) for v in eqn.outvars)
        for eqn, _, _ in _equations(jaxpr)
    )


def _is_complex(aval: Any) -> bool:
    return np.issubdtype(getattr(aval, "dtype", np.bool_), np.complexfloating)


def libraries(jaxpr: Any) -> dict[str, str]:
    """XLA's option for a computation.

    YNN multiplies if it gains more than it loses of what it can take, and convolves if all convolutions that were
    left to XLA are small.
    """
    from retrograd.ops.jax_start import LEAVES_PRODUCTS_TO_EIGEN

    if not LEAVES_PRODUCTS_TO_EIGEN:
        return {}
    equations = list(_equations(jaxpr))
    gain = sum(work if _is_faster(rows, terms) else -work for rows, terms, work in _products(equations))
    convolutions = [_multiplications(eqn) for eqn, _, _ in equations if eqn.primitive.name == "conv_general_dilated"]
    kinds = ["DOT"] * (gain > 0) + ["CONVOLUTION"] * (0 < max(convolutions, default=0) < _FEW_MULTIPLICATIONS)
    return by_ynn(*kinds) if kinds else {}


def by_ynn(*kinds: str) -> dict[str, str]:
    """XLA's option that gives YNN what is of these kinds: ``DOT``, ``CONVOLUTION``."""
    return {"xla_cpu_experimental_ynn_fusion_type": ",".join(f"LIBRARY_FUSION_TYPE_INDIVIDUAL_{k}" for k in kinds)}


def _is_faster(rows: int, terms: int) -> bool:
    """Whether YNN does sums of so many terms in less time than Eigen."""
    return HAS_AVX512 or (terms >= _TERMS and 1 < rows <= _ROWS)


def _equations(jaxpr: Any, times: int = 1) -> Iterator[tuple[Any, int, dict[Any, Sequence[int]]]]:
    """All equations, how often each runs, and the order of the dimensions of what was transposed before it."""
    order: dict[Any, Sequence[int]] = {}
    for eqn in jaxpr.eqns:
        if eqn.primitive.name == "transpose":
            order[eqn.outvars[0]] = eqn.params["permutation"]
        yield eqn, times, order
        inner = times * eqn.params["length"] if eqn.primitive.name == "scan" else times
        for part in functions_in(eqn):
            yield from _equations(part, inner)


def _products(equations: Iterable[tuple[Any, int, dict[Any, Sequence[int]]]]) -> Iterator[tuple[int, int, int]]:
    """Of each product that YNN can take: its rows, the terms of its sums, and all its multiplications.

    XLA makes transposing part of a product.
    """
    for eqn, times, order in equations:
        if eqn.primitive.name == "dot_general":
            (summed, _), (batch, _) = eqn.params["dimension_numbers"]
            left = eqn.invars[0].aval
            places = order.get(eqn.invars[0], range(left.ndim)) if left.ndim else ()
            if [places[d] for d in summed] == [left.ndim - 1] and left.dtype == np.float32:
                terms = left.shape[summed[0]]
                rows = left.size // max(1, terms * prod(left.shape[d] for d in batch))
                yield rows, terms, times * terms * eqn.outvars[0].aval.size


def _multiplications(eqn: Any) -> int:
    """Of a convolution."""
    places = eqn.params["dimension_numbers"].rhs_spec
    filters = eqn.invars[1].aval
    return int(eqn.outvars[0].aval.size * filters.size // max(1, filters.shape[places[0]]))
