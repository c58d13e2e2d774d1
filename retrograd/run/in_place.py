"""Variables that are updated where they lie.

XLA writes a new value over the old one only where every reader of the old one is done by then.  It looks at what
follows from what alone: the product that gives the gradient of a layer's input reads the weights, and their update
does not follow from it, so XLA would copy them in every step.  Here the gradient of the weights waits for such
readers, and so does what is made of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from heapq import heapify, heappop, heappush
from typing import Any, NamedTuple

from retrograd.run.chains import is_cheap
from retrograd.run.equations import is_literal, variables_of

_KERNELS = frozenset(("conv_general_dilated", "custom_vmap_call", "dot_general", "scan", "scatter-add", "while"))
_LARGE = 1 << 21  # bytes of a variable: the copy of a smaller one is done while others wait


class Waiting(NamedTuple):
    """``jaxpr`` in an order in which the values that wait are read behind what they wait for."""

    jaxpr: Any
    awaited: Mapping[Any, tuple[Any, ...]]  # by the value that waits


class _Order:
    """Which equations of a jaxpr follow from which."""

    def __init__(self, jaxpr: Any) -> None:
        self.eqns = jaxpr.eqns
        self.made_by = {v: i for i, eqn in enumerate(self.eqns) for v in eqn.outvars}
        self.readers: dict[Any, list[int]] = defaultdict(list)
        self.before: list[int] = []  # a bit for each equation that the equation follows from, and its own
        for i, eqn in enumerate(self.eqns):
            bits = 1 << i
            for v in dict.fromkeys(variables_of(eqn)):
                self.readers[v].append(i)
                if v in self.made_by:
                    bits |= self.before[self.made_by[v]]
            self.before.append(bits)

    def follows(self, later: int, earlier: int) -> bool:
        return bool(self.before[later] >> earlier & 1)


def in_place(jaxpr: Any, places: Iterable[int]) -> Waiting:
    """``jaxpr`` with what has to wait so that its results at ``places`` lie where its arguments there did."""
    large = [
        (jaxpr.invars[i], jaxpr.outvars[i])
        for i in places
        if jaxpr.invars[i].aval.size * jaxpr.invars[i].aval.dtype.itemsize >= _LARGE
    ]
    if not large:
        return Waiting(jaxpr, {})
    order = _Order(jaxpr)
    awaited: dict[Any, tuple[Any, ...]] = {}
    for old, new in large:
        if not is_literal(new) and new in order.made_by:
            results = {v for v in jaxpr.outvars if not is_literal(v) and v is not new}
            readers = _unordered(order, old, order.made_by[new], results)
            value = _last_product(order, order.made_by[new], readers, old.aval.size)
            if value is not None and readers:
                awaited[value] = (*awaited.get(value, ()), *(order.eqns[i].outvars[0] for i in readers))
    eqns = _sorted(order, awaited)
    return Waiting(jaxpr, {}) if eqns is None else Waiting(jaxpr.replace(eqns=eqns), awaited)


def _unordered(order: _Order, old: Any, update: int, results: set[Any]) -> list[int]:
    """The computations that read ``old`` and from which ``update`` does not follow; none if one is a result."""
    found: dict[int, None] = {}
    values, seen = [old], {old}
    while values:
        value = values.pop()
        if value in results:
            return []
        for i in order.readers[value]:
            if is_cheap(order.eqns[i]):
                new = [v for v in order.eqns[i].outvars if v not in seen]
                seen.update(new)
                values += new
            elif not order.follows(update, i):
                found[i] = None
    return [*found]


def _last_product(order: _Order, update: int, readers: list[int], size: int) -> Any:
    """The last value of ``size`` that is in memory anyway, from which ``update`` follows and none of ``readers``."""
    for i in reversed(range(update)):
        if order.follows(update, i) and order.eqns[i].primitive.name in _KERNELS:
            for v in order.eqns[i].outvars:
                if v.aval.size == size and not any(order.follows(reader, i) for reader in readers):
                    return v
    return None


def _sorted(order: _Order, awaited: Mapping[Any, tuple[Any, ...]]) -> list[Any] | None:
    """The equations with the readers of what waits behind what it waits for; None if there is no such order."""
    after: list[set[int]] = [set() for _ in order.eqns]
    for v, i in order.made_by.items():
        for reader in order.readers[v]:
            after[i].add(reader)
            for other in awaited.get(v, ()):
                after[order.made_by[other]].add(reader)
    waits_for = [0] * len(after)
    for readers in after:
        for reader in readers:
            waits_for[reader] += 1
    ready = [i for i, count in enumerate(waits_for) if not count]
    heapify(ready)
    done = []
    while ready:
        i = heappop(ready)
        done.append(order.eqns[i])
        for reader in after[i]:
            waits_for[reader] -= 1
            if not waits_for[reader]:
                heappush(ready, reader)
    return done if len(done) == len(order.eqns) else None
