"""Staging areas: tuples of tensors that one run leaves for another, first in first out.

The ops of one area name it; at run time it is the session's ``Stage`` of that name.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any

import numpy as np

from retrograd.graph import errors
from retrograd.graph.apply import apply, apply_op
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REQUIRED, Effect, define, not_differentiable
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import colocate_with, name_scope
from retrograd.graph.shapes import RawShape, TensorShape
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops.arrays import identity
from retrograd.ops.components import OfComponents
from retrograd.ops.control import no_op


class Stage:
    """The tuples that wait, at most ``capacity`` of them and ``limit`` bytes, where these are positive."""

    def __init__(self, condition: Any, capacity: int, limit: int) -> None:
        self.condition = condition
        self.capacity = capacity
        self.limit = limit
        self.tuples: deque[list[Any]] = deque()
        self.size = 0

    def has_room(self, size: int) -> bool:
        """Whether a tuple of ``size`` bytes may come in now."""
        if self.capacity > 0 and len(self.tuples) >= self.capacity:
            return False
        return self.limit <= 0 or not self.tuples or self.size + size <= self.limit


def _stage(memory: Any, container: Any, shared_name: Any, capacity: int, limit: int) -> Stage:
    name = shared_name.decode() if isinstance(shared_name, bytes) else shared_name
    place = container.decode() if isinstance(container, bytes) else container
    stage: Stage = memory.resource(
        place, f"stage {name or memory.op.name}", lambda: Stage(memory.shared.condition(), capacity, limit)
    )
    return stage


def bytes_of(values: Iterable[Any]) -> int:
    """The size of tensors in memory."""
    return sum(np.asarray(v).nbytes for v in values)


def _put(
    xp: Any, memory: Any, values: list[Any], *, container: Any, shared_name: Any, capacity: int, memory_limit: int
) -> list[Any]:
    stage = _stage(memory, container, shared_name, capacity, memory_limit)
    size = bytes_of(values)
    if stage.limit > 0 and size > stage.limit:
        raise errors.ResourceExhaustedError(
            None, None, f"Attempted to insert tensors with combined size of '{size}' bytes into Staging Area with a "
            f"memory limit of '{stage.limit}'.",
        )  # fmt: skip
    values = [v.copy() if isinstance(v, np.ndarray) and not v.flags.owndata else v for v in values]
    while True:
        with stage.condition:
            if stage.has_room(size):
                stage.tuples.append(values)
                stage.size += size
                stage.condition.notify_all()
                return []
        memory.wait(stage.condition, lambda: stage.has_room(size), "Stage operation was cancelled")


def _get(
    xp: Any, memory: Any, *, container: Any, shared_name: Any, capacity: int, memory_limit: int, dtypes: list[DType]
) -> list[Any]:
    stage = _stage(memory, container, shared_name, capacity, memory_limit)
    while True:
        with stage.condition:
            if stage.tuples:
                values = stage.tuples.popleft()
                stage.size -= bytes_of(values)
                stage.condition.notify_all()
                return values
        memory.wait(stage.condition, lambda: bool(stage.tuples), "Unstage operation was cancelled")


def _peek(
    xp: Any, memory: Any, index: Any, *, container: Any, shared_name: Any, capacity: int, memory_limit: int
) -> list[Any]:
    stage, i = _stage(memory, container, shared_name, capacity, memory_limit), int(index)
    while True:
        with stage.condition:
            if i < len(stage.tuples):
                return stage.tuples[i]
        memory.wait(stage.condition, lambda: i < len(stage.tuples), "StagePeek operation was cancelled")


def _size(xp: Any, memory: Any, *, container: Any, shared_name: Any, capacity: int, memory_limit: int) -> Any:
    return np.int32(len(_stage(memory, container, shared_name, capacity, memory_limit).tuples))


def _clear(xp: Any, memory: Any, *, container: Any, shared_name: Any, capacity: int, memory_limit: int) -> list[Any]:
    stage = _stage(memory, container, shared_name, capacity, memory_limit)
    with stage.condition:
        stage.tuples.clear()
        stage.size = 0
        stage.condition.notify_all()
    return []


def _unknown(*inputs: Any, dtypes: list[DType]) -> list[RawShape]:
    return [None for _ in dtypes]


_PLACE = {"capacity": 0, "memory_limit": 0, "container": "", "shared_name": ""}
_TYPED = {**_PLACE, "dtypes": REQUIRED}
_HOST: dict[str, Any] = {"effect": Effect.HOST, "gradient": not_differentiable}
STAGE = define("Stage", "values: *dtypes", "", attrs=_PLACE, shape=lambda values: [], kernel=_put, **_HOST)
UNSTAGE = define("Unstage", "", "values: *dtypes", attrs=_TYPED, shape=_unknown, kernel=_get, **_HOST)
STAGE_PEEK = define("StagePeek", "index: int32", "values: *dtypes", attrs=_TYPED, shape=_unknown, kernel=_peek, **_HOST)
STAGE_SIZE = define("StageSize", "", "size: int32", attrs=_TYPED, shape=lambda: (), kernel=_size, **_HOST)
STAGE_CLEAR = define("StageClear", "", "", attrs=_TYPED, shape=list, kernel=_clear, **_HOST)


class StagingArea(OfComponents):
    """Holds tuples of tensors between runs: one run puts, the next gets.

    Args:
      shapes, names: of the components, as far as they are known.
      capacity, memory_limit: tuples and bytes that it holds at most; 0 is no limit.
    """

    _title = "StagingArea"

    def __init__(
        self, dtypes: Any, shapes: Any = None, names: Any = None, shared_name: str | None = None, capacity: int = 0,
        memory_limit: int = 0,
    ) -> None:  # fmt: skip
        if shared_name is None:
            self._name = default_graph().unique_name(self._title)
        elif isinstance(shared_name, str):
            self._name = shared_name
        else:
            raise ValueError("shared_name must be a string")
        if not isinstance(dtypes, list | tuple):
            raise TypeError("dtypes must be a list.")
        listed = [as_dtype(t) for t in dtypes]
        self._describe(listed, shapes, names, "StagingArea {} must be the same length as dtypes")
        self._capacity = capacity
        self._memory_limit = memory_limit
        with name_scope(f"{self._name}_root"):
            self._coloc_op = no_op()

    @property
    def name(self) -> str:
        """Its name."""
        return self._name

    @property
    def capacity(self) -> int:
        """How many tuples it holds at most."""
        return self._capacity

    @property
    def memory_limit(self) -> int:
        """How many bytes it holds at most."""
        return self._memory_limit

    @property
    def _place(self) -> dict[str, Any]:
        return {"shared_name": self._name, "capacity": self._capacity, "memory_limit": self._memory_limit}

    def _listed(self, values: Any) -> list[Tensor]:
        if isinstance(values, dict):
            if not self._names:
                raise ValueError("Staging areas must have names to enqueue a dictionary")
            if not set(values.keys()).issubset(self._names):
                raise ValueError(
                    f"Keys in dictionary to put do not match names of staging area. Dictionary: ({sorted(values)})"
                    f"Queue: ({sorted(self._names)})"
                )
            values = [values[name] for name in self._names]
        elif self._names:
            raise ValueError("You must enqueue a dictionary in a staging area with names")
        elif not isinstance(values, list | tuple):
            values = [values]
        if len(values) != len(self._dtypes):
            raise ValueError(f"Unexpected number of inputs {len(values)} vs {len(self._dtypes)}")
        tensors = []
        for i, (value, dtype, shape) in enumerate(zip(values, self._dtypes, self._shapes, strict=True)):
            tensor = as_tensor(value, dtype, name=f"component_{i}")
            if tensor.dtype.base_dtype != dtype.base_dtype:
                raise ValueError(f"Datatypes do not match. '{tensor.dtype}' != '{dtype}'")
            tensor.shape.assert_is_compatible_with(shape)
            tensors.append(tensor)
        return tensors

    def put(self, values: Any, name: str | None = None) -> Operation:
        """An op that puts a tuple in, and waits while there is no room."""
        given = list(values.values()) if isinstance(values, dict) else values
        with name_scope(name, f"{self._name}_put", given if isinstance(given, list | tuple) else [given]) as scope:
            tensors = self._listed(values)
            with colocate_with(self._coloc_op):
                return apply_op(STAGE, tensors, name=scope, **self._place)

    def _brought(self, tensors: list[Tensor], shapes: list[TensorShape]) -> list[Tensor]:
        """Tensors of known shapes, where they are read."""
        for tensor, shape in zip(tensors, shapes, strict=True):
            tensor.set_shape(shape)
        return tensors if no_op().device == self._coloc_op.device else [identity(t) for t in tensors]

    def _given(self, tensors: list[Tensor]) -> Any:
        tensors = self._brought(tensors, self._shapes)
        return dict(zip(self._names, tensors, strict=True)) if self._names else tensors

    def get(self, name: str | None = None) -> Any:
        """The tuple that was put first; a run waits while there is none."""
        name = f"{self._name}_get" if name is None else name
        with colocate_with(self._coloc_op):
            outputs = apply(UNSTAGE, dtypes=self._dtypes, name=name, **self._place)
        return self._given(outputs)

    def peek(self, index: Any, name: str | None = None) -> Any:
        """The tuple at ``index``, which stays; a run waits until there are so many."""
        name = f"{self._name}_peek" if name is None else name
        with colocate_with(self._coloc_op):
            outputs = apply(STAGE_PEEK, index, dtypes=self._dtypes, name=name, **self._place)
        return self._given(outputs)

    def size(self, name: str | None = None) -> Tensor:
        """How many tuples there are."""
        return apply(STAGE_SIZE, dtypes=self._dtypes, name=name or f"{self._name}_size", **self._place)

    def clear(self, name: str | None = None) -> Operation:
        """An op that takes all tuples away."""
        return apply_op(STAGE_CLEAR, dtypes=self._dtypes, name=name or f"{self._name}_clear", **self._place)
