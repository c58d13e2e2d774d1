"""Stacks: where graphs that TensorFlow made keep what the gradient of a loop reads.

Loops built here keep histories instead; these ops are for graphs that are imported.  A stack is made anew in
every run, and its handle is the stack itself.
"""

from __future__ import annotations

from typing import Any

from retrograd.graph import errors
from retrograd.graph.definition import REQUIRED, Effect, define, not_differentiable
from retrograd.graph.dtypes import DType


class Stack:
    """Values, of which the last one that came is the first to go."""

    shape = (2,)

    def __init__(self, most: int) -> None:
        self.values: list[Any] = []
        self.most = most if most >= 0 else None


def _push(xp: Any, memory: Any, stack: Stack, value: Any, *, T: DType) -> Any:
    if stack.most is not None and len(stack.values) >= stack.most:
        words = f"Stack[] overflowed its max_size ({stack.most})"
        raise errors.InvalidArgumentError(None, None, words)
    stack.values.append(value)
    return value


def _pop(xp: Any, memory: Any, stack: Stack) -> Any:
    if not stack.values:
        raise errors.InvalidArgumentError(None, None, "Stack[] is empty when calling Pop().")
    return stack.values.pop()


def _close(xp: Any, memory: Any, stack: Stack) -> list[Any]:
    stack.values.clear()
    return []


STACK = define(
    "StackV2", "max_size: int32", "handle: resource", attrs={"elem_type": REQUIRED, "stack_name": ""},
    shape=lambda size: (2,), kernel=lambda xp, memory, size: Stack(int(size)), effect=Effect.HOST,
    gradient=not_differentiable,
)  # fmt: skip
STACK_PUSH = define(
    "StackPushV2", "handle: resource, elem: T", "output: T", attrs={"swap_memory": False},
    shape=lambda handle, x: x.dims, kernel=_push, effect=Effect.HOST, gradient=not_differentiable,
)  # fmt: skip
STACK_POP = define(
    "StackPopV2", "handle: resource", "elem: elem_type", attrs={"elem_type": REQUIRED},
    shape=lambda handle: None, kernel=_pop, effect=Effect.HOST, gradient=not_differentiable,
)  # fmt: skip
STACK_CLOSE = define(
    "StackCloseV2", "handle: resource", "", shape=lambda handle: [], kernel=_close, effect=Effect.HOST,
    gradient=not_differentiable,
)  # fmt: skip
CONTROL_TRIGGER = define("ControlTrigger", "", "", shape=list, kernel=lambda xp: [], gradient=not_differentiable)
