"""What a session keeps between runs: the values of variables and the positions of random streams."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from retrograd.graph import errors
from retrograd.graph.operation import Operation
from retrograd.graph.shapes import RawShape
from retrograd.ops.streams import Stream


class Cell:
    """The place of one variable.

    Its array is never changed in place: a value that was read stays what it was.
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


class Store:
    """The variables, random streams and host ops' notes of one session."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.cells: dict[tuple[str, str], Cell] = {}
        self.streams: dict[Operation, Stream] = {}
        self.memories: dict[Operation, dict[str, Any]] = {}
        self.journal: list[tuple[Any, Any]] = []  # what the running step has changed, with what was there before

    def cell_of(self, op: Operation) -> Cell:
        """The cell of a variable op: one per container and shared name."""
        key = (op.attrs["container"], op.attrs["shared_name"] or op.name)
        cell = self.cells.get(key)
        if cell is None:
            shape = op.attrs["shape"]._raw
            cell = self.cells.setdefault(key, Cell(self, op.name, shape))
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
