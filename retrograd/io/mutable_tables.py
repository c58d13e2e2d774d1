"""Lookup tables that programs change, and that checkpoints hold."""

from __future__ import annotations

from typing import Any

from retrograd.graph.apply import apply, apply_op
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import add_to_collection, colocate_with, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.graph.uids import uid
from retrograd.io.lookup import LookupInterface
from retrograd.io.saveables import SaveableObject, SaveSpec
from retrograd.ops import tables as ops


class _Saveable(SaveableObject):
    """A table as its keys and its values."""

    def __init__(self, table: Any, name: str) -> None:
        tensors = table._exported or table.export()
        specs = [SaveSpec(tensors[0], "", f"{name}-keys"), SaveSpec(tensors[1], "", f"{name}-values")]
        super().__init__(table, specs, name)

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Operation:
        """An op that gives the table what was saved."""
        with name_scope(f"{self.name}_table_restore"), colocate_with(self.op.resource_handle.op):
            return apply_op(ops.IMPORT, self.op.resource_handle, restored_tensors[0], restored_tensors[1])


class _MutableTable(LookupInterface):
    """A table whose keys and values change while a session runs; savers save it."""

    _resource_handle: Tensor
    _default_value: Tensor
    _value_shape: TensorShape
    _exported: Any = None

    @staticmethod
    def _sharing(shared_name: str | None, checkpoint: bool) -> dict[str, Any]:
        """By which name tables are one: in a graph that of the op, if savers find it by this; at once by no name."""
        if default_graph().is_eager and not shared_name:
            return {"shared_name": f"table_{uid()}"}
        return {"shared_name": shared_name or "", "use_node_name_sharing": checkpoint and shared_name is None}

    def _keep(self, checkpoint: bool) -> None:
        self._name = self._resource_handle.op.name.split("/")[-1]
        if checkpoint and not default_graph().is_eager:
            self._exported = self.export()
            add_to_collection(GraphKeys.SAVEABLE_OBJECTS, _Saveable(self, self._name))

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        return {"table": lambda name=None: _Saveable(self, name or self._name)}

    @property
    def resource_handle(self) -> Tensor:
        """The handle."""
        return self._resource_handle

    @property
    def name(self) -> str:
        """Its name."""
        return self._name

    def size(self, name: str | None = None) -> Tensor:
        """How many keys there are."""
        with name_scope(name, f"{self._name}_Size", [self._resource_handle]), colocate_with(self._resource_handle.op):
            return apply(ops.SIZE, self._resource_handle)

    def lookup(self, keys: Any, name: str | None = None) -> Tensor:
        """The values of ``keys``; the default value where a key is missing."""
        with name_scope(name, f"{self._name}_lookup_table_find", (self._resource_handle, keys, self._default_value)):
            keys = as_tensor(keys, self._key_dtype, name="keys")
            with colocate_with(self._resource_handle.op):
                return apply(ops.FIND, self._resource_handle, keys, self._default_value)

    def insert(self, keys: Any, values: Any, name: str | None = None) -> Operation:
        """An op that gives keys their values."""
        with name_scope(name, f"{self._name}_lookup_table_insert", [self._resource_handle, keys, values]):
            keys = as_tensor(keys, self._key_dtype, name="keys")
            values = as_tensor(values, self._value_dtype, name="values")
            with colocate_with(self._resource_handle.op):
                return apply_op(ops.INSERT, self._resource_handle, keys, values)

    def remove(self, keys: Any, name: str | None = None) -> Operation:
        """An op that takes keys out.

        Raises:
          TypeError: they are not of the keys' dtype.
        """
        if keys.dtype != self._key_dtype:
            raise TypeError(f"Signature mismatch. Keys must be dtype {self._key_dtype}, got {keys.dtype}.")
        with name_scope(name, f"{self._name}_lookup_table_remove", (self._resource_handle, keys, self._default_value)):
            return apply_op(ops.REMOVE, self._resource_handle, keys)

    def export(self, name: str | None = None) -> tuple[Tensor, Tensor]:
        """All keys and their values."""
        with (
            name_scope(name, f"{self._name}_lookup_table_export_values", [self._resource_handle]),
            colocate_with(self._resource_handle.op),
        ):
            keys, values = apply(ops.EXPORT, self._resource_handle, Tkeys=self._key_dtype, Tvalues=self._value_dtype)
        if not default_graph().is_eager:
            keys.set_shape(self._shape_of_keys)
            values.set_shape(TensorShape([None]).concatenate(self._value_shape))
        return keys, values

    @property
    def _shape_of_keys(self) -> TensorShape:
        return TensorShape([None])


class MutableHashTable(_MutableTable):
    """A table of scalars, or of vectors of one size, by scalar keys."""

    def __init__(
        self, key_dtype: Any, value_dtype: Any, default_value: Any, shared_name: str | None = None,
        name: str = "MutableHashTable", checkpoint: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(key_dtype, value_dtype)
        self._default_value = as_tensor(default_value, value_dtype)
        self._value_shape = self._default_value.shape
        settings: dict[str, Any] = {
            **self._sharing(shared_name, checkpoint), "key_dtype": self._key_dtype, "value_dtype": self._value_dtype,
            "name": name,
        }  # fmt: skip
        if self._value_shape.ndims == 0:
            self._resource_handle = apply(ops.MUTABLE_HASH_TABLE, **settings)
        else:
            self._resource_handle = apply(ops.MUTABLE_HASH_TABLE_OF_TENSORS, value_shape=self._value_shape, **settings)
        self._keep(checkpoint)


class DenseHashTable(_MutableTable):
    """A table of values of any shape, by keys of any shape; two keys are never used."""

    def __init__(
        self, key_dtype: Any, value_dtype: Any, default_value: Any, empty_key: Any, deleted_key: Any,
        initial_num_buckets: int | None = None, name: str = "MutableDenseHashTable", checkpoint: bool = True,
        shared_name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(key_dtype, value_dtype)
        self._default_value = as_tensor(default_value, value_dtype, name="default_value")
        self._value_shape = self._default_value.shape
        empty = as_tensor(empty_key, key_dtype, name="empty_key")
        deleted = as_tensor(deleted_key, key_dtype, name="deleted_key")
        self._key_shape = empty.shape
        self._resource_handle = apply(
            ops.MUTABLE_DENSE_HASH_TABLE, empty, deleted, value_dtype=self._value_dtype, value_shape=self._value_shape,
            initial_num_buckets=initial_num_buckets or 131072, name=name, **self._sharing(shared_name, checkpoint),
        )  # fmt: skip
        self._keep(checkpoint)

    @property
    def _shape_of_keys(self) -> TensorShape:
        return TensorShape([None]).concatenate(self._key_shape)


class MutableDenseHashTable(DenseHashTable):
    """A table of values of any shape, by keys of any shape; two keys are never used."""

    def __init__(
        self, key_dtype: Any, value_dtype: Any, default_value: Any, empty_key: Any, deleted_key: Any,
        initial_num_buckets: int | None = None, shared_name: str | None = None,
        name: str = "MutableDenseHashTable", checkpoint: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(
            key_dtype, value_dtype, default_value, empty_key, deleted_key, initial_num_buckets, name, checkpoint,
            shared_name,
        )  # fmt: skip
