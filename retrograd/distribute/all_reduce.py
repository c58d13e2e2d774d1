"""Sums of the tensors of several devices, left on each of them: the graphs of the ways in which machines do this.

Every way has a pass that reduces, after which each device holds a part of the result, and one that hands the parts on.
Devices are names; the tensors of all stand in one graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any

from retrograd.distribute import nccl
from retrograd.graph.devices import DeviceSpec
from retrograd.graph.scopes import colocate_with, control_dependencies, device
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, constants, joining, slicing
from retrograd.ragged.dispatching import add

Binary = Callable[[Any, Any], Any]
Unary = Callable[[Any], Any]
Order = list[list[int]]  # [part of a chunk][device]


# -- around a ring -----------------------------------------------------------------------------------


def build_ring_all_reduce(
    input_tensors: Sequence[Any], num_workers: int, num_subchunks: int, gpu_perm: Sequence[int], red_op: Binary,
    un_op: Unary | None = None,
) -> list[Tensor]:  # fmt: skip
    """Each device hands a part to the next one and takes one of the one before it, all round and round again.

    Args:
      input_tensors: one tensor per device, all of one static shape.
      num_workers: the machines that they are on, each with as many.
      num_subchunks: the parts that a device handles at a time, each in a ring of its own.
      gpu_perm: the order of one machine's devices.
      red_op: a binary function, such as ``tf.add``.
      un_op: a function of what came out.

    Raises:
      ValueError: there are fewer than two tensors, or fewer devices on a machine than ``num_subchunks``; shapes differ
        or are not known.
    """
    if len(input_tensors) < 2:
        raise ValueError("input_tensors must be length 2 or longer")
    tensors, shape = flattened(input_tensors)
    before, rank = ring_permutations(num_workers, num_subchunks, gpu_perm)
    chunks, padding = ring_gathered(tensors, [t.device for t in tensors], num_subchunks, before, rank, red_op)
    if un_op:
        chunks = [_at(held[0], lambda parts: [un_op(t) for t in parts], held) for held in chunks]
    outputs = _ring_scattered(before, rank, chunks)
    return _shaped(_without_padding(outputs, padding) if padding else outputs, shape)


def ring_permutations(num_workers: int, num_subchunks: int, gpu_perm: Sequence[int]) -> tuple[Order, Order]:
    """Per part of a chunk and device: which device stands before it in the ring of this part, and at which place it is.

    Raises:
      ValueError: there are more parts than devices on a machine.
    """
    gpus = len(gpu_perm)
    if num_workers * gpus == 0:
        return [], []
    if num_subchunks > gpus:
        raise ValueError(f"num_subchunks {num_subchunks} must be <= num_gpus {gpus}")
    before, rank = [], []
    for part in range(num_subchunks):
        turn = part * max(1, gpus // num_subchunks)
        of_one = [*gpu_perm[turn:], *gpu_perm[:turn]]
        ring = [worker * gpus + i for worker in range(num_workers) for i in of_one]
        rank.append([ring.index(d) for d in range(len(ring))])
        before.append([ring[place - 1] for place in rank[-1]])
    return before, rank


def ring_gathered(
    input_tensors: list[Any], devices: list[str], num_subchunks: int, pred_by_s_d: Order, rank_by_s_d: Order,
    red_op: Binary,
) -> Any:  # fmt: skip
    """The first pass: the chunks of each device, of which ``num_subchunks`` are reduced, and the length of padding.

    Raises:
      ValueError: the tensors are not vectors.
    """
    n = len(input_tensors)
    if n < 2:
        return input_tensors
    if len(input_tensors[0].shape) != 1:
        raise ValueError("input tensors must be 1D")
    chunks, padding = [], 0
    for name, tensor in zip(devices, input_tensors, strict=True):
        with device(name):
            pieces, padding = _padded_split(tensor, n * num_subchunks)
        chunks.append(pieces)
    for tick in range(n - 1):
        _step(chunks, pred_by_s_d, rank_by_s_d, 2 + tick, lambda d: device(devices[d]), red_op)
    return chunks, padding


def _ring_scattered(before: Order, rank: Order, chunks: list[list[Any]]) -> list[Tensor]:
    for tick in range(len(chunks) - 1):
        _step(chunks, before, rank, 1 + tick, lambda d: colocate_with(chunks[d][0]), lambda x, _: arrays.identity(x))
    return [_at(held[0], joining.concat, held, 0) for held in chunks]


def _step(
    chunks: list[list[Any]], before: Order, rank: Order, lag: int, place: Callable[[int], AbstractContextManager[Any]],
    combine: Binary,
) -> None:  # fmt: skip
    """All devices at once: combine a chunk of the device before with one's own, which it replaces."""
    new = {}
    for d, held in enumerate(chunks):
        with place(d):
            for part, (preceding, places) in enumerate(zip(before, rank, strict=True)):
                chunk = (places[d] - lag) % len(chunks) * len(before) + part
                new[d, chunk] = combine(chunks[preceding[d]][chunk], held[chunk])
    for (d, chunk), value in new.items():
        chunks[d][chunk] = value


