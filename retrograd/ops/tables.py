"""Tables as ops: keys to values, which a session keeps.

At run time a handle is the table's ``Table``.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.files import file_system, records
from retrograd.graph import errors
from retrograd.graph.definition import REQUIRED, Effect, OpDef, define, not_differentiable
from retrograd.graph.dtypes import DType, type_word
from retrograd.graph.errors import invalid
from retrograd.graph.shapes import RawShape, TensorShape, merge, shape_text
from retrograd.graph.tensor import Tensor
from retrograd.ops import shape_rules
from retrograd.ops.hashing import murmur
from retrograd.ops.queue_states import private_name
from retrograd.ops.whole_files import texts


class Table:
    """Keys and their values; a fixed one is filled once."""

    def __init__(
        self, name: str, key_dtype: DType, value_dtype: DType, value_shape: tuple[int, ...] = (), is_fixed: bool = False
    ) -> None:
        self.name = name
        self.key_dtype = key_dtype
        self.value_dtype = value_dtype
        self.value_shape = value_shape
        self.is_fixed = is_fixed
        self.is_filled = not is_fixed
        self.lock = threading.Lock()
        self.values: dict[Any, Any] = {}

    def check_types(self, keys: DType, values: DType) -> None:
        """Raises ``InvalidArgumentError`` if the op takes it for a table of other dtypes."""
        if keys != self.key_dtype or values != self.value_dtype:
            raise invalid(
                f"Conflicting key/value dtypes {type_word(keys)}->{type_word(values)} with {type_word(self.key_dtype)}-"
                f"{type_word(self.value_dtype)} for table {self.name}"
            )

    def check_filled(self) -> None:
        """Raises ``FailedPreconditionError`` if nothing has initialized it."""
        if not self.is_filled:
            raise errors.FailedPreconditionError(None, None, "Table not initialized.")

    def take_out(self, key: Any) -> None:
        """Forget a key, if it is there."""
        self.values.pop(key, None)

    def take_over(self, keys: list[Any], values: list[Any]) -> None:
        """Let these be all keys and their values."""
        self.values = dict(zip(keys, values, strict=True))

    def fill(self, keys: list[Any], values: list[Any]) -> None:
        """Initialize a fixed table; another time with the same does nothing."""
        if not keys:
            raise invalid("keys and values cannot be empty tensors.")
        with self.lock:
            fresh: dict[Any, Any] = {}
            for key, value in zip(keys, values, strict=True):
                if key in fresh and fresh[key] != value:
                    raise errors.FailedPreconditionError(
                        None, None, f"HashTable has different value for same key. Key {_shown(key)} has "
                        f"{_shown(fresh[key])} and trying to add value {_shown(value)}",
                    )  # fmt: skip
                fresh[key] = value
            if self.is_filled and self.is_fixed:
                if len(fresh) != len(self.values):
                    raise errors.FailedPreconditionError(None, None, "Table already initialized.")
                return
            self.values = fresh
            self.is_filled = True


def _shown(x: Any) -> str:
    return x.decode(errors="replace") if isinstance(x, bytes) else str(x)


def _listed(x: Any) -> list[Any]:
    """The elements of a tensor as Python's."""
    return np.asarray(x).ravel().tolist() if not isinstance(x, bytes) else [x]


# -- making ------------------------------------------------------------------------------------

_PLACE = {"container": "", "shared_name": "", "use_node_name_sharing": False}
_HOST: dict[str, Any] = {"effect": Effect.HOST, "gradient": not_differentiable}


def _found(memory: Any, container: Any, shared_name: Any, by_name: bool, make: Callable[[str], Table]) -> Table:
    """The table of an op: under its shared name, its own, or for itself."""
    if "table" not in memory:
        name = shared_name.decode() if isinstance(shared_name, bytes) else shared_name
        name = name or (memory.op.name if by_name else "")
        if not name:
            with memory.shared.lock:  # threads may come here at once
                memory.setdefault("table", make(private_name(memory.op.name)))
        else:
            place = container.decode() if isinstance(container, bytes) else container
            return memory.resource(place, f"table {name}", lambda: make(name))  # type: ignore[no-any-return]
    return memory["table"]  # type: ignore[no-any-return]


