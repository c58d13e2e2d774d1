"""What the interpreter gives to a loop that is computed as a whole: arrays, with room for more rows than there are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from retrograd.ops import dataflow
from retrograd.ops.dense_elements import Cleared, Composite, DenseArray, DenseElements
from retrograd.ops.elements import Array, Elements
from retrograd.run.held import array_kind, is_known, leaves, of_sizes, shapeless, sizes_of, with_leaves, without_sizes
from retrograd.run.histories import Same, Stack, Steps, reshaped
from retrograd.run.store import Cell

_LEAST = 32  # rows


class Unfit(Exception):
    """What a run gives to a loop is nothing that a computation of it can take."""


class Left(dataflow.History):
    """What a computed loop has kept, where that is known without the device."""


class Rows(dataflow.History):
    """What a computed loop has kept: ``held`` is a ``Stack`` or the like, on the device.

    ``sizes`` has those of the axes, by array and axis, that are shorter than they are held.
    """

    def __init__(self, held: Any, sizes: Mapping[tuple[int, int], int]) -> None:
        self.held = held
        self.sizes = sizes
        self.count = int(held.count)

    def __len__(self) -> int:
        return self.count

    @cached_property
    def values(self) -> list[Any]:  # type: ignore[override]
        """The value in each iteration."""
        if isinstance(self.held, Same):
            return [left(self.held.value, self.sizes)] * self.count
        rows = [cut(x, i, self.sizes)[: self.count] for i, x in enumerate(self.held.rows)]
        inner = {(i, axis - 1): n for (i, axis), n in self.sizes.items()}
        found = [left(with_leaves(self.held.like, [x[i] for x in rows]), inner) for i in range(self.count)]
        return found[::-1] if self.held.is_backward else found


def cut(array: Any, i: int, sizes: Mapping[tuple[int, int], int]) -> np.ndarray:
    """The i-th of several arrays, no longer than ``sizes`` say."""
    found = np.asarray(array)
    if not sizes:
        return found
    part = found[tuple([slice(sizes.get((i, axis), n)) for axis, n in enumerate(found.shape)])]
    return part if part.shape == found.shape else np.ascontiguousarray(part)


def left(value: Any, sizes: Mapping[tuple[int, int], int] = MappingProxyType({})) -> Any:
    """What leaves a computed loop, other than arrays of the program, as the interpreter has it."""
    if isinstance(value, Steps):
        return Left(value.values)
    return Rows(value, sizes) if isinstance(value, Composite) else cut(value, 0, sizes)[()]


Made = tuple[Sequence[Any], Callable[[list[Any]], Any]]


class Given:
    """A value that a loop is given, of some kind and of some sizes.

    Args:
      kind: what it is, without the sizes.
      sizes: the dimensions of its arrays, and the whole numbers that have to be known.
      made: of such sizes, the kinds of the arrays that it is made of, and what a trace finds, made of traced arrays.
      arrays: its own arrays.
      ends_in_zeros: whether zeros stand behind the ends of arrays that are longer than it is.
      clears: the array that is read, if its elements are not to be read again.
    """

    def __init__(
        self,
        kind: Any,
        sizes: Sequence[int],
        made: Callable[[Sequence[int]], Made],
        arrays: Callable[[], Sequence[Any]],
        clears: Array | None = None,
        ends_in_zeros: bool = True,
    ) -> None:
        self.kind = kind
        self.ends_in_zeros = ends_in_zeros
        self.sizes = tuple(sizes)
        self.made = made
        self.arrays = arrays
        self.clears = clears


def fitted(array: Any, shape: tuple[int, ...]) -> Any:
    """``array`` in this shape: zeros stand behind its end, or it ends before."""
    if np.shape(array) == shape:
        return array
    places = tuple([slice(min(pair)) for pair in zip(shape, array.shape, strict=True)])
    found = np.zeros(shape, array.dtype)
    found[places] = np.asarray(array)[places]
    return found


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
        return _given_rows(value)
    if isinstance(value, dataflow.History):
        return _given_history(value.values, room, is_read)
    if not isinstance(value, np.ndarray | np.generic) and not hasattr(type(value), "block_until_ready"):
        raise Unfit
    if is_static:
        return _given_known(np.asarray(value))
    if value.dtype.kind in "OSUV":
        raise Unfit
    return _given_stack((value.shape, value.dtype), lambda: [value], lambda arrays: arrays.pop(0))


def _given_stack(
    like: tuple[tuple[int, ...], np.dtype],
    arrays: Callable[[], Sequence[Any]],
    held: Callable[[list[Any]], Any],
    before: tuple[int, ...] = (),
    rest: Sequence[Any] = (),
    what: Any = "array",
) -> Given:
    """What is made of one array, whose first dimensions ``before`` belong to its kind, and of the ``rest``."""
    shape, dtype = like

    def made(sizes: Sequence[int]) -> Made:
        return [array_kind((*before, *sizes), dtype), *rest], held

    return Given((what, before, len(shape), dtype), shape, made, arrays)


def _given_known(fixed: np.ndarray) -> Given:
    def made(sizes: Sequence[int]) -> Made:
        known = of_sizes(fixed, [*sizes])
        return (), lambda _: known

    return Given(without_sizes(fixed), sizes_of(fixed), made, tuple)


def _given_rows(value: Rows) -> Given:
    held, arrays = value.held, leaves(value.held)

    def made(sizes: Sequence[int]) -> Made:
        rest = [*sizes]
        kinds = [array_kind([rest.pop(0) for _ in x.shape], x.dtype) for x in arrays]
        like = _with_sizes(held, rest)
        return kinds, lambda arrays: reshaped(with_leaves(like, arrays))

    structure = (shapeless(held), shapeless(held.like) if isinstance(held, Stack) else None)
    sizes = [value.sizes.get((i, axis), n) for i, x in enumerate(arrays) for axis, n in enumerate(x.shape)]
    return Given(structure, [*sizes, *_sizes_in(held)], made, lambda: arrays, ends_in_zeros=False)


def _sizes_in(value: Any) -> list[int]:
    """What may be sizes in that which is known of a value that was kept."""
    if isinstance(value, Composite):
        return [n for part in value.parts() for n in _sizes_in(part)]
    return sizes_of(value) if is_known(value) else []


def _with_sizes(value: Any, sizes: list[int]) -> Any:
    if isinstance(value, Composite):
        return value.with_parts([_with_sizes(part, sizes) for part in value.parts()])
    return of_sizes(value, sizes) if is_known(value) else value


def _given_elements(elements: Elements, room: int) -> Given:
    values, count, order = elements.values(), elements.length, elements.order
    if not values:
        length = max(room, room_for(count))
        written = None if order else np.zeros(length, bool)
        empty = DenseElements(length, order, None, written)
        return Given(("empty", length, order), (), lambda _: ((), lambda _: empty), tuple)
    length = room_for(count)
    present = dict(values)
    like = _common_kind(values.values())

    def arrays() -> list[Any]:
        rows = _stacked(present, length, *like)
        written = np.zeros(length, bool)
        written[list(present)] = True
        return [rows] if order else [rows, written]

    def held(arrays: list[Any]) -> Any:
        return DenseElements(length, order, arrays.pop(0), None if order else arrays.pop(0))

    rest = [] if order else [array_kind((length,), np.dtype(bool))]
    return _given_stack(like, arrays, held, (length,), rest, ("elements", order))


def _given_history(values: Sequence[Any], room: int, is_read: bool) -> Given:
    count = len(values)
    if not count or any(v is None for v in values):
        raise Unfit
    number = array_kind((), np.dtype(np.int32))
    if isinstance(values[0], Array | Elements) and all(v is values[0] for v in values):
        one = given(values[0], room, False, is_read)

        def made(sizes: Sequence[int]) -> Made:
            kinds, held = one.made(sizes)
            return [*kinds, number], lambda arrays: Same(held(arrays), arrays.pop(0))

        return Given(("same", one.kind), one.sizes, made, lambda: [*one.arrays(), np.int32(count)], one.clears)
    length = room_for(count)
    like = _common_kind(values)

    def held(arrays: list[Any]) -> Any:
        rows, n = arrays.pop(0), arrays.pop(0)
        return Stack(array_kind(rows.shape[1:], rows.dtype), [rows], n, False, True)

    return _given_stack(
        like,
        lambda: [_stacked(dict(enumerate(values)), length, *like), np.int32(count)],
        held,
        (length,),
        [number],
        "history",
    )


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
    name, dtype, dynamic, identical, order = array.name, array.dtype, array.dynamic, array.identical, array.order
    declared, clears = array.element_shape, is_read and array.clears
    known = [] if declared is None or None in declared else [tuple([n or 0 for n in declared])]

    def made(sizes: Sequence[int]) -> Made:
        rest = [*sizes]
        shapes = [tuple([rest.pop(0) for _ in shape]) for shape in (*known, *found)]

        def held(arrays: list[Any]) -> Any:
            dense = DenseArray(name, dtype, length, shapes[0] if known else declared, dynamic, identical)
            dense.order, dense.found, dense.limit = order, shapes[len(known) :], arrays.pop(0)
            dense.cleared = Cleared(arrays.pop(0)) if clears else None
            return dense

        kinds = [array_kind((), np.dtype(np.int32)), array_kind((length,), np.dtype(bool))]
        return kinds[: 1 + clears], held

    def arrays() -> list[Any]:
        cleared = np.zeros(length, bool)
        cleared[[*array.cleared]] = True
        return [np.int32(array.length), cleared][: 1 + clears]

    form = len(known[0]) if known else declared
    facts = (dtype, length, form, dynamic, identical, order, *map(len, found), clears)
    sizes = [n for shape in (*known, *found) for n in shape]
    return Given(facts, sizes, made, arrays, array if clears else None)