def _padded_split(tensor: Any, pieces: int) -> tuple[list[Tensor], int]:
    """Equal pieces of a vector, the last filled up with zeros, and how many these are."""
    length = tensor.dims[0]
    padding, size = -length % pieces, -(-length // pieces)
    last = size - padding
    with colocate_with(tensor):
        if not padding:
            return joining.split(tensor, pieces), 0
        if last > 0:
            parts = joining.split(tensor, [size] * (pieces - 1) + [last])
            parts[-1] = joining.concat([parts[-1], constants.zeros([padding], tensor.dtype)], 0)
            return parts, padding
        return joining.split(joining.concat([tensor, constants.zeros([padding], tensor.dtype)], 0), pieces), padding


def _without_padding(tensors: list[Any], padding: int) -> list[Tensor]:
    length = tensors[0].dims[0] - padding
    return [_at(t, slicing.slice_, t, [0], [length]) for t in tensors]


# -- in pairs ----------------------------------------------------------------------------------------


def build_recursive_hd_all_reduce(
    input_tensors: Sequence[Any], red_op: Binary, un_op: Unary | None = None
) -> list[Tensor]:
    """Pairs of devices exchange halves, then pairs further apart halves of these, and the same way back.

    Args:
      input_tensors: one tensor per device, all of one static shape, whose elements can be halved as often as devices.
      red_op: a binary function, such as ``tf.add``.
      un_op: a function of what came out.

    Raises:
      ValueError: the number of tensors is no power of 2, or shapes differ or are not known.
    """
    devices = [t.device for t in input_tensors]
    chunks, shape = flattened(input_tensors)
    if len(devices) & (len(devices) - 1):
        raise ValueError("num_devices must be a power of 2")
    for left, right in _pairs_of_rounds(len(devices)):
        halves = joining.split(chunks[left], 2), joining.split(chunks[right], 2)
        for d, (a, b) in zip((left, right), zip(*halves, strict=True), strict=True):
            with device(devices[d]):
                chunks[d] = red_op(a, b)
    if un_op:
        chunks = [un_op(t) for t in chunks]
    for left, right in _pairs_of_rounds(len(devices), back=True):
        pair = [chunks[left], chunks[right]]
        for d in (left, right):
            with device(devices[d]):
                chunks[d] = joining.concat(pair, 0)
    return _shaped(chunks, shape)


def _pairs_of_rounds(devices: int, back: bool = False) -> Iterator[tuple[int, int]]:
    """Which devices exchange, round by round: neighbours first, the farthest last, or ``back`` from there."""
    spans = [1 << k for k in range(devices.bit_length() - 1)]
    for span in reversed(spans) if back else spans:
        yield from ((d, d + span) for d in range(devices) if not d & span)


# -- by shards ---------------------------------------------------------------------------------------


def build_shuffle_all_reduce(
    input_tensors: Sequence[Any], gather_devices: Sequence[str], red_op: Callable[[Any], Any],
    un_op: Unary | None = None,
) -> list[Tensor]:  # fmt: skip
    """Each of ``gather_devices`` reduces a part of all tensors, as parameter servers do.

    Args:
      input_tensors: one tensor per device, all of one static shape.
      gather_devices: where the parts are reduced.
      red_op: a function of a list, such as ``tf.add_n``.
      un_op: a function of what came out.

    Raises:
      ValueError: shapes differ or are not known.
    """
    tensors, shape = flattened(input_tensors)
    devices = [t.device for t in tensors]
    return _shaped(_joined_at(_shards(tensors, gather_devices, red_op, un_op), devices), shape)


def _shards(
    tensors: list[Any], gather_devices: Sequence[str], red_op: Callable[[Any], Any], un_op: Unary | None = None
) -> list[Any]:
    parts = [_at(t, joining.split, t, _ragged(t.dims[0], len(gather_devices))) for t in tensors]
    shards = []
    for name, values in zip(gather_devices, zip(*parts, strict=True), strict=True):
        with device(name):
            shard = red_op(list(values))
            shards.append(un_op(shard) if un_op else shard)
    return shards


def _ragged(length: int, pieces: int) -> int | list[int]:
    """The lengths of so many pieces, of which the last takes what is left; their number if they are equal."""
    size = length // pieces
    return pieces if length == pieces * size else [size] * (pieces - 1) + [length - (pieces - 1) * size]


def _joined_at(shards: list[Any], devices: Sequence[str]) -> list[Tensor]:
    joined = []
    for name in devices:
        with device(name):
            joined.append(joining.concat(shards, 0))
    return joined


# -- within machines, then between them --------------------------------------------------------------


def build_nccl_all_reduce(input_tensors: Sequence[Any], red_op: Binary, un_op: Unary | None = None) -> list[Tensor]:
    """What NCCL computes, by ordinary ops.

    Args:
      input_tensors: one tensor per device.
      red_op: ``tf.add``.
      un_op: a function of what came out.

    Raises:
      ValueError: ``red_op`` is another function, or a tensor stands on no device.
    """
    if red_op != add:
        raise ValueError("red_op not supported by NCCL all-reduce: ", red_op)
    return _each(nccl.all_sum(input_tensors), un_op)


def build_nccl_then_ring(
    input_tensors: Sequence[Any], subdiv: int, red_op: Binary, un_op: Unary | None = None
) -> list[Tensor]:
    """NCCL within each machine, a ring between them; arguments and errors as of these."""
    return _by_nccl(input_tensors, red_op, _ring_of_workers(subdiv, red_op, un_op))


def build_nccl_then_recursive_hd(
    input_tensors: Sequence[Any], red_op: Binary, un_op: Unary | None = None
) -> list[Tensor]:
    """NCCL within each machine, pairs of machines; arguments and errors as of these."""
    return _by_nccl(input_tensors, red_op, lambda values: build_recursive_hd_all_reduce(values, red_op, un_op))


def build_nccl_then_shuffle(
    input_tensors: Sequence[Any], gather_devices: Sequence[str], nccl_red_op: Binary,
    shuffle_red_op: Callable[[Any], Any], un_op: Unary | None = None,
) -> list[Tensor]:  # fmt: skip
    """NCCL within each machine, shards of all machines; arguments and errors as of these."""
    between = lambda values: build_shuffle_all_reduce(values, gather_devices, shuffle_red_op, un_op)  # noqa: E731
    return _by_nccl(input_tensors, nccl_red_op, between)


def build_shuffle_then_ring(
    input_tensors: Sequence[Any], gather_devices: Sequence[str], subdiv: int, red_n_op: Callable[[Any], Any],
    red_op: Binary, un_op: Unary | None = None,
) -> list[Tensor]:  # fmt: skip
    """Each machine reduces on one of ``gather_devices``, a ring between these; arguments and errors as of these."""
    return _by_shards(input_tensors, gather_devices, red_n_op, _ring_of_workers(subdiv, red_op, un_op))


def build_shuffle_then_shuffle(
    input_tensors: Sequence[Any], first_gather_devices: Sequence[str], second_gather_devices: Sequence[str],
    red_op: Callable[[Any], Any], un_op: Unary | None = None,
) -> list[Tensor]:  # fmt: skip
    """Each machine reduces on one device, and shards of all are reduced on others; arguments and errors as of these."""
    between = lambda values: build_shuffle_all_reduce(values, second_gather_devices, red_op, un_op)  # noqa: E731
    return _by_shards(input_tensors, first_gather_devices, red_op, _unless_alone(between, un_op))


def _by_nccl(input_tensors: Sequence[Any], red_op: Binary, between: Callable[[list[Any]], list[Any]]) -> list[Tensor]:
    tensors, shape = flattened(input_tensors)
    workers = _by_worker(tensors)
    values = []
    for own in workers:
        sums = build_nccl_all_reduce(own, red_op)
        with control_dependencies(sums), device(sums[0].device):
            values.append(arrays.identity(sums[0]))
    outputs = []
    for own, value in zip(workers, between(values), strict=True):
        with device(own[0].device):
            source = nccl.broadcast(arrays.identity(value))
        for tensor in own:
            with device(tensor.device):
                outputs.append(arrays.identity(source))
    return _shaped(outputs, shape)


def _by_shards(
    input_tensors: Sequence[Any], gather_devices: Sequence[str], red_op: Callable[[Any], Any],
    between: Callable[[list[Any]], list[Any]],
) -> list[Tensor]:  # fmt: skip
    tensors, shape = flattened(input_tensors)
    workers = _by_worker(tensors)
    if len(gather_devices) != len(workers):
        raise ValueError("For shuffle hybrid, gather_devices must contain one device per worker. ")
    values = [_shards(own, [name], red_op)[0] for own, name in zip(workers, gather_devices, strict=True)]
    outputs: list[Tensor] = []
    for own, value in zip(workers, between(values), strict=True):
        outputs += _joined_at([value], [t.device for t in own])
    return _shaped(outputs, shape)


def _ring_of_workers(subdiv: int, red_op: Binary, un_op: Unary | None) -> Callable[[list[Any]], list[Any]]:
    ring = lambda values: build_ring_all_reduce(values, len(values), subdiv, [0], red_op, un_op)  # noqa: E731
    return _unless_alone(ring, un_op)


def _unless_alone(between: Callable[[list[Any]], list[Any]], un_op: Unary | None) -> Callable[[list[Any]], list[Any]]:
    return lambda values: between(values) if len(values) > 1 else _each(values, un_op)


def _by_worker(tensors: list[Any]) -> list[list[Any]]:
    """The tensors of each machine."""
    workers: dict[Any, list[Any]] = {}
    for tensor in tensors:
        spec = DeviceSpec.from_string(tensor.device)
        if spec.task is None:
            raise AssertionError(f"failed to parse device {tensor.device}")
        workers.setdefault((spec.job or "localhost", spec.replica or 0, spec.task), []).append(tensor)
    return list(workers.values())


# -- shapes and places -------------------------------------------------------------------------------


def flattened(tensors: Sequence[Any]) -> tuple[list[Any], Any]:
    """The tensors as vectors, and the shape that all have.

    Raises:
      ValueError: there are none, their shapes differ, or it is not known.
    """
    if not tensors:
        raise ValueError("tensors cannot be empty")
    shape = tensors[0].shape
    for tensor in tensors:
        shape = shape.merge_with(tensor.shape)
    if not shape.is_fully_defined():
        raise ValueError("Tensors must have statically known shape.")
    return (list(tensors) if len(shape) == 1 else _reshaped(tensors, [-1])), shape


def _shaped(tensors: list[Any], shape: Any) -> list[Tensor]:
    return tensors if len(shape) == 1 else _reshaped(tensors, shape)


def _reshaped(tensors: Sequence[Any], shape: Any) -> list[Tensor]:
    return [_at(t, arrays.reshape, t, shape) for t in tensors]


def _each(tensors: list[Any], un_op: Unary | None) -> list[Any]:
    return [_at(t, un_op, t) for t in tensors] if un_op else tensors


def _at(tensor: Any, build: Callable[..., Any], *arguments: Any) -> Any:
    """What ``build`` gives, where the tensor is."""
    with colocate_with(tensor):
        return build(*arguments)
