"""Variables that stay as they are where a value breaks what an op requires.

A new value is weighed against the old one where it is computed, and what reads it reads the outcome.  XLA then writes
it in place of the old one; weighed behind everything else, the value would be computed for each of its readers, and
the old one copied for them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from retrograd.ops.apart import behind
from retrograd.run.equations import evaluate, is_literal, multiplies, needed_for, value_of, values_at


def guarded_results(
    jaxpr: Any,
    consts: Sequence[Any],
    arguments: Sequence[Any],
    guarded: Sequence[bool],
    once: Collection[Any] = (),
    one: Any = None,
    awaited: Mapping[Any, tuple[Any, ...]] = MappingProxyType({}),
    factors: Mapping[Any, Any] = MappingProxyType({}),
) -> list[Any]:
    """The results of ``jaxpr``, the first of which are new values of its first arguments, as many as ``guarded``.

    The last result says whether all requirements hold; where they do not, the arguments that are guarded stay.
    What is to be computed ``once`` is divided by ``one`` (``run/chains.py``), and what has others ``awaited`` is there
    when they are (``run/in_place.py``).  Products take ``factors`` in the place of arguments that have the same values.
    """
    from retrograd.ops.jax_start import jnp

    values = values_at(jaxpr, consts, arguments)
    early = needed_for([jaxpr.outvars[-1]], jaxpr.eqns)
    waiters: dict[Any, list[Any]] = defaultdict(list)
    for waiter, others in awaited.items():
        for v in dict.fromkeys((waiter, *others)):
            waiters[v].append(waiter)

    def run(eqn: Any) -> None:
        evaluate(eqn, values, factors if multiplies(eqn) else {})
        for new in eqn.outvars:
            if new in once:
                values[new] = values[new] / one.astype(values[new].dtype)
            for waiter in waiters.get(new, ()):
                if waiter in values and all(v in values for v in awaited[waiter]):
                    values[waiter] = behind(values[waiter], [values[v] for v in awaited[waiter]])

    for i in sorted(early):
        run(jaxpr.eqns[i])
    holds = value_of(values, jaxpr.outvars[-1])

    def weighed(value: Any, i: int) -> Any:
        return jnp.where(holds, value, arguments[i])

    changed = [i for i, is_guarded in enumerate(guarded) if is_guarded and jaxpr.outvars[i] is not jaxpr.invars[i]]
    at_once = {jaxpr.outvars[i]: i for i in changed if not is_literal(jaxpr.outvars[i])}
    done = {i for new, i in at_once.items() if new not in values}
    for k, eqn in enumerate(jaxpr.eqns):
        if k not in early:
            run(eqn)
            for new in eqn.outvars:
                if new in at_once:
                    values[new] = weighed(values[new], at_once[new])
    results = [value_of(values, v) for v in jaxpr.outvars]
    for i in changed:
        if i not in done:
            results[i] = weighed(results[i], i)
    return results
