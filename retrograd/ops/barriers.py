"""Barriers: elements whose components come one by one, under keys; they can be taken once they are whole.

At run time a handle is the barrier's ``BarrierState``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from retrograd.graph import errors
from retrograd.graph.apply import apply, apply_op
from retrograd.graph.definition import REQUIRED, Effect, define, not_differentiable
from retrograd.graph.dtypes import DType, as_dtype, type_word
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import colocate_with
from retrograd.graph.shapes import RawShape, TensorShape, as_shape, shape_text
from retrograd.graph.tensor import Tensor
from retrograd.ops import shape_rules
from retrograd.ops.queue_classes import shapes_listed
from retrograd.ops.queues import resource_of
from retrograd.ops.whole_files import strings, texts

_MISSING = object()


class BarrierState:
    """Elements that lack components, by their keys; those that are whole, in the order in which they became so."""

    def __init__(self, name: str, condition: Any, types: Sequence[DType], shapes: Sequence[Any]) -> None:
        self.name, self.condition, self.components = name, condition, len(types)
        self.described = _described(types, shapes)
        self.shapes = [tuple(as_shape(s)._raw or ()) for s in shapes] or [()] * len(types)
        self.insertions = -(2**63)
        self.incomplete: dict[bytes, tuple[int, list[Any]]] = {}
        self.ready: deque[tuple[int, bytes, list[Any]]] = deque()
        self.is_closed = self.is_cancelled = False

    def read(self) -> np.ndarray:
        """What a fetched handle is: where the barrier is, and its name."""
        return strings([b"localhost", self.name.encode()])

    def insert(self, index: int, keys: Sequence[bytes], values: Any) -> None:
        """Give the component ``index`` of the elements of these keys.

        Raises:
          CancelledError: the barrier is closed to new keys, or at all.
          InvalidArgumentError: an element has this component.
        """
        with self.condition:
            new = sum(key not in self.incomplete for key in keys)
            if self.is_closed and (self.is_cancelled or (new and not self.incomplete)):
                raise self._closed(
                    f"Pending enqueues cancelled: {int(self.is_cancelled)}.  Number of new insertions: {new}.  "
                )
            number = self.insertions
            for key, value in zip(keys, values, strict=True):
                if key not in self.incomplete:
                    if self.is_closed:
                        text = f", but attempted to insert a brand new key: {key.decode(errors='replace')}"
                        raise self._closed(f"Pending enqueues cancelled: 0.  Insertion index: {index}.  ", text)
                    self.incomplete[key] = (number, [_MISSING] * self.components)
                    self.insertions = number + 1
                first, parts = self.incomplete[key]
                if parts[index] is not _MISSING:
                    text = f"Key {key.decode(errors='replace')} already has a value for component {index} in barrier "
                    raise errors.InvalidArgumentError(None, None, text + self.name)
                parts[index] = value
                if not any(part is _MISSING for part in parts):
                    del self.incomplete[key]
                    self.ready.append((first, key, parts))
            self.ready = deque(sorted(self.ready, key=lambda element: element[0]))
            self.condition.notify_all()

    def _closed(self, counts: str, what: str = "") -> errors.OpError:
        text = f"Barrier {self.name} is closed{what}.  {counts}Number of incomplete keys: {len(self.incomplete)}."
        return errors.CancelledError(None, None, text)

    def may_take(self, wanted: int, small: bool) -> bool:
        """Whether taking so many need not wait: they are there, or nobody waits for more, or they cannot come."""
        if len(self.ready) >= wanted:
            return True
        return self.is_closed and (small or len(self.ready) + len(self.incomplete) < wanted)

    def take(self, wanted: int, small: bool) -> list[tuple[int, bytes, list[Any]]]:
        """The first elements that are whole.

        Raises:
          OutOfRangeError: there are fewer, and the barrier is closed.
        """
        count = min(wanted, len(self.ready)) if small else wanted
        if count > len(self.ready) or (small and not count):
            there = len(self.ready) + (0 if small else len(self.incomplete))
            raise errors.OutOfRangeError(
                None, None, f"Barrier '{self.name}' is closed and has insufficient elements (requested {count}, "
                f"total size {there})",
            )  # fmt: skip
        return [self.ready.popleft() for _ in range(count)]

    def close(self, cancel: bool) -> None:
        """No new keys from now on; with ``cancel`` the elements that lack something are given up."""
        with self.condition:
            if self.is_closed and (self.is_cancelled or not cancel):
                raise errors.CancelledError(None, None, f"Barrier '{self.name}' is already closed.")
            self.is_closed, self.is_cancelled = True, cancel
            if cancel:
                self.incomplete.clear()
            self.condition.notify_all()


# -- ops ---------------------------------------------------------------------------------------

_HOST: dict[str, Any] = {"effect": Effect.HOST, "gradient": not_differentiable}


def _made(
    xp: Any, memory: Any, *, component_types: list[DType], shapes: list[Any], container: Any, shared_name: Any
) -> Any:
    state: BarrierState = resource_of(
        memory, container, shared_name,
        lambda name: BarrierState(name, memory.shared.condition(), component_types, shapes),
    )  # fmt: skip
    for what, asked in _described(component_types, shapes).items():
        if state.described[what] != asked:
            found = f"Shared barrier '{state.name}' has component {what} {state.described[what]}"
            raise errors.InvalidArgumentError(None, None, f"{found} but requested component {what} were {asked}")
    return state


def _described(types: Sequence[DType], shapes: Sequence[Any]) -> dict[str, str]:
    """The types and the shapes of components as messages name them."""
    dims = [as_shape(s)._raw for s in shapes] or [()] * len(types)
    return {"types": ", ".join(map(type_word, types)), "shapes": "[" + ", ".join(map(shape_text, dims)) + "]"}


BARRIER = define(
    "Barrier", "", "handle: ref string",
    attrs={"component_types": REQUIRED, "shapes": [], "capacity": -1, "container": "", "shared_name": ""},
    shape=lambda: (2,), kernel=_made, **_HOST,
)  # fmt: skip


def _rows_agree(handle: Tensor, keys: Tensor, values: Tensor) -> list[RawShape]:
    dims, rest = shape_rules.with_rank(keys, 1), shape_rules.with_rank_at_least(values, 1)
    if dims is not None and rest is not None and None not in (dims[0], rest[0]) and dims[0] != rest[0]:
        raise ValueError(
            f"Dimension 0 in both shapes must be equal, but are {dims[0]} and {rest[0]}. "
            f"Shapes are [{dims[0]}] and [{rest[0]}]."
        )
    return []


def _inserted(xp: Any, memory: Any, barrier: Any, keys: Any, values: Any, *, component_index: int) -> list[Any]:
    if not 0 <= component_index < barrier.components:
        text = f"The component ID is out of range {component_index} > num_components ({barrier.components})"
        raise errors.InvalidArgumentError(None, None, text)
    if len(keys) and not np.size(values):
        found = f"{barrier.name}: received shape {shape_text(np.shape(values))}"
        raise errors.InvalidArgumentError(None, None, f"Tensors with no elements are not supported {found}")
    barrier.insert(component_index, texts(keys), [v.copy() if isinstance(v, np.ndarray) else v for v in values])
    return []


INSERT_MANY = define(
    "BarrierInsertMany", "handle: ref string, keys: string, values: T", "", attrs={"component_index": REQUIRED},
    shape=_rows_agree, kernel=_inserted, **_HOST,
)  # fmt: skip


def _taken(
    xp: Any, memory: Any, barrier: Any, num_elements: Any, *, component_types: list[DType], allow_small_batch: bool
) -> list[Any]:
    wanted = int(num_elements)

    def ready() -> bool:
        return barrier.may_take(wanted, allow_small_batch)  # type: ignore[no-any-return]

    while True:
        memory.wait(barrier.condition, ready, "BarrierTakeMany operation was cancelled")
        with barrier.condition:
            if ready():
                found = barrier.take(wanted, allow_small_batch)
                break
    numbers, keys = np.array([number for number, _, _ in found], np.int64), np.empty(len(found), object)
    keys[:] = [key for _, key, _ in found]
    columns = []
    for i, dtype in enumerate(component_types):
        shape = np.shape(found[0][2][i]) if found else barrier.shapes[i]
        column = np.empty((len(found), *shape), dtype.np)
        for row, (_, _, parts) in enumerate(found):
            column[row] = parts[i]
        columns.append(column)
    return [numbers, keys, *columns]


TAKE_MANY = define(
    "BarrierTakeMany", "handle: ref string, num_elements: int32",
    "indices: int64, keys: string, values: *component_types",
    attrs={"component_types": REQUIRED, "allow_small_batch": False, "wait_for_incomplete": False, "timeout_ms": -1},
    shape=lambda handle, n, *, component_types: [None] * (2 + len(component_types)), kernel=_taken, **_HOST,
)  # fmt: skip


def _closed(xp: Any, memory: Any, barrier: Any, *, cancel_pending_enqueues: bool) -> list[Any]:
    barrier.close(cancel_pending_enqueues)
    return []


CLOSE = define(
    "BarrierClose", "handle: ref string", "", attrs={"cancel_pending_enqueues": False}, shape=lambda handle: [],
    kernel=_closed, **_HOST,
)  # fmt: skip
READY_SIZE = define(
    "BarrierReadySize", "handle: ref string", "size: int32", shape=lambda handle: (),
    kernel=lambda xp, memory, barrier: np.int32(len(barrier.ready)), **_HOST,
)  # fmt: skip
INCOMPLETE_SIZE = define(
    "BarrierIncompleteSize", "handle: ref string", "size: int32", shape=lambda handle: (),
    kernel=lambda xp, memory, barrier: np.int32(len(barrier.incomplete)), **_HOST,
)  # fmt: skip

# -- class -------------------------------------------------------------------------------------


class BarrierTakeMany(NamedTuple):
    """What ``take_many`` gives: numbers in the order of insertion, keys, and a batch of each component."""

    indices: Any
    keys: Any
    values: Any


class Barrier:
    """Collects the components of elements under their keys, and gives elements once they are whole.

    Args:
      types, shapes: of the components; shapes must be whole.
    """

    def __init__(self, types: Any, shapes: Any = None, shared_name: str | None = None, name: str = "barrier") -> None:
        self._types = [as_dtype(t) for t in (types if isinstance(types, list | tuple) else [types])]
        self._shapes: list[TensorShape] | None = None
        if shapes is not None:
            self._shapes = listed = shapes_listed(shapes, self._types, True, True)
            for i, shape in enumerate(listed):
                if not shape.is_fully_defined():
                    raise ValueError(f"All shapes must be fully defined: {self._shapes}")
                if shape.num_elements() == 0:
                    raise ValueError(f"Empty tensors are not supported, but received shape '{shape}' at index {i}")
        if not self._types:
            raise ValueError("Attr 'component_types' of 'Barrier' Op passed list of length 0 less than minimum 1.")
        self._barrier_ref: Tensor = apply(
            BARRIER, component_types=self._types, shapes=self._shapes or [], shared_name=shared_name or "", name=name
        )
        self._name = self._barrier_ref.op.name.split("/")[-1]

    @property
    def barrier_ref(self) -> Tensor:
        """The handle."""
        return self._barrier_ref

    @property
    def name(self) -> str:
        """The name of its op."""
        return self._barrier_ref.op.name

    def insert_many(self, component_index: int, keys: Any, values: Any, name: str | None = None) -> Operation:
        """An op that gives ``values``, rows of the component ``component_index``, to the elements of ``keys``."""
        name = f"{self._name}_BarrierInsertMany" if name is None else name
        with colocate_with(self._barrier_ref.op):
            return apply_op(INSERT_MANY, self._barrier_ref, keys, values, component_index=component_index, name=name)

    def take_many(
        self, num_elements: Any, allow_small_batch: bool = False, timeout: int | None = None, name: str | None = None
    ) -> BarrierTakeMany:
        """The first ``num_elements`` that are whole; a run waits for them.

        Args:
          allow_small_batch: whether the last elements of a closed barrier may be fewer.

        Raises:
          TypeError: a ``timeout`` is given, which TensorFlow's barriers do not take either.
        """
        if timeout is not None:
            raise TypeError(f"Expected bool for argument 'wait_for_incomplete' not {timeout}.")
        name = f"{self._name}_BarrierTakeMany" if name is None else name
        with colocate_with(self._barrier_ref.op):
            indices, keys, *values = apply(
                TAKE_MANY, self._barrier_ref, num_elements, component_types=self._types,
                allow_small_batch=allow_small_batch, name=name,
            )  # fmt: skip
        rows = None if allow_small_batch else _static(indices.op.inputs[1])
        indices.set_shape([rows])
        keys.set_shape([rows])
        if self._shapes is not None:
            for value, shape in zip(values, self._shapes, strict=True):
                value.set_shape(TensorShape([rows]).concatenate(shape))
        return BarrierTakeMany(indices, keys, values)

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> Operation:
        """An op after which there are no new keys; it may give up the elements that lack components."""
        name = f"{self._name}_BarrierClose" if name is None else name
        with colocate_with(self._barrier_ref.op):
            return apply_op(CLOSE, self._barrier_ref, cancel_pending_enqueues=cancel_pending_enqueues, name=name)

    def ready_size(self, name: str | None = None) -> Tensor:
        """How many elements are whole."""
        return apply(READY_SIZE, self._barrier_ref, name=name or f"{self._name}_BarrierReadySize")

    def incomplete_size(self, name: str | None = None) -> Tensor:
        """How many elements lack components."""
        return apply(INCOMPLETE_SIZE, self._barrier_ref, name=name or f"{self._name}_BarrierIncompleteSize")


def _static(count: Tensor) -> int | None:
    from retrograd.graph.static import static_value

    value = static_value(count)
    return None if value is None else int(value)