def _fixed(
    xp: Any, memory: Any, *, container: Any, shared_name: Any, use_node_name_sharing: bool, key_dtype: DType,
    value_dtype: DType,
) -> Any:  # fmt: skip
    table = _found(
        memory, container, shared_name, use_node_name_sharing,
        lambda name: Table(name, key_dtype, value_dtype, (), True),
    )  # fmt: skip
    table.check_types(key_dtype, value_dtype)
    return table


def _mutable(
    xp: Any, memory: Any, *, container: Any, shared_name: Any, use_node_name_sharing: bool, key_dtype: DType,
    value_dtype: DType,
) -> Any:  # fmt: skip
    table = _found(
        memory, container, shared_name, use_node_name_sharing, lambda name: Table(name, key_dtype, value_dtype)
    )
    table.check_types(key_dtype, value_dtype)
    return table


def _of_tensors(
    xp: Any, memory: Any, *, container: Any, shared_name: Any, use_node_name_sharing: bool, key_dtype: DType,
    value_dtype: DType, value_shape: Any,
) -> Any:  # fmt: skip
    shape = tuple(n or 0 for n in value_shape._raw or ())
    if len(shape) != 1:
        raise invalid(f"Default value must be a vector, got shape {shape_text(shape)}")
    return _found(
        memory, container, shared_name, use_node_name_sharing,
        lambda name: Table(name, key_dtype, value_dtype, shape),
    )  # fmt: skip


def _dense(
    xp: Any, memory: Any, empty_key: Any, deleted_key: Any, *, container: Any, shared_name: Any,
    use_node_name_sharing: bool, key_dtype: DType, value_dtype: DType, value_shape: Any, initial_num_buckets: int,
    max_load_factor: float,
) -> Any:  # fmt: skip
    if not 4 <= initial_num_buckets < 2**40 or initial_num_buckets & (initial_num_buckets - 1):
        raise invalid(f"Number of buckets must be at least 4 and a power of 2, got: {initial_num_buckets}")
    if not 0 < max_load_factor < 1:
        raise invalid(f"max_load_factor must be between 0 and 1, got: {max_load_factor}")
    if np.shape(empty_key) != np.shape(deleted_key):
        raise invalid(
            "Empty and deleted keys must have same shape, got shapes: "
            f"{shape_text(np.shape(empty_key))} and {shape_text(np.shape(deleted_key))}"
        )
    if np.array_equal(empty_key, deleted_key):
        raise invalid("Empty and deleted keys cannot be equal")
    shape = tuple(n or 0 for n in value_shape._raw or ())

    return _found(
        memory, container, shared_name, use_node_name_sharing,
        lambda name: _DenseTable(
            name, key_dtype, value_dtype, shape, np.asarray(empty_key), np.asarray(deleted_key), initial_num_buckets,
            max_load_factor,
        ),
    )  # fmt: skip


class _DenseTable(Table):
    """A table in buckets, as TensorFlow holds and saves it: each key at the first free one from its hash on."""

    def __init__(
        self, name: str, key_dtype: DType, value_dtype: DType, value_shape: tuple[int, ...], empty: Any, deleted: Any,
        count: int, load: float,
    ) -> None:  # fmt: skip
        super().__init__(name, key_dtype, value_dtype, value_shape)
        self.key_shape = empty.shape
        self.empty, self.deleted = _key(empty), _key(deleted)
        self.empty_row, self.deleted_row = empty, deleted
        self.load = load  # how full they may be
        self.clear(count)

    def clear(self, count: int) -> None:
        """Begin with ``count`` empty buckets, a power of 2."""
        self.keys = np.empty((count, *(self.key_shape or (1,))), self.key_dtype.np)
        self.keys[:] = self.empty_row
        self.rows = np.zeros((count, *(self.value_shape or (1,))), self.value_dtype.np)
        self.is_taken = bytearray(count)
        self.bucket: dict[Any, int] = {}  # of each key
        self.values = {}

    def grow(self, more: int) -> None:
        """Let there be room for so many keys more."""
        count = len(self.is_taken)
        while len(self.values) + more > count * self.load:
            count *= 2
        if count > len(self.is_taken):
            in_order = [(key, self.values[key]) for key, _ in sorted(self.bucket.items(), key=lambda item: item[1])]
            self.clear(count)
            for key, value in in_order:
                self.put(key, value)

    def put(self, key: Any, value: Any) -> None:
        """Give a key its value."""
        at = self.bucket.get(key)
        if at is None:
            at = _hash(key)
            for step in itertools.count(1):
                at %= len(self.is_taken)
                if not self.is_taken[at]:
                    break
                at += step
            self.is_taken[at], self.bucket[key] = True, at
            self.keys[at] = np.reshape(np.array(key, self.key_dtype.np), self.key_shape or (1,))
        self.rows[at] = value
        self.values[key] = value

    def take_out(self, key: Any) -> None:
        """Mark the bucket of a key, if there is one; its value stays there."""
        at = self.bucket.pop(key, None)
        if at is not None:
            del self.values[key]
            self.keys[at], self.is_taken[at] = self.deleted_row, False

    def take_over(self, keys: list[Any], values: list[Any]) -> None:
        """Let the buckets be those that were saved."""
        self.clear(len(keys))
        for at, (key, value) in enumerate(zip(keys, values, strict=True)):
            self.keys[at] = np.reshape(np.array(key, self.key_dtype.np), self.key_shape or (1,))
            self.rows[at] = value
            if key not in (self.empty, self.deleted):
                self.is_taken[at], self.bucket[key], self.values[key] = True, at, value


