"""Staging areas by key: tuples of tensors that runs leave, in parts if they like, for other runs that ask for a key.

The ops of one area name it; at run time it is the session's ``Shelf`` of that name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import errors
from retrograd.graph.apply import apply, apply_op
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REQUIRED, Effect, OpDef, define, not_differentiable
from retrograd.graph.dtypes import DType
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import colocate_with, name_scope
from retrograd.graph.shapes import RawShape, TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.ops.staging import StagingArea, bytes_of

Row = dict[int, Any]  # the components that are there


class Shelf:
    """The tuples that wait under keys: the whole ones, of which components may be gone, and those with gaps."""

    def __init__(self, condition: Any, width: int, capacity: int, limit: int, is_ordered: bool) -> None:
        self.condition = condition
        self.width = width
        self.capacity = capacity
        self.limit = limit
        self.is_ordered = is_ordered
        self.whole: dict[int, Row] = {}
        self.partial: dict[int, Row] = {}
        self.size = 0  # in bytes

    def has_room(self, key: int, size: int) -> bool:
        """Whether ``size`` bytes more may come in now, at ``key``."""
        is_new = key not in self.partial
        if self.capacity > 0 and is_new and len(self.whole) + len(self.partial) >= self.capacity:
            return False
        return self.limit <= 0 or not self.size or self.size + size <= self.limit

    def put(self, key: int, row: Row) -> None:
        """Add components of a key, which is whole once all are there."""
        there = self.partial.setdefault(key, {})
        for i in row:
            if i in there:
                raise errors.InvalidArgumentError(
                    None, None, f"The tensor for index '{i}' for key '{key}' was already initialized "
                    f"'{len(there)}'.",
                )  # fmt: skip
        there.update(row)
        self.size += bytes_of(row.values())
        if len(there) == self.width:
            self.whole[key] = self.partial.pop(key)

    def components(self, key: int, indices: list[int]) -> list[Any]:
        """Some of a key's components, which stay."""
        row = self.whole[key]
        for i in indices:
            if i not in row:
                raise errors.InvalidArgumentError(
                    None, None, f"Tensor at index '{i}' for key '{key}' has already been removed."
                )
        return [row[i] for i in indices]

    def take(self, key: int, indices: list[int]) -> list[Any]:
        """Take components out; a key of which none is left is gone."""
        values = self.components(key, indices)
        for i in indices:
            del self.whole[key][i]
        if not self.whole[key]:
            del self.whole[key]
        self.size -= bytes_of(values)
        return values

    def next_key(self) -> int:
        """The key that comes next, where none is asked for."""
        return min(self.whole) if self.is_ordered else next(iter(self.whole))


def _until(memory: Any, shelf: Shelf, ready: Callable[[], bool], do: Callable[[], Any]) -> Any:
    """What ``do()`` gives, which is called once ``ready()`` holds."""
    while True:
        with shelf.condition:
            if ready():
                result = do()
                shelf.condition.notify_all()
                return result
        memory.wait(shelf.condition, ready, "Stage operation was cancelled")


def _indices(indices: Any) -> list[int]:
    return np.ravel(indices).tolist()  # type: ignore[no-any-return]


_PLACE = {"capacity": 0, "memory_limit": 0, "dtypes": REQUIRED, "container": "", "shared_name": ""}
_HOST: dict[str, Any] = {"effect": Effect.HOST, "gradient": not_differentiable}


def _unknown(*inputs: Any, dtypes: list[DType]) -> list[RawShape]:
    return [None for _ in dtypes]


