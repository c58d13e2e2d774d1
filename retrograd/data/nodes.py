"""Datasets of one node each, by the classes that TensorFlow's own programs make them of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from retrograd.data.arguments import optional_param_to_tensor
from retrograd.data.dataset import Dataset, _made, _making_map
from retrograd.data.experimental import _directed
from retrograd.data.generators import _generator_dataset
from retrograd.data.readers import _BUFFER, _STRING
from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REGISTRY
from retrograd.ops import dataset_files as files
from retrograd.ops import datasets as ops


class _Node(Dataset):
    def _is(self, made: Dataset) -> None:
        super().__init__(made._variant_tensor, made.element_spec, made._inputs())


class MapDataset(_Node):
    """``map_func`` of each element; with ``preserve_cardinality`` there are as many as before."""

    def __init__(
        self, input_dataset: Dataset, map_func: Callable[..., Any], use_inter_op_parallelism: bool = True,
        preserve_cardinality: bool = False, use_legacy_function: bool = False,
    ) -> None:  # fmt: skip
        attrs = {
            "use_inter_op_parallelism": use_inter_op_parallelism, "preserve_cardinality": preserve_cardinality
        }  # fmt: skip
        self._is(_making_map(input_dataset, map_func, None, attrs))


class ParallelMapDataset(_Node):
    """``map_func`` of each element, of ``num_parallel_calls`` at a time."""

    def __init__(
        self, input_dataset: Dataset, map_func: Callable[..., Any], num_parallel_calls: Any,
        use_inter_op_parallelism: bool = True, preserve_cardinality: bool = False, use_legacy_function: bool = False,
    ) -> None:  # fmt: skip
        attrs = {
            "use_inter_op_parallelism": use_inter_op_parallelism, "preserve_cardinality": preserve_cardinality
        }  # fmt: skip
        self._is(_making_map(input_dataset, map_func, num_parallel_calls, attrs))


class PrefetchDataset(_Node):
    """``buffer_size`` elements computed ahead of time."""

    def __init__(self, input_dataset: Dataset, buffer_size: Any, slack_period: int | None = None) -> None:
        size = as_tensor(-1 if buffer_size is None else buffer_size, dtypes.int64, name="buffer_size")
        self._is(input_dataset._same(ops.PREFETCH, size, slack_period=slack_period or 0))


class _MaxIntraOpParallelismDataset(_Node):
    """The same elements."""

    def __init__(self, input_dataset: Dataset, max_intra_op_parallelism: Any) -> None:
        count = as_tensor(max_intra_op_parallelism, dtypes.int64, name="max_intra_op_parallelism")
        self._is(input_dataset._same(REGISTRY["MaxIntraOpParallelismDataset"], count))


class _GeneratorDataset(_Node):
    """``next_func(init_func(init_args))`` again and again until it is out of range; then ``finalize_func``."""

    def __init__(
        self, init_args: Any, init_func: Callable[..., Any], next_func: Callable[..., Any],
        finalize_func: Callable[..., Any],
    ) -> None:  # fmt: skip
        self._is(_generator_dataset(init_args, init_func, next_func, finalize_func))


class _DirectedInterleaveDataset(_Node):
    """The next element of the dataset whose number ``selector_input`` gives."""

    def __init__(self, selector_input: Dataset, data_inputs: Sequence[Dataset]) -> None:
        self._is(_directed(selector_input, list(data_inputs)))


class MatchingFilesDataset(_Node):
    """The names of the files that match one of ``patterns``."""

    def __init__(self, patterns: Any) -> None:
        self._is(_made(files.MATCHING_FILES, [], _STRING, as_tensor(patterns, dtypes.string, name="patterns")))


class _TFRecordDataset(_Node):
    """The records of files, by one node that has all their names."""

    def __init__(self, filenames: Any, compression_type: Any = None, buffer_size: Any = None) -> None:
        names = as_tensor(filenames, dtypes.string, name="filenames")
        compression = optional_param_to_tensor("compression_type", compression_type, "", dtypes.string)
        self._is(
            _made(
                files.TF_RECORD,
                [],
                _STRING,
                names,
                compression,
                optional_param_to_tensor("buffer_size", buffer_size, _BUFFER),
            )
        )
