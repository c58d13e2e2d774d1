"""Input pipelines of queues: producers of names and slices, batches, batches in random order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from retrograd.graph import dtypes
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor, convert_n_to_tensor, convert_to_tensor_or_sparse_tensor
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import colocate_with, control_dependencies, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.stack import default_graph
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.nn import summaries
from retrograd.ops import arithmetic, arrays, comparison, constants, indexing
from retrograd.ops.asserts import Assert
from retrograd.ops.casts import cast
from retrograd.ops.conditions import smart_cond
from retrograd.ops.control import no_op
from retrograd.ops.queue_classes import FIFOQueue, PaddingFIFOQueue, QueueBase, RandomShuffleQueue
from retrograd.ops.random import random_shuffle
from retrograd.ops.sparse_maps import (
    add_many_sparse_to_tensors_map,
    add_sparse_to_tensors_map,
    take_many_sparse_from_tensors_map,
)
from retrograd.ops.stitching import dynamic_partition
from retrograd.ops.whole_files import matching_files
from retrograd.state.variables import VariableV1
from retrograd.train.queue_runner import QueueRunner, add_queue_runner

# -- producers ---------------------------------------------------------------------------------


def match_filenames_once(pattern: Any, name: str | None = None) -> Any:
    """A local variable that holds the names of the files that matched ``pattern`` when it was initialized."""
    with name_scope(name, "matching_filenames", [pattern]) as scope:
        return VariableV1(
            name=scope, initial_value=matching_files(pattern), trainable=False, validate_shape=False,
            collections=[GraphKeys.LOCAL_VARIABLES],
        )  # fmt: skip


def limit_epochs(tensor: Any, num_epochs: int | None = None, name: str | None = None) -> Tensor:
    """``tensor``, which can be evaluated ``num_epochs`` times; then a run raises ``OutOfRangeError``.

    Raises:
      ValueError: ``num_epochs`` is not positive.
    """
    if num_epochs is None:
        return tensor  # type: ignore[no-any-return]
    if num_epochs <= 0:
        raise ValueError(f"num_epochs must be > 0 not {num_epochs}.")
    with name_scope(name, "limit_epochs", [tensor]) as scope:
        zero = constants.constant(0, dtypes.int64)
        epochs = VariableV1(
            zero, name="epochs", trainable=False, collections=[GraphKeys.LOCAL_VARIABLES], use_resource=False
        )
        counter = epochs.count_up_to(num_epochs)
        with control_dependencies([counter]):
            return arrays.identity(tensor, name=scope)


def input_producer(
    input_tensor: Any, element_shape: Any = None, num_epochs: int | None = None, shuffle: bool = True,
    seed: int | None = None, capacity: int = 32, shared_name: str | None = None, summary_name: str | None = None,
    name: str | None = None, cancel_op: Any = None,
) -> QueueBase:  # fmt: skip
    """A queue of the rows of ``input_tensor``, over and over or for ``num_epochs``, in random order if ``shuffle``.

    Raises:
      ValueError: the shape of a row is not known.
    """
    _refuse_where_ops_run_at_once()
    with name_scope(name, "input_producer", [input_tensor]):
        input_tensor = as_tensor(input_tensor, name="input_tensor")
        row_shape = input_tensor.shape[1:].merge_with(element_shape)
        if not row_shape.is_fully_defined():
            raise ValueError(
                "Either `input_tensor` must have a fully defined shape or `element_shape` must be specified"
            )
        if shuffle:
            input_tensor = random_shuffle(input_tensor, seed=seed)
        input_tensor = limit_epochs(input_tensor, num_epochs)
        queue = FIFOQueue(
            capacity=capacity, dtypes=[input_tensor.dtype.base_dtype], shapes=[row_shape], shared_name=shared_name,
            name=name,  # type: ignore[arg-type]
        )  # fmt: skip
        enqueue = queue.enqueue_many([input_tensor])
        add_queue_runner(QueueRunner(queue, [enqueue], cancel_op=cancel_op))
        if summary_name is not None:
            summaries.scalar(summary_name, cast(queue.size(), dtypes.float32) * (1.0 / capacity))
        return queue


def string_input_producer(
    string_tensor: Any, num_epochs: int | None = None, shuffle: bool = True, seed: int | None = None,
    capacity: int = 32, shared_name: str | None = None, name: str | None = None, cancel_op: Any = None,
) -> QueueBase:  # fmt: skip
    """A queue of strings, such as names of files for a reader.

    Raises:
      ValueError: there are no strings.
    """
    empty = "string_input_producer requires a non-null input tensor"
    if not isinstance(string_tensor, Tensor) and not hasattr(string_tensor, "_as_graph_element"):
        string_tensor = list(string_tensor)
        if not string_tensor:
            raise ValueError(empty)
    with name_scope(name, "input_producer", [string_tensor]) as scope:
        string_tensor = as_tensor(string_tensor, dtypes.string)
        with control_dependencies([Assert(comparison.greater(arrays.size(string_tensor), 0), [empty])]):
            string_tensor = arrays.identity(string_tensor)
        return input_producer(
            input_tensor=string_tensor, element_shape=[], num_epochs=num_epochs, shuffle=shuffle, seed=seed,
            capacity=capacity, shared_name=shared_name, name=scope, summary_name=f"fraction_of_{capacity}_full",
            cancel_op=cancel_op,
        )  # fmt: skip


def range_input_producer(
    limit: Any, num_epochs: int | None = None, shuffle: bool = True, seed: int | None = None, capacity: int = 32,
    shared_name: str | None = None, name: str | None = None,
) -> QueueBase:  # fmt: skip
    """A queue of the integers below ``limit``."""
    with name_scope(name, "input_producer", [limit]) as scope:
        numbers = constants.range_(limit)
        return input_producer(
            numbers, [], num_epochs, shuffle, seed, capacity, shared_name, f"fraction_of_{capacity}_full", scope
        )


def slice_input_producer(
    tensor_list: Any, num_epochs: int | None = None, shuffle: bool = True, seed: int | None = None,
    capacity: int = 32, shared_name: str | None = None, name: str | None = None,
) -> list[Tensor]:  # fmt: skip
    """One row of each tensor of the list, another one in every run.

    Raises:
      ValueError: the list is empty.
    """
    with name_scope(name, "input_producer", tensor_list):
        tensors = convert_n_to_tensor(tensor_list)
        if not tensors:
            raise ValueError("Expected at least one tensor in slice_input_producer().")
        size = arrays.shape(tensors[0])[0]
        queue = range_input_producer(size, num_epochs, shuffle, seed, capacity, shared_name)
        index = queue.dequeue()
        return [indexing.gather(t, index) for t in tensors]


# -- what goes into a queue --------------------------------------------------------------------


class _Kept(NamedTuple):
    """How a tensor goes through a queue: a sparse one as a number, under which ``map_op`` keeps it."""

    is_sparse: bool
    map_op: Any = None
    rank: int | None = None


def _refuse_where_ops_run_at_once() -> None:
    if default_graph().is_eager:
        error = RuntimeError(
            "Input pipelines based on Queues are not supported when eager execution is enabled. Please use tf.data to "
            "ingest data into your model instead."
        )
        error.add_note("  Fix:   for batch in tf.data.Dataset.from_tensor_slices(...).batch(n): ...")
        raise error


def _as_tensor_list(tensors: Any) -> list[Any]:
    return [tensors[k] for k in sorted(tensors, key=str)] if isinstance(tensors, dict) else list(tensors)


def _as_tensor_list_list(tensors_list: Any) -> list[list[Any]]:
    if not tensors_list:
        raise ValueError("Expected at least one set of tensors")
    if isinstance(tensors_list[0], dict):
        expected = set(tensors_list[0])
        for tensors in tensors_list[1:]:
            if set(tensors) != expected:
                raise ValueError("All dictionaries in tensors_list must have the same keys")
    return [_as_tensor_list(tensors) for tensors in tensors_list]


def _as_original_type(original: Any, tensors: Any) -> Any:
    """The batch in the form of what was given: a dict, a list, or one tensor."""
    if isinstance(original, dict):
        if len(original) == 1:
            tensors = [tensors] if not isinstance(tensors, list | tuple) else tensors
        return dict(zip(sorted(original, key=str), tensors, strict=True))
    return tensors


def _checked(tensors: list[Any]) -> list[Any]:
    converted = [convert_to_tensor_or_sparse_tensor(t) for t in tensors]
    if not converted:
        raise ValueError("Expected at least one tensor in batch().")
    return converted


def _checked_join(lists: list[list[Any]]) -> list[list[Any]]:
    converted = [[convert_to_tensor_or_sparse_tensor(t) for t in tensors] for tensors in lists]
    if not converted:
        raise ValueError("Expected at least one input in batch_join().")
    return converted


def _checked_keep(keep_input: Any, enqueue_many: bool) -> Tensor:
    keep = as_tensor(keep_input)
    if keep.dims is None:
        raise ValueError("`keep_input` dimensions must be known at graph construction.")
    if not enqueue_many and len(keep.dims) == 1:
        raise ValueError("`keep_input` cannot be a vector when `enqueue_many=False`.")
    if len(keep.dims) > 1:
        raise ValueError("`keep_input` must be 0 or 1 dimensions.")
    return keep


def _store_sparse(
    tensors: list[Any], enqueue_many: bool, keep: Tensor, maps: Sequence[Any] | None = None
) -> tuple[list[Tensor], list[_Kept]]:
    """Sparse tensors by their numbers; ``maps`` are the ops of the maps that hold them already."""
    stored, kept = [], []
    for i, tensor in enumerate(tensors):
        if not isinstance(tensor, SparseTensor):
            stored.append(tensor)
            kept.append(_Kept(False))
            continue
        name = None if maps is None or maps[i].map_op is None else maps[i].map_op.name
        number = _number_of(tensor, enqueue_many, keep, name)
        map_op = _map_op(number)
        number = number if enqueue_many else arrays.expand_dims(number, [0])
        rank = tensor.shape.ndims
        stored.append(arrays.expand_dims(number, [-1]) if enqueue_many else number)
        kept.append(_Kept(True, map_op, None if rank is None else rank - enqueue_many))
    return stored, kept


def _number_of(tensor: SparseTensor, enqueue_many: bool, keep: Tensor, name: str | None) -> Tensor:
    if enqueue_many:
        return add_many_sparse_to_tensors_map(tensor, shared_name=name)
    if keep.dims == () and constant_value(keep) is not None:
        known = bool(constant_value(keep))
        return add_sparse_to_tensors_map(tensor, shared_name=name) if known else constants.constant(-1, dtypes.int64)
    chosen: Tensor = smart_cond(
        keep, lambda: add_sparse_to_tensors_map(tensor, shared_name=name), lambda: constants.constant(-1, dtypes.int64)
    )
    return chosen


def _map_op(number: Tensor) -> Operation:
    """The op that keeps a sparse tensor, through a ``cond``."""
    op = number.op
    while op.type in ("Merge", "Switch", "Identity"):
        op = (op.inputs[1] if op.type == "Merge" else op.inputs[0]).op
    return op


def _restore_sparse(dequeued: Any, kept: list[_Kept]) -> Any:
    received = list(dequeued) if isinstance(dequeued, Sequence) else [dequeued]
    tensors = [_restored(t, k) if k.is_sparse else t for t, k in zip(received, kept, strict=True)]
    return tensors if isinstance(dequeued, Sequence) else tensors[0]


def _restored(numbers: Tensor, kept: _Kept) -> SparseTensor:
    rank = None if kept.rank is None else kept.rank + 1
    sparse = take_many_sparse_from_tensors_map(kept.map_op, arrays.squeeze(numbers, [1]), rank)
    parts = sparse.indices, sparse.values, sparse.dense_shape
    with colocate_with(sparse.indices.op):
        return SparseTensor(*[arrays.identity(part, name="control_dependency") for part in parts])


def _types(lists: list[list[Tensor]]) -> list[Any]:
    types = [t.dtype for t in lists[0]]
    for other in lists[1:]:
        found = [t.dtype for t in other]
        if found != types:
            raise TypeError(
                f"Expected types to be consistent: {', '.join(t.name for t in types)} vs. "
                f"{', '.join(t.name for t in found)}."
            )
    return types


def _shapes(lists: list[list[Tensor]], shapes: Any, enqueue_many: bool) -> Any:
    """The shapes of the elements: those that are known of all lists."""
    if shapes is not None:
        return shapes
    if any(t.dims is None for tensors in lists for t in tensors):
        raise ValueError("Cannot infer Tensor's rank: one of the tensors is of unknown rank")
    count = len(lists[0])
    if any(len(tensors) != count for tensors in lists):
        raise ValueError("All lists of tensors must have the same length")
    return [_merged([tensors[i].shape.as_list() for tensors in lists], enqueue_many) for i in range(count)]


def _merged(dims: list[Any], enqueue_many: bool) -> Any:
    if enqueue_many:
        dims = [d[1:] for d in dims]
    for other in dims[1:]:
        if len(other) != len(dims[0]):
            raise ValueError(f"Shapes {dims} have different ranks")
    return TensorShape([sizes[0] if len(set(sizes)) == 1 else None for sizes in zip(*dims, strict=True)]).as_list()


def _put_in(queue: QueueBase, lists: list[list[Any]], threads: int, enqueue_many: bool, keep: Tensor) -> None:
    """A queue runner that puts the tensors of each list into the queue, where ``keep`` says so."""
    enqueue = queue.enqueue_many if enqueue_many else queue.enqueue
    if keep.dims:
        ops = [enqueue(_kept_rows(tensors, keep)) for tensors in lists]
    else:
        ops = [_chosen(keep, _enqueuing(enqueue, tensors)) for tensors in lists]
    add_queue_runner(QueueRunner(queue, ops * threads))


def _enqueuing(enqueue: Callable[..., Operation], tensors: list[Any]) -> Callable[[], Operation]:
    return lambda: enqueue(tensors)


def _chosen(keep: Tensor, enqueue: Callable[[], Operation]) -> Any:
    return smart_cond(keep, enqueue, no_op)


def _kept_rows(tensors: list[Any], keep: Tensor) -> list[Tensor]:
    chosen = cast(keep, dtypes.int32)
    return [dynamic_partition(t, chosen, num_partitions=2)[1] for t in tensors]


# -- batches -----------------------------------------------------------------------------------


def _shuffle_settings(least: int | None, capacity: int) -> tuple[str, float]:
    if least is None:
        return f"fraction_of_{capacity}_full", 1.0 / capacity
    return f"fraction_over_{least}_of_{capacity - least}_full", 1.0 / (capacity - least)


def _batched(
    lists: list[list[Any]], batch_size: Any, keep: Tensor, threads: int, capacity: int, enqueue_many: bool,
    shapes: Any, make_queue: Callable[..., QueueBase], allow_smaller_final_batch: bool, name: str,
    least: int | None = None,
) -> Any:  # fmt: skip
    """Batches of what the queue of ``make_queue`` gives, into which all ``lists`` go."""
    _refuse_where_ops_run_at_once()
    stored, kept = _store_sparse(lists[0], enqueue_many, keep)
    all_stored = [stored] + [_store_sparse(tensors, enqueue_many, keep, kept)[0] for tensors in lists[1:]]
    types = _types(all_stored)
    queue = make_queue(capacity=capacity, dtypes=types, shapes=_shapes(all_stored, shapes, enqueue_many))
    _put_in(queue, all_stored, threads, enqueue_many, keep)
    size = queue.size() if least is None else arithmetic.maximum(0, queue.size() - least)
    summary_name, factor = _shuffle_settings(least, capacity)
    summaries.scalar(summary_name, cast(size, dtypes.float32) * factor)
    dequeue = queue.dequeue_up_to if allow_smaller_final_batch else queue.dequeue_many
    return _restore_sparse(dequeue(batch_size, name=name), kept)


def _in_order(dynamic_pad: bool, shared_name: str | None) -> Callable[..., QueueBase]:
    kind = PaddingFIFOQueue if dynamic_pad else FIFOQueue
    return lambda **settings: kind(shared_name=shared_name, **settings)


def _in_random_order(least: int, seed: int | None, shared_name: str | None) -> Callable[..., QueueBase]:
    return lambda **settings: RandomShuffleQueue(
        min_after_dequeue=least, seed=seed, shared_name=shared_name, **settings
    )


def _batch(
    tensors: Any, batch_size: Any, keep_input: Any, num_threads: int, capacity: int, enqueue_many: bool, shapes: Any,
    make_queue: Callable[..., QueueBase], allow_smaller_final_batch: bool, name: str | None, default_name: str,
    least: int | None = None,
) -> Any:  # fmt: skip
    listed = _as_tensor_list(tensors)
    with name_scope(name, default_name, [*listed, keep_input]) as scope:
        checked = _checked(listed)
        keep = _checked_keep(keep_input, enqueue_many)
        batch = _batched(
            [checked], batch_size, keep, num_threads, capacity, enqueue_many, shapes, make_queue,
            allow_smaller_final_batch, scope, least,
        )  # fmt: skip
        return _as_original_type(tensors, batch)


def _batch_join(
    tensors_list: Any, batch_size: Any, keep_input: Any, capacity: int, enqueue_many: bool, shapes: Any,
    make_queue: Callable[..., QueueBase], allow_smaller_final_batch: bool, name: str | None, default_name: str,
    least: int | None = None,
) -> Any:  # fmt: skip
    lists = _as_tensor_list_list(tensors_list)
    with name_scope(name, default_name, [t for tensors in lists for t in tensors] + [keep_input]) as scope:
        checked = _checked_join(lists)
        keep = _checked_keep(keep_input, enqueue_many)
        batch = _batched(
            checked, batch_size, keep, 1, capacity, enqueue_many, shapes, make_queue, allow_smaller_final_batch,
            scope, least,
        )  # fmt: skip
        return _as_original_type(tensors_list[0], batch)


def batch(
    tensors: Any, batch_size: Any, num_threads: int = 1, capacity: int = 32, enqueue_many: bool = False,
    shapes: Any = None, dynamic_pad: bool = False, allow_smaller_final_batch: bool = False,
    shared_name: str | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """Batches of ``tensors``, which threads evaluate ahead.

    Args:
      tensors: a list or a dict; the result has the same form.
      num_threads: with more than one the order of the elements is not determined.
      capacity: how many elements wait at most.
      enqueue_many: each tensor holds several elements, one in each row.
      shapes: of the elements, where they are not known otherwise.
      dynamic_pad: fill shorter elements of a batch up with zeros.
      allow_smaller_final_batch: let the last batch be what is left.
    """
    return _batch(
        tensors, batch_size, True, num_threads, capacity, enqueue_many, shapes, _in_order(dynamic_pad, shared_name),
        allow_smaller_final_batch, name, "batch",
    )  # fmt: skip


def maybe_batch(
    tensors: Any, keep_input: Any, batch_size: Any, num_threads: int = 1, capacity: int = 32,
    enqueue_many: bool = False, shapes: Any = None, dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False, shared_name: str | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """``batch`` of those elements for which ``keep_input`` is true."""
    return _batch(
        tensors, batch_size, keep_input, num_threads, capacity, enqueue_many, shapes,
        _in_order(dynamic_pad, shared_name), allow_smaller_final_batch, name, "batch",
    )  # fmt: skip


def batch_join(
    tensors_list: Any, batch_size: Any, capacity: int = 32, enqueue_many: bool = False, shapes: Any = None,
    dynamic_pad: bool = False, allow_smaller_final_batch: bool = False, shared_name: str | None = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """``batch`` of several lists (or dicts) of tensors, each evaluated by a thread of its own."""
    return _batch_join(
        tensors_list, batch_size, True, capacity, enqueue_many, shapes, _in_order(dynamic_pad, shared_name),
        allow_smaller_final_batch, name, "batch_join",
    )  # fmt: skip


def maybe_batch_join(
    tensors_list: Any, keep_input: Any, batch_size: Any, capacity: int = 32, enqueue_many: bool = False,
    shapes: Any = None, dynamic_pad: bool = False, allow_smaller_final_batch: bool = False,
    shared_name: str | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """``batch_join`` of those elements for which ``keep_input`` is true."""
    return _batch_join(
        tensors_list, batch_size, keep_input, capacity, enqueue_many, shapes, _in_order(dynamic_pad, shared_name),
        allow_smaller_final_batch, name, "batch_join",
    )  # fmt: skip


def shuffle_batch(
    tensors: Any, batch_size: Any, capacity: int, min_after_dequeue: int, num_threads: int = 1,
    seed: int | None = None, enqueue_many: bool = False, shapes: Any = None,
    allow_smaller_final_batch: bool = False, shared_name: str | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """``batch`` in random order: elements are drawn from at least ``min_after_dequeue`` that wait."""
    return maybe_shuffle_batch(
        tensors, batch_size, capacity, min_after_dequeue, True, num_threads, seed, enqueue_many, shapes,
        allow_smaller_final_batch, shared_name, name,
    )  # fmt: skip


def maybe_shuffle_batch(
    tensors: Any, batch_size: Any, capacity: int, min_after_dequeue: int, keep_input: Any, num_threads: int = 1,
    seed: int | None = None, enqueue_many: bool = False, shapes: Any = None,
    allow_smaller_final_batch: bool = False, shared_name: str | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """``shuffle_batch`` of those elements for which ``keep_input`` is true."""
    return _batch(
        tensors, batch_size, keep_input, num_threads, capacity, enqueue_many, shapes,
        _in_random_order(min_after_dequeue, seed, shared_name), allow_smaller_final_batch, name, "shuffle_batch",
        min_after_dequeue,
    )  # fmt: skip


def shuffle_batch_join(
    tensors_list: Any, batch_size: Any, capacity: int, min_after_dequeue: int, seed: int | None = None,
    enqueue_many: bool = False, shapes: Any = None, allow_smaller_final_batch: bool = False,
    shared_name: str | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """``batch_join`` in random order."""
    return maybe_shuffle_batch_join(
        tensors_list, batch_size, capacity, min_after_dequeue, True, seed, enqueue_many, shapes,
        allow_smaller_final_batch, shared_name, name,
    )  # fmt: skip


def maybe_shuffle_batch_join(
    tensors_list: Any, batch_size: Any, capacity: int, min_after_dequeue: int, keep_input: Any,
    seed: int | None = None, enqueue_many: bool = False, shapes: Any = None,
    allow_smaller_final_batch: bool = False, shared_name: str | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """``shuffle_batch_join`` of those elements for which ``keep_input`` is true."""
    return _batch_join(
        tensors_list, batch_size, keep_input, capacity, enqueue_many, shapes,
        _in_random_order(min_after_dequeue, seed, shared_name), allow_smaller_final_batch, name,
        "shuffle_batch_join", min_after_dequeue,
    )  # fmt: skip
