"""What fills lookup tables: tensors, or files of words."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from retrograd.graph import dtypes, nest
from retrograd.graph.apply import apply_op
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.modes import executing_eagerly_outside_functions, init_scope
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import add_to_collection, device, name_scope
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.graph.uids import uid
from retrograd.io.tracking import Trackable, TrackableAsset
from retrograd.ops import tables as ops


class KeysAndValues:
    """What holds keys of one dtype, and values of another."""

    def __init__(self, key_dtype: Any, value_dtype: Any) -> None:
        self._key_dtype = as_dtype(key_dtype)
        self._value_dtype = as_dtype(value_dtype)

    @property
    def key_dtype(self) -> DType:
        """The dtype of the keys."""
        return self._key_dtype

    @property
    def value_dtype(self) -> DType:
        """The dtype of the values."""
        return self._value_dtype


class TableInitializerBase(KeysAndValues, Trackable):
    """What fills a table."""

    def initialize(self, table: Any) -> Operation:
        """An op that fills ``table``."""
        raise NotImplementedError

    @property
    def _shared_name(self) -> str:
        """A name under which tables of the same contents are shared; one of its own where ops run at once."""
        return str(uid()) if default_graph().is_eager else ""


def _check_types(table: Any, key_dtype: DType, value_dtype: DType) -> None:
    if key_dtype.base_dtype != table.key_dtype:
        raise TypeError(f"Invalid key dtype, expected {table.key_dtype} but got {key_dtype}.")
    if value_dtype.base_dtype != table.value_dtype:
        raise TypeError(f"Invalid value dtype, expected {table.value_dtype} but got {value_dtype}.")


def outside_of_branches() -> AbstractContextManager[None]:
    """Ops of a table that is made in a branch or a loop are built outside: whatever fills it runs before."""
    is_inside = default_graph()._get_control_flow_context() is not None
    return init_scope() if is_inside or executing_eagerly_outside_functions() else nullcontext()


def where_it_lasts(words: Any) -> AbstractContextManager[None]:
    """Where ops run at once, a table of words that are known is made and filled there, not in a model's graph."""
    is_known = executing_eagerly_outside_functions() and not any(isinstance(x, Tensor) for x in nest.flatten(words))
    return init_scope() if is_known else nullcontext()


class KeyValueTensorInitializer(TableInitializerBase):
    """Fills a table with keys and values."""

    def __init__(
        self, keys: Any, values: Any, key_dtype: Any = None, value_dtype: Any = None, name: str | None = None
    ) -> None:
        with outside_of_branches():
            self._keys = as_tensor(keys, key_dtype, name="keys")
            self._values = as_tensor(values, value_dtype, name="values")
        self._name = name if name is not None else "key_value_init"
        super().__init__(self._keys.dtype, self._values.dtype)

    def initialize(self, table: Any) -> Operation:
        """An op that fills ``table``."""
        _check_types(table, self._keys.dtype, self._values.dtype)
        with name_scope(self._name, values=(table.resource_handle, self._keys, self._values)):
            init = apply_op(ops.IMPORT, table.resource_handle, self._keys, self._values)
        add_to_collection(GraphKeys.TABLE_INITIALIZERS, init)
        return init


class TextFileIndex:
    """What of a line is meant: its number, all of it, or by a number from 0 on a column."""

    WHOLE_LINE = ops.WHOLE_LINE
    LINE_NUMBER = ops.LINE_NUMBER


