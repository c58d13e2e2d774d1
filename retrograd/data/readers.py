"""Datasets of files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.data.arguments import optional_param_to_tensor
from retrograd.data.dataset import Dataset, _made
from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import OpDef
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.shapes import TensorShape
from retrograd.graph.specs import TensorSpec
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, constants
from retrograd.ops import dataset_files as files

_BUFFER = 256 * 1024
_STRING = TensorSpec([], dtypes.string)


def _names(filenames: Any) -> Dataset:
    """The names of files as a dataset."""
    if isinstance(filenames, Dataset):
        if filenames.output_types != dtypes.string:
            raise TypeError("`filenames` must be a `tf.data.Dataset` of `tf.string` elements.")
        if not filenames.output_shapes.is_compatible_with(TensorShape([])):
            raise TypeError("`filenames` must be a `tf.data.Dataset` of scalar `tf.string` elements.")
        return filenames
    tensor = as_tensor(filenames, dtypes.string)
    return Dataset.from_tensor_slices(arrays.reshape(tensor, [-1], name="flat_filenames"))


def _read_all(names: Dataset, read: Callable[[Tensor], Dataset], parallel: Any) -> Dataset:
    """What ``read`` finds in the files, one after the other or ``parallel`` of them at a time."""
    if parallel is None:
        return names.flat_map(read)
    from retrograd.data.experimental import parallel_interleave

    return parallel_interleave(read, cycle_length=parallel, block_length=1, sloppy=False)(names)


class _FilesDataset(Dataset):
    """A dataset that goes on from the result of transformations."""

    def _take_over(self, dataset: Dataset) -> None:
        super().__init__(dataset._variant_tensor, dataset.element_spec, dataset._inputs())


class _WholeFiles(_FilesDataset):
    """A dataset of what stands in files from their beginning to their end."""

    _record: OpDef

    def __init__(
        self, filenames: Any, compression_type: Any = None, buffer_size: Any = None, num_parallel_reads: Any = None
    ) -> None:
        names = _names(filenames)

        def read_one_file(filename: Tensor) -> Dataset:
            compression = optional_param_to_tensor("compression_type", compression_type, "", dtypes.string)
            size = optional_param_to_tensor("buffer_size", buffer_size, _BUFFER)
            return _made(self._record, [], _STRING, filename, compression, size)

        self._take_over(_read_all(names, read_one_file, num_parallel_reads))


class TextLineDataset(_WholeFiles):
    """The lines of text files.

    Args:
      filenames: a string, several, or a dataset of them.
      compression_type: ``""``, ``"ZLIB"`` or ``"GZIP"``.
      num_parallel_reads: how many files are read at a time, their lines in turn.
    """

    _record = files.TEXT_LINE


class TFRecordDataset(_WholeFiles):
    """The records of record files; the arguments are those of ``TextLineDataset``."""

    _record = files.TF_RECORD


class FixedLengthRecordDataset(_FilesDataset):
    """The records of ``record_bytes`` bytes between a header and a footer of files."""

    def __init__(
        self, filenames: Any, record_bytes: Any, header_bytes: Any = None, footer_bytes: Any = None,
        buffer_size: Any = None, compression_type: Any = None, num_parallel_reads: Any = None,
    ) -> None:  # fmt: skip
        names = _names(filenames)

        def read_one_file(filename: Tensor) -> Dataset:
            length = as_tensor(record_bytes, dtypes.int64, name="record_bytes")
            header = optional_param_to_tensor("header_bytes", header_bytes, 0)
            footer = optional_param_to_tensor("footer_bytes", footer_bytes, 0)
            size = optional_param_to_tensor("buffer_size", buffer_size, _BUFFER)
            compression = optional_param_to_tensor("compression_type", compression_type, "", dtypes.string)
            return _made(files.FIXED_LENGTH_V2, [], _STRING, filename, header, length, footer, size, compression)

        self._take_over(_read_all(names, read_one_file, num_parallel_reads))


class LMDBDataset(Dataset):
    """The pairs (key, value) of databases of LMDB, in the order of the keys."""

    def __init__(self, filenames: Any) -> None:
        names = as_tensor(filenames, dtypes.string, name="filenames")
        made = _made(files.LMDB, [], (_STRING, _STRING), names)
        super().__init__(made._variant_tensor, made.element_spec)


class CsvDataset(Dataset):
    """The rows of files of comma-separated values, as tuples.

    Args:
      record_defaults: for each column its default value, or its dtype if there must be a value.
      header: whether the first line of a file is left out.
      select_cols: the columns that are wanted, in ascending order.
    """

    def __init__(
        self, filenames: Any, record_defaults: Any, compression_type: Any = None, buffer_size: Any = None,
        header: Any = False, field_delim: str = ",", use_quote_delim: Any = True, na_value: str = "",
        select_cols: Any = None,
    ) -> None:  # fmt: skip
        names = as_tensor(filenames, dtypes.string, name="filenames")
        compression = optional_param_to_tensor("compression_type", compression_type, "", dtypes.string)
        defaults = [
            constants.constant([], dtype=as_dtype(d)) if _is_dtype(d) else as_tensor(d) for d in record_defaults
        ]
        size = optional_param_to_tensor("buffer_size", buffer_size, 4 * 1024 * 1024)
        settings = [
            as_tensor(header, dtypes.bool, name="header"),
            optional_param_to_tensor("field_delim", field_delim, ",", dtypes.string),
            optional_param_to_tensor("use_quote_delim", use_quote_delim, True, dtypes.bool),
            optional_param_to_tensor("na_value", na_value, "", dtypes.string),
            as_tensor([] if select_cols is None else select_cols, dtypes.int64, name="select_cols"),
        ]
        spec = tuple(TensorSpec([], d.dtype) for d in defaults)
        made = _made(files.CSV, [], spec, names, compression, size, *settings, defaults)
        super().__init__(made._variant_tensor, spec)


def _is_dtype(value: Any) -> bool:
    try:
        as_dtype(value)
    except (TypeError, ValueError):
        return False
    return not isinstance(value, str)
