"""Who makes and who reads the variables of a jaxpr, and what these are where others are numbers drawn at random."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from retrograd.run.equations import is_literal, variables_of
from retrograd.run.probes import NoProbe, made_of

_LAYOUT = frozenset(
    (
        "broadcast_in_dim", "concatenate", "convert_element_type", "copy", "dynamic_slice", "jit",
        "optimization_barrier", "pad", "pjit", "reshape", "rev", "slice", "split", "squeeze", "transpose",
    )
)  # fmt: skip


class Unlike(Exception):
    """Equations are not what is looked for."""


class Equations:
    """The equations of ``jaxpr``, whose constants have the values ``consts``."""

    def __init__(self, jaxpr: Any, consts: Mapping[Any, Any]) -> None:
        self.consts = consts
        self.eqns = jaxpr.eqns
        self.makers = {v: i for i, eqn in enumerate(jaxpr.eqns) for v in eqn.outvars}
        self.readers: dict[Any, list[int]] = {}
        needed = {v for v in jaxpr.outvars if not is_literal(v)}
        self.results = frozenset(needed)
        for i, eqn in reversed(list(enumerate(jaxpr.eqns))):
            if eqn.effects or not needed.isdisjoint(eqn.outvars):
                read = set(variables_of(eqn))
                needed |= read
                for v in read:
                    self.readers.setdefault(v, []).append(i)
        self.needed = needed

    def is_used(self, v: Any) -> bool:
        """Whether anybody reads a variable."""
        return v in self.needed

    def known(self, v: Any) -> Any:
        """The value of a constant; None of what is none."""
        return v.val if is_literal(v) else self.consts.get(v)

    def laid_out(self, v: Any, values: dict[Any, Any]) -> Any:
        """What ``v`` is if it is made of constants and of ``values`` by laying them out in another way; else None.

        What is found on the way is added to ``values``.
        """
        known = self.known(v)
        if known is not None:
            return np.asarray(known)
        if v not in values:
            eqn = self._layout(v)
            inputs = [self.laid_out(x, values) for x in eqn.invars] if eqn else [None]
            if any(x is None for x in inputs) or not self._make(eqn, inputs, values):
                return None
        return values[v]

    def drawn(self, v: Any, values: dict[Any, Any], draw: Callable[..., Any]) -> Any:
        """What ``v`` is where ``values`` are known, and what it is made of is drawn at random."""
        value = self.laid_out(v, values)
        if value is not None:
            return value
        eqn = self._layout(v)
        is_of_numbers = eqn is not None and all(is_literal(x) or x.aval.dtype.kind == "f" for x in eqn.invars)
        if not is_of_numbers or not self._make(eqn, [self.drawn(x, values, draw) for x in eqn.invars], values):
            values[v] = draw(*v.aval.shape)
        return values[v]

    def _layout(self, v: Any) -> Any:
        place = None if is_literal(v) else self.makers.get(v)
        return self.eqns[place] if place is not None and self.eqns[place].primitive.name in _LAYOUT else None

    def _make(self, eqn: Any, inputs: list[Any], values: dict[Any, Any]) -> bool:
        try:
            made = made_of(eqn, inputs)
        except NoProbe:
            return False
        values.update((v, x) for v, x in zip(eqn.outvars, made, strict=True) if x is not None)
        return all(x is not None for x in made)
