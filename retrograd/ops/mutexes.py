"""Locks as ops: what ``tf.CriticalSection`` builds around a part of a graph.

A run here goes op by op in one thread, what is in a section waits for its lock, and a plan puts sections of one lock
one behind the other; so nothing is mixed, and the ops need not do anything.
"""

from __future__ import annotations

from typing import Any

from retrograd.graph.apply import apply, apply_op
from retrograd.graph.definition import Effect, define, not_differentiable
from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor

MUTEX = define(
    "MutexV2", "", "resource: resource", attrs={"container": "", "shared_name": ""}, shape=lambda: (),
    kernel=lambda xp, host: "mutex", effect=Effect.HOST, gradient=not_differentiable,
)  # fmt: skip
MUTEX_LOCK = define(
    "MutexLock", "mutex: resource", "mutex_lock: variant", shape=lambda mutex: (),
    kernel=lambda xp, host, mutex: mutex, effect=Effect.HOST, gradient=not_differentiable,
)  # fmt: skip
CONSUME_MUTEX_LOCK = define(
    "ConsumeMutexLock", "mutex_lock: variant", "", shape=lambda lock: [], kernel=lambda xp, host, lock: [],
    effect=Effect.HOST, gradient=not_differentiable,
)  # fmt: skip


def mutex_v2(container: str = "", shared_name: str = "", name: str | None = None) -> Tensor:
    """A lock."""
    return apply(MUTEX, container=container, shared_name=shared_name, name=name)


def mutex_lock(mutex: Any, name: str | None = None) -> Tensor:
    """The lock taken."""
    return apply(MUTEX_LOCK, mutex, name=name)


def consume_mutex_lock(lock: Any, name: str | None = None) -> Operation:
    """The lock let go."""
    return apply_op(CONSUME_MUTEX_LOCK, lock, name=name)