def _key(x: Any) -> Any:
    """A key as Python's; one of several numbers is a tuple."""
    value = np.asarray(x).tolist()
    return tuple(np.ravel(x).tolist()) if isinstance(value, list) else value


def _hash(key: Any) -> int:
    """Of a number it is itself; of several numbers or texts one after the other what makes a difference."""
    if isinstance(key, bytes):
        return murmur(key)
    if not isinstance(key, tuple):
        return int(key) % 2**64
    combined = 0
    for part in key:
        combined ^= (_hash(part) + 0x9E3779B97F4A7800 + (combined << 10) + (combined >> 4)) % 2**64
    return combined


_KINDS = {"key_dtype": REQUIRED, "value_dtype": REQUIRED}


def _both(name: str, attrs: dict[str, Any], kernel: Callable[..., Any]) -> OpDef:
    define(name, "", "table_handle: ref string", attrs=attrs, shape=lambda: (2,), kernel=kernel, **_HOST)
    return define(f"{name}V2", "", "table_handle: resource", attrs=attrs, shape=lambda: (), kernel=kernel, **_HOST)


HASH_TABLE = _both("HashTable", {**_PLACE, **_KINDS}, _fixed)
MUTABLE_HASH_TABLE = _both("MutableHashTable", {**_PLACE, **_KINDS}, _mutable)
MUTABLE_HASH_TABLE_OF_TENSORS = _both(
    "MutableHashTableOfTensors", {**_PLACE, **_KINDS, "value_shape": TensorShape(())}, _of_tensors
)
MUTABLE_DENSE_HASH_TABLE = define(
    "MutableDenseHashTableV2", "empty_key: key_dtype, deleted_key: key_dtype", "table_handle: resource",
    attrs={
        **_PLACE, "value_dtype": REQUIRED, "value_shape": TensorShape(()), "initial_num_buckets": 131072,
        "max_load_factor": 0.800000011920929,
    },
    shape=lambda empty, deleted: (), kernel=_dense, **_HOST,
)  # fmt: skip

# -- looking up --------------------------------------------------------------------------------


def _rows_of_keys(table: Table, keys: Any) -> tuple[list[Any], tuple[int, ...]]:
    """The keys one by one, and the shape of the tensor of them."""
    shape = np.shape(keys)
    if isinstance(table, _DenseTable):
        cut = len(shape) - len(table.key_shape)
        if cut < 0 or shape[cut:] != table.key_shape:
            raise invalid(f"Input key shape {shape_text(shape)} must end with {shape_text(table.key_shape)}")
        if shape and np.size(keys) != shape[0] * int(np.prod(table.key_shape)):
            wanted = shape_text((shape[0], *table.key_shape))
            raise invalid(f"Expected key shape {wanted} got {shape_text(shape)}")
    if isinstance(table, _DenseTable) and table.key_shape:
        flat = np.reshape(keys, (-1, int(np.prod(table.key_shape)))).tolist()
        return [tuple(row) for row in flat], shape[:cut]
    return _listed(keys), shape


