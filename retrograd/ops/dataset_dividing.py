"""Datasets at run time that are divided: among workers, which read files of their own, and among replicas."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph.definition import REQUIRED
from retrograd.graph.errors import invalid
from retrograd.ops import dataset_batches as batches
from retrograd.ops import dataset_buffers as buffers
from retrograd.ops import dataset_functions as by_function
from retrograd.ops import dataset_maps as maps
from retrograd.ops import dataset_states as states
from retrograd.ops.dataset_file_cache import cached_in_file
from retrograd.ops.dataset_recipes import recipe
from retrograd.ops.dataset_states import Dataset, Element, Next, Scope, unwrapped
from retrograd.ops.datasets import dataset_op

# -- among workers -----------------------------------------------------------------------------

_MAKING = (by_function.flattened, by_function.interleaved, by_function.interleaved_by_threads)
_BEHIND_FILES = frozenset(
    (
        states.first_of, states.without_first, states.repeated, states.shard, states.with_threads,
        states.with_threads_of_ops, states.modelled, maps.mapped, maps.mapped_by_threads, maps.mapped_and_batched,
        by_function.filtered, buffers.cached, cached_in_file, buffers.prefetched, buffers.shuffled,
        buffers.shuffled_and_repeated, batches.batched, batches.batched_and_padded, states.concatenated, states.zipped,
    )
)  # fmt: skip


def divided(dataset: Dataset, count: int, index: int) -> Dataset:
    """The part of worker ``index`` of ``count``: files of its own, or where no files are found elements of its own."""
    if count <= 0:
        raise invalid("num_workers must be greater than zero.")
    if not 0 <= index < count:
        raise invalid(f"index must be between 0 and {count - 1}")
    by_files = _by_files(dataset, lambda names: _part(names, count, index))
    return states.shard(dataset, count, index, True) if by_files is None else by_files  # type: ignore[no-any-return]


def _by_files(dataset: Dataset, part: Callable[[Dataset], Dataset]) -> Dataset | None:
    """``dataset`` with ``part`` of the elements of which a function makes datasets of files; None if not all do."""
    made = dataset.made
    if made is None:
        return None
    if made.by in _MAKING:
        source, function, *_ = made.arguments
        return made.again([part(source)]) if function.reads_files else None  # type: ignore[no-any-return]
    if made.by not in _BEHIND_FILES:
        return None
    sources = [_by_files(source, part) for source in made.sources]
    return None if None in sources else made.again(sources)  # type: ignore[no-any-return]


def _part(names: Dataset, count: int, index: int) -> Dataset:
    """Each ``count``-th of the names in their own order, which all workers know, and only then shuffled."""
    shuffles: list[tuple[Any, ...]] = []
    part: Dataset = states.shard(_in_order(names, shuffles), count, index)
    for settings in shuffles:
        part = buffers.shuffled(part, *settings)
    return part


def _in_order(dataset: Dataset, shuffles: list[tuple[Any, ...]]) -> Dataset:
    """``dataset`` without the shuffles in it, whose settings are added to ``shuffles``, the first one first."""
    made = dataset.made
    if made is None:
        return dataset
    sources = [_in_order(source, shuffles) for source in made.sources]
    if made.by is buffers.shuffled:
        shuffles.append(made.arguments[1:])
        return sources[0]
    if made.by is buffers.shuffled_and_repeated:
        _, size, seed, seed2, epochs = made.arguments
        shuffles.append((size, seed, seed2, True))
        return states.repeated(sources[0], epochs)  # type: ignore[no-any-return]
    return made.again(sources) if sources else dataset  # type: ignore[no-any-return]


AUTO_SHARD, _ = (
    dataset_op(
        name, "input_dataset: variant, num_workers: int64, index: int64",
        lambda xp, memory, dataset, count, index: divided(unwrapped(dataset), int(count), int(index)),
    )
    for name in ("AutoShardDataset", "ExperimentalAutoShardDataset")
)  # fmt: skip

# -- among replicas ----------------------------------------------------------------------------


@recipe("Rebatch")
def rebatched(source: Dataset, count: int) -> Dataset:
    """Each batch as ``count`` batches: as large as ceil(n / count) while rows are left, the last ones empty."""
    if count <= 0:
        raise invalid("num_replicas must be greater than zero.")

    def make(scope: Scope) -> Next:
        inner = source.make(scope)
        left: deque[Element] = deque()

        def following() -> Element:
            if not left:
                left.extend(_parts(inner(), count))
            return left.popleft()

        return following

    n = source.cardinality
    return Dataset(make, n if n < 0 else n * count, [source])


def _parts(element: Element, count: int) -> list[Element]:
    sizes = []
    for value in element:
        if not np.ndim(value):
            raise invalid("A batch that is divided among replicas must have rows in each component.")
        sizes.append(-(-len(value) // count))
    return [[x[i * n : (i + 1) * n] for x, n in zip(element, sizes, strict=True)] for i in range(count)]


REBATCH, _ = (
    dataset_op(
        name, "input_dataset: variant, num_replicas: int64",
        lambda xp, memory, dataset, count: rebatched(unwrapped(dataset), int(count)),
        {"output_types": REQUIRED, "output_shapes": REQUIRED, "use_fallback": True},
    )
    for name in ("RebatchDataset", "ExperimentalRebatchDataset")
)  # fmt: skip
