"""Sequences cut into segments that wait for the state of the segment before: ``SequenceQueueingStateSaver``.

Each segment is an element of a barrier; its state comes when the segment before it has been computed.

Source: TensorFlow 1.15.5's names, order of components and messages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import colocate_with, control_dependencies, name_scope
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    checks,
    comparison,
    constants,
    indexing,
    joining,
    reductions,
    repeating,
    slicing,
    string_numbers,
    strings,
)
from retrograd.ops.asserts import Assert
from retrograd.ops.barriers import Barrier
from retrograd.ops.control import group
from retrograd.ops.queue_classes import FIFOQueue

_OWN = ("__length", "__total_length", "__next_key", "__sequence", "__sequence_count")


class NextQueuedSequenceBatch:
    """A batch of segments: the ``next_batch`` of a state saver."""

    def __init__(self, state_saver: SequenceQueueingStateSaver) -> None:
        self._state_saver = state_saver

    @property
    def total_length(self) -> Tensor:
        """The lengths of the whole sequences: [batch], int32."""
        return self._state_saver._received["__total_length"]

    @property
    def length(self) -> Tensor:
        """How many steps of each segment belong to its sequence: [batch], int32."""
        return self._state_saver._received["__length"]

    @property
    def batch_size(self) -> Tensor:
        """How many segments there are; the last batches may be smaller. A number, int32."""
        return self._state_saver._received_batch_size

    @property
    def insertion_index(self) -> Tensor:
        """The numbers of the sequences in the order of their arrival, from -2**63 on: [batch], int64."""
        return self._state_saver._received["__index"]

    @property
    def key(self) -> Tensor:
        """``"00002_of_00005:key"`` for the third of five segments of ``key``: [batch], strings."""
        return self._state_saver._received["__key"]

    @property
    def next_key(self) -> Tensor:
        """The keys of the segments that follow; behind the last, ``"STOP:key"``: [batch], strings."""
        return self._state_saver._received["__next_key"]

    @property
    def sequence(self) -> Tensor:
        """Which segment of its sequence each is, from 0 on: [batch], int32."""
        return self._state_saver._received["__sequence"]

    @property
    def sequence_count(self) -> Tensor:
        """How many segments the sequence of each has: [batch], int32."""
        return self._state_saver._received["__sequence_count"]

    @property
    def context(self) -> dict[str, Any]:
        """What holds for whole sequences, by name: [batch, ...]."""
        return self._state_saver._received_context

    @property
    def sequences(self) -> dict[str, Any]:
        """The segments, by name: [batch, num_unroll, ...]."""
        return self._state_saver._received_sequences

    def state(self, state_name: str) -> Tensor:
        """What was saved by the segment before, or the initial state: [batch, ...].

        Raises:
          KeyError: there is no such state.
        """
        return self._state_saver._received_states[state_name]

    def save_state(self, state_name: str, value: Any, name: str | None = None) -> Operation:
        """An op that hands ``value``, [batch, ...], to the segments that follow; every run of the batch needs it.

        Raises:
          KeyError: there is no such state.
        """
        saver = self._state_saver
        if state_name not in saver._received_states:
            raise KeyError(f"state was not declared: {state_name}")
        with (
            name_scope(name, "InputQueueingStateSaver_SaveState", [value]),
            colocate_with(saver._capacity_queue.queue_ref),
        ):
            going_on = arrays.reshape(comparison.where_v2(comparison.logical_not(saver._sequence_is_done)), [-1])
            next_keys = indexing.gather(saver._received["__next_key"], going_on)
            value = arrays.identity(value, name=f"convert_{state_name}")
            value = _with_shape(value, arrays.shape(saver._received_states[state_name]))
            kept = indexing.gather(value, going_on)
            return saver._insert(f"__state__{state_name}", next_keys, kept, f"BarrierInsertState_{state_name}")


class SequenceQueueingStateSaver:
    """Cuts sequences into segments of ``num_unroll`` steps, and batches them while their states are carried along.

    Args:
      batch_size: how many segments a batch has.
      num_unroll: the steps of a segment.
      input_length: the length of the sequence before it was padded, a number, int32.
      input_key: the sequence's own key, a string.
      input_sequences: by name [padded length, ...]; the length is a multiple of ``num_unroll``.
      input_context: by name, what holds for the whole sequence; shapes are known.
      initial_states: by name, what the first segment starts from; shapes are known.
      capacity: how many sequences may be under way; None for any number.
      allow_small_batch: whether batches get smaller when no new sequences come.

    Raises:
      TypeError: the dicts are none, their keys are no strings, or dtypes are others.
      ValueError: a name has a colon, there are no sequences or states, or shapes are not known.
    """

    def __init__(
        self, batch_size: Any, num_unroll: int, input_length: Any, input_key: Any, input_sequences: dict[str, Any],
        input_context: dict[str, Any], initial_states: dict[str, Any], capacity: int | None = None,
        allow_small_batch: bool = False, name: str | None = None,
    ) -> None:  # fmt: skip
        if capacity is not None and isinstance(batch_size, Tensor):
            needed = checks.assert_greater_equal(
                casts.cast(capacity, dtypes.int64),
                casts.cast(batch_size, dtypes.int64),
                message="capacity needs to be >= batch_size.",
            )
            with control_dependencies([needed]):
                input_key = arrays.identity(input_key)
        elif capacity is not None and capacity < batch_size:
            raise ValueError(f"capacity {capacity} needs to be >= batch_size {batch_size}")
        self._capacity_queue = FIFOQueue(
            capacity=-1 if capacity is None else capacity, dtypes=[dtypes.int32], shapes=[[]]
        )
        with colocate_with(self._capacity_queue.queue_ref):
            _check_states(initial_states)
            given = [input_length, input_key, *input_sequences.values(), *input_context.values()]
            with name_scope(name, "InputQueueingStateSaver", given) as scope:
                self._name = self._scope = scope
                self._batch_size, self._num_unroll = batch_size, num_unroll
                self._prepare(input_length, input_key, input_sequences, input_context, initial_states)
                self._make_barrier()
        self._allow_small_batch = allow_small_batch
        self._prefetch_op: Operation | None = None
        self._next_batch: NextQueuedSequenceBatch | None = None

    def _prepare(self, length: Any, key: Any, sequences: Any, context: Any, states: Any) -> None:
        length, key = as_tensor(length, name="length"), as_tensor(key, name="key")
        for what, named in (("sequences", sequences), ("context", context)):
            if not isinstance(named, dict):
                raise TypeError(f"{what} must be a dict")
        if not sequences:
            raise ValueError("must have at least one sequence tensor")
        for what, named in (("sequence", sequences), ("context", context)):
            _check_names(f"{what} key", "may not have a colon", named)
        sequences = {k: as_tensor(v, name=f"sequence_{k}") for k, v in sequences.items()}
        context = {k: as_tensor(v, name=f"context_{k}") for k, v in context.items()}
        states = {k: as_tensor(v, name=f"state_{k}") for k, v in states.items()}
        _check_known("state", states)
        _check_known("context", context)
        _check_known("sequence", sequences, from_axis=1)
        self._length, self._key = _with_rank(length, 0), _with_rank(key, 0)
        for word, found, dtype in (("length", self._length, dtypes.int32), ("key", self._key, dtypes.string)):
            if found.dtype != dtype:
                raise TypeError(f"{word} dtype must be {dtype.name}, but received: {found.dtype}")
        sequences = dict(sorted(sequences.items()))
        padded = arrays.identity(arrays.shape(next(iter(sequences.values())))[0], name="padded_length")
        self._padded_length = padded = _multiple(padded, self._num_unroll)
        self._sequences = {
            k: _with_sizes(v, [0], [padded], f"sorted_sequences_{k}") for k, v in sequences.items()
        }  # fmt: skip
        self._context, self._states = dict(sorted(context.items())), dict(sorted(states.items()))
        with control_dependencies([_not_longer(self._length, padded)]):
            self._length = arrays.identity(self._length)

    def _make_barrier(self) -> None:
        kinds = (("sequence", self._sequences), ("context", self._context), ("state", self._states))
        components = [*_OWN, *(f"__{kind}__{k}" for kind, named in kinds for k in named)]
        self._index = {component: i for i, component in enumerate(components)}
        tensors = [*self._sequences.values(), *self._context.values(), *self._states.values()]
        shapes = [
            *([self._num_unroll, *v.shape.as_list()[1:]] for v in self._sequences.values()),
            *(v.shape.as_list() for v in [*self._context.values(), *self._states.values()]),
        ]
        own = [dtypes.string if component == "__next_key" else dtypes.int32 for component in _OWN]
        self._barrier = Barrier(types=own + [t.dtype for t in tensors], shapes=[()] * len(_OWN) + shapes)

    def _insert(self, component: str, keys: Any, values: Any, name: str) -> Operation:
        return self._barrier.insert_many(self._index[component], keys, values, name=name)

    @property
    def name(self) -> str:
        """The scope of its ops."""
        return self._name

    @property
    def barrier(self) -> Barrier:
        """The barrier whose elements are segments."""
        return self._barrier

    @property
    def batch_size(self) -> Any:
        """How many segments a batch has."""
        return self._batch_size

    @property
    def num_unroll(self) -> int:
        """How many steps a segment has."""
        return self._num_unroll

    @property
    def prefetch_op(self) -> Operation:
        """The op that takes in one sequence."""
        if self._prefetch_op is None:
            self._prefetch_op = self._in_own_scope(self._make_prefetch)
        return self._prefetch_op

    @property
    def next_batch(self) -> NextQueuedSequenceBatch:
        """The batch; every run needs its ``save_state``, else no segment follows."""
        assert self.prefetch_op is not None
        if self._next_batch is None:
            self._in_own_scope(self._make_reads)
            self._next_batch = NextQueuedSequenceBatch(self)
        return self._next_batch

    def _in_own_scope(self, make: Callable[[], Any]) -> Any:
        with name_scope(None), name_scope(self._scope, values=[self._barrier.barrier_ref]):
            return make()

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> Operation:
        """An op after which no new sequences come; it may give up those under way."""
        with name_scope(name, "SQSSClose", [self._prefetch_op]) as scope:
            barrier = self.barrier.close(cancel_pending_enqueues, "BarrierClose")
            queue = self._capacity_queue.close(cancel_pending_enqueues, "FIFOClose")
            return group(barrier, queue, name=scope)

    def _make_prefetch(self) -> Operation:
        unroll = self._num_unroll
        count = arithmetic.div(self._padded_length, unroll)
        ones = constants.ones(arrays.expand_dims(count, 0), dtype=dtypes.int32)
        number = constants.range_(count)
        left = arithmetic.maximum(0, self._length - unroll * number)
        lengths = arithmetic.minimum(unroll, left)
        totals, counts = self._length * ones, count * ones
        keys = strings.string_join(
            [
                string_numbers.as_string(number, width=5, fill="0"), "_of_",
                string_numbers.as_string(count, width=5, fill="0"), ":", self._key,
            ],
            name="StringJoinCurrentKeys",
        )  # fmt: skip
        last = strings.string_join(["STOP:", self._key], name="StringJoinStop")
        following = [slicing.slice_(keys, [1], [-1]), arrays.expand_dims(last, 0)]
        next_keys = joining.concat(following, 0, name="concat_next_keys")
        segments = {k: self._cut(k, v, count) for k, v in self._sequences.items()}
        contexts = {k: _repeated(k, v, count) for k, v in self._context.items()}
        put = partial(self._insert, keys=keys)
        numbered = put("__sequence", values=number, name="BarrierInsertSequence")
        inserted = [
            put("__sequence_count", values=counts, name="BarrierInsertSequenceCount"),
            put("__next_key", values=next_keys, name="BarrierInsertNextKey"),
            put("__length", values=lengths, name="BarrierInsertLength"),
            put("__total_length", values=totals, name="BarrierInsertTotalLength"),
        ]
        shared = [put(f"__context__{k}", values=v, name=f"BarrierInsertContext_{k}") for k, v in contexts.items()]
        cut = [put(f"__sequence__{k}", values=v, name=f"BarrierInsertSequences_{k}") for k, v in segments.items()]
        # a sequence comes in only when there is room for it: its first state, and so its first segment, waits
        room = self._capacity_queue.enqueue((0,))
        with control_dependencies([numbered, room]):
            started = [
                self._insert(
                    f"__state__{k}", joining.stack([keys[0]]), joining.stack([v]), f"BarrierInitialInsertState_{k}"
                )
                for k, v in self._states.items()
            ]
        return group(room, numbered, *inserted, *started, *shared, *cut, name="StateSaverPrefetchGroup")

    def _cut(self, name: str, sequence: Tensor, count: Tensor) -> Tensor:
        """[padded length, ...] as [segments, num_unroll, ...]."""
        rest = sequence.shape.as_list()[1:]
        sizes = [arrays.expand_dims(count, 0), arrays.expand_dims(self._num_unroll, 0), as_tensor(rest, dtypes.int32)]
        shape = joining.concat(sizes, 0, name=f"concat_sequences_{name}")
        segments = arrays.reshape(sequence, shape, name=f"reshape_sequences_{name}")
        expected = [count, self._num_unroll, *rest]
        return _with_sizes(segments, list(range(len(expected))), expected, f"reshaped_sequences_{name}")

    def _make_reads(self) -> None:
        indices, keys, values = self._barrier.take_many(
            self._batch_size, self._allow_small_batch, name="BarrierTakeMany"
        )
        received = {component: values[i] for component, i in self._index.items()}
        self._received = received | {"__index": indices, "__key": keys}
        self._received_context = {k: received[f"__context__{k}"] for k in self._context}
        self._received_sequences = {k: received[f"__sequence__{k}"] for k in self._sequences}
        self._received_batch_size = arrays.squeeze(arrays.shape(received["__length"]))
        self._sequence_is_done = received["__sequence"] + 1 >= received["__sequence_count"]
        finished = reductions.reduce_sum(casts.cast(self._sequence_is_done, dtypes.int32))
        freed = self._capacity_queue.dequeue_many(finished)
        with control_dependencies([freed]):
            self._received_states = {k: arrays.identity(received[f"__state__{k}"]) for k in self._states}


# -- checks ----------------------------------------------------------------------------------------


def _check_states(states: Any) -> None:
    if not isinstance(states, dict):
        raise TypeError("initial_states must be a dictionary")
    if not states:
        raise ValueError(
            "initial_states may not be empty: at least one state variable is required to properly enqueue split "
            "sequences to run in separate iterations"
        )
    for name in states:
        if not isinstance(name, str):
            raise TypeError(f"state name must be a string: {name}")
        if ":" in name:
            raise ValueError(f"state name may not have a colon: '{name}'")


def _check_names(what: str, rule: str, named: dict[Any, Any]) -> None:
    for name in named:
        if not isinstance(name, str):
            raise TypeError(f"{what} must be string: {name}")
        if ":" in name:
            raise ValueError(f"{what} {rule}: '{name}'")


def _check_known(what: str, named: dict[str, Tensor], from_axis: int = 0) -> None:
    for name, value in named.items():
        if not value.shape[from_axis:].is_fully_defined():
            which = "(ignoring first dimension)" if from_axis else ""
            raise ValueError(f"Shape for {what} {name} is not fully defined {which}: {value.shape}")


def _not_longer(length: Tensor, padded: Tensor) -> Operation:
    data = ["Input length should be <= than length from sequences:", length, " vs. ", padded]
    return Assert(comparison.less_equal(length, padded), data)


def multiple_assertion(what: str, value: Any, unroll: int) -> Operation:
    """An op that fails unless ``value`` is a multiple of ``unroll`` and not 0."""
    parts = [what, string_numbers.as_string(unroll), ", but saw value: ", string_numbers.as_string(value)]
    message = strings.string_join([*parts, ". Consider setting pad=True."])
    fits = comparison.equal(arithmetic.mod(value, unroll), 0)
    return Assert(comparison.logical_and(fits, comparison.not_equal(value, 0)), [message])


def _multiple(value: Tensor, unroll: int) -> Tensor:
    with control_dependencies([multiple_assertion(f"Tensor {value.name} should be a multiple of: ", value, unroll)]):
        return arrays.identity(value, name="multiple_of_checked")


def _with_rank(value: Tensor, rank: Any) -> Tensor:
    """``value``, whose rank is required when it is read, and known if ``rank`` is."""
    message = strings.string_join([f"Rank of tensor {value.name} should be: ", str(rank), ", shape received:"])
    if isinstance(rank, Tensor):
        text = [f"Rank of tensor {value.name} should be: ", string_numbers.as_string(rank), ", shape received:"]
        message = strings.string_join(text)
    with control_dependencies([Assert(comparison.equal(rank, arrays.rank(value)), [message, arrays.shape(value)])]):
        checked = arrays.identity(value, name="rank_checked")
    known = constant_value(rank) if isinstance(rank, Tensor) else rank
    if known is not None:
        _narrow(checked, lambda: checked.shape.with_rank(int(known)), f"Rank check failed for {value.name}")
    return checked


def _narrow(value: Tensor, shape: Callable[[], Any], failed: str) -> None:
    try:
        value.set_shape(shape())
    except ValueError as error:
        raise ValueError(f"{failed}: {error}") from None


def _with_shape(value: Tensor, expected: Tensor) -> Tensor:
    """``value``, whose shape is required when it is read."""
    known = constant_value(expected)
    wanted: Any = expected if known is None else [int(n) for n in known]
    value = _with_rank(value, arrays.size(wanted) if known is None else len(wanted))
    texts = [string_numbers.as_string(wanted), ", shape received: ", string_numbers.as_string(arrays.shape(value))]
    message = strings.string_join([f"Shape of tensor {value.name} should be: ", *texts])
    holds = reductions.reduce_all(comparison.equal(wanted, arrays.shape(value)))
    with control_dependencies([Assert(holds, [message])]):
        checked = arrays.identity(value, name="shape_checked")
    if known is not None:
        _narrow(checked, lambda: checked.shape.merge_with(wanted), f"Shape check failed for {value.name}")
    return checked


def _with_sizes(value: Tensor, axes: list[int], sizes: Sequence[Any], label: str) -> Tensor:
    """``value``, whose sizes along ``axes`` are required when it is read, and known where they are numbers."""
    if value.dims is not None:
        if len(value.dims) <= max(axes):
            rank = f"{len(value.dims)} vs. {max(axes)}"
            raise ValueError(f"{label}: rank of input is not greater than max(dimensions): {rank}")
        dims = list(value.dims)
        for axis, size in zip(axes, sizes, strict=True):
            if not isinstance(size, Tensor):
                dims[axis] = size
        _narrow(value, lambda: value.shape.merge_with(dims), f"Dimensions check failed for {label}")
    checks = []
    for axis, size in zip(axes, sizes, strict=True):
        found = [", shape received: ", string_numbers.as_string(arrays.shape(value))]
        expected = string_numbers.as_string(size)
        message = strings.string_join([f"Dimension {axis} of tensor labeled {label} should be: ", expected, *found])
        checks.append(Assert(comparison.equal(size, arrays.shape(value)[axis]), [message]))
    with control_dependencies(checks):
        return arrays.identity(value, name=f"dims_checked_{label}")


def _repeated(name: str, value: Tensor, count: Tensor) -> Tensor:
    """``value`` for each segment."""
    multiples = [arrays.expand_dims(count, 0), as_tensor([1] * len(value.dims or ()), dtypes.int32)]
    repeats = joining.concat(multiples, 0, name=f"concat_context_{name}")
    tiled = repeating.tile(arrays.expand_dims(value, 0), repeats, name=f"tile_context_{name}")
    sizes = [count, *(value.dims or ())]
    return _with_sizes(tiled, list(range(len(sizes))), sizes, f"expanded_context_{name}")
