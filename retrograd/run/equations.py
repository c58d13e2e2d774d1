"""Equations of a jaxpr: run one by one, and what follows from what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any


def run(eqn: Any, inputs: Iterable[Any]) -> list[Any]:
    """What ``eqn`` makes of ``inputs``."""
    params = eqn.primitive.get_bind_params(eqn.params)
    functions, params = params if isinstance(params, tuple) else ((), params)  # by the version of JAX
    with eqn.ctx.manager:
        results = eqn.primitive.bind(*functions, *inputs, **params)
    return [*results] if eqn.primitive.multiple_results else [results]


def values_at(jaxpr: Any, consts: Sequence[Any], arguments: Sequence[Any]) -> dict[Any, Any]:
    """The values that ``jaxpr`` begins with."""
    return dict(zip([*jaxpr.constvars, *jaxpr.invars], [*consts, *arguments], strict=True))


def value_of(values: Mapping[Any, Any], v: Any) -> Any:
    """The value of ``v``, a variable or a literal."""
    return v.val if is_literal(v) else values[v]


def variables_of(eqn: Any) -> list[Any]:
    """The variables that ``eqn`` reads."""
    return [v for v in eqn.invars if not is_literal(v)]


def is_literal(v: Any) -> bool:
    """Whether ``v`` is written into the equation that reads it."""
    return hasattr(v, "val")


def needed_for(results: Iterable[Any], eqns: Sequence[Any]) -> set[int]:
    """The places of the equations that ``results`` follow from, and of those that do more than compute."""
    found: set[int] = set()
    wanted = {v for v in results if not is_literal(v)}
    for i in reversed(range(len(eqns))):
        if eqns[i].effects or not wanted.isdisjoint(eqns[i].outvars):
            found.add(i)
            wanted.update(variables_of(eqns[i]))
    return found


def evaluate(eqn: Any, values: dict[Any, Any], instead: Mapping[Any, Any] = MappingProxyType({})) -> None:
    """Run ``eqn`` on ``values``, or on what is given ``instead`` of them, and leave there what it makes."""
    results = run(eqn, (value_of(values if is_literal(v) or v not in instead else instead, v) for v in eqn.invars))
    values.update(zip(eqn.outvars, results, strict=True))


def functions_in(eqn: Any) -> Iterator[Any]:
    """The jaxprs of the functions that ``eqn`` calls."""
    for value in eqn.params.values():
        for part in value if isinstance(value, list | tuple) else (value,):
            part = getattr(part, "jaxpr", part)
            if hasattr(part, "eqns"):
                yield part


def multiplies(eqn: Any) -> bool:
    """Whether ``eqn`` is a product of matrices, or makes a factor of one."""
    return eqn.primitive.name in ("dot_general", "transpose")
