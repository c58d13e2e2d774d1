"""Lookup tables: keys to values, of tensors or of files of words."""

from __future__ import annotations

from typing import Any, NamedTuple

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.modes import init_scope
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import get_collection, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor
from retrograd.io.table_initializers import (
    KeysAndValues,
    KeyValueTensorInitializer,
    TextFileIdTableInitializer,
    TextFileIndex,
    TextFileStringTableInitializer,
    outside_of_branches,
    where_it_lasts,
)
from retrograd.io.tracking import CapturableResource
from retrograd.ops import arithmetic, arrays, casts, comparison, constants, string_numbers, strings
from retrograd.ops import tables as ops
from retrograd.ops.control import group, no_op

# -- tables ------------------------------------------------------------------------------------


class LookupInterface(KeysAndValues, CapturableResource):
    """What tables of every kind can do."""

    @property
    def name(self) -> str:
        """The name of the table."""
        raise NotImplementedError

    def size(self, name: str | None = None) -> Tensor:
        """How many keys there are."""
        raise NotImplementedError

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The values of keys."""
        raise NotImplementedError


def of_keys(keys: Any, values: Tensor) -> Any:
    """Values in the form of the keys."""
    return SparseTensor(keys.indices, values, keys.dense_shape) if isinstance(keys, SparseTensor) else values


class InitializableLookupTableBase(LookupInterface):
    """A table that is filled once, by an initializer."""

    def __init__(self, default_value: Any, initializer: Any) -> None:
        super().__init__(initializer.key_dtype, initializer.value_dtype)
        self._default_value = as_tensor(default_value, self._value_dtype)
        self._default_value.shape.merge_with(TensorShape(()))
        self._initializer = initializer
        with init_scope():
            self._resource_handle = self._create_resource()
        with outside_of_branches():
            self._init_op = initializer.initialize(self)

    def _create_resource(self) -> Tensor:
        raise NotImplementedError

    def _initialize(self) -> Operation:
        return self._initializer.initialize(self)  # type: ignore[no-any-return]

    def _checkpoint_children(self) -> list[tuple[str, Any]]:
        """What fills it."""
        return [("_initializer", self._initializer)]

    @property
    def resource_handle(self) -> Tensor:
        """The handle."""
        return self._resource_handle

    @property
    def name(self) -> str:
        """The last part of the name of the op that makes it."""
        return self._resource_handle.op.name.split("/")[-1]

    @property
    def default_value(self) -> Tensor:
        """The value of a key that is missing."""
        return self._default_value

    @property
    def initializer(self) -> Operation:
        """The op that fills it."""
        return self._init_op

    @property
    def init(self) -> Operation:
        """The op that fills it, by an older name."""
        return self._init_op

    def size(self, name: str | None = None) -> Tensor:
        """How many keys there are."""
        with name_scope(name, f"{self.name}_Size", [self._resource_handle]):
            return apply(ops.SIZE, self._resource_handle)

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The values of ``keys``, a dense or sparse tensor; the default value where a key is missing.

        Raises:
          TypeError: they are not of the keys' dtype.
        """
        flat = keys.values if isinstance(keys, SparseTensor) else keys
        if flat.dtype.base_dtype != self._key_dtype:
            raise TypeError(f"Signature mismatch. Keys must be dtype {self._key_dtype}, got {flat.dtype}.")
        with name_scope(name, f"{self.name}_Lookup", (self._resource_handle, flat, self._default_value)):
            values = apply(ops.FIND, self._resource_handle, flat, self._default_value)
        values.set_shape(flat.shape)
        return of_keys(keys, values)


class StaticHashTable(InitializableLookupTableBase):
    """A table that ``tf.tables_initializer()`` fills.

    >>> init = KeyValueTensorInitializer(["a", "b"], [1, 2])
    >>> StaticHashTable(init, -1).key_dtype.name
    'string'
    """

    def __init__(self, initializer: Any, default_value: Any, name: str | None = None) -> None:
        self._shared = initializer._shared_name
        self._table_name = name if name is not None else "hash_table"
        super().__init__(default_value, initializer)

    def _create_resource(self) -> Tensor:
        handle: Tensor = apply(
            ops.HASH_TABLE, shared_name=self._shared, key_dtype=self._initializer.key_dtype,
            value_dtype=self._initializer.value_dtype, name=self._table_name,
        )  # fmt: skip
        return handle

    def export(self, name: str | None = None) -> tuple[Tensor, Tensor]:
        """All keys and their values."""
        with name_scope(name, f"{self.name}_Export", [self._resource_handle]) as scope:
            keys, values = apply(
                ops.EXPORT, self._resource_handle, Tkeys=self._key_dtype, Tvalues=self._value_dtype, name=scope
            )
        keys.set_shape([None])
        values.set_shape([None])
        return keys, values


