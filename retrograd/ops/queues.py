"""Queues: ops, and the classes that programs make queues by.

At run time a handle is the queue's ``QueueState``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.graph import dtypes, errors
from retrograd.graph.definition import REQUIRED, Effect, OpDef, define, not_differentiable
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.shapes import RawShape, TensorShape
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops.queue_states import (
    Attempt,
    PaddingState,
    PriorityState,
    QueueState,
    RandomState,
    private_name,
)

# -- making ------------------------------------------------------------------------------------

_PLACE = {"capacity": -1, "container": "", "shared_name": ""}


def _text(x: Any) -> str:
    return x.decode() if isinstance(x, bytes) else x


def resource_of(memory: Any, container: Any, shared_name: Any, make: Callable[[str], Any]) -> Any:
    """The resource of an op: under its shared name, or its own."""
    if "resource" in memory:
        return memory["resource"]
    name = _text(shared_name)
    if name:
        return memory.resource(_text(container), name, lambda: make(name))
    with memory.shared.lock:  # threads may come here at once, and must not get one each
        if "resource" not in memory:
            memory["resource"] = make(private_name(memory.op.name))
        return memory["resource"]


def _maker(kind: type[QueueState], **settings: str) -> Callable[..., Any]:
    """The kernel that gives the queue of an op; ``settings`` name attributes that the queue takes."""

    def kernel(
        xp: Any, memory: Any, *, component_types: list[DType], shapes: list[Any], capacity: int, container: Any,
        shared_name: Any, **rest: Any,
    ) -> Any:  # fmt: skip
        types = list(component_types)
        dims = [TensorShape(s)._raw for s in shapes] or None
        if kind is PriorityState:
            types = [dtypes.int64, *types]
            dims = None if dims is None else [(), *dims]
        given = {ours: rest[theirs] for ours, theirs in settings.items()}
        queue = resource_of(
            memory, container, shared_name,
            lambda name: kind(name, memory.shared.condition(), capacity, types, dims, **given),
        )  # fmt: skip
        if shared_name:
            queue.check_same(memory.op.type, memory.op.name, capacity, types, dims)
        return queue

    return kernel


def _making(name: str, kernel: Callable[..., Any], attrs: dict[str, Any]) -> tuple[OpDef, OpDef]:
    """The op that makes a queue, with a reference as its handle and with a resource."""
    ref = define(
        name, "", "handle: ref string", attrs=attrs, shape=lambda: (2,), kernel=kernel, effect=Effect.HOST,
        gradient=not_differentiable,
    )  # fmt: skip
    resource = define(
        f"{name}V2", "", "handle: resource", attrs=attrs, shape=lambda: (), kernel=kernel, effect=Effect.HOST,
        gradient=not_differentiable,
    )  # fmt: skip
    return ref, resource


_MADE = {"component_types": REQUIRED, "shapes": [], **_PLACE}


def _random(
    xp: Any, memory: Any, *, component_types: list[DType], shapes: list[Any], capacity: int, container: Any,
    shared_name: Any, min_after_dequeue: int, seed: int, seed2: int,
) -> Any:  # fmt: skip
    if capacity >= 0 and min_after_dequeue >= capacity:
        text = f"min_after_dequeue {min_after_dequeue} must be < capacity {capacity}"
        raise errors.InvalidArgumentError(None, None, text)
    queue = _RANDOM(
        xp, memory, component_types=component_types, shapes=shapes, capacity=capacity, container=container,
        shared_name=shared_name, min_after_dequeue=min_after_dequeue, seed=seed, seed2=seed2,
    )  # fmt: skip
    if shared_name:
        _check_random(queue, min_after_dequeue, seed, seed2)
    return queue


_RANDOM = _maker(RandomState, least="min_after_dequeue", seed="seed", seed2="seed2")


def _check_random(queue: RandomState, least: int, seed: int, seed2: int) -> None:
    if queue.least != least:
        text = f"has min_after_dequeue {queue.least} but requested min_after_dequeue was {least}."
    elif (seed or seed2) and queue.seeds != (seed, seed2):
        text = f"has random seeds ({queue.seeds[0]}, {queue.seeds[1]}) but requested seeds are ({seed}, {seed2})."
    else:
        return
    raise errors.InvalidArgumentError(None, None, f"Shared queue '{queue.name}' {text}")


def _plain_maker(kind: type[QueueState]) -> Callable[..., Any]:
    make = _maker(kind)

    def kernel(
        xp: Any, memory: Any, *, component_types: list[DType], shapes: list[Any], capacity: int, container: Any,
        shared_name: Any,
    ) -> Any:  # fmt: skip
        return make(
            xp, memory, component_types=component_types, shapes=shapes, capacity=capacity, container=container,
            shared_name=shared_name,
        )  # fmt: skip

    return kernel


_, FIFO_QUEUE = _making("FIFOQueue", _plain_maker(QueueState), _MADE)
_, PADDING_QUEUE = _making("PaddingFIFOQueue", _plain_maker(PaddingState), _MADE)
_, PRIORITY_QUEUE = _making(
    "PriorityQueue", _plain_maker(PriorityState), {"component_types": [], "shapes": REQUIRED, **_PLACE}
)
_, RANDOM_QUEUE = _making(
    "RandomShuffleQueue", _random,
    {"component_types": REQUIRED, "shapes": [], "capacity": -1, "min_after_dequeue": 0, "seed": 0, "seed2": 0, **_MADE},
)  # fmt: skip

# -- putting in, taking out --------------------------------------------------------------------


def _through(memory: Any, queue: QueueState, attempt: Attempt, word: str) -> None:
    """Wait until an attempt is done."""
    if not attempt.is_done:
        try:
            memory.wait(queue.condition, lambda: attempt.is_done, f"{word} operation was cancelled")
        except Exception:
            if queue.give_up(attempt):
                raise
        except BaseException:  # an interrupt ends what was done meanwhile, too
            queue.give_up(attempt, even_if_done=True)
            raise
    if attempt.error is not None:
        raise attempt.error


def put_elements(memory: Any, queue: QueueState, values: Sequence[Any]) -> None:
    """Put one element into a queue, when there is room."""
    _check_types(queue, values)
    _through(memory, queue, queue.enqueue([queue.element_of(values)], True), "Enqueue")


def put_elements_in_turn(memory: Any, queue: QueueState, columns: Sequence[Any]) -> None:
    """Put in one element for each row of ``columns``, when there is room."""
    _check_types(queue, columns)
    elements = [queue.element_of(row) for row in zip(*columns, strict=True)]
    _through(memory, queue, queue.enqueue(elements, True), "Enqueue")


def _check_types(queue: QueueState, values: Sequence[Any]) -> None:
    if len(values) != len(queue.types):
        text = f"Wrong number of components in tuple. Expected {len(queue.types)}, got {len(values)}"
        raise errors.InvalidArgumentError(None, None, text)


def take_element(memory: Any, queue: QueueState) -> Sequence[Any]:
    """The next element of a queue, when there is one."""
    attempt = queue.dequeue(1, False)
    _through(memory, queue, attempt, "Dequeue")
    return attempt.taken[0]


def _enqueue(xp: Any, memory: Any, queue: Any, components: list[Any]) -> list[Any]:
    put_elements(memory, queue, components)
    return []


def _enqueue_many(xp: Any, memory: Any, queue: Any, components: list[Any]) -> list[Any]:
    _check_types(queue, components)
    elements = queue.elements_of(components)
    if elements:
        _through(memory, queue, queue.enqueue(elements, False), "Enqueue")
    return []


def _dequeue(xp: Any, memory: Any, queue: Any, *, component_types: list[DType]) -> list[Any]:
    _check_wanted(queue, component_types)
    return [*take_element(memory, queue)]


def _check_wanted(queue: QueueState, types: list[DType]) -> None:
    if queue.types != [as_dtype(t) for t in types]:
        raise errors.InvalidArgumentError(None, None, "Tuple types of the queue and of what takes from it do not match")


def _dequeue_many(xp: Any, memory: Any, queue: Any, n: Any, *, component_types: list[DType]) -> list[Any]:
    return _batch(memory, queue, n, False, component_types)


def _dequeue_up_to(xp: Any, memory: Any, queue: Any, n: Any, *, component_types: list[DType]) -> list[Any]:
    return _batch(memory, queue, n, True, component_types)


def _batch(memory: Any, queue: QueueState, n: Any, up_to: bool, types: list[DType]) -> list[Any]:
    wanted = int(n)
    if wanted < 0:
        name = "DequeueUpToOp" if up_to else "DequeueManyOp"
        raise errors.InvalidArgumentError(None, None, f"{name} requested {wanted} < 0 elements")
    queue.check_batches()
    _check_wanted(queue, types)
    if not wanted:
        assert queue.shapes is not None
        return [
            np.empty((0, *(d or 0 for d in dims or ())), t.np)
            for dims, t in zip(queue.shapes, queue.types, strict=True)
        ]
    attempt = queue.dequeue(wanted, up_to)
    _through(memory, queue, attempt, "Dequeue")
    return queue.batch(attempt.taken)


def _close(xp: Any, memory: Any, queue: Any, *, cancel_pending_enqueues: bool) -> list[Any]:
    _through(memory, queue, queue.close(cancel_pending_enqueues), "Close")
    return []


def _with_both(
    name: str, inputs: str, outputs: str, kernel: Callable[..., Any], shape: Any, attrs: dict[str, Any] | None = None
) -> tuple[OpDef, OpDef]:
    """An op on a queue, by a reference and by a resource."""
    ref, resource = (
        define(
            name + version, f"handle: {kind}{inputs}", outputs, attrs=attrs, static=("n",), shape=shape, kernel=kernel,
            effect=Effect.HOST, gradient=not_differentiable,
        )
        for version, kind in (("", "ref string"), ("V2", "resource"))
    )  # fmt: skip
    return ref, resource


def _unknown(handle: Tensor, *rest: Any, component_types: list[DType]) -> list[RawShape]:
    return [None for _ in component_types]


def _counted(handle: Tensor, n: Tensor, *, component_types: list[DType]) -> list[RawShape]:
    known = static_value(n)
    if known is not None and known < 0:
        raise ValueError(f"Input 'n' must be >= 0, but is {int(known)}")
    return [None for _ in component_types]


_TIMEOUT = {"timeout_ms": -1}
_TAKEN = {"component_types": REQUIRED, "timeout_ms": -1}
ENQUEUE = _with_both("QueueEnqueue", ", components: *Tcomponents", "", _enqueue, lambda q, xs: [], _TIMEOUT)
ENQUEUE_MANY = _with_both(
    "QueueEnqueueMany", ", components: *Tcomponents", "", _enqueue_many, lambda q, xs: [], _TIMEOUT
)
DEQUEUE = _with_both("QueueDequeue", "", "components: *component_types", _dequeue, _unknown, _TAKEN)
DEQUEUE_MANY = _with_both(
    "QueueDequeueMany", ", n: int32", "components: *component_types", _dequeue_many, _counted, _TAKEN
)
DEQUEUE_UP_TO = _with_both(
    "QueueDequeueUpTo", ", n: int32", "components: *component_types", _dequeue_up_to, _unknown, _TAKEN
)
CLOSE = _with_both("QueueClose", "", "", _close, lambda q: [], {"cancel_pending_enqueues": False})
IS_CLOSED = _with_both(
    "QueueIsClosed", "", "is_closed: bool", lambda xp, memory, queue: np.bool_(queue.is_closed), lambda q: ()
)
SIZE = _with_both("QueueSize", "", "size: int32", lambda xp, memory, queue: np.int32(len(queue.elements)), lambda q: ())
