"""Chains of sums and products of which several computations read a link.

XLA makes what is cheap a part of each computation that reads it, and so does it again for each.  In the gradient of
a recurrent network that was built step by step, every step reads a sum that came through all later ones: of T steps
that makes T² / 2, to compile and in every run.  Where layers are added to what goes into them, the gradient of one
is a sum of arrays from all layers behind it, and each product and reduction that reads it goes through them all.

What XLA takes for expensive is done once.  So such a link is divided by a one that is an argument to XLA: that changes
no bit of it.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from retrograd.run.equations import variables_of

_LONG = 64  # links of a chain that is worth cutting
_LINKS = 8  # between two cuts
_WIDE = 1 << 17  # elements of all arrays that are read again: fewer take less than another computation
_SPARED = 3  # so many arrays have to be spared and more; the one that is written instead counts as two
_MOST = 64  # arrays that are looked at
_NAMES = """
abs add add_any and broadcast_in_dim ceil clamp concatenate convert_element_type copy eq expand_dims floor ge gt
integer_pow is_finite le lt max min mul ne neg not or pad reduce_precision reshape rev round select_n sign slice split
square squeeze stop_gradient sub transpose xor
"""
_CHEAP = frozenset(_NAMES.split())


class _Chain(NamedTuple):
    """What a value was made of since it was cut last: the links, and the arrays that they began with."""

    links: int
    sources: tuple[Any, ...]


def done_once(jaxpr: Any) -> frozenset[Any]:
    """The values in ``jaxpr`` that XLA is to compute once, each of a floating dtype."""
    from retrograd.ops.jax_start import jax

    readers = _readers(jaxpr)
    is_long = _longest(jaxpr) >= _LONG
    is_on_cpu = jax.default_backend() == "cpu"
    chains: dict[Any, _Chain] = {}
    once: set[Any] = set()
    for eqn in filter(is_cheap, jaxpr.eqns):
        of = [chains.get(x, _Chain(0, (x,))) for x in variables_of(eqn)]
        links = 1 + max((chain.links for chain in of), default=0)
        for v in eqn.outvars:
            sources = {x: None for chain in of for x in chain.sources if 2 * x.aval.size >= v.aval.size}
            is_shared = readers[v] > 1 and np.issubdtype(v.aval.dtype, np.floating)
            is_wide = is_on_cpu and len(sources) * v.aval.size >= _WIDE
            is_spared = is_wide and (len(sources) - 1) * (readers[v] - 1) > _SPARED
            if is_shared and (is_spared or (is_long and links >= _LINKS)):
                once.add(v)
            else:
                chains[v] = _Chain(links, tuple(sources)[:_MOST])
    return frozenset(once)


def _readers(jaxpr: Any) -> Counter[Any]:
    """How many computations of XLA read each value: what is called takes it from memory, wherever it is called."""
    called: set[Any] = set()
    readers: Counter[Any] = Counter()
    for eqn in jaxpr.eqns:
        if is_cheap(eqn) or eqn.primitive.name.startswith("reduce"):
            readers.update(variables_of(eqn))
        else:
            called.update(variables_of(eqn))
    readers.update(called)
    return readers


def _longest(jaxpr: Any) -> int:
    """The length of the longest chain."""
    links: dict[Any, int] = {}
    for eqn in filter(is_cheap, jaxpr.eqns):
        links.update(dict.fromkeys(eqn.outvars, 1 + max((links.get(v, 0) for v in variables_of(eqn)), default=0)))
    return max(links.values(), default=0)


def is_cheap(eqn: Any) -> bool:
    """Whether XLA does an equation again for each reader; so it does with all of a function that is cheap."""
    inner = eqn.params.get("jaxpr") if eqn.primitive.name in ("jit", "pjit") else None
    if inner is not None:
        return all(map(is_cheap, inner.jaxpr.eqns))
    return eqn.primitive.name in _CHEAP
