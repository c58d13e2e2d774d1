"""What the interpreter gives to a loop that is computed as a whole: arrays, with room for more rows than there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from retrograd.ops import dataflow
from retrograd.ops.dense_elements import Cleared, Composite, DenseArray, DenseElements
from retrograd.ops.elements import Array, Elements
from retrograd.run.held import array_kind, kind, leaves, with_leaves
from retrograd.run.histories import Same, Stack, Steps
from retrograd.run.store import Cell

_LEAST = 32  # rows


class Unfit(Exception):
    """What a run gives to a loop is nothing that a computation of it can take."""


class Left(dataflow.History):
    """What a computed loop has kept, where that is known without the device."""


class Rows(dataflow.History):
    """What a computed loop has kept: ``held`` is a ``Stack`` or the like, on the device."""

    def __init__(self, held: Any) -> None:
        self.held = held
        self.count = int(held.count)

    def __len__(self) -> int:
        return self.count

    @cached_property
    def values(self) -> list[Any]:  # type: ignore[override]
        """The value in each iteration."""
        if isinstance(self.held, Same):
            return [left(self.held.value)] * self.count
        rows = [np.asarray(x)[: self.count] for x in self.held.rows]
        found = [left(with_leaves(self.held.like, [x[i] for x in rows])) for i in range(self.count)]
        return found[::-1] if self.held.is_backward else found


def left(value: Any) -> Any:
    """What leaves a computed loop, other than arrays of the program, as the interpreter has it."""
    if isinstance(value, Steps):
        return Left(value.values)
    return Rows(value) if isinstance(value, Composite) else np.asarray(value)[()]


class Given:
    """A value that a loop is given: ``key`` tells its kind, ``shapes`` those of the arrays that it is made of."""

    def __init__(
        self,
        key: Any,
        shapes: Sequence[Any],
        arrays: Callable[[], Sequence[Any]],
        held: Callable[[list[Any]], Any],
        clears: Array | None = None,
    ) -> None:
        self.key = key
        self.shapes = shapes
        self.arrays = arrays
        self.held = held  # what a trace finds, made of traced arrays
        self.clears = clears  # what is read, if elements are not to be read again


def room_for(count: int) -> int:
    """The number of places that a computation has where ``count`` are needed."""
    return max(_LEAST, 1 << (count - 1).bit_length()) if count else _LEAST


def given(value: Any, room: int, is_static: bool, is_read: bool) -> Given:
    """A value of the interpreter as a computation with ``room`` takes it.

    Args:
      is_static: whether it has to be known to the computation.
      is_read: whether elements of the array are read that it is.

    Raises:
      Unfit: it has no such form.
    """
    if isinstance(value, Cell):
        value = value.read()
    if isinstance(value, Elements):
        return _given_elements(value, room)
    if type(value) is Array:
        return _given_array(value, room, is_read)
    if isinstance(value, Rows):
        held = value.held
        key = (kind(held), kind(held.like) if isinstance(held, Stack) else None)
        return Given(key, leaves(held), lambda: leaves(held), lambda a: with_leaves(held, a))
    if isinstance(value, dataflow.History):
        return _given_history(value.values, room, is_read)
    if not isinstance(value, np.ndarray | np.generic) and not hasattr(type(value), "block_until_ready"):
        raise Unfit
    if is_static:
        fixed = np.asarray(value)
        return Given((fixed.shape, fixed.dtype, fixed.tobytes()), (), tuple, lambda _: fixed)
    if value.dtype.kind in "OSUV":
        raise Unfit
    return Given(
        (value.shape, value.dtype), [array_kind(value.shape, value.dtype)], lambda: [value], lambda a: a.pop(0)
    )


def _given_elements(elements: Elements, room: int) -> Given:
    values, count, order = elements.values(), elements.length, elements.order
    if not values:
        length = max(room, room_for(count))
        written = None if order else np.zeros(length, bool)
        return Given(("empty", length, order), (), tuple, lambda _: DenseElements(length, order, None, written))
    length = room_for(count)
    shape, dtype = _common_kind(values.values())
    present = dict(values)

    def arrays() -> list[Any]:
        rows = _stacked(present, length, shape, dtype)
        written = np.zeros(length, bool)
        written[list(present)] = True
        return [rows] if order else [rows, written]

    def held(arrays: list[Any]) -> Any:
        return DenseElements(length, order, arrays.pop(0), None if order else arrays.pop(0))

    shapes = [array_kind((length, *shape), dtype)]
    shapes += [] if order else [array_kind((length,), np.dtype(bool))]
    return Given(("elements", length, order, shape, dtype), shapes, arrays, held)


def _given_history(values: Sequence[Any], room: int, is_read: bool) -> Given:
    count = len(values)
    if not count or any(v is None for v in values):
        raise Unfit
    number = array_kind((), np.dtype(np.int32))
    if isinstance(values[0], Array | Elements) and all(v is values[0] for v in values):
        one = given(values[0], room, False, is_read)
        return Given(
            ("same", one.key), [*one.shapes, number], lambda: [*one.arrays(), np.int32(count)],
            lambda arrays: Same(one.held(arrays), arrays.pop(0)), one.clears,
        )  # fmt: skip
    length = room_for(count)
    shape, dtype = _common_kind(values)
    shapes = [array_kind((length, *shape), dtype), number]

    def held(arrays: list[Any]) -> Any:
        rows, n = arrays.pop(0), arrays.pop(0)
        return Stack(array_kind(shape, dtype), [rows], n, False, True)

    return Given(
        ("history", length, shape, dtype), shapes,
        lambda: [_stacked(dict(enumerate(values)), length, shape, dtype), np.int32(count)], held,
    )  # fmt: skip


def _common_kind(values: Any) -> tuple[tuple[int, ...], np.dtype]:
    """The shape and the dtype that all ``values`` have."""
    first = next(iter(values))
    shape = np.shape(first)
    is_text = not isinstance(getattr(first, "dtype", None), np.dtype) or first.dtype.kind in "OSUV"
    if is_text or any(np.shape(v) != shape for v in values):
        raise Unfit
    return shape, np.dtype(first.dtype)


def _stacked(values: dict[int, Any], length: int, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    rows = np.zeros((length, *shape), dtype)
    for i, value in values.items():
        rows[i] = value
    return rows


def _given_array(array: Array, room: int, is_read: bool) -> Given:
    if array.lasting or array.closed:
        raise Unfit
    found = set(array.shapes.values())
    if len(found) > 1:
        raise Unfit
    length = max(room, room_for(array.length))
    name, shape, dynamic, identical, order = (
        array.name,
        array.element_shape,
        array.dynamic,
        array.identical,
        array.order,
    )

    clears = is_read and array.clears

    def held(arrays: list[Any]) -> Any:
        dense = DenseArray(name, array.dtype, length, shape, dynamic, identical)
        dense.order, dense.found, dense.limit = order, [*found], arrays.pop(0)
        dense.cleared = Cleared(arrays.pop(0)) if clears else None
        return dense

    def arrays() -> list[Any]:
        cleared = np.zeros(length, bool)
        cleared[[*array.cleared]] = True
        return [np.int32(array.length), cleared][: 1 + clears]

    shapes = [array_kind((), np.dtype(np.int32)), array_kind((length,), np.dtype(bool))]
    key = (array.dtype, length, shape, dynamic, identical, order, *found, clears)
    return Given(key, shapes[: 1 + clears], arrays, held, array if clears else None)
