"""What a session keeps between runs: the values of variables and the positions of random streams."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import errors
from retrograd.graph.graph import Graph
from retrograd.graph.operation import Operation
from retrograd.graph.shapes import RawShape
from retrograd.ops.streams import Stream


class Cell:
    """The place of one variable.

    A value that was read stays what it was: its array is changed in place only while nobody else holds it.
    """

    __slots__ = ("name", "shape", "store", "value")

    def __init__(self, store: Store, name: str, shape: RawShape) -> None:
        self.store = store
        self.name = name
        self.shape = shape
        self.value: Any = None

    @property
    def is_initialized(self) -> bool:
        return self.value is not None

    @property
    def shape_now(self) -> RawShape:
        """The shape of the value; before there is one, the declared shape."""
        return self.shape if self.value is None else np.shape(self.value)

    def read(self) -> Any:
        """The value.

        Raises:
          FailedPreconditionError: the variable has none yet.
        """
        if self.value is None:
            raise errors.FailedPreconditionError(None, None, f"Attempting to use uninitialized value {self.name}")
        return self.value

    def write(self, value: Any) -> None:
        """Let the value be ``value`` (None takes it away); the running step can still take it back."""
        if type(value) is np.ndarray:
            if not value.flags.owndata:  # perhaps a view of an array that the user will change
                value = value.copy()
            value.flags.writeable = False
        self.store.journal.append((self, self.value))
        self.value = value

    def change_rows(self, rows: Any, change: Callable[[np.ndarray], None]) -> None:
        """Let ``change`` alter ``rows`` of the value, given as an array; the step can take that back."""
        if type(self.value) is np.ndarray and self.value.flags.owndata and _holders(self) == _NOBODY_ELSE:
            self.store.journal.append((Rows(self, rows), self.value[rows].copy()))
            self.value.flags.writeable = True
            try:
                change(self.value)
            finally:
                self.value.flags.writeable = False
        else:
            value = np.array(self.read())
            change(value)
            self.write(value)


class Rows:
    """Rows of a cell as a place that can be given back what was there."""

    def __init__(self, cell: Cell, rows: Any) -> None:
        self.cell = cell
        self.rows = rows

    @property
    def value(self) -> Any:
        """The rows."""
        return self.cell.value[self.rows]

    @value.setter
    def value(self, old: Any) -> None:
        self.cell.value.flags.writeable = True
        self.cell.value[self.rows] = old
        self.cell.value.flags.writeable = False


def _holders(cell: Cell) -> int:
    """How many references there are to a cell's array, those of this function among them."""
    return sys.getrefcount(cell.value)


def _nobody_else() -> int:
    cell = Cell(Store(), "", None)
    cell.value = np.zeros(1)
    return _holders(cell)


class Store:
    """The variables, random streams and host ops' notes of one session, or of one call in it."""

    def __init__(self, whole: Store | None = None, library: Graph | None = None) -> None:
        self.whole = whole
        self.library = library  # the graph whose functions its ops may call, if that is not their own
        self.parts: dict[Operation, Store] = {}
        self.lock = threading.RLock()
        self.cells: dict[tuple[str, str], Cell] = {}
        self.streams: dict[Operation, Stream] = {}
        self.memories: dict[Operation, dict[str, Any]] = {}
        self.journal: list[tuple[Any, Any]] = []  # what the running step has changed, and what was there

    def cell_of(self, op: Operation) -> Cell:
        """The cell of a variable op: one per container and shared name."""
        if self.whole is not None:
            return self.whole.cell_of(op)
        shared = op.attrs["shared_name"] or op.name
        key = (op.attrs["container"], shared)
        cell = self.cells.get(key)
        if cell is None:
            shape = op.attrs["shape"]._raw
            name = shared if op.type == "VarHandleOp" else op.name  # what TensorFlow's messages call it
            cell = self.cells.setdefault(key, Cell(self, name, shape))
        return cell

    @property
    def is_empty(self) -> bool:
        """Whether no variable has a value."""
        return not any(cell.is_initialized for cell in self.cells.values())

    def stream_of(self, op: Operation) -> Stream:
        """The random stream of an op, made on first use."""
        stream = self.streams.get(op)
        if stream is None:
            stream = self.streams.setdefault(op, Stream.of(op.attrs["seed"], op.attrs["seed2"]))
        return stream

    def memory_of(self, op: Operation) -> dict[str, Any]:
        """What a host op keeps between runs."""
        return self.memories.setdefault(op, {})

    def part_of(self, op: Operation) -> Store:
        """What a function keeps that ``op`` calls: streams and notes of its own, variables of the whole."""
        part = self.parts.get(op)
        if part is None:
            part = self.parts.setdefault(op, Store(self, self.library or op.graph))
        return part

    def take_back(self) -> None:
        """Undo what the running step has changed."""
        for place, value in reversed(self.journal):
            place.value = value
        self.journal.clear()

    def clear(self) -> None:
        """Forget every value."""
        self.cells.clear()
        self.streams.clear()
        self.memories.clear()
        self.parts.clear()


_NOBODY_ELSE = _nobody_else()  # differs between versions of Python