class HashTable(StaticHashTable):
    """A table that ``tf.tables_initializer()`` fills."""

    def __init__(
        self, initializer: Any, default_value: Any, shared_name: str | None = None, name: str = "hash_table"
    ) -> None:
        self._given_name = shared_name
        super().__init__(initializer, default_value, name)

    def _create_resource(self) -> Tensor:
        if self._given_name is not None:
            self._shared = self._given_name
        return super()._create_resource()


class HasherSpec(NamedTuple):
    """A hash function by name, and its key."""

    hasher: str
    key: Any


FastHashSpec = HasherSpec("fasthash", None)


class StrongHashSpec(HasherSpec):
    """A hash function that nobody can foresee who does not know the key, two integers."""

    def __new__(cls, key: Any) -> StrongHashSpec:
        if len(key) != 2:
            raise ValueError(f"key must have size 2, got {len(key)}.")
        if not isinstance(key[0], int) or not isinstance(key[1], int):
            raise TypeError("Invalid key. Must be unsigned integer values.")
        return super().__new__(cls, "stronghash", key)


class IdTableWithHashBuckets(LookupInterface):
    """A table of words to numbers in which the others get numbers behind, by a hash function."""

    def __init__(
        self, table: Any, num_oov_buckets: int, hasher_spec: HasherSpec = FastHashSpec, name: str | None = None,
        key_dtype: Any = None,
    ) -> None:  # fmt: skip
        self._name = name.rstrip("/") if name else table.name if table else "hash_bucket"
        if table:
            key_dtype = table.key_dtype if key_dtype is None else as_dtype(key_dtype)
            integers = key_dtype.is_integer and table.key_dtype.is_integer
            if not integers and key_dtype != table.key_dtype:
                raise TypeError(f"Invalid key dtype, expected {table.key_dtype} but got {key_dtype}.")
            self._table = table
        else:
            if num_oov_buckets <= 0:
                raise ValueError("oov_buckets must be > 0 if no table is supplied.")
            key_dtype = dtypes.string if key_dtype is None else as_dtype(key_dtype)
            if not key_dtype.is_integer and key_dtype != dtypes.string:
                raise TypeError(f"Invalid key_dtype, expected integer or string, got {key_dtype}.")
            self._table = None
        if not isinstance(hasher_spec, HasherSpec):
            raise TypeError(f"hasher_spec must be of type HasherSpec, got {hasher_spec}")
        self._num_oov_buckets = num_oov_buckets
        self._hasher_spec = hasher_spec
        super().__init__(key_dtype, dtypes.int64)

    @property
    def initializer(self) -> Any:
        """The op that fills it."""
        return self._table.initializer if self._table is not None else no_op()

    @property
    def init(self) -> Any:
        """The op that fills it, by an older name."""
        return self.initializer

    @property
    def resource_handle(self) -> Any:
        """The handle, if there are words."""
        return None if self._table is None else self._table.resource_handle

    @property
    def name(self) -> str:
        """Its name."""
        return self._name

    def size(self, name: str | None = None) -> Tensor:
        """How many words and buckets there are."""
        with name_scope(name, f"{self._name}_Size"):
            count = self._table.size() if self._table else constants.constant(0, dtypes.int64)
            return count + self._num_oov_buckets

    def _bucket(self, values: Tensor) -> Tensor:
        hasher = self._hasher_spec.hasher
        if hasher == "fasthash":
            return strings.string_to_hash_bucket_fast(values, self._num_oov_buckets, name="hash_bucket")
        if hasher == "legacy":
            return strings.string_to_hash_bucket(values, self._num_oov_buckets, name="hash_bucket")
        if hasher == "stronghash":
            return strings.string_to_hash_bucket_strong(
                values, self._num_oov_buckets, key=self._hasher_spec.key, name="hash_bucket"
            )
        raise ValueError(f"Unsupported hasher {hasher}")

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The numbers of ``keys``.

        Raises:
          TypeError: they are not of the keys' dtype.
        """
        if keys.dtype.base_dtype != self._key_dtype:
            raise TypeError(f"Signature mismatch. Keys must be dtype {self._key_dtype}, got {keys.dtype}.")
        values = keys.values if isinstance(keys, SparseTensor) else keys
        if self._table and self._table.key_dtype.base_dtype == dtypes.int64:
            values = casts.cast(values, dtypes.int64)
        if self._num_oov_buckets == 0:
            ids = self._table.lookup(values, name=name)
        else:
            with name_scope(name, f"{self._name}_Lookup"):
                text = string_numbers.as_string(values) if self._key_dtype.is_integer else values
                buckets = self._bucket(text)
                if self._table:
                    ids = self._table.lookup(values)
                    buckets = arithmetic.add(buckets, self._table.size())
                    is_known = comparison.not_equal(ids, self._table.default_value)
                    ids = comparison.where_v2(is_known, ids, buckets)
                else:
                    ids = buckets
        return of_keys(keys, ids)


class StaticVocabularyTable(LookupInterface):
    """A table of words to numbers in which the others get one of ``num_oov_buckets`` numbers behind."""

    def __init__(
        self, initializer: Any, num_oov_buckets: int, lookup_key_dtype: Any = None, name: str | None = None
    ) -> None:
        if num_oov_buckets <= 0:
            raise ValueError("oov_buckets must be > 0.")
        if initializer:
            if lookup_key_dtype is None:
                lookup_key_dtype = initializer.key_dtype
            if initializer.key_dtype not in (dtypes.int64, dtypes.string):
                raise TypeError(
                    f"Invalid key dtype, expected one of {(dtypes.int64, dtypes.string)}, but got "
                    f"{initializer.key_dtype}."
                )
            if as_dtype(lookup_key_dtype).is_integer != initializer.key_dtype.is_integer:
                raise TypeError(
                    f"Invalid key dtype, expected {'integer' if initializer.key_dtype.is_integer else 'string'} but "
                    f"got {lookup_key_dtype}."
                )
            if initializer.value_dtype != dtypes.int64:
                raise TypeError(f"Invalid value dtype, expected {dtypes.int64} but got {initializer.value_dtype}.")
            table: Any = HashTable(initializer, default_value=-1)
        else:
            table = None
        self._whole = IdTableWithHashBuckets(table, num_oov_buckets, FastHashSpec, name, lookup_key_dtype)
        super().__init__(self._whole.key_dtype, dtypes.int64)

    @property
    def resource_handle(self) -> Any:
        """The handle, if there are words."""
        return self._whole.resource_handle

    @property
    def initializer(self) -> Any:
        """The op that fills it."""
        return self._whole.initializer

    @property
    def name(self) -> str:
        """Its name."""
        return self._whole.name

    def size(self, name: str | None = None) -> Tensor:
        """How many words and buckets there are."""
        return self._whole.size(name)

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The numbers of ``keys``."""
        return self._whole.lookup(keys, name)


