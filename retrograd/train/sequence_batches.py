"""``tf.contrib.training.batch_sequences_with_states``: sequences, dense and sparse, in batches of segments.

A sparse sequence goes through the barrier as the numbers under which its steps are kept; a sparse tensor of the
context becomes a sequence that has it at the first step of each segment.

Source: TensorFlow 1.15.5's names, arguments and messages.
"""

from __future__ import annotations

from numbers import Integral
from typing import Any

from retrograd.graph import dtypes, errors
from retrograd.graph.convert import as_tensor
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.sparse import SparseTensor, SparseTensorValue
from retrograd.graph.tensor import Tensor
from retrograd.nn import summaries
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    comparison,
    constants,
    joining,
    random,
    reductions,
    repeating,
    string_numbers,
    strings,
)
from retrograd.ops import sparse as sparse_ops
from retrograd.ops.asserts import Assert
from retrograd.ops.control import with_dependencies
from retrograd.ops.sparse_maps import add_many_sparse_to_tensors_map, take_many_sparse_from_tensors_map
from retrograd.train.queue_runner import QueueRunner, add_queue_runner
from retrograd.train.state_saver import NextQueuedSequenceBatch, SequenceQueueingStateSaver, multiple_assertion

_FROM_CONTEXT = "_context_in_seq_"


def batch_sequences_with_states(
    input_key: Any, input_sequences: dict[str, Any], input_context: dict[str, Any], input_length: Any,
    initial_states: dict[str, Any], num_unroll: int, batch_size: Any, num_threads: int = 3, capacity: int | None = 1000,
    allow_small_batch: bool = True, pad: bool = True, make_keys_unique: bool = False,
    make_keys_unique_seed: int | None = None, name: str | None = None,
) -> NextQueuedSequenceBatch:  # fmt: skip
    """Batches of segments of sequences that come one at a time; each segment starts from its predecessor's state.

    Threads of a queue runner take the sequences in.

    Args:
      input_key: a string of its own for every sequence under way.
      input_sequences: by name, tensors or sparse tensors [length, ...].
      input_context: by name, tensors or sparse tensors that hold for the whole sequence.
      input_length: the length, int32; None, with ``pad``, for that of ``input_sequences``.
      initial_states: by name, the state before the first segment.
      num_unroll: the steps of a segment.
      capacity: how many sequences may be under way.
      allow_small_batch: whether the last batches may be smaller.
      pad: whether sequences are padded to whole segments; otherwise their lengths must be multiples.
      make_keys_unique: whether a random number is added to the keys.

    Raises:
      TypeError, ValueError: as ``SequenceQueueingStateSaver``.
      InvalidArgumentError: when run, lengths differ, or are no multiples of ``num_unroll``.
    """
    given = [*input_sequences.values(), *input_context.values(), *initial_states.values()]
    with name_scope(name, "batch_sequences_with_states", given):
        if pad:
            length, sequences = _padding(input_sequences, num_unroll)
            input_length = length if input_length is None else input_length
        else:
            sequences = {k: _whole_segments(k, v, num_unroll) for k, v in input_sequences.items()}
        context, sequences = _sparse_context_as_sequences(input_context, sequences, num_unroll)
        dense, maps = _numbered(sequences)
        if make_keys_unique:
            number = random.random_uniform(
                (), minval=0, maxval=100000000, dtype=dtypes.int32, seed=make_keys_unique_seed
            )
            input_key = strings.string_join([input_key, string_numbers.as_string(number)])
        saver = SequenceQueueingStateSaver(
            batch_size, num_unroll, input_length=input_length, input_key=input_key, input_sequences=dense,
            input_context=context, initial_states=initial_states, capacity=capacity,
            allow_small_batch=allow_small_batch,
        )  # fmt: skip
        ready = casts.cast(saver.barrier.ready_size(), dtypes.float32)
        summaries.scalar(f"queue/{saver.barrier.name}/ready_segment_batches_", ready)
        ended = (errors.OutOfRangeError, errors.CancelledError)
        add_queue_runner(QueueRunner(saver, [saver.prefetch_op] * num_threads, queue_closed_exception_types=ended))
        batch = saver.next_batch
        for key, map_op in maps.items():
            batch.sequences[key] = _taken(map_op, batch.sequences[key], batch_size, num_unroll)
        _sequences_as_sparse_context(batch)
        return batch


