"""Batches of elements of a kind: ``tf.contrib.training.bucket``, a queue for each kind and one for their batches.

Source: TensorFlow 1.15.5's names, order of nodes and messages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from retrograd.graph import dtypes, errors
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.static import constant_value
from retrograd.nn import summaries
from retrograd.nn.layers.sizes import smart_cond
from retrograd.ops import casts, comparison, constants, reductions
from retrograd.ops.conditions import cond
from retrograd.ops.control import group, no_op
from retrograd.ops.queue_classes import FIFOQueue, PaddingFIFOQueue, QueueBase
from retrograd.train.input import (
    _as_original_type,
    _as_tensor_list,
    _checked_keep,
    _restore_sparse,
    _shapes,
    _store_sparse,
    _types,
    convert_to_tensor_or_sparse_tensor,
)
from retrograd.train.queue_runner import QueueRunner, add_queue_runner

_ENDED = (errors.OutOfRangeError, errors.CancelledError)


def bucket(
    tensors: Any,
    which_bucket: Any,
    batch_size: Any,
    num_buckets: int,
    num_threads: int = 1,
    capacity: int = 32,
    bucket_capacities: Sequence[int] | None = None,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    keep_input: Any = True,
    shared_name: str | None = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Batches of elements that went into the same bucket: its number, and the batch.

    Args:
      which_bucket: the number of the element's bucket.
      batch_size: one for all buckets, or a list of one for each.

    Raises:
      ValueError: there are not as many sizes or capacities as buckets, or no tensors.
    """
    sizes = list(batch_size) if isinstance(batch_size, list | tuple) else None
    if sizes is not None and len(sizes) != num_buckets:
        raise ValueError("If batch_size is a list it must have num_buckets elements")
    capacities = [capacity] * num_buckets if bucket_capacities is None else list(bucket_capacities)
    if len(capacities) != num_buckets:
        raise ValueError(
            f"The list bucket_capacities ({bucket_capacities!s}) must have exactly num_buckets ({num_buckets}) "
            "elements."
        )
    listed = _as_tensor_list(tensors)
    with name_scope(name, "bucket", listed):
        listed = [convert_to_tensor_or_sparse_tensor(t) for t in listed]
        if not listed:
            raise ValueError("Expected at least one tensor in bucket().")
        keep = _checked_keep(keep_input, enqueue_many=False)
        stored, kept = _store_sparse(listed, enqueue_many=False, keep=keep)
        known = [_known(size) for size in sizes or [batch_size] * num_buckets]
        types, dims = _types([stored]), _shapes([stored], shapes, enqueue_many=False)
        which = as_tensor(which_bucket, dtype=dtypes.int32, name="which_bucket")
        kind = PaddingFIFOQueue if dynamic_pad else FIFOQueue
        buckets: list[QueueBase] = [
            kind(
                capacity=size, dtypes=types, shapes=dims, name=f"bucket_queue_{i}",
                shared_name=None if shared_name is None else f"{shared_name}_{i}",
            )
            for i, size in enumerate(capacities)
        ]  # fmt: skip
        fixed = None if allow_smaller_final_batch or sizes is not None else known[-1]
        batch_shapes = [
            TensorShape([fixed if isinstance(fixed, int) else None]).concatenate(s) for s in buckets[0].shapes
        ]
        top = PaddingFIFOQueue(
            capacity=capacity, dtypes=[dtypes.int32, *types], shapes=[TensorShape([]), *batch_shapes],
            shared_name=shared_name, name="top_queue",
        )  # fmt: skip
        enqueue = smart_cond(keep, lambda: _into_bucket(which, buckets, stored), no_op)
        to_top = [
            top.enqueue(
                [constants.constant(i), *_taken(queue, size, allow_smaller_final_batch, i)],
                name=f"enqueue_from_bucket_{i}",
            )
            for i, (queue, size) in enumerate(zip(buckets, known, strict=True))
        ]  # fmt: skip
        add_queue_runner(
            QueueRunner(
                buckets[0], to_top, close_op=top.close(), cancel_op=top.close(cancel_pending_enqueues=True),
                queue_closed_exception_types=_ENDED,
            )
        )  # fmt: skip
        add_queue_runner(
            QueueRunner(
                top, [enqueue] * num_threads, close_op=group(*[q.close() for q in buckets]),
                cancel_op=group(*[q.close(cancel_pending_enqueues=True) for q in buckets]),
                queue_closed_exception_types=_ENDED,
            )
        )  # fmt: skip
        for queue in buckets:
            summaries.scalar(f"bucket/{queue.name}/size", casts.cast(top.size(), dtypes.float32))
        part = casts.cast(top.size(), dtypes.float32) * (1.0 / capacity)
        summaries.scalar(f"bucket/{top.name}/fraction_of_{capacity}_full", part)
        number, *dequeued = top.dequeue(name="dequeue_top")
        batch = _restore_sparse(dequeued[0] if len(dequeued) == 1 else dequeued, kept)
        return number, _as_original_type(tensors, batch)