# -- tables of vocabularies --------------------------------------------------------------------


def index_table_from_file(
    vocabulary_file: Any = None, num_oov_buckets: int = 0, vocab_size: int | None = None, default_value: int = -1,
    hasher_spec: HasherSpec = FastHashSpec, key_dtype: Any = dtypes.string, name: str | None = None,
    key_column_index: int = TextFileIndex.WHOLE_LINE, value_column_index: int = TextFileIndex.LINE_NUMBER,
    delimiter: str = "\t",
) -> Any:  # fmt: skip
    """A table of the words of a file, one a line, to their numbers.

    Raises:
      ValueError: there is no file, or a size is negative.
      TypeError: the keys are neither strings nor integers.
    """
    if vocabulary_file is None or (isinstance(vocabulary_file, str) and not vocabulary_file):
        raise ValueError("vocabulary_file must be specified and must not be empty.")
    if num_oov_buckets < 0:
        raise ValueError(f"num_oov_buckets must be greater or equal than 0, got {num_oov_buckets}.")
    if vocab_size is not None and vocab_size < 1:
        given = static_value(vocabulary_file) if isinstance(vocabulary_file, Tensor) else vocabulary_file
        raise ValueError(f"vocab_size must be greater than 0, got {vocab_size}. vocabulary_file: {given}")
    key_dtype = as_dtype(key_dtype)
    if not key_dtype.is_integer and key_dtype.base_dtype != dtypes.string:
        raise TypeError(f"Only integer and string keys are supported, not {key_dtype}.")
    with name_scope(name, "string_to_index"):
        with name_scope(None, "hash_table"):
            init = TextFileIdTableInitializer(
                vocabulary_file, key_column_index, value_column_index, vocab_size, delimiter, "table_init",
                dtypes.int64 if key_dtype.is_integer else key_dtype,
            )  # fmt: skip
            table: Any = StaticHashTable(init, default_value)
        if num_oov_buckets:
            table = IdTableWithHashBuckets(table, num_oov_buckets, hasher_spec, None, key_dtype)
        return table