def _is_sparse(value: Any) -> bool:
    return isinstance(value, SparseTensor | SparseTensorValue)


# -- lengths ---------------------------------------------------------------------------------------


def _padding(sequences: Any, num_unroll: Any) -> tuple[Any, dict[str, Any]]:
    """The common length of the sequences, and each padded to a multiple of ``num_unroll`` with 0 or ""."""
    if not isinstance(num_unroll, Integral):
        raise ValueError(f"Unsupported num_unroll expected int, got: {num_unroll}")
    if not isinstance(sequences, dict):
        raise TypeError(f"Unsupported sequences expected dict, got: {sequences}")
    for key in sequences:
        if not isinstance(key, str):
            raise TypeError(f"Unsupported sequences key expected string, got: {key}")
    if not sequences:
        return 0, {}
    ordered = {k: v if _is_sparse(v) else as_tensor(v) for k, v in sorted(sequences.items())}
    length = _common_length(ordered)
    unroll = constants.constant(num_unroll)
    padded = length + (unroll - length % unroll) % unroll
    return length, {k: _padded(v, padded) for k, v in ordered.items()}


def _common_length(sequences: dict[str, Any]) -> Tensor:
    lengths = [arrays.shape(v)[0] for v in sequences.values() if isinstance(v, Tensor)]
    if not lengths:
        sparse = joining.stack([as_tensor(v.dense_shape)[0] for v in sequences.values()])
        return reductions.reduce_max(casts.cast(sparse, dtypes.int32))
    message = "All sequence lengths must match, but received lengths: "
    checks = [
        Assert(comparison.equal(n, lengths[0]), [strings.string_join([message, string_numbers.as_string(lengths)])])
        for n in lengths
    ]
    agreed: Tensor = with_dependencies(checks, lengths[0])
    return agreed


def _padded(value: Any, length: Tensor) -> Any:
    if not isinstance(value, Tensor):
        shape = joining.concat([[casts.cast(length, dtypes.int64)], value.dense_shape[1:]], 0)
        return SparseTensor(indices=value.indices, values=value.values, dense_shape=shape)
    shape = joining.concat(([length - arrays.shape(value)[0]], arrays.shape(value)[1:]), 0)
    filler = constants.constant("" if value.dtype == dtypes.string else 0, dtype=value.dtype)
    return joining.concat([value, constants.fill(shape, filler)], 0)


def _whole_segments(key: str, value: Any, num_unroll: int) -> Any:
    """The sequence; its length is required to be a multiple of ``num_unroll`` when it is read."""
    if _is_sparse(value):
        value = value if isinstance(value, SparseTensor) else SparseTensor.from_value(value)
        kind, length = "SparseTensor", value.dense_shape[0]
    else:
        try:
            value = as_tensor(value)
        except TypeError:
            raise TypeError(
                f"Unsupported input_sequences expected Tensor or SparseTensor values, got: {type(value)} for key {key}"
            ) from None
        kind, length = "Tensor", arrays.shape(value)[0]
    check = multiple_assertion(f"{kind} {key} first dimension should be a multiple of: ", length, num_unroll)
    with control_dependencies([check]):
        if isinstance(value, SparseTensor):
            parts = value.indices, value.values, value.dense_shape
            return SparseTensor(*[arrays.identity(part, name="multiple_of_checked") for part in parts])
        return arrays.identity(value, name="multiple_of_checked")


# -- sparse tensors --------------------------------------------------------------------------------


