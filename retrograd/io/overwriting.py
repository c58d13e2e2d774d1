"""Large variables that get the values of a file: what they held is let go before these are read.

Both at once would take twice the memory of the variables.  So that a file that cannot be read changes nothing,
all of it is looked through first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import prod
from typing import Any, TypeVar

import numpy as np

from retrograd.graph import errors
from retrograd.graph.dtypes import DType
from retrograd.graph.operation import Operation
from retrograd.graph.static import static_value
from retrograd.ops.saving import check_stored, open_checkpoint
from retrograd.run.store import Cell

_V = TypeVar("_V")
AT_ONCE = 1 << 26  # bytes of variables whose old and new values may be there together
_VARIABLES = ("Variable", "VariableV2", "VarHandleOp")
_ON_THE_WAY = ("Identity", "Reshape")  # between what reads a value and what assigns it


def cell_of(variable: Any, session: Callable[[], Any]) -> Cell:
    """The place of a variable: its own where ops run at once, or that of ``session()``."""
    handle = variable.handle if hasattr(variable, "handle") else variable.op.outputs[0]
    cell: Cell = handle.value_now if hasattr(handle, "value_now") else session()._store.cell_of(handle.op)
    return cell


def size_of(cell: Cell) -> int:
    """The bytes of the value that a cell holds."""
    value = cell._value
    if cell.is_initialized and value is None:
        return prod(n or 0 for n in cell.shape_now or ()) * 4  # on a device, in some number of bytes
    return int(getattr(value, "nbytes", 0))


def let_go(cells: Iterable[Cell]) -> None:
    """Take away the values of cells, for good."""
    for cell in cells:
        with cell.store.transaction():
            cell.write(None)


def give(cell: Cell, value: np.ndarray) -> None:
    """Let a cell hold an array that nobody else has."""
    with cell.store.transaction():
        cell.write(value)


@dataclass
class Wanted:
    """A cell that is to get a value of a checkpoint."""

    cell: Cell
    name: bytes
    spec: str  # which slice of the value, "" for all of it
    dtype: DType
    is_reshaped: bool  # whether it may be of another shape

    def is_in(self, reader: Any) -> bool:
        """Whether the checkpoint has it, whole and of the cell's shape.

        Raises:
          OpError: it has not.
        """
        stored, declared = check_stored(reader, self.name, self.spec, self.dtype), self.cell.shape
        if self.is_reshaped or declared is None:
            return True
        return len(stored) == len(declared) and all(m in (None, n) for n, m in zip(stored, declared, strict=True))


def parts_of(values: Iterable[_V], size: Callable[[_V], int]) -> list[list[_V]]:
    """Values to be read, in their order, in parts of about ``AT_ONCE`` bytes; there is at least one part."""
    parts: list[list[_V]] = [[]]
    read = 0
    for value in values:
        if read >= AT_ONCE:
            parts.append([])
            read = 0
        parts[-1].append(value)
        read += size(value)
    return parts


def make_room(wanted: list[Wanted], path: str) -> None:
    """Let go of what cells hold that are about to get the values of a checkpoint, if that is much.

    Nothing is done if the checkpoint cannot be read, or does not fit: who restores it says so.
    """
    held = [row.cell for row in wanted if row.cell.is_initialized]
    if sum(map(size_of, held)) < AT_ONCE:
        return
    try:
        reader = open_checkpoint(path)
        fits = all(row.is_in(reader) for row in wanted)
    except errors.OpError:
        return
    if fits:
        let_go(held)


def restored_by(op: Operation, session: Any) -> list[Wanted]:
    """What an op of a graph restores, as ``make_room`` takes it."""
    found: list[Wanted] = []
    for assign in _waited_for(op) if hasattr(session, "_store") else ():
        source, is_reshaped = assign.inputs[1], False
        while source.op.type in _ON_THE_WAY:
            is_reshaped |= source.op.type == "Reshape"
            source = source.op.inputs[0]
        target = assign.inputs[0].op
        if source.op.type != "RestoreV2" or target.type not in _VARIABLES:
            continue
        names, specs = (static_value(x) for x in source.op.inputs[1:3])
        if names is not None and specs is not None:
            name, spec = (_bytes(x[source.value_index]) for x in (names, specs))
            found.append(Wanted(session._store.cell_of(target), name, spec.decode(), source.dtype, is_reshaped))
    return found


def _waited_for(op: Operation) -> Iterator[Operation]:
    """The assignments for which an op waits."""
    waiting, seen = [op], {op}
    while waiting:
        at = waiting.pop()
        if at.type in ("Assign", "AssignVariableOp"):
            yield at
            continue
        new = [other for other in at.control_inputs if other not in seen]
        seen.update(new)
        waiting += new


def _bytes(text: Any) -> bytes:
    return text if isinstance(text, bytes) else str(text).encode()