def _check_key(table: Table, keys: list[Any]) -> None:
    if isinstance(table, _DenseTable):
        for key in keys:
            if key == table.empty:
                raise invalid("Using the empty_key as a table key is not allowed")
            if key == table.deleted:
                raise invalid("Using the deleted_key as a table key is not allowed")


def _find(xp: Any, memory: Any, table: Any, keys: Any, default: Any, *, Tin: DType, Tout: DType) -> Any:
    table.check_types(Tin, Tout)
    table.check_filled()
    wanted, shape = _rows_of_keys(table, keys)
    _check_key(table, wanted)
    if np.shape(default) != table.value_shape:
        raise invalid(
            f"Expected shape {shape_text(table.value_shape)} for default value, got {shape_text(np.shape(default))}"
        )
    missing = np.asarray(default)[()]
    with table.lock:
        found = [table.values.get(key, missing) for key in wanted]
    result = np.empty((len(found), *table.value_shape), Tout.np)
    if table.value_shape:
        for i, value in enumerate(found):
            result[i] = value
    else:
        result[:] = found
    return result.reshape(shape + table.value_shape)


def _insert(xp: Any, memory: Any, table: Any, keys: Any, values: Any, *, Tin: DType, Tout: DType) -> list[Any]:
    table.check_types(Tin, Tout)
    wanted, shape = _rows_of_keys(table, keys)
    _check_key(table, wanted)
    if np.shape(values) != shape + table.value_shape:
        raise invalid(
            f"Expected shape {shape_text(shape + table.value_shape)} for value, got {shape_text(np.shape(values))}"
        )
    rows = list(np.reshape(values, (len(wanted), *table.value_shape)))
    with table.lock:
        if isinstance(table, _DenseTable):
            table.grow(len(wanted))
            for key, row in zip(wanted, rows, strict=True):
                table.put(key, row)
        else:
            table.values.update(zip(wanted, rows, strict=True))
    return []


def _remove(xp: Any, memory: Any, table: Any, keys: Any, *, Tin: DType) -> list[Any]:
    wanted, _ = _rows_of_keys(table, keys)
    _check_key(table, wanted)
    with table.lock:
        for key in wanted:
            table.take_out(key)
    return []


def _import(xp: Any, memory: Any, table: Any, keys: Any, values: Any, *, Tin: DType, Tout: DType) -> list[Any]:
    table.check_types(Tin, Tout)
    if table.is_fixed:
        if np.shape(keys) != np.shape(values):
            raise invalid(f"Expected shape {shape_text(np.shape(keys))} for value, got {shape_text(np.shape(values))}")
        table.fill(_listed(keys), _listed(values))
        return []
    wanted, _ = _rows_of_keys(table, keys)
    rows = list(np.reshape(values, (len(wanted), *table.value_shape)))
    with table.lock:
        table.take_over(wanted, rows)
    return []


def _initialize(xp: Any, memory: Any, table: Any, keys: Any, values: Any, *, Tkey: DType, Tval: DType) -> list[Any]:
    return _import(xp, memory, table, keys, values, Tin=Tkey, Tout=Tval)


def _export(xp: Any, memory: Any, table: Any, *, Tkeys: DType, Tvalues: DType) -> list[Any]:
    with table.lock:
        if isinstance(table, _DenseTable):
            return [table.keys.copy(), table.rows.copy()]
        keys, values = list(table.values), list(table.values.values())
    key_array, value_array = np.empty(len(keys), Tkeys.np), np.empty((len(values), *table.value_shape), Tvalues.np)
    for i, (key, value) in enumerate(zip(keys, values, strict=True)):
        key_array[i], value_array[i] = key, value
    return [key_array, value_array]


def _size(xp: Any, memory: Any, table: Any) -> Any:
    table.check_filled()
    return np.int64(len(table.values))


LINE_NUMBER, WHOLE_LINE = -1, -2


