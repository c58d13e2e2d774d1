"""Updates of small variables, done together: as one, of a flat vector of all that they hold.

XLA compiles a kernel for every array that an optimizer's step changes, some 20 ms each, and calls it in every
run; the step of a network changes dozens that are smaller than what a call costs.  Those that follow one rule,
with the same learning rate and whatever else is a scalar, wait until somebody reads what they change, and are
then a single step: its rule goes element by element (``ops/training.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import prod
from typing import Any

import numpy as np

from retrograd.graph.definition import OpDef
from retrograd.graph.operation import Operation
from retrograd.ops.training import WHOLE_UPDATES
from retrograd.run.homes import SMALL

Compute = Callable[[Operation, list[Any]], Any]  # what an op makes of its arguments; a cell among them it changes


class Waiting:
    """Updates that follow one rule with the same scalars, and have yet to be done."""

    def __init__(self, compute: Compute, cell_of: Callable[[Any], Any]) -> None:
        self._compute = compute
        self._cell_of = cell_of
        self._updates: list[tuple[Operation, list[Any]]] = []

    def add(self, op: Operation, arguments: list[Any]) -> None:
        """Let ``op`` wait; reading one of its cells ends the waiting."""
        self._updates.append((op, arguments))
        for cell in _cells_of(op, arguments):
            cell.due = self

    def settle(self) -> None:
        """Do them."""
        from retrograd.ops.jax_start import jnp

        updates, self._updates = self._updates, []
        for op, arguments in updates:
            for cell in _cells_of(op, arguments):
                cell.due = None
        if len(updates) < 2:
            for op, arguments in updates:
                self._compute(op, arguments)
            return
        (op, first), count = updates[0], WHOLE_UPDATES[updates[0][0].type]
        gradient = _gradient_at(op.definition)
        whole = list(first)
        flat = [self._cell_of(_flat(jnp, [a[i].value for _, a in updates])) for i in range(count)]
        whole[:count] = flat
        whole[gradient] = _flat(jnp, [a[gradient] for _, a in updates])
        self._compute(op, whole)
        ends = np.cumsum([prod(a[0].shape_now) for _, a in updates])
        for i, cell in enumerate(flat):
            for (_, arguments), part in zip(updates, jnp.split(cell.value, ends[:-1]), strict=True):
                arguments[i].write(part.reshape(arguments[i].shape_now))


class Together:
    """The updates that wait in one walk through a plan."""

    def __init__(self, compute: Compute, cell_of: Callable[[Any], Any]) -> None:
        self._compute = compute
        self._cell_of = cell_of
        self._groups: dict[Hashable, Waiting] = {}

    def take(self, op: Operation, arguments: list[Any]) -> bool:
        """Whether the update ``op`` will be done later, or by whoever reads what it changes."""
        cells = _cells_of(op, arguments)
        gradient = _gradient_at(op.definition)
        value = cells[0].value
        if not all(_is_alike(value, other) for other in (arguments[gradient], *(c.value for c in cells[1:]))):
            return False  # the op itself says what is wrong
        if value.size * value.dtype.itemsize > SMALL or len({*map(id, cells)}) < len(cells):
            return False
        scalars = [a for i, a in enumerate(arguments) if i >= len(cells) and i != gradient]
        if any(np.ndim(s) for s in scalars):
            return False
        attrs = [op.attrs[k] for k in op.definition.kernel_attrs]
        key = (op.type, value.dtype, tuple(attrs), tuple(map(_identity, scalars)))
        self._groups.setdefault(key, Waiting(self._compute, self._cell_of)).add(op, arguments)
        return True

    def settle(self) -> None:
        """Do what waits."""
        for group in self._groups.values():
            group.settle()


def places_of(ops: Sequence[Operation], origin: Callable[[Any], Any]) -> dict[Operation, tuple[int, int]]:
    """Where variables stand best, so that those which one rule changes together lie side by side.

    ``origin`` gives the op of the variable that an argument leads to.
    """
    places: dict[Operation, tuple[int, int]] = {}
    for order, op in enumerate(ops):
        for i in range(WHOLE_UPDATES.get(op.type, 0)):
            places.setdefault(origin(op.inputs[i]), (i, order))
    return places


def _cells_of(op: Operation, arguments: list[Any]) -> list[Any]:
    return arguments[: WHOLE_UPDATES[op.type]]


def _gradient_at(definition: OpDef) -> int:
    return next(i for i, argument in enumerate(definition.inputs) if argument.name in ("grad", "delta"))


def _is_alike(value: Any, other: Any) -> bool:
    return bool(np.shape(value) == np.shape(other) and value.dtype == getattr(other, "dtype", None))


def _flat(xp: Any, values: list[Any]) -> Any:
    return xp.concatenate([xp.ravel(v) for v in values])


def _identity(scalar: Any) -> Hashable:
    """What two scalars have in common if they are the same."""
    known = isinstance(scalar, np.ndarray | np.generic)
    return (scalar.dtype, scalar.tobytes()) if known else id(scalar)
