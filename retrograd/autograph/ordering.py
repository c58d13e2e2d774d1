"""Effects in the order in which a function builds them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from retrograd.graph import nest
from retrograd.graph.definition import Effect
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays

_SEEN = (Effect.WRITE, Effect.HOST, Effect.CHECK)


def in_turn(ops: list[Operation], context: Any) -> list[Operation]:
    """The ops that do something, each made to wait for the one before; reads wait for what was done before them."""
    effects: list[Operation] = []
    reads: list[Operation] = []
    for op in ops:
        effect = op.definition.effect
        if op.context is not context or effect is None:
            continue
        if effect in _SEEN:
            op._add_control_inputs([*effects[-1:], *reads])
            effects.append(op)
            reads = []
        elif effect is Effect.READ and op.inputs:
            op._add_control_inputs(effects[-1:])
            reads.append(op)
    return effects


def with_effects_in_turn(function: Callable[..., Any]) -> Callable[..., Any]:
    """``function``, whose results wait for all that its call does."""

    @functools.wraps(function)
    def ordered(*args: Any, **kwargs: Any) -> Any:
        graph = default_graph()
        first = graph.version
        result = function(*args, **kwargs)
        if graph.is_eager:
            return result
        with control_dependencies(in_turn(graph.get_operations()[first:], graph._scopes.context)):
            return nest.map_structure(lambda x: arrays.identity(x) if isinstance(x, Tensor) else x, result)

    return ordered