def _ops(prefix: str, is_ordered: bool) -> dict[str, OpDef]:
    """The seven ops of the areas that give the smallest key first, or those of the others."""

    def shelf_of(memory: Any, container: Any, shared_name: Any, capacity: int, limit: int, dtypes: Any) -> Shelf:
        name = shared_name.decode() if isinstance(shared_name, bytes) else shared_name
        place = container.decode() if isinstance(container, bytes) else container
        shelf: Shelf = memory.resource(
            place, f"shelf {name or memory.op.name}",
            lambda: Shelf(memory.shared.condition(), len(dtypes), capacity, limit, is_ordered),
        )  # fmt: skip
        return shelf

    def put(
        xp: Any, memory: Any, key: Any, indices: Any, values: list[Any], *, container: Any, shared_name: Any,
        capacity: int, memory_limit: int, dtypes: Any,
    ) -> list[Any]:  # fmt: skip
        shelf = shelf_of(memory, container, shared_name, capacity, memory_limit, dtypes)
        k, size = int(key), bytes_of(values)
        if shelf.limit > 0 and size > shelf.limit:
            raise errors.ResourceExhaustedError(
                None, None, f"Attempted to insert tensors with combined size of '{size}' bytes into Staging Area with "
                f"a memory limit of '{shelf.limit}'.",
            )  # fmt: skip
        values = [v.copy() if isinstance(v, np.ndarray) and not v.flags.owndata else v for v in values]
        row = dict(zip(_indices(indices), values, strict=True))
        _until(memory, shelf, lambda: shelf.has_room(k, size), lambda: shelf.put(k, row))
        return []

    def get(
        xp: Any, memory: Any, key: Any, indices: Any, *, container: Any, shared_name: Any, capacity: int,
        memory_limit: int, dtypes: Any,
    ) -> Any:  # fmt: skip
        shelf, k = shelf_of(memory, container, shared_name, capacity, memory_limit, dtypes), int(key)
        return _until(memory, shelf, lambda: k in shelf.whole, lambda: shelf.take(k, _indices(indices)))

    def get_next(
        xp: Any, memory: Any, indices: Any, *, container: Any, shared_name: Any, capacity: int, memory_limit: int,
        dtypes: Any,
    ) -> Any:  # fmt: skip
        shelf = shelf_of(memory, container, shared_name, capacity, memory_limit, dtypes)

        def take() -> list[Any]:
            key = shelf.next_key()
            return [np.int64(key), *shelf.take(key, _indices(indices))]

        return _until(memory, shelf, lambda: bool(shelf.whole), take)

    def peek(
        xp: Any, memory: Any, key: Any, indices: Any, *, container: Any, shared_name: Any, capacity: int,
        memory_limit: int, dtypes: Any,
    ) -> Any:  # fmt: skip
        shelf, k = shelf_of(memory, container, shared_name, capacity, memory_limit, dtypes), int(key)
        return _until(memory, shelf, lambda: k in shelf.whole, lambda: shelf.components(k, _indices(indices)))

    def size(
        xp: Any, memory: Any, *, container: Any, shared_name: Any, capacity: int, memory_limit: int, dtypes: Any
    ) -> Any:
        return np.int32(len(shelf_of(memory, container, shared_name, capacity, memory_limit, dtypes).whole))

    def incomplete_size(
        xp: Any, memory: Any, *, container: Any, shared_name: Any, capacity: int, memory_limit: int, dtypes: Any
    ) -> Any:
        return np.int32(len(shelf_of(memory, container, shared_name, capacity, memory_limit, dtypes).partial))

    def clear(
        xp: Any, memory: Any, *, container: Any, shared_name: Any, capacity: int, memory_limit: int, dtypes: Any
    ) -> list[Any]:
        shelf = shelf_of(memory, container, shared_name, capacity, memory_limit, dtypes)
        with shelf.condition:
            shelf.whole.clear()
            shelf.partial.clear()
            shelf.size = 0
            shelf.condition.notify_all()
        return []

    keyed = "key: int64, indices: int32"
    rows: list[tuple[str, str, str, Any, Any]] = [
        ("Stage", f"{keyed}, values: *fake_dtypes", "", put, lambda key, indices, values: []),
        ("Unstage", keyed, "values: *dtypes", get, _unknown),
        ("UnstageNoKey", "indices: int32", "key: int64, values: *dtypes", get_next,
         lambda indices, *, dtypes: [None, *_unknown(dtypes=dtypes)]),
        ("Peek", keyed, "values: *dtypes", peek, _unknown),
        ("Size", "", "size: int32", size, lambda: ()),
        ("IncompleteSize", "", "size: int32", incomplete_size, lambda: ()),
        ("Clear", "", "", clear, list),
    ]  # fmt: skip
    return {
        name: define(f"{prefix}{name}", inputs, outputs, attrs=_PLACE, shape=shape, kernel=kernel, **_HOST)
        for name, inputs, outputs, kernel, shape in rows
    }


MAP, ORDERED_MAP = _ops("Map", False), _ops("OrderedMap", True)


