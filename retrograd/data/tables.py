"""Datasets of rows and of examples, ready to train on: ``make_csv_dataset``, ``make_batched_features_dataset``, and
``SqlDataset``."""

from __future__ import annotations

import csv
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from retrograd.data.dataset import AUTOTUNE, Dataset, _made
from retrograd.data.experimental import (
    ignore_errors,
    parallel_interleave,
    parse_example_dataset,
    shuffle_and_repeat,
)
from retrograd.data.functions import ElementFunction
from retrograd.data.readers import CsvDataset, TFRecordDataset
from retrograd.files import file_system
from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.specs import TensorSpec
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import constants
from retrograd.ops import datasets as ops
from retrograd.ops.sql import SQL

_COLUMN_TYPES = (dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64, dtypes.string)


def _ordered(dataset: Dataset, epochs: int | None, shuffle: bool, size: int, seed: int | None) -> Dataset:
    """The dataset ``epochs`` times (None: for ever), shuffled if that is wanted."""
    if shuffle and epochs != 1:
        return dataset.apply(shuffle_and_repeat(size, epochs, seed))
    if shuffle:
        return dataset.shuffle(size, seed)
    return dataset if epochs == 1 else dataset.repeat(epochs)


# -- comma-separated values --------------------------------------------------------------------


def make_csv_dataset(
    file_pattern: Any, batch_size: int, column_names: Sequence[str] | None = None,
    column_defaults: Sequence[Any] | None = None, label_name: str | None = None,
    select_columns: Sequence[Any] | None = None, field_delim: str = ",", use_quote_delim: bool = True,
    na_value: str = "", header: bool = True, num_epochs: int | None = None, shuffle: bool = True,
    shuffle_buffer_size: int = 10000, shuffle_seed: int | None = None, prefetch_buffer_size: int | None = None,
    num_parallel_reads: int | None = None, sloppy: bool = False, num_rows_for_inference: int | None = 100,
    compression_type: Any = None, ignore_errors: bool = False,
) -> Dataset:  # fmt: skip
    """Batches of the rows of files: a dict of columns, or that and the column ``label_name``.

    Args:
      column_names: by default those in the first line of the files, which must agree.
      column_defaults: for each column its default value, or its dtype if there must be a value; by default what the
        first ``num_rows_for_inference`` rows of the files (None: all) look like.
      select_columns: names or numbers of the columns that are wanted; by default all.
      num_epochs: how often the files are read; for ever by default, and then every batch is whole.

    Raises:
      ValueError: no file matches, the files' columns differ or have one name twice, or there is no such label.
    """
    if prefetch_buffer_size is None:
        prefetch_buffer_size = AUTOTUNE
    filenames = _names_of_files(file_pattern, False)
    dataset = Dataset.from_tensor_slices(filenames)
    if shuffle:
        dataset = dataset.shuffle(len(filenames), shuffle_seed)
    if column_names is None or column_defaults is None:
        _check_readable(compression_type)
    rows = _Rows(filenames, field_delim, use_quote_delim, header, compression_type)
    names = list(column_names) if column_names is not None else rows.names()
    if len(names) != len(set(names)):
        raise ValueError("Cannot have duplicate column names.")
    chosen = None
    if select_columns is not None:
        chosen = _numbers_of_columns(select_columns, names)
    if column_defaults is not None:
        defaults = [constants.constant([], dtype=d) if d in _COLUMN_TYPES else d for d in column_defaults]
    else:
        defaults = rows.defaults(len(names), na_value, chosen, num_rows_for_inference)
    if chosen is not None and len(chosen) != len(defaults):
        raise ValueError("If specified, column_defaults and select_columns must have same length.")
    names = names if chosen is None else [names[i] for i in chosen]
    if label_name is not None and label_name not in names:
        raise ValueError("`label_name` provided must be one of the columns.")

    def filename_to_dataset(filename: Tensor) -> Dataset:
        found: Dataset = CsvDataset(
            filename, record_defaults=defaults, select_cols=chosen, field_delim=field_delim,
            use_quote_delim=use_quote_delim, na_value=na_value, header=header, compression_type=compression_type,
        )  # fmt: skip
        return found.apply(_without_errors()) if ignore_errors else found

    def map_fn(*columns: Tensor) -> Any:
        features = OrderedDict(zip(names, columns, strict=True))
        if label_name is None:
            return features
        label = features.pop(label_name)
        return features, label

    dataset = dataset.apply(
        parallel_interleave(filename_to_dataset, cycle_length=num_parallel_reads or 1, sloppy=sloppy)
    )
    dataset = _ordered(dataset, num_epochs, shuffle, shuffle_buffer_size, shuffle_seed)
    dataset = dataset.batch(batch_size, drop_remainder=num_epochs is None)
    function = ElementFunction(map_fn, "Dataset.map()", dataset.element_spec)
    dataset = _made(
        ops.MAP, [dataset], function.output_spec, dataset._variant_tensor, function.captured, f=function.attribute,
        use_inter_op_parallelism=False,
    )  # fmt: skip
    return dataset.prefetch(prefetch_buffer_size)


