"""Datasets as ops: each gives a variant that at run time is a ``Dataset``."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.files import file_system
from retrograd.graph.definition import REQUIRED, Effect, OpDef, define, not_differentiable
from retrograd.graph.errors import UnimplementedError, invalid
from retrograd.graph.shapes import RawShape
from retrograd.ops import dataset_batches as batches
from retrograd.ops import dataset_buffers as buffers
from retrograd.ops import dataset_functions as by_function
from retrograd.ops import dataset_maps as maps
from retrograd.ops import dataset_rewriting as rewriting
from retrograd.ops import dataset_states as states
from retrograd.ops import shape_rules
from retrograd.ops.dataset_branches import fastest, fastest_branch
from retrograd.ops.dataset_file_cache import cached_in_file
from retrograd.ops.dataset_maps import Called
from retrograd.ops.dataset_states import Dataset, Scope, unwrapped
from retrograd.ops.whole_files import texts

TYPED: dict[str, Any] = {"output_types": REQUIRED, "output_shapes": REQUIRED}


def dataset_op(
    name: str, inputs: str, kernel: Callable[..., Any], attrs: dict[str, Any] | None = None, output: str = "handle",
    shape: Callable[..., RawShape] = lambda *inputs: (),
) -> OpDef:  # fmt: skip
    """The record of an op that gives a dataset."""
    return define(
        name, inputs, f"{output}: variant", attrs=TYPED if attrs is None else attrs, shape=shape,
        kernel=kernel, effect=Effect.HOST, gradient=not_differentiable,
    )  # fmt: skip


def _of_numbers(*inputs: Any) -> RawShape:
    """Beside datasets the op takes single numbers."""
    for x in inputs:
        if not isinstance(x, list):
            shape_rules.with_rank(x, 0)
    return ()


def _plain(function: Callable[..., Dataset]) -> Callable[..., Any]:
    """The kernel of an op whose inputs are datasets and numbers: ``function`` of them."""

    def kernel(xp: Any, memory: Any, *inputs: Any) -> Any:
        return function(*[_argument(x) for x in inputs])

    return kernel


def _argument(x: Any) -> Any:
    if isinstance(x, list):
        return [_argument(item) for item in x]
    value = unwrapped(x)
    return value.item() if isinstance(value, np.generic) else value


def _words(x: Any) -> list[str]:
    return [word.decode(errors="replace") for word in texts(x)]


# -- sources -----------------------------------------------------------------------------------


def _tensor(xp: Any, memory: Any, components: list[Any]) -> Any:
    return states.one([_kept(c) for c in components])


def _kept(value: Any) -> Any:
    """A value that nobody changes any more."""
    return value.copy() if isinstance(value, np.ndarray) and not value.flags.owndata else value


def _slices(xp: Any, memory: Any, components: list[Any]) -> Any:
    counts = [len(c) if np.ndim(c) else 0 for c in components]
    for i, count in enumerate(counts):
        if count != counts[0]:
            raise invalid(
                "All components must have the same size in the 0th dimension, got "
                f"{counts[0]} and {count} (component {i})"
            )
    return states.rows([_kept(c) for c in components], counts[0])


_COMPONENTS = {"output_shapes": REQUIRED}
TENSOR = dataset_op("TensorDataset", "components: *Toutput_types", _tensor, _COMPONENTS)
TENSOR_SLICE = dataset_op("TensorSliceDataset", "components: *Toutput_types", _slices, _COMPONENTS)
RANGE = dataset_op("RangeDataset", "start: int64, stop: int64, step: int64", _plain(states.numbers), shape=_of_numbers)
RANDOM = dataset_op("RandomDataset", "seed: int64, seed2: int64", _plain(buffers.random_numbers))


def _sparse_slices(xp: Any, memory: Any, indices: Any, values: Any, dense_shape: Any) -> Any:
    if np.any(np.diff(indices[:, 0]) < 0):
        raise UnimplementedError(
            None, None, "The SparseTensor must be ordered in the batch dimension; "
            "handling arbitrarily ordered input is not currently supported.",
        )  # fmt: skip
    rows = [np.flatnonzero(indices[:, 0] == i) for i in range(int(dense_shape[0]))]
    shape = np.array(dense_shape[1:])
    parts = [[indices[r][:, 1:], np.asarray(values)[r], shape] for r in rows]
    return Dataset(lambda scope: states.rows_of_elements(parts), len(parts))


SPARSE_SLICE = dataset_op(
    "SparseTensorSliceDataset", "indices: int64, values: Tvalues, dense_shape: int64", _sparse_slices, {}
)


def _generator(
    xp: Any, memory: Any, init_args: list[Any], next_args: list[Any], finalize_args: list[Any], *, init_func: Any,
    next_func: Any, finalize_func: Any,
) -> Any:  # fmt: skip
    return by_function.generated(
        Called(memory, init_func, init_args), Called(memory, next_func, next_args),
        Called(memory, finalize_func, finalize_args),
    )  # fmt: skip


GENERATOR = dataset_op(
    "GeneratorDataset",
    "init_func_other_args: *Tinit_func_args, next_func_other_args: *Tnext_func_args, "
    "finalize_func_other_args: *Tfinalize_func_args",
    _generator,
    {"init_func": REQUIRED, "next_func": REQUIRED, "finalize_func": REQUIRED, **TYPED},
)

# -- of other datasets -------------------------------------------------------------------------

_INPUT = "input_dataset: variant"
REPEAT = dataset_op("RepeatDataset", f"{_INPUT}, count: int64", _plain(states.repeated), shape=_of_numbers)
TAKE = dataset_op("TakeDataset", f"{_INPUT}, count: int64", _plain(states.first_of), shape=_of_numbers)
SKIP = dataset_op("SkipDataset", f"{_INPUT}, count: int64", _plain(states.without_first), shape=_of_numbers)
CONCATENATE = dataset_op("ConcatenateDataset", f"{_INPUT}, another_dataset: variant", _plain(states.concatenated))
ZIP = dataset_op("ZipDataset", "input_datasets: N*variant", _plain(states.zipped))
PREFETCH = dataset_op(
    "PrefetchDataset", f"{_INPUT}, buffer_size: int64", _plain(buffers.prefetched),
    {**TYPED, "slack_period": 0, "legacy_autotune": True}, shape=_of_numbers,
)  # fmt: skip
IGNORE_ERRORS = dataset_op("IgnoreErrorsDataset", _INPUT, _plain(states.without_errors))
UNBATCH = dataset_op("UnbatchDataset", _INPUT, _plain(batches.unbatched))
UNIQUE = dataset_op("UniqueDataset", _INPUT, _plain(states.distinct))
DENSE_TO_SPARSE = dataset_op(
    "DenseToSparseBatchDataset", f"{_INPUT}, batch_size: int64, row_shape: int64",
    lambda xp, memory, source, size, row: batches.sparsely_batched(
        unwrapped(source), int(size), np.ravel(row).tolist()
    ),
)  # fmt: skip
WINDOW = dataset_op(
    "WindowDataset", f"{_INPUT}, size: int64, shift: int64, stride: int64, drop_remainder: bool",
    _plain(batches.windows), shape=_of_numbers,
)  # fmt: skip
SLIDING = dataset_op(
    "SlidingWindowDataset", f"{_INPUT}, window_size: int64, window_shift: int64, window_stride: int64",
    _plain(by_function.sliding),
)  # fmt: skip
DIRECTED = dataset_op(
    "DirectedInterleaveDataset", "selector_input_dataset: variant, data_input_datasets: N*variant",
    _plain(states.chosen_from),
)  # fmt: skip
MODEL = dataset_op("ModelDataset", _INPUT, _plain(states.modelled), {"algorithm": 0, "cpu_budget": 0, **TYPED})
BATCH = dataset_op(
    "BatchDataset",
    f"{_INPUT}, batch_size: int64",
    _plain(functools.partial(batches.batched, drop=False)),
    shape=_of_numbers,
)
BATCH_V2 = dataset_op(
    "BatchDatasetV2", f"{_INPUT}, batch_size: int64, drop_remainder: bool", _plain(batches.batched),
    {"parallel_copy": False, **TYPED}, shape=_of_numbers,
)  # fmt: skip
SHUFFLE_AND_REPEAT = dataset_op(
    "ShuffleAndRepeatDataset", f"{_INPUT}, buffer_size: int64, seed: int64, seed2: int64, count: int64",
    _plain(buffers.shuffled_and_repeated), shape=_of_numbers,
)  # fmt: skip
dataset_op(
    "MaxIntraOpParallelismDataset", f"{_INPUT}, max_intra_op_parallelism: int64", _plain(states.with_threads_of_ops)
)
dataset_op("PrivateThreadPoolDataset", f"{_INPUT}, num_threads: int64", _plain(states.with_threads))
WRAP, UNWRAP = (
    define(
        name, "input_handle: variant", "output_handle: variant", shape=lambda handle: (),
        kernel=lambda xp, memory, handle: handle, effect=Effect.HOST, gradient=not_differentiable,
    )
    for name in ("WrapDatasetVariant", "UnwrapDatasetVariant")
)  # fmt: skip
NON_SERIALIZABLE = dataset_op("NonSerializableDataset", _INPUT, _plain(states.non_serializable))


def _expecting(xp: Any, memory: Any, dataset: Any, transformations: Any) -> Any:
    return states.expecting(unwrapped(dataset), _words(transformations))


ASSERT_NEXT = dataset_op("AssertNextDataset", f"{_INPUT}, transformations: string", _expecting)


def _shard(xp: Any, memory: Any, dataset: Any, count: Any, index: Any, *, require_non_empty: bool) -> Any:
    return states.shard(unwrapped(dataset), int(count), int(index), require_non_empty)


SHARD = dataset_op(
    "ShardDataset",
    f"{_INPUT}, num_shards: int64, index: int64",
    _shard,
    {"require_non_empty": False, **TYPED},
    shape=_of_numbers,
)


def _shuffle(
    xp: Any, memory: Any, dataset: Any, size: Any, seed: Any, seed2: Any, *, reshuffle_each_iteration: bool
) -> Any:
    return buffers.shuffled(unwrapped(dataset), int(size), int(seed), int(seed2), reshuffle_each_iteration)


SHUFFLE = dataset_op(
    "ShuffleDataset", f"{_INPUT}, buffer_size: int64, seed: int64, seed2: int64", _shuffle,
    {"reshuffle_each_iteration": True, **TYPED}, shape=_of_numbers,
)  # fmt: skip


def _cache(xp: Any, memory: Any, dataset: Any, filename: Any) -> Any:
    source, name = unwrapped(dataset), texts(filename)[0]
    return buffers.cached(source) if not name else cached_in_file(source, file_system.path_of(name))


CACHE = dataset_op("CacheDataset", f"{_INPUT}, filename: string", _cache, shape=_of_numbers)


def _optimize(xp: Any, memory: Any, dataset: Any, optimizations: Any, *, optimization_configs: Any) -> Any:
    settings = [x if isinstance(x, str) else x.decode(errors="replace") for x in optimization_configs]
    return rewriting.rewritten(unwrapped(dataset), _words(optimizations), settings)


OPTIMIZE = dataset_op(
    "OptimizeDataset", f"{_INPUT}, optimizations: string", _optimize, {**TYPED, "optimization_configs": []}
)


def _padded_batch(
    xp: Any, memory: Any, dataset: Any, size: Any, shapes: list[Any], fills: list[Any], drop: Any = False
) -> Any:
    sizes = [np.asarray(s).tolist() for s in shapes]
    return batches.batched_and_padded(unwrapped(dataset), int(size), bool(drop), sizes, fills)


_PADDED = f"{_INPUT}, batch_size: int64, padded_shapes: N*int64, padding_values: *Toutput_types"
PADDED_BATCH = dataset_op("PaddedBatchDataset", _PADDED, _padded_batch, _COMPONENTS, shape=_of_numbers)
PADDED_BATCH_V2 = dataset_op(
    "PaddedBatchDatasetV2", f"{_PADDED}, drop_remainder: bool", _padded_batch,
    {"parallel_copy": False, "output_shapes": REQUIRED}, shape=_of_numbers,
)  # fmt: skip


# -- by functions ------------------------------------------------------------------------------

_FUNCTION = {"f": REQUIRED, **TYPED}
_OTHERS = "input_dataset: variant, other_arguments: *Targuments"


def _map(xp: Any, memory: Any, dataset: Any, others: list[Any], *, f: Any) -> Any:
    return maps.mapped(unwrapped(dataset), Called(memory, f, others))


def _parallel_map(xp: Any, memory: Any, dataset: Any, others: list[Any], count: Any, *, f: Any, sloppy: bool) -> Any:
    return maps.mapped_by_threads(unwrapped(dataset), Called(memory, f, others), int(count), sloppy)


MAP = dataset_op(
    "MapDataset", _OTHERS, _map, {**_FUNCTION, "use_inter_op_parallelism": True, "preserve_cardinality": False}
)
PARALLEL_MAP = dataset_op(
    "ParallelMapDataset", f"{_OTHERS}, num_parallel_calls: int32", _parallel_map,
    {**_FUNCTION, "use_inter_op_parallelism": True, "sloppy": False, "preserve_cardinality": False},
)  # fmt: skip


def _filter(xp: Any, memory: Any, dataset: Any, others: list[Any], *, predicate: Any) -> Any:
    return by_function.filtered(unwrapped(dataset), Called(memory, predicate, others))


def _take_while(xp: Any, memory: Any, dataset: Any, others: list[Any], *, predicate: Any) -> Any:
    return by_function.taken_while(unwrapped(dataset), Called(memory, predicate, others))


FILTER = dataset_op("FilterDataset", _OTHERS, _filter, {"predicate": REQUIRED, **TYPED})
TAKE_WHILE = dataset_op("TakeWhileDataset", _OTHERS, _take_while, {"predicate": REQUIRED, **TYPED})


def _flat_map(xp: Any, memory: Any, dataset: Any, others: list[Any], *, f: Any) -> Any:
    return by_function.flattened(unwrapped(dataset), Called(memory, f, others))


def _interleave(xp: Any, memory: Any, dataset: Any, others: list[Any], cycle: Any, block: Any, *, f: Any) -> Any:
    return by_function.interleaved(unwrapped(dataset), Called(memory, f, others), int(cycle), int(block))


def _parallel_interleave_v2(
    xp: Any, memory: Any, dataset: Any, others: list[Any], cycle: Any, block: Any, count: Any, *, f: Any
) -> Any:
    return by_function.interleaved(unwrapped(dataset), Called(memory, f, others), int(cycle), int(block), int(count))


def _parallel_interleave(
    xp: Any, memory: Any, dataset: Any, others: list[Any], cycle: Any, block: Any, sloppy: Any, buffer: Any,
    prefetch: Any, *, f: Any,
) -> Any:  # fmt: skip
    return by_function.interleaved_by_threads(
        unwrapped(dataset), Called(memory, f, others), int(cycle), int(block), int(buffer), bool(sloppy)
    )


FLAT_MAP = dataset_op("FlatMapDataset", _OTHERS, _flat_map, _FUNCTION)
INTERLEAVE = dataset_op(
    "InterleaveDataset", f"{_OTHERS}, cycle_length: int64, block_length: int64", _interleave, _FUNCTION
)
PARALLEL_INTERLEAVE_V2 = dataset_op(
    "ParallelInterleaveDatasetV2", f"{_OTHERS}, cycle_length: int64, block_length: int64, num_parallel_calls: int64",
    _parallel_interleave_v2, {**_FUNCTION, "sloppy": False},
)  # fmt: skip
PARALLEL_INTERLEAVE = dataset_op(
    "ParallelInterleaveDataset",
    f"{_OTHERS}, cycle_length: int64, block_length: int64, sloppy: bool, buffer_output_elements: int64, "
    "prefetch_input_elements: int64",
    _parallel_interleave, _FUNCTION,
)  # fmt: skip


def _map_and_batch(
    xp: Any, memory: Any, dataset: Any, others: list[Any], size: Any, count: Any, drop: Any, *, f: Any
) -> Any:
    function = Called(memory, f, others)
    return maps.mapped_and_batched(unwrapped(dataset), function, int(size), int(count), bool(drop))


MAP_AND_BATCH = dataset_op(
    "MapAndBatchDataset", f"{_OTHERS}, batch_size: int64, num_parallel_calls: int64, drop_remainder: bool",
    _map_and_batch, {**_FUNCTION, "preserve_cardinality": False},
)  # fmt: skip


def _scan(xp: Any, memory: Any, dataset: Any, initial: list[Any], others: list[Any], *, f: Any) -> Any:
    return by_function.scanned(unwrapped(dataset), initial, Called(memory, f, others))


SCAN = dataset_op(
    "ScanDataset", "input_dataset: variant, initial_state: *Tstate, other_arguments: *Targuments", _scan,
    {**_FUNCTION, "preserve_cardinality": False},
)  # fmt: skip


def _group_by_window(
    xp: Any, memory: Any, dataset: Any, key_others: list[Any], reduce_others: list[Any], size_others: list[Any], *,
    key_func: Any, reduce_func: Any, window_size_func: Any,
) -> Any:  # fmt: skip
    return by_function.grouped_by_window(
        unwrapped(dataset), Called(memory, key_func, key_others), Called(memory, reduce_func, reduce_others),
        Called(memory, window_size_func, size_others),
    )  # fmt: skip


GROUP_BY_WINDOW = dataset_op(
    "GroupByWindowDataset",
    "input_dataset: variant, key_func_other_arguments: *Tkey_func_other_arguments, "
    "reduce_func_other_arguments: *Treduce_func_other_arguments, "
    "window_size_func_other_arguments: *Twindow_size_func_other_arguments",
    _group_by_window, {"key_func": REQUIRED, "reduce_func": REQUIRED, "window_size_func": REQUIRED, **TYPED},
)  # fmt: skip


def _group_by_reducer(
    xp: Any, memory: Any, dataset: Any, key_others: list[Any], init_others: list[Any], reduce_others: list[Any],
    finalize_others: list[Any], *, key_func: Any, init_func: Any, reduce_func: Any, finalize_func: Any,
) -> Any:  # fmt: skip
    return by_function.grouped_by_reducer(
        unwrapped(dataset), Called(memory, key_func, key_others), Called(memory, init_func, init_others),
        Called(memory, reduce_func, reduce_others), Called(memory, finalize_func, finalize_others),
    )  # fmt: skip


GROUP_BY_REDUCER = dataset_op(
    "GroupByReducerDataset",
    "input_dataset: variant, key_func_other_arguments: *Tkey_func_other_arguments, "
    "init_func_other_arguments: *Tinit_func_other_arguments, "
    "reduce_func_other_arguments: *Treduce_func_other_arguments, "
    "finalize_func_other_arguments: *Tfinalize_func_other_arguments",
    _group_by_reducer,
    {**dict.fromkeys(("key_func", "init_func", "reduce_func", "finalize_func"), REQUIRED), **TYPED},
)  # fmt: skip


def _fastest_branch(
    xp: Any, memory: Any, dataset: Any, numerator: Any, denominator: Any, others: list[Any], *,
    num_elements_per_branch: int, branches: list[Any], other_arguments_lengths: list[int],
) -> Any:  # fmt: skip
    ends = list(itertools.accumulate(other_arguments_lengths, initial=0))
    chosen = [
        functools.partial(_branched, memory, function, others[start:end])
        for function, (start, end) in zip(branches, itertools.pairwise(ends), strict=True)
    ]
    return fastest_branch(unwrapped(dataset), chosen, int(numerator), int(denominator), num_elements_per_branch)


def _branched(memory: Any, function: Any, captured: list[Any], source: Dataset) -> Dataset:
    made: Dataset = unwrapped(memory.call(function)([source, *captured])[0])
    return made


CHOOSE_FASTEST_BRANCH = dataset_op(
    "ChooseFastestBranchDataset",
    "input_dataset: variant, ratio_numerator: int64, ratio_denominator: int64, other_arguments: *Targuments",
    _fastest_branch,
    {"num_elements_per_branch": REQUIRED, "branches": REQUIRED, "other_arguments_lengths": REQUIRED, **TYPED},
)
CHOOSE_FASTEST = dataset_op(
    "ChooseFastestDataset", "input_datasets: N*variant",
    lambda xp, memory, sources, *, num_experiments: fastest([unwrapped(s) for s in sources], num_experiments),
    {"num_experiments": REQUIRED, **TYPED},
)  # fmt: skip

# -- the end of a pipeline ---------------------------------------------------------------------


def _reduce(xp: Any, memory: Any, dataset: Any, initial: list[Any], others: list[Any], *, f: Any) -> list[Any]:
    scope = Scope(memory)
    try:
        return by_function.reduced(unwrapped(dataset), initial, Called(memory, f, others), scope)
    finally:
        scope.close()


REDUCE = define(
    "ReduceDataset", "input_dataset: variant, initial_state: *Tstate, other_arguments: *Targuments",
    "components: *output_types", attrs={**_FUNCTION, "use_inter_op_parallelism": True},
    shape=lambda dataset, initial, others, *, output_shapes: [s._raw for s in output_shapes], kernel=_reduce,
    effect=Effect.HOST, gradient=not_differentiable,
)  # fmt: skip


def _single(xp: Any, memory: Any, dataset: Any) -> list[Any]:
    scope = Scope(memory)
    try:
        following = scope.begun(unwrapped(dataset))
        try:
            element: list[Any] = following()
        except StopIteration:
            raise invalid("Dataset was empty.") from None
        try:
            following()
        except StopIteration:
            return element
        raise invalid("Dataset had more than one element.")
    finally:
        scope.close()


SINGLE_ELEMENT = define(
    "DatasetToSingleElement", "dataset: variant", "components: *output_types", attrs=TYPED,
    shape=lambda dataset, *, output_shapes: [s._raw for s in output_shapes], kernel=_single, effect=Effect.HOST,
    gradient=not_differentiable,
)  # fmt: skip

CARDINALITY = define(
    "DatasetCardinality", "input_dataset: variant", "cardinality: int64", shape=lambda dataset: (),
    kernel=lambda xp, memory, dataset: np.int64(unwrapped(dataset).cardinality), effect=Effect.HOST,
    gradient=not_differentiable,
)  # fmt: skip
