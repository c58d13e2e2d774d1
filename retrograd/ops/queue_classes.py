"""Queues as programs hold them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.apply import apply, apply_op
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import OpDef
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import Dimension, TensorShape
from retrograd.graph.stack import default_graph
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.graph.uids import uid
from retrograd.ops.components import OfComponents
from retrograd.ops.queues import (
    CLOSE,
    DEQUEUE,
    DEQUEUE_MANY,
    DEQUEUE_UP_TO,
    ENQUEUE,
    ENQUEUE_MANY,
    FIFO_QUEUE,
    IS_CLOSED,
    PADDING_QUEUE,
    PRIORITY_QUEUE,
    RANDOM_QUEUE,
    SIZE,
)
from retrograd.ops.random import get_seed


def _types_listed(types: Any) -> list[DType]:
    listed = list(types) if isinstance(types, list | tuple) else [types]
    return [as_dtype(t) for t in listed]


def shapes_listed(
    shapes: Any, types: Sequence[Any], unknown_dim_allowed: bool = False, unknown_rank_allowed: bool = False
) -> Any:
    """Shapes as a list of them, or None.

    Raises:
      ValueError: there are not as many as dtypes, or one is not known as far as it must be.
    """
    if shapes is None:
        return None
    if isinstance(shapes, TensorShape):
        shapes = [shapes]
    if not isinstance(shapes, tuple | list):
        raise TypeError(f"shapes must be a TensorShape or a list or tuple of TensorShapes, got {type(shapes)}.")
    if all(s is None or isinstance(s, int | Dimension) for s in shapes):
        shapes = [shapes]  # one shape
    result = [TensorShape(s) for s in shapes]
    if not unknown_dim_allowed and any(not s.is_fully_defined() for s in result):
        raise ValueError(f"All shapes must be fully defined: {result}")
    if not unknown_rank_allowed and any(s._raw is None for s in result):
        raise ValueError(f"All shapes must have a defined rank: {result}")
    return result


def _names_listed(names: Any, types: Sequence[Any]) -> list[str] | None:
    if names is None:
        return None
    if not isinstance(names, list | tuple):
        names = [names]
    if len(names) != len(types):
        raise ValueError("List of names must have the same length as the list of dtypes")
    return list(names)


def _in_common(a: TensorShape, b: TensorShape) -> TensorShape:
    """What two shapes have in common."""
    x, y = a._raw, b._raw
    if x is None or y is None or len(x) != len(y):
        return TensorShape(None)
    return TensorShape([n if n == m else None for n, m in zip(x, y, strict=True)])


class QueueBase(OfComponents):
    """What queues of every kind can do.

    Args:
      shapes: the shapes of the components, or None if they differ from element to element.
      names: names of the components; elements then are dicts.
    """

    def __init__(self, dtypes: list[Any], shapes: Any, names: Any, queue_ref: Any) -> None:
        self._describe(dtypes, shapes, names or None, "Queue {} must have the same length as dtypes")
        self._queue_ref = queue_ref
        self._name = queue_ref.op.name.split("/")[-1] if isinstance(queue_ref, Tensor) else queue_ref.name
        self._by_resource = queue_ref.dtype.base_dtype == "resource"

    @staticmethod
    def from_list(index: Any, queues: Sequence[QueueBase]) -> QueueBase:
        """The queue that ``index``, a tensor, chooses of ``queues``.

        Raises:
          TypeError: ``queues`` are not queues, or of differing dtypes or names.
        """
        if not queues or not isinstance(queues, list) or not all(isinstance(x, QueueBase) for x in queues):
            raise TypeError("A list of queues expected")
        types = queues[0].dtypes
        if not all(types == q.dtypes for q in queues[1:]):
            raise TypeError("Queues do not have matching component dtypes.")
        names = queues[0].names
        if not all(names == q.names for q in queues[1:]):
            raise TypeError("Queues do not have matching component names.")
        shapes = list(queues[0].shapes)
        for q in queues[1:]:
            shapes = [_in_common(a, b) for a, b in zip(shapes, q.shapes, strict=True)]
        from retrograd.ops.indexing import gather
        from retrograd.ops.joining import stack

        ref = gather(stack([q.queue_ref for q in queues]), index)
        return QueueBase(types, shapes, names, ref)

    @property
    def queue_ref(self) -> Any:
        """The handle."""
        return self._queue_ref

    @property
    def name(self) -> str:
        """The name of the op that makes it."""
        name: str = self._queue_ref.op.name
        return name

    def _op(self, both: tuple[OpDef, OpDef]) -> OpDef:
        return both[self._by_resource]

    def _components(self, vals: Any) -> list[Tensor]:
        if isinstance(vals, dict):
            if not self._names:
                raise ValueError("Queue must have names to enqueue a dictionary")
            if sorted(self._names, key=str) != sorted(vals, key=str):
                raise ValueError(
                    f"Keys in dictionary to enqueue do not match names of Queue.  Dictionary: ({sorted(vals)}), "
                    f"Queue: ({sorted(self._names)})"
                )
            vals = [vals[k] for k in self._names]
        else:
            if self._names:
                raise ValueError("You must enqueue a dictionary in a Queue with names")
            if not isinstance(vals, list | tuple):
                vals = [vals]
        return [
            as_tensor(val, dtype, name=f"component_{i}")
            for i, (val, dtype) in enumerate(zip(vals, self._dtypes, strict=False))
        ]

    def _in_scope(self, vals: Any) -> list[Any]:
        return (
            list(vals.values() if isinstance(vals, dict) else vals) if isinstance(vals, list | tuple | dict) else [vals]
        )

    def enqueue(self, vals: Any, name: str | None = None) -> Operation:
        """An op that puts one element in, and waits while the queue is full.

        A run raises ``CancelledError`` if the queue is closed, or while it waits the session is.
        """
        with name_scope(name, f"{self._name}_enqueue", self._in_scope(vals)) as scope:
            tensors = self._components(vals)
            for tensor, shape in zip(tensors, self._shapes, strict=False):
                tensor.shape.assert_is_compatible_with(shape)
            return apply_op(self._op(ENQUEUE), self._queue_ref, tensors, name=scope)

    def enqueue_many(self, vals: Any, name: str | None = None) -> Operation:
        """An op that puts in as many elements as the values have rows."""
        with name_scope(name, f"{self._name}_EnqueueMany", self._in_scope(vals)) as scope:
            tensors = self._components(vals)
            rows = Dimension(tensors[0].shape.with_rank_at_least(1)[0])
            for tensor, shape in zip(tensors, self._shapes, strict=False):
                rows = rows.merge_with(tensor.shape.with_rank_at_least(1)[0])
                tensor.shape[1:].assert_is_compatible_with(shape)
            return apply_op(self._op(ENQUEUE_MANY), self._queue_ref, tensors, name=scope)

    def _dequeued(self, tensors: list[Tensor]) -> Any:
        if self._names:
            return dict(zip(self._names, tensors, strict=True))
        return tensors[0] if len(tensors) == 1 else tensors

    def dequeue(self, name: str | None = None) -> Any:
        """The next element; a run waits while the queue is empty.

        A run raises ``OutOfRangeError`` once the queue is closed and empty, ``CancelledError`` if the session
        is closed while it waits.
        """
        outputs = self._taken(DEQUEUE, [], name or f"{self._name}_Dequeue")
        for output, shape in zip(outputs, self._shapes, strict=True):
            output.set_shape(shape)
        return self._dequeued(outputs)

    def _taken(self, both: tuple[OpDef, OpDef], arguments: list[Any], name: str) -> list[Tensor]:
        outputs: list[Tensor] = apply(
            self._op(both), self._queue_ref, *arguments, component_types=self._dtypes, name=name
        )
        return outputs

    def dequeue_many(self, n: Any, name: str | None = None) -> Any:
        """The next ``n`` elements as one; a run waits until there are so many."""
        outputs = self._taken(DEQUEUE_MANY, [n], name or f"{self._name}_DequeueMany")
        known = constant_value(outputs[0].op.inputs[1])
        rows = TensorShape([None if known is None else int(known)])
        for output, shape in zip(outputs, self._shapes, strict=True):
            output.set_shape(rows.concatenate(shape))
        return self._dequeued(outputs)

    def dequeue_up_to(self, n: Any, name: str | None = None) -> Any:
        """The next ``n`` elements as one, or what is left in a closed queue."""
        outputs = self._taken(DEQUEUE_UP_TO, [n], name or f"{self._name}_DequeueUpTo")
        for output, shape in zip(outputs, self._shapes, strict=True):
            output.set_shape(TensorShape([None]).concatenate(shape))
        return self._dequeued(outputs)

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> Operation:
        """An op that closes the queue: nothing more is put in; what waits to be is, or is cancelled."""
        return apply_op(
            self._op(CLOSE), self._queue_ref, cancel_pending_enqueues=cancel_pending_enqueues,
            name=name or f"{self._name}_Close",
        )  # fmt: skip

    def is_closed(self, name: str | None = None) -> Tensor:
        """Whether the queue is closed."""
        return apply(self._op(IS_CLOSED), self._queue_ref, name=name or f"{self._name}_Is_Closed")

    def size(self, name: str | None = None) -> Tensor:
        """How many elements there are."""
        return apply(self._op(SIZE), self._queue_ref, name=name or f"{self._name}_Size")


def _shared(shared_name: Any) -> str:
    """Where ops run at once a queue is shared by nobody."""
    if default_graph().is_eager:
        return str(uid())
    return "" if shared_name is None else shared_name


class RandomShuffleQueue(QueueBase):
    """A queue whose elements come out in random order.

    Args:
      min_after_dequeue: as long as the queue is open, so many elements stay in it to choose from.
    """

    def __init__(
        self, capacity: int, min_after_dequeue: int, dtypes: Any, shapes: Any = None, names: Any = None,
        seed: int | None = None, shared_name: str | None = None, name: str = "random_shuffle_queue",
    ) -> None:  # fmt: skip
        types = _types_listed(dtypes)
        dims = shapes_listed(shapes, types)
        names = _names_listed(names, types)
        seed1, seed2 = get_seed(seed)
        if seed1 is None and seed2 is None:
            seed1, seed2 = 0, 0
        elif seed is None and shared_name is not None:
            # the ops of several graphs find the same queue whatever their numbers are
            digest = hashlib.md5(f"{seed1}{shared_name}".encode()).hexdigest()
            seed2 = int(digest[:8], 16) & 0x7FFFFFFF
        ref = apply(
            RANDOM_QUEUE, component_types=types, shapes=dims or [], capacity=capacity,
            min_after_dequeue=min_after_dequeue, seed=seed1, seed2=seed2, shared_name=_shared(shared_name), name=name,
        )  # fmt: skip
        super().__init__(types, dims, names, ref)


class FIFOQueue(QueueBase):
    """A queue whose elements come out in the order in which they were put in."""

    def __init__(
        self, capacity: int, dtypes: Any, shapes: Any = None, names: Any = None, shared_name: str | None = None,
        name: str = "fifo_queue",
    ) -> None:  # fmt: skip
        types = _types_listed(dtypes)
        dims = shapes_listed(shapes, types)
        names = _names_listed(names, types)
        ref = apply(
            FIFO_QUEUE, component_types=types, shapes=dims or [], capacity=capacity,
            shared_name=_shared(shared_name), name=name,
        )  # fmt: skip
        super().__init__(types, dims, names, ref)


class PaddingFIFOQueue(QueueBase):
    """A queue in whose batches shorter elements are filled up with zeros; shapes may have open dimensions."""

    def __init__(
        self, capacity: int, dtypes: Any, shapes: Any, names: Any = None, shared_name: str | None = None,
        name: str = "padding_fifo_queue",
    ) -> None:  # fmt: skip
        types = _types_listed(dtypes)
        if not isinstance(shapes, Sequence) or not shapes or any(s is None or isinstance(s, int) for s in shapes):
            raise ValueError("When providing partial shapes, a list of shapes must be provided.")
        dims = shapes_listed(shapes, types, unknown_dim_allowed=True)
        names = _names_listed(names, types)
        if len(types) != len(dims):
            raise ValueError(
                f"Shapes must be provided for all components, but received {len(types)} dtypes and {len(dims)} shapes."
            )
        ref = apply(
            PADDING_QUEUE, component_types=types, shapes=dims, capacity=capacity, shared_name=_shared(shared_name),
            name=name,
        )  # fmt: skip
        super().__init__(types, dims, names, ref)


class PriorityQueue(QueueBase):
    """A queue whose elements come out by their first component, an int64: the smallest first."""

    def __init__(
        self, capacity: int, types: Any, shapes: Any = None, names: Any = None, shared_name: str | None = None,
        name: str = "priority_queue",
    ) -> None:  # fmt: skip
        listed = _types_listed(types)
        dims = shapes_listed(shapes, listed)
        ref = apply(
            PRIORITY_QUEUE, component_types=listed, shapes=dims or [], capacity=capacity,
            shared_name=_shared(shared_name), name=name,
        )  # fmt: skip
        whole = [dtypes.int64, *listed]
        shapes_of_all = None if dims is None else [TensorShape(()), *dims]
        super().__init__(whole, shapes_of_all, _names_listed(names, whole), ref)


def reference_of(queue: Any) -> Any:
    """The handle of a queue, or what is one."""
    return queue.queue_ref if isinstance(queue, QueueBase) else queue