def _sparse_context_as_sequences(
    context: dict[str, Any], sequences: dict[str, Any], num_unroll: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The dense context; the sequences with each sparse tensor of the context at the first step of every segment."""
    sparse = sorted(key for key, value in context.items() if _is_sparse(value))
    if not sparse:
        return context, sequences
    length: Any = constants.constant(1)
    if sequences:
        first = next(iter(sequences.values()))
        length = arrays.shape(first)[0] if isinstance(first, Tensor) else first.dense_shape[0]
    length = casts.cast(length, dtypes.int64)
    moved = {_FROM_CONTEXT + key: _every_segment(context[key], length, num_unroll) for key in sparse}
    return {k: v for k, v in context.items() if k not in sparse}, sequences | moved


def _every_segment(sparse: Any, length: Tensor, num_unroll: int) -> SparseTensor:
    """[...] as [length, ...], with entries at the steps 0, num_unroll, 2 num_unroll, ..."""
    indices, values, shape = as_tensor(sparse.indices), as_tensor(sparse.values), as_tensor(sparse.dense_shape)
    segments = casts.cast(length // num_unroll, dtypes.int32)
    sizes = arrays.shape(indices)
    entries, rank = sizes[0], sizes[1]
    steps = arrays.reshape(constants.range_(0, length, num_unroll), [-1, 1, 1])
    steps = repeating.tile(steps, joining.stack([1, entries, 1]))
    places = repeating.tile(arrays.expand_dims(indices, 0), joining.stack([segments, 1, 1]))
    rows = arrays.reshape(joining.concat([steps, places], 2), joining.stack([entries * segments, rank + 1]))
    return SparseTensor(
        indices=rows,
        values=repeating.tile(values, arrays.expand_dims(segments, 0)),
        dense_shape=joining.concat([arrays.expand_dims(length, 0), shape], 0),
    )


def _sequences_as_sparse_context(batch: NextQueuedSequenceBatch) -> None:
    """Hand the sequences that were sparse tensors of the context, [batch, num_unroll, ...], back to it."""
    for key in sorted(k for k in batch.sequences if k.startswith(_FROM_CONTEXT)):
        sparse = batch.sequences.pop(key)
        rows, rest = sparse.dense_shape[0], sparse.dense_shape[2:]
        first_step = SparseTensor(sparse.indices, sparse.values, joining.concat([[rows], [1], rest], 0))
        shape = joining.concat([[rows], rest], 0)
        batch.context[key.removeprefix(_FROM_CONTEXT)] = sparse_ops.sparse_reshape(first_step, shape)


def _numbered(sequences: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Operation]]:
    """The sequences with sparse ones as the numbers of their steps, and the ops of the maps that keep these."""
    dense, maps = dict(sequences), {}
    for key in sorted(key for key, value in sequences.items() if _is_sparse(value)):
        dense[key] = add_many_sparse_to_tensors_map(sequences[key])
        maps[key] = dense[key].op
    return dense, maps


def _taken(map_op: Operation, numbers: Tensor, batch_size: Any, num_unroll: int) -> SparseTensor:
    """The steps of these numbers, [batch, num_unroll], as a sparse tensor [batch, num_unroll, ...]."""
    sparse = take_many_sparse_from_tensors_map(map_op, arrays.reshape(numbers, [-1]))
    unroll = as_tensor(num_unroll, dtypes.int64, name="num_unroll_int64")
    step = sparse.indices[:, 0]
    columns = [arrays.expand_dims(step // unroll, 1), arrays.expand_dims(arithmetic.mod(step, unroll), 1)]
    indices = joining.concat([*columns, sparse.indices[:, 1:]], axis=1)
    shape = joining.concat([[casts.cast(batch_size, dtypes.int64)], [unroll], sparse.dense_shape[1:]], axis=0)
    return SparseTensor(indices=indices, values=sparse.values, dense_shape=shape)