_without_errors = ignore_errors


def _names_of_files(pattern: Any, shuffle: bool) -> list[str]:
    """The names of the files that match a pattern, or one of several.

    Raises:
      ValueError: there are none.
    """
    patterns = [pattern] if isinstance(pattern, str | bytes) else list(pattern)
    if not patterns:
        raise ValueError("File pattern is empty.")
    names = sorted({name for each in patterns for name in file_system.matching(each)})
    if not names:
        raise ValueError(f"No files match {pattern}.")
    if shuffle:
        np.random.default_rng().shuffle(names)
    return names


def _numbers_of_columns(columns: Sequence[Any], names: Sequence[str]) -> list[int]:
    """The numbers of columns that are named or numbered, in ascending order."""
    if len(columns) != len(set(columns)):
        raise ValueError("select_cols does not contain unique values")
    if all(isinstance(c, int) for c in columns):
        if max(columns, default=0) >= len(names) or min(columns, default=0) < 0:
            raise ValueError("Column index out of range.")
        return sorted(columns)
    if all(isinstance(c, str) for c in columns):
        unknown = [c for c in columns if c not in names]
        if unknown:
            raise ValueError(f"Value for column '{unknown[0]}' not found")
        return sorted(list(names).index(c) for c in columns)
    raise TypeError("select_cols must be a list of all integers or all strings.")


def _check_readable(compression_type: Any) -> None:
    """Raises ``ValueError`` unless the files can be read while the graph is built."""
    kind = compression_type if compression_type is None else constant_value(as_tensor(compression_type))
    if kind is None and compression_type is not None:
        raise ValueError("Received unkown compression_type")
    word = b"" if kind is None else bytes(kind.item())
    if word not in (b"", b"GZIP"):
        probing = " for probing columns" if word == b"ZLIB" else ""
        raise ValueError(f"compression_type ({word.decode(errors='replace')}) is not supported{probing}")


class _Rows:
    """The rows of files as they look before a dataset reads them: their columns' names and dtypes."""

    def __init__(self, filenames: list[str], mark: str, quotes: bool, header: bool, compression: Any) -> None:
        self.filenames, self.mark, self.quotes, self.header = filenames, mark, quotes, header
        self.compression = compression

    def _of(self, filename: str) -> Iterator[list[str]]:
        from retrograd.files.records import Bytes

        kind = self.compression if isinstance(self.compression, str) else ""
        file = Bytes(filename, kind)
        lines = (line.decode("utf-8", "replace") for line in iter(file.line, None))
        try:
            yield from csv.reader(
                lines, delimiter=self.mark, quoting=csv.QUOTE_MINIMAL if self.quotes else csv.QUOTE_NONE
            )
        finally:
            file.close()

    def names(self) -> list[str]:
        """The names in the first line, which is the same in all files."""
        if not self.header:
            raise ValueError("Cannot infer column names without a header line.")
        first = next(self._of(self.filenames[0]), None)
        if first is None:
            raise ValueError(
                f"Received StopIteration when reading the header line of {self.filenames[0]}.  Empty file?"
            )
        for filename in self.filenames[1:]:
            if next(self._of(filename), None) != first:
                raise ValueError("Files have different column names in the header row.")
        return first

    def defaults(self, count: int, missing: str, chosen: Sequence[int] | None, limit: int | None) -> list[Tensor]:
        """What stands for a missing value in each column: zero or nothing, of the column's dtype."""
        kinds: list[DType | None] = [None] * (count if chosen is None else len(chosen))
        for i, row in enumerate(self._rows(count)):
            if limit is not None and i >= limit:
                break
            for j, column in enumerate(range(count) if chosen is None else chosen):
                kinds[j] = _wider(row[column], missing, kinds[j])
        defaults: dict[DType, Any] = {dtypes.string: ""}
        return [constants.constant([defaults.get(kind, 0)], dtype=kind) for kind in (k or dtypes.string for k in kinds)]

    def _rows(self, count: int) -> Iterator[list[str]]:
        for filename in self.filenames:
            rows = self._of(filename)
            if self.header:
                next(rows, None)
            for row in rows:
                if len(row) != count:
                    raise ValueError("Problem inferring types: CSV row has different number of fields than expected.")
                yield row


def _wider(text: str, missing: str, before: DType | None) -> DType | None:
    """The narrowest dtype that holds the values before and this one."""
    if text in ("", missing):
        return before
    order = (None, dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64, dtypes.string)
    return order[max(order.index(before), order.index(_kind_of(text)))]


