"""What a list of tensors is in a run: a value with versions, of which none changes.

A version is a length and a Python list that it shares with the versions before it: the newest appends to it, an older
one begins a list of its own.  So a loop that puts one element behind another costs what it costs in place.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from retrograd.graph import shapes
from retrograd.graph.dtypes import DType, type_word
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.shapes import RawShape


def wrong(message: str) -> InvalidArgumentError:
    """The error of an op on a list."""
    return InvalidArgumentError(None, None, message)


def text(shape: RawShape) -> str:
    """A shape as the messages about lists print it."""
    return "<unknown>" if shape is None else shapes.shape_text(shape)


class TensorList:
    """One version of a list: elements of one dtype, of which some may not have been set (None)."""

    __slots__ = ("_items", "element_dtype", "element_shape", "length", "max_num_elements")
    shape = ()
    dtype = np.dtype(object)

    def __init__(
        self, items: list[Any], element_dtype: DType, element_shape: RawShape, length: int | None = None,
        max_num_elements: int = -1,
    ) -> None:  # fmt: skip
        self._items = items
        self.length = len(items) if length is None else length
        self.element_dtype, self.element_shape, self.max_num_elements = element_dtype, element_shape, max_num_elements

    @property
    def items(self) -> list[Any]:
        """The elements."""
        return self._items[: self.length]

    def item(self, index: int) -> Any:
        """One element."""
        return self._items[index]

    def of(self, items: list[Any], length: int | None = None) -> TensorList:
        """A list of the same kind."""
        return TensorList(items, self.element_dtype, self.element_shape, length, self.max_num_elements)

    def pushed(self, item: Any) -> TensorList:
        """A list that is longer by an element."""
        items = self._items if len(self._items) == self.length else self.items
        items.append(item)
        return self.of(items, self.length + 1)

    def popped(self) -> TensorList:
        """A list that is shorter by an element."""
        return self.of(self._items, self.length - 1)

    def changed(self, changes: Iterable[tuple[int, Any]]) -> TensorList:
        """A list with other elements at some places."""
        items = self.items
        for index, item in changes:
            items[index] = item
        return self.of(items)

    def zeros(self) -> TensorList:
        """A list of zeros of the same shapes."""
        return self.of([None if item is None else zeros_like(item) for item in self.items])

    def known_shape(self, wanted: RawShape) -> RawShape:
        """What is known of elements that are to be of a shape, from the list and from those that are set.

        Raises:
          InvalidArgumentError: they are of another.
        """
        found = merged(wanted, self.element_shape)
        for item in self.items if not shapes.is_known(found) else ():
            if item is not None:
                found = merged(found, np.shape(item))
        return found

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, TensorList):
            return NotImplemented
        kinds = (
            (
                "dtypes",
                self.element_dtype is other.element_dtype,
                type_word(self.element_dtype),
                type_word(other.element_dtype),
            ),
            ("lengths", self.length == other.length, self.length, other.length),
        )
        for what, same, mine, theirs in kinds:
            if not same:
                message = f"Trying to add two lists of tensors with different {what}. One is {mine} and the other is "
                raise wrong(message + str(theirs))
        try:
            shape = shapes.merge(self.element_shape, other.element_shape)
        except ValueError:
            raise wrong(
                "Trying to add two lists of tensors with incompatible element shapes. One is "
                f"{text(self.element_shape)} and the other is {text(other.element_shape)}"
            ) from None
        sums = [a if b is None else b if a is None else a + b for a, b in zip(self.items, other.items, strict=True)]
        return TensorList(sums, self.element_dtype, shape, None, self.max_num_elements)


def merged(a: RawShape, b: RawShape) -> RawShape:
    """What two shapes say together.

    Raises:
      InvalidArgumentError: they exclude each other.
    """
    try:
        return shapes.merge(a, b)
    except ValueError:
        ranks = a is not None and b is not None and len(a) != len(b)
        if ranks:
            raise wrong(f"Incompatible ranks during merge: {len(a or ())} vs. {len(b or ())}") from None
        raise wrong(f"Incompatible shapes during merge: {text(a)} vs. {text(b)}") from None


def unwrapped(value: Any) -> TensorList:
    """A list, also of an array that holds it.

    Raises:
      InvalidArgumentError: the value is no list.
    """
    found = value.item() if isinstance(value, np.ndarray) and value.size == 1 else value
    if not isinstance(found, TensorList):
        raise wrong("Input handle is not a list. Saw: '" + type(found).__name__ + "'")
    return found


def zeros_like(value: Any) -> Any:
    """Zeros of the shape and kind of a value: a list, an element, an array of these or of strings, numbers."""
    if hasattr(value, "zeros"):
        return value.zeros()
    if isinstance(value, np.ndarray) and value.dtype == object and value.size:
        made = np.empty_like(value)
        for i, v in enumerate(value.flat):
            made.flat[i] = v.zeros() if hasattr(v, "zeros") else b"" if isinstance(v, bytes | str) else v
        return made
    return np.zeros_like(value)
