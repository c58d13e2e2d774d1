"""A table of floats by names that savers save as two tensors: what tests of savers save beside variables."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.apply import apply, apply_op
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import add_to_collection
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.io.saveables import SaveableObject, SaveSpec
from retrograd.ops import tables


class CheckpointedOp:
    """A table of its own, or the one that ``table_ref`` is the handle of."""

    def __init__(self, name: str, table_ref: Any = None) -> None:
        settings = {"key_dtype": dtypes.string, "value_dtype": dtypes.float32}
        self.table_ref = (
            apply(tables.MUTABLE_HASH_TABLE, name=name, **settings) if table_ref is None else table_ref
        )  # fmt: skip
        self._name = name
        self._saveable: SaveableObject | None = None
        if not default_graph().is_eager:
            self._saveable = _SavedTable(self, name)
            add_to_collection("saveable_objects", self._saveable)

    @property
    def name(self) -> str:
        """The name that it is saved under."""
        return self._name

    @property
    def saveable(self) -> SaveableObject:
        """What a saver saves; where ops run at once, what the table holds now."""
        return _SavedTable(self, self._name) if self._saveable is None else self._saveable

    def insert(self, keys: Any, values: Any) -> Operation:
        """An op that gives keys their values."""
        return apply_op(tables.INSERT, self.table_ref, keys, values)

    def lookup(self, keys: Any, default: Any) -> Tensor:
        """The values of ``keys``, ``default`` where one is missing."""
        return apply(tables.FIND, self.table_ref, keys, default)

    def keys(self) -> Tensor:
        """All keys."""
        return self._export()[0]

    def values(self) -> Tensor:
        """Their values, in the same order."""
        return self._export()[1]

    def _export(self) -> Any:
        return apply(tables.EXPORT, self.table_ref, Tkeys=dtypes.string, Tvalues=dtypes.float32)


class _SavedTable(SaveableObject):
    def __init__(self, table: CheckpointedOp, name: str) -> None:
        keys, values = table._export()
        super().__init__(table, [SaveSpec(keys, "", f"{name}-keys"), SaveSpec(values, "", f"{name}-values")], name)

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Operation:
        """An op that gives the table what was saved."""
        return apply_op(tables.IMPORT, self.op.table_ref, *restored_tensors)