class MapStagingArea(StagingArea):
    """Holds tuples of tensors under keys between runs.

    Args:
      ordered: whether the smallest key is the next where none is asked for.
      capacity, memory_limit: tuples and bytes that it holds at most; 0 is no limit.
    """

    _title = "MapStagingArea"

    def __init__(
        self, dtypes: Any, shapes: Any = None, names: Any = None, shared_name: str | None = None,
        ordered: bool = False, capacity: int = 0, memory_limit: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(dtypes, shapes, names, shared_name, capacity, memory_limit)
        self._ops = ORDERED_MAP if ordered else MAP

    @property
    def _settings(self) -> dict[str, Any]:
        return {**self._place, "dtypes": self._dtypes}

    def put(self, key: Any, vals: Any, indices: Any = None, name: str | None = None) -> Operation:  # type: ignore[override]
        """An op that puts components under a key: a dictionary of them, or a list with the ``indices`` of each."""
        values = list(vals.values()) if isinstance(vals, dict) else vals
        with name_scope(name, f"{self._name}_put", values if isinstance(values, list | tuple) else [values]) as scope:
            values, places = self._checked(vals, indices)
            with colocate_with(self._coloc_op):
                return apply_op(self._ops["Stage"], key, places, values, name=scope, **self._settings)

    def _checked(self, vals: Any, indices: Any) -> tuple[list[Tensor], list[int]]:
        if isinstance(vals, dict):
            if not self._names:
                raise ValueError("Staging areas must have names to enqueue a dictionary")
            if not set(vals.keys()).issubset(self._names):
                raise ValueError(
                    "Keys in dictionary to put do not match names of staging area. Dictionary: "
                    f"({sorted(vals.keys())}), Queue: ({sorted(self._names)})"
                )
            places = [i for i, name in enumerate(self._names) if name in vals]
            values = [vals[self._names[i]] for i in places]
        else:
            if self._names:
                raise ValueError("You must enqueue a dictionary in a staging area with names")
            if indices is None:
                raise ValueError("Indices must be supplied when inserting a list of tensors")
            values, places = list(vals) if isinstance(vals, list | tuple) else [vals], list(indices)
            if len(values) != len(places):
                raise ValueError(f"Number of indices '{len(places)}' doesn't match number of values '{len(values)}'")
        tensors = []
        for i, value in zip(places, values, strict=True):
            tensor = as_tensor(value, name=f"component_{i}") if not isinstance(value, Tensor) else value
            if tensor.dtype.base_dtype != self._dtypes[i].base_dtype:
                raise ValueError(f"Datatypes do not match. '{tensor.dtype}' != '{self._dtypes[i]}'")
            tensor.shape.assert_is_compatible_with(self._shapes[i])
            tensors.append(tensor)
        return tensors, places

    def _places(self, indices: Any) -> list[int]:
        """The numbers of components that are asked for, by name or by number; by default all."""
        if indices is None:
            return list(range(len(self._dtypes)))
        if all(isinstance(i, str) for i in indices):
            if self._names is None:
                raise ValueError(
                    f"String indices provided '{indices}', but this Staging Area was not created with names."
                )
            return [self._names.index(i) for i in indices]
        if all(isinstance(i, int) for i in indices):
            return list(indices)
        raise TypeError(f"Mixed types in indices '{indices}'. May only be str or int")

    def _given(self, tensors: list[Tensor], places: list[int] | None = None) -> Any:
        places = self._places(None) if places is None else places
        tensors = self._brought([*tensors], [self._shapes[i] for i in places])
        return {self._names[i]: t for i, t in zip(places, tensors, strict=True)} if self._names else tensors

    def get(self, key: Any = None, indices: Any = None, name: str | None = None) -> Any:  # type: ignore[override]
        """A key and components of its tuple, which leave; without a key that of the next one."""
        places = self._places(indices)
        settings = {**self._settings, "dtypes": [self._dtypes[i] for i in places]}
        if key is not None:
            with colocate_with(self._coloc_op):
                found = apply(self._ops["Unstage"], key, places, name=name or f"{self._name}_get", **settings)
            return key, self._given(found, places)
        with colocate_with(self._coloc_op):
            key, *found = apply(self._ops["UnstageNoKey"], places, name=name or f"{self._name}_get_nokey", **settings)
        return self._brought([key], [TensorShape(None)])[0], self._given(found, places)

    def peek(self, key: Any, indices: Any = None, name: str | None = None) -> Any:  # type: ignore[override]
        """Components of the tuple under a key, which stay; a run waits until it is whole."""
        places = self._places(indices)
        name = f"{self._name}_pop" if name is None else name
        settings = {**self._settings, "dtypes": [self._dtypes[i] for i in places]}
        with colocate_with(self._coloc_op):
            found = apply(self._ops["Peek"], key, places, name=name, **settings)
        return self._given(found, places)

    def size(self, name: str | None = None) -> Tensor:
        """How many whole tuples there are."""
        result: Tensor = apply(self._ops["Size"], name=name or f"{self._name}_size", **self._settings)
        return result

    def incomplete_size(self, name: str | None = None) -> Tensor:
        """How many tuples have gaps."""
        name = name or f"{self._name}_incomplete_size"
        result: Tensor = apply(self._ops["IncompleteSize"], name=name, **self._settings)
        return result

    def clear(self, name: str | None = None) -> Operation:
        """An op that takes all tuples away."""
        return apply_op(self._ops["Clear"], name=name or f"{self._name}_clear", **self._settings)