def _from_file(
    xp: Any, memory: Any, table: Any, filename: Any, *, key_index: int, value_index: int, vocab_size: int,
    delimiter: Any,
) -> list[Any]:  # fmt: skip
    if np.ndim(filename):
        raise invalid(f"filename should be a single string, but got {shape_text(np.shape(filename))}")
    path = file_system.path_of(texts(filename)[0])
    if not path:
        raise invalid("filename cannot be empty.")
    mark = delimiter.encode() if isinstance(delimiter, str) else delimiter
    keys, values = [], []
    file = records.Bytes(path)
    try:
        number = 0
        while vocab_size < 0 or number < vocab_size:
            line = file.line()
            if line is None:
                break
            line = line.removesuffix(b"\r")
            fields = line.split(mark) if max(key_index, value_index) >= 0 else []
            keys.append(_column(line, fields, key_index, number, table.key_dtype, path))
            values.append(_column(line, fields, value_index, number, table.value_dtype, path))
            number += 1
        if vocab_size >= 0 and number < vocab_size:
            raise invalid(f"Invalid vocab_size in {path}: expected {vocab_size} but got {number}")
    finally:
        file.close()
    table.fill(keys, values)
    return []


def _column(line: bytes, fields: list[bytes], index: int, number: int, dtype: DType, path: str) -> Any:
    if index == LINE_NUMBER:
        return number
    if index == WHOLE_LINE and dtype.name == "string":
        return line
    if index >= len(fields):
        text = line.decode(errors="replace")
        raise invalid(
            f"Invalid number of columns in {path} line {number} ({text}) : expected {index + 1} got {len(fields)}"
        )
    field = line if index == WHOLE_LINE else fields[index]
    if dtype.name == "string":
        return field
    try:
        return int(field) if dtype.is_integer else float(field)
    except ValueError:
        shown = field.decode(errors="replace")
        raise invalid(f"Field {shown} in line {number} is not a valid {type_word(dtype)}.") from None


def _on_table(
    name: str, inputs: str, outputs: str, kernel: Callable[..., Any], shape: Callable[..., Any],
    attrs: dict[str, Any] | None = None,
) -> OpDef:  # fmt: skip
    common: dict[str, Any] = {"attrs": attrs, "kernel": kernel, "shape": shape, **_HOST}
    define(name, f"table_handle: ref string{inputs}", outputs, **common)
    return define(f"{name}V2", f"table_handle: resource{inputs}", outputs, **common)


def _found_shape(table: Tensor, keys: Tensor, default: Tensor) -> RawShape:
    """How many keys there are, and the shape of a value."""
    key = table.op.inputs[0].dims if table.op.inputs else ()
    if keys.dims is None or default.dims is None or key is None:
        return None
    return (*keys.dims[: len(keys.dims) - len(key)], *default.dims)


def _import_shape(table: Tensor, keys: Tensor, values: Tensor) -> list[RawShape]:
    merge(shape_rules.with_rank(keys, 1), values.dims)
    return []


_FILE = {"key_index": REQUIRED, "value_index": REQUIRED, "vocab_size": -1, "delimiter": "\t"}
FIND = _on_table("LookupTableFind", ", keys: Tin, default_value: Tout", "values: Tout", _find, _found_shape)
INSERT = _on_table("LookupTableInsert", ", keys: Tin, values: Tout", "", _insert, lambda t, k, v: [])
IMPORT = _on_table("LookupTableImport", ", keys: Tin, values: Tout", "", _import, _import_shape)
EXPORT = _on_table(
    "LookupTableExport", "", "keys: Tkeys, values: Tvalues", _export, lambda t: [None, None],
    {"Tkeys": REQUIRED, "Tvalues": REQUIRED},
)  # fmt: skip
SIZE = _on_table("LookupTableSize", "", "size: int64", _size, lambda t: ())
INITIALIZE = _on_table("InitializeTable", ", keys: Tkey, values: Tval", "", _initialize, _import_shape)


def _file_shape(table: Tensor, filename: Tensor) -> list[RawShape]:
    shape_rules.with_rank(filename, 0)
    return []


INITIALIZE_FROM_FILE = _on_table(
    "InitializeTableFromTextFile", ", filename: string", "", _from_file, _file_shape, _FILE
)
REMOVE = define(
    "LookupTableRemoveV2", "table_handle: resource, keys: Tin", "", shape=lambda t, k: [], kernel=_remove, **_HOST
)