def _known(size: Any) -> Any:
    """A batch's size, as a number where it is one."""
    tensor = as_tensor(size, dtype=dtypes.int32, name="batch_size")
    value = constant_value(tensor)
    return tensor if value is None else int(value)


def _into_bucket(which: Any, buckets: list[QueueBase], tensors: list[Any]) -> Any:
    def enqueue(queue: QueueBase) -> Callable[[], Any]:
        return lambda: queue.enqueue(tensors)

    chosen = [cond(comparison.equal(which, i), enqueue(queue), no_op) for i, queue in enumerate(buckets)]
    return group(*chosen, name="group_enqueues")


def _taken(queue: QueueBase, size: Any, up_to: bool, i: int) -> list[Any]:
    dequeue = queue.dequeue_up_to if up_to else queue.dequeue_many
    taken = dequeue(size, name=f"read_bucket_{i}")
    return list(taken) if isinstance(taken, list | tuple) else [taken]


def bucket_by_sequence_length(
    input_length: Any,
    tensors: Any,
    batch_size: Any,
    bucket_boundaries: Sequence[int],
    num_threads: int = 1,
    capacity: int = 32,
    bucket_capacities: Sequence[int] | None = None,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    keep_input: Any = True,
    shared_name: str | None = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Batches of elements of similar length: the lengths, and the batch.

    Args:
      bucket_boundaries: rising lengths at which a new bucket begins.

    Raises:
      TypeError: the boundaries are no list of integers.
      ValueError: there are none, or they do not rise.
    """
    listed = _as_tensor_list(tensors)
    if not isinstance(bucket_boundaries, list | tuple):
        raise TypeError(f"bucket_boundaries must be a list or tuple, but received: {bucket_boundaries}")
    if not bucket_boundaries:
        raise ValueError("bucket_boundaries must not be empty")
    for low, high in pairwise(bucket_boundaries):
        if not isinstance(low, int) or not isinstance(high, int):
            raise TypeError(f"bucket boundaries must be integers, but saw: {low} and {high}")
        if low >= high:
            raise ValueError(f"Buckets must contain sequential increasing lengths, but saw: {low} before {high}")
    with name_scope(name, "bucket_by_sequence_length", [input_length, *listed]):
        length = as_tensor(input_length, dtype=dtypes.int32, name="input_length")
        limits = np.iinfo(np.int32)
        from_, below = [limits.min, *bucket_boundaries], [*bucket_boundaries, limits.max]
        fits = comparison.logical_and(comparison.less_equal(from_, length), comparison.less(length, below))
        which = casts.cast(reductions.reduce_min(comparison.where_v2(fits)), dtypes.int32)
        if shapes is not None:
            shapes = [TensorShape([]), *shapes]
        _, dequeued = bucket(
            tensors=[length, *listed], which_bucket=which, batch_size=batch_size,
            num_buckets=len(bucket_boundaries) + 1, num_threads=num_threads, capacity=capacity,
            bucket_capacities=bucket_capacities, shapes=shapes, dynamic_pad=dynamic_pad,
            allow_smaller_final_batch=allow_smaller_final_batch, keep_input=keep_input, shared_name=shared_name,
        )  # fmt: skip
        return dequeued[0], _as_original_type(tensors, dequeued[1:])
