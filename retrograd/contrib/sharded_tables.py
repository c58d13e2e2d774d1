"""A dense table in several: each key has its place in one of them by its remainder.

Source: TensorFlow 1.15.5's names of tables and messages.
"""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import colocate_with, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.io.mutable_tables import MutableDenseHashTable
from retrograd.ops import arithmetic, arrays, casts, constants, rounding, sums
from retrograd.ops.control import group
from retrograd.ops.stitching import dynamic_partition, dynamic_stitch


class ShardedMutableDenseHashTable:
    """A table of values of any shape by keys of integers or rows of integers, held in ``num_shards`` tables.

    Args:
      default_value: the value of a missing key.
      empty_key, deleted_key: two keys that are never used.
      checkpoint: whether savers keep the tables.
    """

    def __init__(
        self, key_dtype: Any, value_dtype: Any, default_value: Any, empty_key: Any, deleted_key: Any,
        num_shards: int = 1, checkpoint: bool = True, name: str = "ShardedMutableHashTable",
    ) -> None:  # fmt: skip
        self._key_dtype, self._value_dtype = as_dtype(key_dtype), as_dtype(value_dtype)
        with name_scope(name, "sharded_mutable_hash_table") as scope:
            self._name = scope
            self._shards = [
                MutableDenseHashTable(
                    key_dtype, value_dtype, default_value, empty_key, deleted_key, checkpoint=checkpoint,
                    name=f"{name}-{i + 1}-of-{num_shards}",
                )
                for i in range(num_shards)
            ]  # fmt: skip

    @property
    def name(self) -> str:
        """The name of the scope around the tables."""
        return self._name

    @property
    def table_shards(self) -> list[MutableDenseHashTable]:
        """The tables."""
        return self._shards

    def size(self, name: str | None = None) -> Tensor:
        """How many keys there are."""
        with name_scope(name, "sharded_mutable_hash_table_size"):
            return sums.add_n([table.size() for table in self._shards])

    def _shard_of(self, keys: Tensor) -> Tensor:
        if keys.shape.ndims not in (1, 2):
            raise ValueError(f"Expected a vector or matrix for keys, got {keys.shape}.")
        by = keys[:, 0] if keys.shape.ndims == 2 else keys
        return casts.cast(arithmetic.mod(rounding.abs_(by), len(self._shards)), dtypes.int32)

    def lookup(self, keys: Any, name: str | None = None) -> Tensor:
        """The values of ``keys``, [n] or [n, k]; the default value where a key is missing.

        Raises:
          TypeError: the keys are of another dtype.
          ValueError: there are several tables, and the keys are no vector and no matrix.
        """
        keys = as_tensor(keys)
        if keys.dtype.base_dtype != self._key_dtype:
            raise TypeError(f"Signature mismatch. Keys must be dtype {self._key_dtype}, got {keys.dtype}.")
        if len(self._shards) == 1:
            return self._shards[0].lookup(keys, name=name)
        places = constants.range_(arrays.shape(keys)[0])
        shard = self._shard_of(keys)
        found = [
            table.lookup(part, name=name)
            for table, part in zip(self._shards, dynamic_partition(keys, shard, len(self._shards)), strict=True)
        ]
        result = dynamic_stitch(dynamic_partition(places, shard, len(self._shards)), found)
        result.set_shape(TensorShape([keys.shape[0]]).concatenate(found[0].shape[1:]))
        return result

    def insert(self, keys: Any, values: Any, name: str | None = None) -> Operation:
        """An op that gives keys their values."""
        if len(self._shards) == 1:
            return self._shards[0].insert(keys, values, name=name)
        keys, values = as_tensor(keys, self._key_dtype), as_tensor(values, self._value_dtype)
        shard = self._shard_of(keys)
        parts = [dynamic_partition(x, shard, len(self._shards)) for x in (keys, values)]
        return group(*[table.insert(k, v, name=name) for table, k, v in zip(self._shards, *parts, strict=True)])

    def export_sharded(self, name: str | None = None) -> tuple[list[Tensor], list[Tensor]]:
        """All keys, and all values, of each of the tables."""
        exported = []
        for table in self._shards:
            with colocate_with(table.resource_handle.op):
                exported.append(table.export(name))
        return [keys for keys, _ in exported], [values for _, values in exported]