class TextFileInitializer(TableInitializerBase):
    """Fills a table with the lines of a file.

    Args:
      key_index, value_index: which parts of a line are key and value; one of ``TextFileIndex``, or a column.
      vocab_size: how many lines are read; all by default.

    Raises:
      ValueError: a part is not of its dtype, or there is no file.
    """

    def __init__(
        self, filename: Any, key_dtype: Any, key_index: int, value_dtype: Any, value_index: int,
        vocab_size: int | None = None, delimiter: str = "\t", name: str | None = None,
    ) -> None:  # fmt: skip
        if not isinstance(filename, Tensor) and not filename:
            raise ValueError("Filename required")
        key_dtype, value_dtype = as_dtype(key_dtype), as_dtype(value_dtype)
        for word, index, dtype in (("Key", key_index, key_dtype), ("Value", value_index, value_dtype)):
            if index < -2:
                raise ValueError(f"Invalid {word.lower()} index {index}.")
            if index == TextFileIndex.LINE_NUMBER and dtype != dtypes.int64:
                raise ValueError(f"Signature mismatch. {word}s must be dtype {dtypes.int64}, got {dtype}.")
            if index == TextFileIndex.WHOLE_LINE and not (dtype.is_integer or dtype == dtypes.string):
                raise ValueError(f"Signature mismatch. {word}s must be integer or string, got {dtype}.")
        if vocab_size is not None and vocab_size <= 0:
            raise ValueError(f"Invalid vocab_size {vocab_size}.")
        self._given = filename
        self._key_index, self._value_index = key_index, value_index
        self._vocab_size = vocab_size
        self._delimiter = delimiter
        self._name = name if name is not None else "text_file_init"
        self._filename = _asset(filename)
        self._asset = TrackableAsset(self._filename)
        super().__init__(key_dtype, value_dtype)

    def _checkpoint_children(self) -> list[tuple[str, Any]]:
        """The file."""
        return [("_filename", self._asset)]

    def initialize(self, table: Any) -> Operation:
        """An op that fills ``table``."""
        _check_types(table, self.key_dtype, self.value_dtype)
        with name_scope(self._name, "text_file_init", (table.resource_handle,)):
            filename = as_tensor(self._filename, dtypes.string, name="asset_filepath")
            init = apply_op(
                ops.INITIALIZE_FROM_FILE, table.resource_handle, filename, key_index=self._key_index,
                value_index=self._value_index, vocab_size=-1 if self._vocab_size is None else self._vocab_size,
                delimiter=self._delimiter,
            )  # fmt: skip
        add_to_collection(GraphKeys.TABLE_INITIALIZERS, init)
        if not default_graph().is_eager and filename.op.type == "Const":
            add_to_collection(GraphKeys.ASSET_FILEPATHS, filename)
        return init

    @property
    def _shared_name(self) -> str:
        name = self._given.name if isinstance(self._given, Tensor) else self._given
        if self._vocab_size:
            return f"hash_table_{name}_{self._vocab_size}_{self._key_index}_{self._value_index}"
        return f"hash_table_{name}_{self._key_index}_{self._value_index}"


def _asset(filename: Any) -> Tensor:
    if isinstance(filename, Tensor):
        return filename
    with init_scope(), device("CPU:*"):
        return as_tensor(filename, dtypes.string, name="asset_path")


class TextFileStringTableInitializer(TextFileInitializer):
    """Fills a table of numbers to words with the lines of a file."""

    def __init__(
        self, filename: Any, key_column_index: int = TextFileIndex.LINE_NUMBER,
        value_column_index: int = TextFileIndex.WHOLE_LINE, vocab_size: int | None = None, delimiter: str = "\t",
        name: str = "text_file_string_table_init",
    ) -> None:  # fmt: skip
        super().__init__(
            filename, dtypes.int64, key_column_index, dtypes.string, value_column_index, vocab_size, delimiter, name
        )


class TextFileIdTableInitializer(TextFileInitializer):
    """Fills a table of words to numbers with the lines of a file."""

    def __init__(
        self, filename: Any, key_column_index: int = TextFileIndex.WHOLE_LINE,
        value_column_index: int = TextFileIndex.LINE_NUMBER, vocab_size: int | None = None, delimiter: str = "\t",
        name: str = "text_file_id_table_init", key_dtype: Any = dtypes.string,
    ) -> None:  # fmt: skip
        super().__init__(
            filename, key_dtype, key_column_index, dtypes.int64, value_column_index, vocab_size, delimiter, name
        )
