"""Initial values that depend on other variables take those variables' initial values where they must."""

from __future__ import annotations

from typing import Any

from retrograd.graph.apply import build
from retrograd.graph.collections import GraphKeys
from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor
from retrograd.ops import dataflow

_LEFT_ALONE = frozenset(["IsVariableInitialized", "VarIsInitializedOp", "ReadVariableOp", "If"])
_VARIABLES = frozenset(["Variable", "VariableV2", "VarHandleOp"])


def guarded(scope: str, initial_value: Tensor) -> Tensor:
    """``initial_value`` with every read of a variable replaced by that variable's initialized value.

    The ops on the way are built again, named ``<op>_<scope>``; where no variable is read, nothing is built.
    """
    order = _ancestors(initial_value.op)
    if not any(op.type in _VARIABLES for op in order):
        return initial_value
    replaced: dict[Operation, Operation] = {}
    for op in order:
        replaced[op] = _replacement(scope, op, replaced)
    return replaced[initial_value.op].outputs[initial_value.value_index]


def _ancestors(last: Operation) -> list[Operation]:
    """``last`` and what it is computed from, inputs before the ops that read them."""
    order: list[Operation] = []
    seen: set[Operation] = set()
    stack: list[tuple[Operation, bool]] = [(last, False)]
    while stack:
        op, is_done = stack.pop()
        if is_done:
            order.append(op)
        elif op not in seen:
            seen.add(op)
            stack.append((op, True))
            stack += [(t.op, False) for t in reversed(_inputs(op))]
    return order


def _inputs(op: Operation) -> list[Tensor]:
    if op.type in _LEFT_ALONE or op.type in _VARIABLES:
        return []
    return list(op.inputs)


def _replacement(scope: str, op: Operation, replaced: dict[Operation, Operation]) -> Operation:
    if op.type in _VARIABLES:
        return _initialized_value(op) or op
    changing = _inputs(op)
    inputs = tuple(replaced[t.op].outputs[t.value_index] if t in changing else t for t in op.inputs)
    if all(new is old for new, old in zip(inputs, op.inputs, strict=True)):
        return op
    name = f"{op.name}_{scope}".replace(":", "_").rstrip("/")
    definition = dataflow.SWITCH if op.type == "RefSwitch" else op.definition
    return build(op.graph, definition, name, inputs, dict(op.attrs))


def _initialized_value(variable_op: Operation) -> Operation | None:
    for key in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES):
        for variable in variable_op.graph.get_collection(key):
            if getattr(variable, "name", None) in (variable_op.name, f"{variable_op.name}:0"):
                value: Any = variable.initialized_value()
                return value.op  # type: ignore[no-any-return]
    return None
