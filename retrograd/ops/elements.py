"""What a ``TensorArray`` is in a run: an ``Array``, which stays, and its ``Elements``, of which there are versions.

A handle's value is the array, a flow's value a version of the elements.  A write makes a new version and leaves
the old one as it was, so every op on arrays is a function of its inputs.  The newest version holds the values in
a dict; an older one knows what is different in it, and takes the dict over when its values are asked for (Baker,
Shallow binding makes functional arrays fast, 1991).  So a chain of writes and reads costs what it costs in place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from retrograd.graph import dtypes, shapes
from retrograd.graph.dtypes import DType
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.shapes import RawShape


def element_shape_text(shape: RawShape) -> str:
    """A shape as the messages about arrays print it."""
    return "<unknown>" if shape is None else shapes.shape_text(shape)


def wrong(message: str) -> InvalidArgumentError:
    """The error of an op on an array."""
    return InvalidArgumentError(None, None, message)


class Elements:
    """One version of what an array holds: the value of a flow.

    Versions of one array can be added, element by element; what was not written counts as zero, and so does a
    number.  To everybody else a version is the number 0.0, as TensorFlow's flows are.
    """

    __slots__ = ("_changes", "_newer", "_values", "length", "order")

    def __init__(self, length: int, order: int = 0) -> None:
        self.length = length
        self.order = order  # 0 for an array that the program writes, k for its k-th derivative
        self._values: dict[int, Any] | None = {}
        self._newer: Elements | None = None  # if there are no values here, they are there, but for the changes
        self._changes: dict[int, Any] = {}  # index -> value, or None where nothing was written yet

    def values(self) -> Mapping[int, Any]:
        """index -> value, for as long as no other version's values are asked for."""
        if self._values is None:
            self._take_over()
        assert self._values is not None
        return self._values

    def _take_over(self) -> None:
        older = [self]
        while (newer := older[-1]._newer) is not None:
            older.append(newer)
        holder = older.pop()
        values = holder._values
        assert values is not None
        while older:
            version = older.pop()
            holder._changes = _apply(values, version._changes)
            holder._values, holder._newer = None, version
            holder = version
        self._values, self._newer, self._changes = values, None, {}

    def changed(self, changes: dict[int, Any], length: int) -> Elements:
        """A version with other values at some places."""
        values = self.values()
        assert self._values is not None
        version = Elements(max(length, self.length), self.order)
        self._changes = _apply(self._values, changes)
        version._values, self._values, self._newer = self._values, None, version
        assert values is version._values
        return version

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, Elements):
            return self
        if other.order != self.order:  # derivatives of derivatives are none of the elements
            return min(self, other, key=lambda e: e.order)
        more, fewer = (self, other) if len(self.values()) >= len(other.values()) else (other, self)
        terms = dict(fewer.values())
        present = more.values()
        sums = {i: present[i] + value if i in present else value for i, value in terms.items()}
        return more.changed(sums, fewer.length)

    __radd__ = __add__

    @property
    def size(self) -> int:
        """That of a number."""
        return 1

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.zeros((), dtype or np.float32)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if ufunc is np.add and method == "__call__" and len(inputs) == 2:
            return inputs[0] + inputs[1] if isinstance(inputs[0], Elements) else inputs[1] + inputs[0]
        return getattr(ufunc, method)(*[np.asarray(x) for x in inputs], **options)


def _apply(values: dict[int, Any], changes: dict[int, Any]) -> dict[int, Any]:
    """Make ``changes`` in ``values``; gives the changes that take them back."""
    back = {}
    for index, value in changes.items():
        back[index] = values.get(index)
        if value is None:
            del values[index]
        else:
            values[index] = value
    return back


