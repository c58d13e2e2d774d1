"""Long chains of sums and products of which several computations read a link.

XLA makes what is cheap a part of each computation that reads it, and so does it again for each.  In the gradient of
a recurrent network that was built step by step, every step reads a sum that came through all later ones: of T steps
that makes T² / 2, to compile and in every run.  What XLA takes for expensive is done once.  So a link that several
read is divided, every few links, by a one that is an argument to XLA: that changes no bit of it.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from retrograd.run.equations import is_literal

_LONG = 64  # links of a chain that is worth cutting
_LINKS = 8  # between two cuts
_NAMES = """
abs add add_any and broadcast_in_dim ceil clamp concatenate convert_element_type copy eq expand_dims floor ge gt
integer_pow is_finite le lt max min mul ne neg not or pad reduce_precision reshape rev round select_n sign slice split
square squeeze stop_gradient sub transpose xor
"""
_CHEAP = frozenset(_NAMES.split())


def done_once(jaxpr: Any) -> frozenset[Any]:
    """The values in ``jaxpr`` that XLA is to compute once, each of a floating dtype."""
    if max(_links(jaxpr, frozenset()).values(), default=0) < _LONG:
        return frozenset()
    readers = Counter(v for eqn in jaxpr.eqns for v in _variables(eqn))
    shared = frozenset(v for v, count in readers.items() if count > 1 and np.issubdtype(v.aval.dtype, np.floating))
    links = _links(jaxpr, shared)
    return frozenset(v for v in shared if links.get(v, 0) >= _LINKS)


def _links(jaxpr: Any, shared: frozenset[Any]) -> dict[Any, int]:
    """The length of the chain that ends in each value, from where it was cut last; a value of ``shared`` may be."""
    links: dict[Any, int] = {}

    def before(v: Any) -> int:
        count = links.get(v, 0)
        return 0 if v in shared and count >= _LINKS else count

    for eqn in jaxpr.eqns:
        count = 1 + max(map(before, _variables(eqn)), default=0) if _is_cheap(eqn) else 0
        links.update(dict.fromkeys(eqn.outvars, count))
    return links


def _is_cheap(eqn: Any) -> bool:
    """Whether XLA does an equation again for each reader; so it does with all of a function that is cheap."""
    inner = eqn.params.get("jaxpr") if eqn.primitive.name in ("jit", "pjit") else None
    if inner is not None:
        return all(map(_is_cheap, inner.jaxpr.eqns))
    return eqn.primitive.name in _CHEAP


def _variables(eqn: Any) -> list[Any]:
    return [v for v in eqn.invars if not is_literal(v)]