def _kind_of(text: str) -> DType:
    try:
        value = int(text)
    except ValueError:
        try:
            number = float(text)
        except ValueError:
            return dtypes.string
        fits = not np.isfinite(number) or abs(number) < float(np.finfo(np.float32).max)
        return dtypes.float32 if fits else dtypes.float64
    if -(2**31) < value < 2**31 - 1:
        return dtypes.int32
    return dtypes.int64 if -(2**63) < value < 2**63 - 1 else dtypes.float32


# -- examples ----------------------------------------------------------------------------------


def make_batched_features_dataset(
    file_pattern: Any, batch_size: int, features: dict[str, Any], reader: Callable[..., Dataset] = TFRecordDataset,
    label_key: str | None = None, reader_args: Sequence[Any] | None = None, num_epochs: int | None = None,
    shuffle: bool = True, shuffle_buffer_size: int = 10000, shuffle_seed: int | None = None,
    prefetch_buffer_size: int | None = None, reader_num_threads: int | None = None,
    parser_num_threads: int | None = None, sloppy_ordering: bool = False, drop_final_batch: bool = False,
) -> Dataset:  # fmt: skip
    """Batches of the ``tf.train.Example``s of files as dicts of their features, or that and the one at ``label_key``.

    Args:
      reader: ``reader(filename, *reader_args)`` is the dataset of what is in a file.
      num_epochs: how often the files are read; for ever by default, and then every batch is whole.

    Raises:
      ValueError: no feature has the key ``label_key``.
      TypeError: ``reader`` is no dataset.
    """
    prefetch_buffer_size = AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size
    dataset = Dataset.list_files(file_pattern, shuffle, shuffle_seed)
    if not (isinstance(reader, type) and issubclass(reader, Dataset)):
        raise TypeError(
            "The `reader` argument must return a `Dataset` object. `tf.ReaderBase` subclasses are not supported. For "
            "example, pass `tf.data.TFRecordDataset` instead of `tf.TFRecordReader`."
        )
    dataset = dataset.apply(
        parallel_interleave(
            lambda filename: reader(filename, *(reader_args or ())), cycle_length=reader_num_threads or 1,
            sloppy=sloppy_ordering,
        )
    )  # fmt: skip
    if dataset.output_types == (dtypes.string, dtypes.string):
        dataset = dataset.map(lambda _, value: value)
    dataset = _ordered(dataset, num_epochs, shuffle, shuffle_buffer_size, shuffle_seed)
    dataset = dataset.batch(batch_size, drop_remainder=drop_final_batch or num_epochs is None)
    dataset = dataset.apply(parse_example_dataset(features, num_parallel_calls=parser_num_threads or 2))
    if label_key:
        if label_key not in features:
            raise ValueError(f"The `label_key` provided ({label_key!r}) must be one of the `features` keys.")
        dataset = dataset.map(lambda x: (x, x.pop(label_key)))
    return dataset.prefetch(prefetch_buffer_size)


def make_tf_record_dataset(
    file_pattern: Any, batch_size: int, parser_fn: Callable[..., Any] | None = None, num_epochs: int | None = None,
    shuffle: bool = True, shuffle_buffer_size: int | None = None, shuffle_seed: int | None = None,
    prefetch_buffer_size: int | None = None, num_parallel_reads: int | None = None,
    num_parallel_parser_calls: int | None = None, drop_final_batch: bool = False,
) -> Dataset:  # fmt: skip
    """Batches of the records of files, or of what ``parser_fn`` makes of each.

    Args:
      num_epochs: how often the files are read; for ever by default, and then every batch is whole.
      num_parallel_reads: how many files are read in turn.
    """
    read = TFRecordDataset(
        Dataset.list_files(file_pattern, shuffle, shuffle_seed), num_parallel_reads=num_parallel_reads or 24
    )
    size = 10000 if shuffle_buffer_size is None else shuffle_buffer_size
    dataset = _ordered(read, num_epochs, shuffle, size, shuffle_seed)
    if parser_fn is not None:
        dataset = dataset.map(parser_fn, num_parallel_parser_calls or batch_size)
    dataset = dataset.batch(batch_size, drop_remainder=drop_final_batch or num_epochs is None)
    ahead = AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size
    return dataset if ahead == 0 else dataset.prefetch(ahead)


# -- databases ---------------------------------------------------------------------------------


class SqlDataset(Dataset):
    """The rows that a query of a database gives, as tuples.

    Args:
      driver_name: ``"sqlite"``.
      data_source_name: the database's file.
      output_types: the dtypes of the columns.
    """

    def __init__(self, driver_name: Any, data_source_name: Any, query: Any, output_types: Any) -> None:
        inputs = [
            as_tensor(value, dtypes.string, name=name)
            for name, value in (("driver_name", driver_name), ("data_source_name", data_source_name), ("query", query))
        ]
        spec = tuple(TensorSpec([], as_dtype(t)) for t in output_types)
        super().__init__(_made(SQL, [], spec, *inputs)._variant_tensor, spec)