class Array:
    """What all versions of an array's elements have in common: the value of a handle.

    Beside what the program says of it, an array remembers the shapes that its elements have had, which is what a
    gradient needs to be zero somewhere, and which elements were read and are not to be read again.  Those of a
    ``lasting`` array, made where ops run at once, may be written again, and are zeros where all are read together.
    """

    def __init__(
        self,
        name: str,
        dtype: DType,
        length: int,
        element_shape: RawShape,
        dynamic: bool,
        identical: bool,
        clears: bool,
        lasting: bool = False,
    ) -> None:
        self.name = name
        self.dtype = dtype
        self.length = length
        self.element_shape = element_shape
        self.dynamic = dynamic
        self.identical = identical
        self.clears = clears
        self.lasting = lasting
        self.order = 0
        self.shapes: dict[int, tuple[int, ...]] = {}
        self.cleared: set[int] = set()
        self.pieces: int | None = None  # into how many a tensor was split
        self.closed = False
        self._derivatives: dict[tuple[Any, ...], Array] = {}

    def derivative(self, source: str, before: tuple[int, ...] = (), is_shared: bool = False) -> Array:
        """The array of gradients with respect to this array's elements, which have dimensions ``before`` theirs.

        All who name one source have a shared one together; any other has the elements that its flow brings.
        """
        kind: type[Array] = SharedArray if is_shared else Array
        key = (source if is_shared else None, *before)
        array = self._derivatives.get(key)
        shape = None if self.element_shape is None else (*before, *self.element_shape)
        if array is None:
            array = kind(f"{self.name}@{source}", self.dtype, self.length, shape, True, self.identical, is_shared)
            array.order = self.order + 1
            array.shapes = self.shapes if not before else {}
            self._derivatives[key] = array
        elif shapes.is_known(shape):
            array.element_shape = shape
        array.length, array.pieces = max(array.length, self.length), self.pieces
        return array

    def elements(self, flow: Any) -> Elements:
        """The elements that a flow stands for: none if it is a number, or holds what this array is the gradient of."""
        if not isinstance(flow, Elements):
            return Elements(self.length, self.order)
        return flow if flow.order >= self.order else Elements(flow.length, self.order)

    def written(self, flow: Any, pairs: Iterable[tuple[int, Any]]) -> Elements:
        """The elements with values at some places; in an array of gradients they are added to what is there."""
        self.check_open()
        elements = self.elements(flow)
        changes: dict[int, Any] = {}
        values, length = elements.values(), elements.length
        for index, value in pairs:
            if index < 0 or (index >= elements.length and not self.dynamic):
                raise self.wrong(
                    f"Tried to write to index {index} but array is not resizeable and size is: {elements.length}"
                )
            self._check_shape(index, np.shape(value))
            if self.lasting:
                self.cleared.discard(index)
            length = max(length, index + 1)
            present = changes.get(index, values.get(index))
            changes[index] = value if present is None else self._aggregated(index, present, value)
        self.length = max(self.length, length)
        return elements.changed(changes, length)

    def _check_shape(self, index: int, shape: tuple[int, ...]) -> None:
        if not shapes.compatible(self.element_shape, shape):
            raise self.wrong(
                f"Could not write to TensorArray index {index} because the value shape is {shapes.shape_text(shape)} "
                "which is incompatible with the TensorArray's inferred element shape: "
                f"{element_shape_text(self.element_shape)} (consider setting infer_shape=False)."
            )
        if self.identical:
            self.element_shape = shape
        self.shapes[index] = shape

    def _aggregated(self, index: int, present: Any, value: Any) -> Any:
        if not self.order:
            raise self.wrong(f"Could not write to TensorArray index {index} because it has already been written to.")
        if np.shape(present) != np.shape(value):
            raise self.wrong(
                f"Could not aggregate to TensorArray index {index} because the existing shape is "
                f"{shapes.shape_text(np.shape(present))} but the new input shape is "
                f"{shapes.shape_text(np.shape(value))}."
            )
        return present + value

    def read(self, xp: Any, flow: Any, indices: list[int], together: bool = False) -> list[Any]:
        """The elements at ``indices``; zeros where nothing was written and the shape is known."""
        self.check_open()
        elements = self.elements(flow)
        values = elements.values()
        return [self._read_one(xp, elements.length, values, index, together) for index in indices]

    def _read_one(self, xp: Any, length: int, values: Mapping[int, Any], index: int, together: bool) -> Any:
        if index < 0 or (index >= length and not self.order):
            raise wrong(f"Tried to read from index {index} but array size is: {length}")
        if together and self.lasting:
            return values[index] if index in values and index not in self.cleared else self._zero(xp, index)
        if index in self.cleared:
            raise self.wrong(
                f"Could not read index {index} twice because it was cleared after a previous read "
                "(perhaps try setting clear_after_read = false?)."
            )
        value = values[index] if index in values else self._zero(xp, index)
        if self.clears:
            self.cleared.add(index)
        return value

    def _zero(self, xp: Any, index: int) -> Any:
        shape: RawShape = self.shapes.get(index) if self.order else None
        shape = self.element_shape if shape is None else shape
        if shape is None or not shapes.is_known(shape):
            raise self.wrong(
                f"Could not read from TensorArray index {index}.  Furthermore, the element shape is not fully "
                f"defined: {element_shape_text(self.element_shape)}.  It is possible you are working with a resizeable "
                "TensorArray and stop_gradients is not allowing the gradients to be written.  If you set the full "
                "element_shape property on the forward TensorArray, the proper all-zeros tensor will be returned "
                "instead of incurring this error."
            )
        return np.full(shape, b"", object) if self.dtype is dtypes.string else xp.zeros(shape, self.dtype.np)

    def check_open(self) -> None:
        """Raise if the array was closed."""
        if self.closed:
            raise wrong(f"TensorArray {self.name} has already been closed.")

    def wrong(self, what: str) -> InvalidArgumentError:
        """The error of an op on this array."""
        return wrong(f"TensorArray {self.name}: {what}")


class SharedArray(Array):
    """An array of gradients that has one state: who writes to it adds to what all others have written before."""

    _state: Elements | None = None

    def elements(self, flow: Any) -> Elements:
        """What was written so far, whatever the flow."""
        if self._state is None:
            self._state = Elements(self.length, self.order)
        return self._state

    def written(self, flow: Any, pairs: Iterable[tuple[int, Any]]) -> Elements:
        """The elements with values added at some places, for all."""
        pairs = list(pairs)
        for index, _ in pairs:
            if index in self.cleared:
                raise self.wrong(f"Could not write to TensorArray index {index} because it has already been read.")
        self._state = super().written(flow, pairs)
        return self._state