def index_table_from_tensor(
    vocabulary_list: Any = None, num_oov_buckets: int = 0, default_value: int = -1,
    hasher_spec: HasherSpec = FastHashSpec, dtype: Any = dtypes.string, name: str | None = None, mapping: Any = None,
) -> Any:  # fmt: skip
    """A table of words to their places in a list.

    Raises:
      ValueError: there is no list, or ``num_oov_buckets`` is negative.
      TypeError: the words are neither strings nor integers.
    """
    vocabulary_list = mapping if vocabulary_list is None else vocabulary_list
    if vocabulary_list is None:
        raise ValueError("vocabulary_list must be specified.")
    if num_oov_buckets < 0:
        raise ValueError(f"num_oov_buckets must be greater or equal than 0, got {num_oov_buckets}.")
    dtype = as_dtype(dtype)
    if not dtype.is_integer and dtype.base_dtype != dtypes.string:
        raise TypeError(f"Only integer and string keys are supported, not {dtype}.")
    with where_it_lasts(vocabulary_list), name_scope(name, "string_to_index"):
        keys = as_tensor(vocabulary_list)
        if keys.dtype.is_integer != dtype.is_integer:
            raise ValueError(f"Expected {'integer' if dtype.is_integer else 'non-integer'}, got {keys.dtype}.")
        if not dtype.is_integer and keys.dtype.base_dtype != dtype:
            raise ValueError(f"Expected {dtype}, got {keys.dtype}.")
        values = casts.cast(constants.range_(arrays.size(keys)), dtypes.int64)
        with name_scope(None, "hash_table"):
            table_keys = casts.cast(keys, dtypes.int64) if keys.dtype.is_integer else keys
            init = KeyValueTensorInitializer(
                table_keys, values, table_keys.dtype.base_dtype, dtypes.int64, name="table_init"
            )
            table: Any = StaticHashTable(init, default_value)
        if num_oov_buckets:
            table = IdTableWithHashBuckets(table, num_oov_buckets, hasher_spec, None, dtype)
        return table


def index_to_string_table_from_file(
    vocabulary_file: Any, vocab_size: int | None = None, default_value: Any = "UNK", name: str | None = None,
    key_column_index: int = TextFileIndex.LINE_NUMBER, value_column_index: int = TextFileIndex.WHOLE_LINE,
    delimiter: str = "\t",
) -> StaticHashTable:  # fmt: skip
    """A table of numbers to the words of a file, one a line.

    Raises:
      ValueError: there is no file, or ``vocab_size`` is not positive.
    """
    if vocabulary_file is None or (isinstance(vocabulary_file, str) and not vocabulary_file):
        raise ValueError("vocabulary_file must be specified and must not be empty.")
    if vocab_size is not None and vocab_size < 1:
        raise ValueError(f"vocab_size must be greater than 0, got {vocab_size}.")
    with name_scope(name, "index_to_string"):
        init = TextFileStringTableInitializer(
            vocabulary_file, key_column_index, value_column_index, vocab_size, delimiter, "table_init"
        )
        return StaticHashTable(init, default_value)


def index_to_string_table_from_tensor(
    vocabulary_list: Any = None, default_value: Any = "UNK", name: str | None = None, mapping: Any = None
) -> StaticHashTable:
    """A table of places in a list of words to the words.

    Raises:
      ValueError: there is no list.
    """
    vocabulary_list = mapping if vocabulary_list is None else vocabulary_list
    if vocabulary_list is None:
        raise ValueError("vocabulary_list must be specified.")
    with where_it_lasts(vocabulary_list), name_scope(name, "index_to_string"):
        words = as_tensor(vocabulary_list, dtypes.string)
        keys = casts.cast(constants.range_(arrays.size(words)), dtypes.int64)
        init = KeyValueTensorInitializer(keys, words, dtypes.int64, dtypes.string, name="table_init")
        return StaticHashTable(init, default_value)


def string_to_index(tensor: Any, mapping: Any, default_value: int = -1, name: str | None = None) -> Any:
    """The places of words in a list."""
    return index_table_from_tensor(mapping, default_value=default_value, name=name).lookup(tensor)


def index_to_string(tensor: Any, mapping: Any, default_value: Any = "UNK", name: str | None = None) -> Any:
    """The words at places in a list."""
    return index_to_string_table_from_tensor(mapping, default_value, name).lookup(tensor)


def tables_initializer(name: str = "init_all_tables") -> Operation:
    """An op that fills all tables of the graph."""
    initializers = get_collection(GraphKeys.TABLE_INITIALIZERS)
    result: Operation = group(*initializers, name=name) if initializers else no_op(name=name)
    return result


def initialize_all_tables(name: str = "init_all_tables") -> Operation:
    """An op that fills all tables of the graph."""
    return tables_initializer(name)
