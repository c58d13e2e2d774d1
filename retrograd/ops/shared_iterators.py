"""An iterator whose elements go to several devices in turn, as ops."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from retrograd.graph import errors
from retrograd.graph.definition import REQUIRED, Effect, define, not_differentiable
from retrograd.ops.iterators import IteratorState
from retrograd.ops.queues import resource_of


class SharedIterator(IteratorState):
    """A way through a dataset on which device ``i`` of ``n`` gets the elements ``i``, ``i + n``, and so on.

    What others have not asked for yet waits for them.
    """

    def __init__(self, name: str, types: list[Any], shapes: list[Any], count: int) -> None:
        super().__init__(name, types, shapes)
        self.waiting: list[deque[list[Any]]] = [deque() for _ in range(count)]
        self.turn = 0
        self.incarnation = 0

    def begin_shared(self, dataset: Any, memory: Any) -> int:
        """Start at the beginning of a dataset, and the number of this beginning."""
        with self.lock:
            self.begin(dataset, memory)
            self.waiting, self.turn = [deque() for _ in self.waiting], 0
            self.incarnation += 1
            return self.incarnation

    def next_of(self, shard: int, incarnation: int) -> list[Any]:
        """The next element of a device.

        Raises:
          InvalidArgumentError: there is no such device, or the iterator began anew.
          OutOfRangeError: there is no element.
        """
        with self.lock:
            if not 0 <= shard < len(self.waiting):
                raise errors.InvalidArgumentError(None, None, f"Invalid shard: {shard} of {len(self.waiting)}")
            if incarnation != self.incarnation:
                words = f"Invalid incarnation id. Provided: {incarnation}; Expected: {self.incarnation}"
                raise errors.InvalidArgumentError(None, None, words)
            while not self.waiting[shard]:
                element = self.next()
                self.waiting[self.turn].append(element)
                self.turn = (self.turn + 1) % len(self.waiting)
            return self.waiting[shard].popleft()


_TYPED: dict[str, Any] = {"output_types": REQUIRED, "output_shapes": REQUIRED}
_HOST: dict[str, Any] = {"effect": Effect.HOST, "gradient": not_differentiable}


def _handle(
    xp: Any, memory: Any, *, devices: list[Any], shared_name: Any, container: Any, output_types: list[Any],
    output_shapes: list[Any],
) -> Any:  # fmt: skip
    shapes = [s._raw for s in output_shapes]
    return resource_of(
        memory, container, shared_name, lambda name: SharedIterator(name, list(output_types), shapes, len(devices))
    )


MULTI_DEVICE_ITERATOR = define(
    "MultiDeviceIterator", "", "handle: resource",
    attrs={"devices": REQUIRED, "shared_name": REQUIRED, "container": REQUIRED, **_TYPED}, shape=lambda: (),
    kernel=_handle, **_HOST,
)  # fmt: skip
MULTI_DEVICE_ITERATOR_INIT = define(
    "MultiDeviceIteratorInit", "dataset: variant, multi_device_iterator: resource, max_buffer_size: int64",
    "incarnation_id: int64", shape=lambda dataset, iterator, size: (),
    kernel=lambda xp, memory, dataset, iterator, size: np.int64(iterator.begin_shared(dataset, memory)), **_HOST,
)  # fmt: skip


def _next(xp: Any, memory: Any, iterator: Any, shard: Any, incarnation: Any) -> list[Any]:
    with memory.store.given_way():
        element: list[Any] = iterator.next_of(int(shard), int(incarnation))
        return element


MULTI_DEVICE_ITERATOR_NEXT = define(
    "MultiDeviceIteratorGetNextFromShard", "multi_device_iterator: resource, shard_num: int32, incarnation_id: int64",
    "components: *output_types", attrs=_TYPED,
    shape=lambda iterator, shard, incarnation, *, output_shapes: [s._raw for s in output_shapes], kernel=_next, **_HOST,
)  # fmt: skip
